// pictures.mjs PAGES OUT [NAME…]: the pictures of the documentation, or some of them. tools/pictures runs it.
import { chromium } from "playwright-core";

const [pages, out, ...names] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });

async function picture(name, file, dark, act) {
  if (names.length > 0 && !names.includes(name)) return;
  const page = await browser.newPage({ viewport: { width: 1120, height: 600 }, colorScheme: dark ? "dark" : "light" });
  await page.goto(`file://${pages}/${file}.html`);
  await page.waitForFunction(() => performance.getEntriesByName("drawn").length > 0);
  await act(page);
  await page.waitForTimeout(300);
  await page.screenshot({ path: `${out}/${name}.png` });
  await page.close();
}

const find = (text) => async (page) => {
  await page.fill("#search", text);
  await page.keyboard.press("Enter");
  await page.locator(".row .name").first().click();
  await page.fill("#search", "");
};

await picture("flame", "javacc", false, async (page) => {
  await page.fill("#search", "StringBu");
  await page.mouse.move(600, 258);
});
await picture("sandwich", "javacc", true, find("StringBuilder.append"));
await picture("change", "change", false, async (page) => {
  await page.keyboard.press("1");
  await page.mouse.move(420, 190);
});
await picture("paths", "paths", false, async (page) => {
  await page.locator(".row", { hasText: "Orders." }).first().click();
});
await picture("time", "calls", true, async (page) => {
  await page.getByRole("tab", { name: "Over time" }).click();
  await page.mouse.move(700, 250);
});
await browser.close();
