// read_speedscope.mjs FILE…: opens each file in speedscope itself, in Chromium, and prints what its table of functions
// shows, as JSON: one list of [self, name] for each file.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const speedscope = join(dirname(fileURLToPath(import.meta.url)), "node_modules/speedscope/dist/release/index.html");
const folder = mkdtempSync(join(tmpdir(), "bursar-speedscope-"));
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--enable-unsafe-swiftshader"] });
const tables = [];
try {
  for (const file of process.argv.slice(2)) {
    // As speedscope's own command does it.
    const script = join(folder, "profile.js");
    writeFileSync(script, `speedscope.loadFileFromBase64("profile.json", "${readFileSync(file).toString("base64")}")`);
    const page = await browser.newPage({ viewport: { width: 1200, height: 1500 } });
    await page.goto(`file://${speedscope}#localProfilePath=${script}`);
    await page.waitForFunction(() => document.title.includes("speedscope") && document.querySelector("canvas") !== null && document.body.innerText.includes("Sandwich"));
    await page.keyboard.press("3");
    await page.waitForFunction(() => document.querySelectorAll("tr").length > 1);
    tables.push(
      await page.evaluate(() =>
        [...document.querySelectorAll("tr")].slice(1).map((row) => {
          const cells = [...row.querySelectorAll("td")].map((cell) => cell.innerText.trim());
          return [Number(cells[1].split(" ")[0].replaceAll(",", "")), cells[2]];
        }),
      ),
    );
    await page.close();
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
console.log(JSON.stringify(tables));
