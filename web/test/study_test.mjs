// The page of a study in a real browser: filter, sort, the four pictures, a click on a case; and, served
// by `klingel view`, a case that runs and opens its report.
// usage: node study_test.mjs KLINGEL
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { finish, launch } from "./browser.mjs";

const program = process.argv[2];
const browser = await launch();
const folder = mkdtempSync(join(tmpdir(), "klingel_study_"));
const out = join(folder, "out");
writeFileSync(join(folder, "study.toml"), `
[study]
name = "test <b>"
run = "wheelset_suspended"
duration = 0.05
[[vary]]
name = "speed"
values = [20.0, 30.0, 40.0]
[[vary]]
name = "friction"
values = [0.2, 0.3, 0.4]
with = "speed"
[[vary]]
name = "law"
values = ["she", "polach"]
[[measure]]
name = "wave"
formula = "peak(y_rel.wheelset)"
[[measure]]
name = "pole"
formula = "1 / (30 - first(speed))"
most = 0.05
`);
const made = spawnSync(program, ["study", join(folder, "study.toml"), "--out", out], { encoding: "utf8" });
assert.equal(made.status, 0, made.stderr);

async function open(address) {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 } });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (m) => m.type() === "error" && complaints.push(m.text()));
  page.on("pageerror", (e) => complaints.push(e.message));
  page.setDefaultTimeout(120000); // other tests run beside
  await page.goto(address);
  return { page, context, complaints, close: () => context.close() };
}

const tests = [];
const test = (name, act) => tests.push([name, act]);
const shared = await open(pathToFileURL(join(out, "page.html")).href);
const { page } = shared;
const column = (name) => page.evaluate((n) => {
  const k = [...document.querySelectorAll("#table th")].findIndex((h) => h.textContent.split(" ")[0] === n);
  return [...document.querySelectorAll("#table tbody tr")].map((r) => r.cells[k].textContent);
}, name);
const show = async (filter) => { await page.fill("#filter", filter); };
const value = (id) => page.inputValue(`#${id}`);
const place = (which, i) => page.evaluate(([w, k]) => places[w].find((p) => p[p.length - 1] === k), [which, i]);
const detail = () => page.textContent("#detail");

test("says what there is, and begins with what matters", async () => {
  assert.equal(await page.textContent("#name"), "test <b>");
  const counts = await page.textContent("#counts");
  assert.match(counts, /6 cases, 0 failed; pole is beyond its limit in 4/); // two are infinite
  assert.equal(await value("scatter-y"), "pole"); // it has a limit
  assert.equal(await value("heat-x"), "speed");
  assert.equal(await value("heat-y"), "law"); // friction changes with speed
});

test("filters by numbers, words and with mistakes", async () => {
  await show("speed > 20 and law = polach");
  assert.deepEqual(await column("speed"), ["30", "40"]);
  assert.match(await page.textContent("#shown"), /2 of 6/);
  await show("pole < 1"); // what is not finite is no small number
  assert.deepEqual(await column("speed"), ["20", "20", "40", "40"]);
  await show("sped > 20");
  assert.match(await page.textContent("#shown"), /no column "sped"/);
  await page.click("#clear");
  assert.equal((await column("case")).length, 6);
});

test("sorts by a click on the head of a column, both ways", async () => {
  const head = page.locator("#table th", { hasText: "speed" });
  await head.click();
  assert.deepEqual(await column("speed"), ["20", "20", "30", "30", "40", "40"]);
  await head.click();
  assert.deepEqual(await column("speed"), ["40", "40", "30", "30", "20", "20"]);
});

test("a click in the scatter, the heat map, a line or a row shows a case and its command", async () => {
  const clicked = async (canvas, x, y) => page.locator(`#${canvas}`).click({ position: { x, y } });
  await page.selectOption("#scatter-x", "case");
  await page.selectOption("#scatter-y", "wave");
  const [x, y] = await place("scatter", 5);
  await clicked("scatter", x, y);
  assert.match(await detail(), /study\.toml#5' --out case_5 --report/);
  assert.doesNotMatch(await detail(), /run it here/); // a file cannot
  const [left, top, width, height] = await place("heat", 0);
  await clicked("heat", left + width / 2, top + height / 2);
  assert.match(await detail(), /#0'/);
  const line = await page.evaluate(() => places.parallel.find((p) => p[1] === 3)[0]);
  await clicked("parallel", (line[0][0] + line[1][0]) / 2, (line[0][1] + line[1][1]) / 2);
  assert.match(await detail(), /#[0-5]'/);
  await page.locator("#table tbody tr").last().click();
  assert.match(await detail(), /#1'/); // sorted by falling speed
});

test("a drag along an axis keeps the cases that pass there", async () => {
  const line = await page.evaluate(() => places.parallel.find((p) => p[1] === 5)[0]);
  await page.evaluate(() => document.getElementById("parallel").scrollIntoView({ block: "center" }));
  const box = await page.locator("#parallel").boundingBox();
  const [x, y] = [box.x + line[1][0], box.y + line[1][1]];
  await page.mouse.move(x, y - 8);
  await page.mouse.down();
  await page.mouse.move(x, y + 12);
  await page.mouse.up();
  assert.deepEqual([...new Set(await column("speed"))], ["40"]);
  await page.click("#clear");
});

test("nothing complained", async () => assert.deepEqual(shared.complaints, []));

test("served, it runs a case and opens its report", async () => {
  const server = spawn(program, ["view", out, "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
  process.on("exit", () => server.kill("SIGKILL"));
  const url = await new Promise((done) => server.stdout.on("data", (d) => /http:\S+/.test(d) && done(/http:\S+/.exec(d)[0])));
  const served = await open(url);
  await served.page.locator("#table tbody tr").nth(2).click();
  const report = served.context.waitForEvent("page");
  await served.page.click("text=run it here");
  await served.page.waitForSelector("text=open its report");
  assert.match(await (await report).title(), /./);
  assert.deepEqual(served.complaints, []);
  await served.close();
  server.kill("SIGINT");
});

await finish(tests, browser, () => rmSync(folder, { recursive: true, force: true }));
