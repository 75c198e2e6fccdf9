// The viewer as a user meets it: real pages of the command, in Chromium.

import { spawn } from "node:child_process";
import { chromium, type Browser, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const PAGES = process.env.BURSAR_PAGES!;
let browser: Browser;

beforeAll(async () => {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
});
afterAll(() => browser?.close());

// Fails the test on anything that goes wrong in the page, and on any request beyond it.
async function open(name: string, dark = false): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 }, colorScheme: dark ? "dark" : "light" });
  page.on("pageerror", (error) => {
    throw error;
  });
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(name.startsWith("http") ? name : `file://${PAGES}/${name}.html`);
  await page.waitForFunction(() => performance.getEntriesByName("drawn").length > 0);
  expect(requests.length).toBe(1);
  return page;
}

// Where the n-th row of a flame graph is, and how far along it.
async function spot(page: Page, row: number, share = 0.3, graph = ".flame") {
  const area = (await page.locator(`${graph} canvas`).first().boundingBox())!;
  return { x: area.x + area.width * share, y: area.y + 8 + row * 20 + 10 };
}
const text = (page: Page, selector: string) => page.locator(selector).innerText();
const settled = (page: Page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

// The colour under a point of the graph.
function colourAt(page: Page, point: { x: number; y: number }): Promise<number[]> {
  return page.evaluate(({ x, y }) => {
    const canvas = document.elementFromPoint(x, y) as HTMLCanvasElement;
    const area = canvas.getBoundingClientRect();
    return [...canvas.getContext("2d")!.getImageData(x - area.left, y - area.top, 1, 1).data];
  }, point);
}

describe("the flame graph", () => {
  test("says what it shows, and what was lost", async () => {
    const page = await open("exact");
    expect(await text(page, "h1")).toBe("exact.bursar");
    expect(await text(page, "#facts-line")).toBe("10,161,002 calls · 8 contexts · mode exact");
    expect(await text(page, "#losses")).toBe("3,431 lost");
    await page.click("#losses");
    const run = await text(page, "main");
    for (const words of ["3,400", "events dropped: depth exceeded", "methods skipped: old class file", "OpenJDK 17.0.9", "[overflow]"]) {
      expect(run).toContain(words);
    }
    await page.close();
  });

  test("shows a box's numbers under the pointer", async () => {
    const page = await open("shop");
    const { x, y } = await spot(page, 1);
    await page.mouse.move(x, y);
    expect(await text(page, "#tip b")).toContain("main");
    expect(await text(page, "#tip")).toMatch(/subtree\s+[\d,]+/);
    await page.mouse.move(x, 5);
    expect(await page.locator("#tip").isVisible()).toBe(false);
    await page.close();
  });

  test("zooms by click and by key, and back", async () => {
    const page = await open("exact");
    const child = await spot(page, 3, 0.3);
    await page.mouse.move(child.x, child.y);
    const name = await text(page, "#tip b");
    expect(name).toContain("remove(int)");
    await page.mouse.click(child.x, child.y);
    expect(await page.locator("#reset").isEnabled()).toBe(true);
    expect(await text(page, "#status b")).toBe(name);
    await settled(page);
    const right = await spot(page, 3, 0.97);
    await page.mouse.move(right.x, right.y);
    expect(await text(page, "#tip b")).toBe(name);
    await page.keyboard.press("Escape");
    expect(await page.locator("#reset").isEnabled()).toBe(false);
    for (const key of ["ArrowDown", "ArrowDown", "ArrowUp", "Enter"]) await page.keyboard.press(key);
    expect(await page.locator("#reset").isEnabled()).toBe(true);
    await page.close();
  });

  test("turns upside down", async () => {
    const page = await open("shop");
    const { x, y } = await spot(page, 0);
    await page.mouse.move(x, y);
    expect(await text(page, "#tip b")).toBe("all");
    await page.keyboard.press("f");
    await settled(page);
    const area = (await page.locator(".flame canvas").boundingBox())!;
    await page.mouse.move(x, area.y + area.height - 18);
    expect(await text(page, "#tip b")).toBe("all");
    await page.close();
  });

  test("highlights what a search finds, and adds it up", async () => {
    const page = await open("exact");
    const main = await spot(page, 1, 0.99);
    const before = await colourAt(page, main);
    await page.keyboard.press("/");
    await page.keyboard.type("main");
    await settled(page);
    expect(await text(page, "#found")).toBe("1 method, 1 context: 1 own, 100.0 % with callees");
    const found = await colourAt(page, main);
    expect(found).not.toEqual(before);
    expect(found[0]).toBeGreaterThan(found[1] + 40);
    expect(found[2]).toBeGreaterThan(found[1] + 40);
    await page.fill("#search", "/remove|copy/");
    expect(await text(page, "#found")).toContain("3 methods, 4 contexts: 10,120,300 own");
    await page.fill("#search", "/(/");
    expect(await text(page, "#found")).toContain("Invalid regular expression");
    await page.keyboard.press("Escape");
    expect(await text(page, "#found")).toBe("");
    await settled(page);
    expect(await colourAt(page, main)).toEqual(before);
    await page.close();
  });

  test("switches metric and thread", async () => {
    const page = await open("exact");
    await page.selectOption("#metric", { label: "bytecodes" });
    expect(await text(page, "#facts-line")).toContain("60,803,370 bytecodes");
    await page.selectOption("#metric", { label: "calls" });
    await page.selectOption("#thread", { label: "worker-1" });
    expect(await text(page, "#facts-line")).toContain("10,040,000 calls");
    await page.close();
  });

  test("stripes what an estimate's error may take away, and says it", async () => {
    const page = await open("estimate");
    const { x, y } = await spot(page, 3, 0.2);
    await page.mouse.move(x, y);
    expect(await text(page, "#tip")).toMatch(/≈ 5,100,000 ± 117,600/);
    await page.mouse.move(x, 5);
    await settled(page);
    // The end of the box's row has stripes, its middle has one colour.
    const colours = async (from: number) => {
      const seen = new Set<string>();
      for (let i = 0; i < 12; i++) seen.add(String(await colourAt(page, { x: (await spot(page, 2, from)).x + i, y: (await spot(page, 2, from)).y })));
      return seen.size;
    };
    expect(await colours(0.6)).toBe(1);
    expect(await colours(0.985)).toBeGreaterThan(2);
    expect(await text(page, "#legend")).toContain("error");
    await page.keyboard.press("4");
    expect(await page.locator(".row", { hasText: "remove(int)" }).innerText()).toContain("≈ 10,000,000 ± 166,312");
    await page.close();
  });

  test("never calls samples calls", async () => {
    const page = await open("sampled");
    expect(await text(page, "#facts-line")).toMatch(/^[\d,]+ samples ·/);
    await page.keyboard.press("4");
    expect(await text(page, ".thead")).toContain("Own samples");
    await page.keyboard.press("5");
    expect(await text(page, "main")).toContain("not how often something was called");
    await page.close();
  });

  test("keeps totals where contexts were left out, and says so", async () => {
    const [whole, pruned] = [await open("shop"), await open("pruned")];
    const total = (line: string) => line.split(" ")[0];
    expect(total(await text(pruned, "#facts-line"))).toBe(total(await text(whole, "#facts-line")));
    await pruned.keyboard.press("5");
    expect(await text(pruned, "main")).toContain("are not in this page");
    await Promise.all([whole.close(), pruned.close()]);
  });
});

describe("tables and callers", () => {
  test("the tree unfolds by mouse and keys", async () => {
    const page = await open("exact");
    await page.keyboard.press("3");
    const rows = () => page.locator(".row").count();
    const before = await rows();
    expect(before).toBeGreaterThan(4);
    await page.locator(".row .twisty").first().click();
    expect(await rows()).toBe(1);
    await page.locator(".row").first().click();
    await page.keyboard.press("ArrowRight");
    expect(await rows()).toBeGreaterThan(1);
    await page.keyboard.press("ArrowDown");
    expect(await page.locator(".row.at").innerText()).toContain("main");
    await page.keyboard.press("ArrowRight");
    expect(await page.locator(".row.at").innerText()).toContain("run");
    await page.keyboard.press("Enter");
    expect(await page.locator("#reset").isEnabled()).toBe(true);
    await page.close();
  });

  test("methods can be sorted, searched and opened", async () => {
    const page = await open("exact");
    await page.keyboard.press("4");
    expect(await page.locator(".row").first().innerText()).toContain("5,000,300");
    await page.getByRole("button", { name: "Contexts" }).click();
    expect(await page.locator(".row").first().innerText()).toContain("remove(int)");
    await page.fill("#search", "arraycopy");
    expect(await page.locator(".row").count()).toBe(1);
    await page.locator(".row .name").click();
    expect(await text(page, "#sandwich-title")).toContain("arraycopy called 5,000,000 times");
    await page.close();
  });

  test("callers lie above a method, callees below", async () => {
    const page = await open("exact");
    await page.keyboard.press("4");
    await page.fill("#search", "remove");
    await page.locator(".row .name", { hasText: "remove(int)" }).click();
    expect(await text(page, "#sandwich-title")).toContain("called 5,000,300 times by the methods above; 10,000,300 calls with what it calls");
    await settled(page);
    const above = (await page.locator("#callers canvas").boundingBox())!;
    await page.mouse.move(above.x + 100, above.y + above.height - 8 - 30);
    expect(await text(page, "#tip b")).toContain("run");
    const below = await spot(page, 1, 0.2, "#callees");
    await page.mouse.move(below.x, below.y);
    expect(await text(page, "#tip b")).toContain("arraycopy");
    await page.close();
  });
});

describe("a comparison", () => {
  test("shows more in red, fewer in blue, noise in grey", async () => {
    const page = await open("change");
    expect(await text(page, "h1")).toBe("exact.bursar → estimate.bursar");
    expect(await text(page, "#facts-line")).toContain("10,161,002 → ≈ 10,138,001 calls");
    await page.keyboard.press("4");
    const first = await page.locator(".row").first().innerText();
    expect(first).toContain("remove(Object)");
    expect(first).toContain("−20,000");
    expect(await text(page, ".tbody")).toContain("within error");
    await page.keyboard.press("1");
    await page.getByRole("button", { name: "before" }).click();
    await settled(page);
    const { x, y } = await spot(page, 2, 0.2);
    await page.mouse.move(x, y);
    expect(await text(page, "#tip")).toMatch(/→.*−?[\d,]+/s);
    expect(await text(page, "#tip")).toContain("may be noise");
    const grey = await colourAt(page, await spot(page, 2, 0.6));
    expect(Math.max(...grey.slice(0, 3)) - Math.min(...grey.slice(0, 3))).toBeLessThan(4);
    await page.close();
  });
});

describe("paths", () => {
  test("a profile of paths shows them by flow, with the text of their lines", async () => {
    const page = await open("paths");
    expect(await page.locator("nav button").allInnerTexts()).toEqual(["Paths", "Run"]);
    expect(await text(page, "#facts-line")).toBe("3 different paths · mode paths");
    expect(await text(page, "main")).toContain("Weight");
    const first = page.locator(".row").first();
    expect(await first.innerText()).toContain("com.acme.Worker.run");
    expect(await first.innerText()).toContain("31 → 32 → 35");
    await first.click();
    expect(await page.locator("#way li").allInnerTexts()).toEqual([31, 32, 35].map((line) => `${line}line(${line}); // <script>`));
    await page.keyboard.press("ArrowDown");
    expect(await page.locator("#way li").count()).toBe(2);
    await page.getByRole("button", { name: "Branches" }).click();
    expect(await page.locator(".row").first().innerText()).toContain("taken 74.4 %");
    expect(await text(page, ".tbody")).toContain("0: 71.4 %, 2: 21.4 %, 5: 7.14 %");
    await page.close();
  });

  test("can be searched", async () => {
    const page = await open("paths");
    await page.keyboard.press("/");
    await page.keyboard.type("remove");
    expect(await text(page, "#found")).toBe("1 method, 1 path");
    expect(await page.locator(".row").count()).toBe(1);
    expect(await text(page, ".row")).toContain("@0 → @30");
    await page.keyboard.press("Enter");
    expect(await page.locator(".row").count()).toBe(1);
    await page.close();
  });

  test("lie beside the flame graph where a profile has both", async () => {
    const page = await open("exact");
    await page.getByRole("tab", { name: "Paths" }).click();
    expect(await text(page, ".tbody")).toContain("30,000");
    expect(await text(page, "main")).toContain("40,000 paths run, 2 different ones");
    await page.close();
  });

  test("of two profiles show what moved", async () => {
    const page = await open("paths_change");
    expect(await text(page, "h1")).toBe("paths.bursar → paths.bursar");
    expect(await text(page, ".thead")).toContain("Flow after");
    expect(await page.locator(".row").first().innerText()).toContain("±0 %");
    await page.close();
  });
});

describe("over time", () => {
  test("density and latency are drawn, for all threads and for one", async () => {
    const page = await open("measured");
    expect(await page.locator("nav button").allInnerTexts()).toContain("Over time");
    expect(await page.locator("#thread").count()).toBe(0); // no tree is known by thread
    await page.getByRole("tab", { name: "Over time" }).click();
    expect(await page.locator(".series section").count()).toBe(2);
    await settled(page);
    const chart = page.locator('[data-series="call_density"]');
    const area = (await chart.locator("canvas").boundingBox())!;
    const saidAt = async (share: number) => {
      await page.mouse.move(area.x + 74 + (area.width - 90) * share, area.y + 50);
      return chart.locator("span").innerText();
    };
    expect(await saidAt(0.25)).toMatch(/^2\.\d\d s: 2\.[3-6] \(2/);
    expect(await saidAt(0.75)).toMatch(/^7\.\d\d s: 6\.[3-6] \(6/);
    expect(await chart.locator(".pointer").boundingBox().then((box) => Math.abs(box!.x - area.x - 74 - (area.width - 90) * 0.75))).toBeLessThan(12);
    await page.mouse.move(area.x + 200, 5);
    expect(await chart.locator(".pointer").isVisible()).toBe(false);
    // Something is drawn at the height of the curve, and nothing where it is not.
    const coloured = async (share: number, from: number, to: number) => {
      for (let y = from; y <= to; y++) {
        const [red, , blue] = await colourAt(page, { x: area.x + 74 + (area.width - 90) * share, y: area.y + y });
        if (blue > red + 60) return true;
      }
      return false;
    };
    expect(await coloured(0.25, 105, 160)).toBe(true);
    expect(await coloured(0.25, 14, 80)).toBe(false);
    expect(await coloured(0.75, 14, 80)).toBe(true);
    await page.selectOption("#time-thread", { label: "worker-1" });
    expect(await page.locator(".series section").count()).toBe(2);
    await page.close();
  });
});

describe("the page", () => {
  test("is dark where the system is, and turns", async () => {
    const page = await open("shop", true);
    const brightness = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g)!.map(Number)[0]);
    expect(await brightness()).toBeLessThan(60);
    await page.click("#theme");
    expect(await brightness()).toBeGreaterThan(200);
    await page.close();
  });

  test("fits a laptop: nothing lies outside of the window", async () => {
    for (const name of ["exact", "estimate", "change", "paths", "measured"]) {
      const page = await open(name);
      await page.setViewportSize({ width: 1024, height: 640 });
      for (const tab of await page.getByRole("tab").all()) {
        await tab.click();
        const size = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]);
        expect(size).toEqual([1024, 640]);
      }
      await page.close();
    }
  });

  test("explains its keys", async () => {
    const page = await open("shop");
    await page.keyboard.press("?");
    expect(await text(page, "#help")).toContain("callers and callees of the selected method");
    await page.keyboard.press("Escape");
    expect(await page.locator("#help").isVisible()).toBe(false);
    await page.close();
  });

  test("comes from the server too, and only under its address", async () => {
    const server = spawn(process.env.BURSAR!, ["view", `${PAGES}/shop.bursar`, "--serve"]);
    const address = await new Promise<string>((done) => server.stdout.once("data", (bytes) => done(String(bytes).trim())));
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}$/);
    const page = await open(address);
    expect(await text(page, "h1")).toBe("shop.bursar");
    await page.close();
    expect((await fetch(new URL("/", address))).status).toBe(404);
    expect((await fetch(address, { method: "POST" })).status).toBe(404);
    const ended = new Promise((done) => server.once("exit", done));
    server.kill("SIGINT");
    expect(await ended).toBe(0);
  });
});
