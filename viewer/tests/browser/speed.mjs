// speed.mjs PAGE: how large a page is, and how long it takes until something is on the screen. bench/viewer runs it.
//
// A time ends two frames after the work: then it has been painted.
import { statSync } from "node:fs";
import { chromium } from "playwright-core";

const RUNS = 5;
const file = process.argv[2];
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
const times = { open: [], zoom: [], unzoom: [], search: [], "search, one letter": [], tree: [], methods: [], callers: [] };
let facts = "";
for (let run = 0; run < RUNS; run++) {
  const page = await browser.newPage({ viewport: { width: 1366, height: 768 }, bypassCSP: true });
  await page.goto("file://" + file, { waitUntil: "commit" });
  await page.waitForFunction(() => performance.getEntriesByName("drawn").length > 0);
  times.open.push(await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now()))))));
  facts = await page.locator("#facts-line").innerText();
  // From an event to what it draws, as the page itself sees it.
  const timed = (name, act) =>
    page
      .evaluate(
        async ([body]) => {
          const start = performance.now();
          new Function(body)();
          await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
          return performance.now() - start;
        },
        [act],
      )
      .then((ms) => times[name].push(ms));
  const key = (k) => `dispatchEvent(new KeyboardEvent("keydown", { key: "${k}" }))`;
  const type = (text) => `const i = document.getElementById("search"); i.value = "${text}"; i.dispatchEvent(new Event("input"))`;
  const click = `const c = document.querySelector(".flame canvas"), a = c.getBoundingClientRect();
    c.dispatchEvent(new MouseEvent("click", { clientX: a.left + a.width * 0.3, clientY: a.top + 8 + 5 * 20 + 10 }))`;
  await timed("zoom", click);
  await timed("unzoom", key("Escape"));
  await timed("search", type("handler"));
  await timed("search, one letter", type("e"));
  await page.evaluate(new Function(type("")));
  await timed("tree", key("3"));
  await timed("methods", key("4"));
  await timed("callers", key("2"));
  await page.close();
}
await browser.close();
console.log(`${facts}\npage ${(statSync(file).size / 1e6).toFixed(1)} MB`);
for (const [name, values] of Object.entries(times)) {
  const sorted = values.sort((a, b) => a - b);
  console.log(`${name.padEnd(20)} ${sorted[RUNS >> 1].toFixed(0).padStart(6)} ms   at most ${sorted[RUNS - 1].toFixed(0)} ms`);
}
