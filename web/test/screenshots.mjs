// Pictures of a report for the documents: node screenshots.mjs REPORT.html FOLDER [NAMES]
// Of a live view: node screenshots.mjs http://127.0.0.1:8080/ FOLDER live
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { launch } from "./browser.mjs";

const [report, folder] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const browser = await launch();

async function shot(name, { dark = false, preset, t, camera, factor, wheel, size = [1366, 768], act } = {}) {
  const context = await browser.newContext({ viewport: { width: size[0], height: size[1] }, colorScheme: dark ? "dark" : "light" });
  const page = await context.newPage();
  page.setDefaultTimeout(120000);
  await page.goto(/^http:/.test(report) ? report : pathToFileURL(report).href);
  await page.waitForFunction(() => window.klingel?.shown);
  if (preset) await page.locator(`#presets [data-id="${preset}"]`).click();
  if (wheel !== undefined) await page.locator("#wheel").selectOption(String(wheel));
  if (factor) await page.locator("#factor").fill(String(factor));
  if (camera) await page.locator(`#cameras [data-id="${camera}"]`).click();
  if (t !== undefined) await page.evaluate((t) => window.klingel.player.seek(t), t);
  if (act) await act(page);
  await page.waitForTimeout(700);
  await page.screenshot({ path: join(folder, name + ".png") });
  await context.close();
  console.log(name);
}

const wanted = process.argv[4]?.split(",");
const all = {
  report: { t: 6.5 },
  report_dark: { dark: true, preset: "guiding", t: 9.2, camera: "wheel", wheel: 0 },
  front: { t: 9, camera: "front", factor: 40, preset: "numerics" },
  side: { t: 3, camera: "side", preset: "path" },
  top: { t: 12, camera: "top", preset: "acceleration" },
  channels: { t: 5, act: async (p) => { await p.keyboard.press("/"); await p.keyboard.type("creep rear"); } },
  narrow: { size: [800, 1200], t: 4 },
  explain: { act: (p) => p.locator(".tile .what").first().click() },
  folded: { act: async (p) => { for (const s of await p.locator("#more summary").all()) await s.click(); } },
};
// after some seconds of running, the first of them without brakes
const live = {
  live: {
    act: async (p) => {
      await p.waitForFunction(() => window.klingel.live.received > 20);
      await p.locator("#reset").click();
      await p.waitForFunction(() => window.klingel.live.resets > 0 && window.klingel.recording.end > 5);
      await p.locator("#controls input").first().evaluate((e) => { e.value = e.max / 3; e.dispatchEvent(new Event("input")); });
      await p.waitForFunction(() => window.klingel.recording.end > 9);
    },
  },
};
if (/^http:/.test(report)) for (const name of Object.keys(all)) delete all[name];
if (/^http:/.test(report)) Object.assign(all, live);
for (const [name, options] of Object.entries(all)) if (!wanted || wanted.includes(name)) await shot(name, options);
await browser.close();
