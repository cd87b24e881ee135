// The live view in a real browser: frames come, sliders change inputs, pause, step and reset do what
// they say, two pages see the same, foreign pages are refused, a server that ends is noticed.
// usage: node live_test.mjs KLINGEL
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { request } from "node:http";
import { finish, launch, skip } from "./browser.mjs";

const program = process.argv[2];
const browser = await launch();

// the program, once it says where it is
function serve(...args) {
  const child = spawn(program, ["view", ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const all = { child, out: "", err: "" };
  all.ended = new Promise((done) => child.on("exit", (code) => done(code)));
  child.stderr.on("data", (d) => (all.err += d));
  all.url = new Promise((done) => {
    child.stdout.on("data", (d) => {
      all.out += d;
      const found = /http:\S+/.exec(all.out);
      if (found) done(found[0]);
    });
    child.on("exit", () => done(null));
  });
  return all;
}

const server = serve("bogie", "--port", "0", "--backend", "interpreter");
const url = await server.url;
if (!url) {
  if (server.err.includes("built without npm")) skip("the program was built without npm");
  console.log(server.err);
  process.exit(1);
}
process.on("exit", () => server.child.kill("SIGKILL"));

async function open() {
  const context = await browser.newContext({ viewport: { width: 760, height: 560 } });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (m) => m.type() === "error" && complaints.push(m.text()));
  page.on("pageerror", (e) => complaints.push(e.message));
  page.setDefaultTimeout(120000); // other tests run beside
  await page.goto(url);
  await page.waitForFunction(() => window.klingel?.live?.received > 5 && window.klingel.shown);
  return { page, complaints, close: () => context.close() };
}

const state = (page) => page.evaluate(() => {
  const { live, recording: r, player } = window.klingel;
  return { name: live.state.name, t: r.end, rows: r.rows, shown: player.t, controls: live.controls, resets: live.resets, received: live.received };
});
const wait = (page, name) => page.waitForFunction((n) => window.klingel.live.state.name === n, name);
// the status of a request with headers as a foreign page or name would send them
const status = (path, headers) => new Promise((done, fail) => {
  const r = request(new URL(path, url), { headers }, (answer) => (answer.resume(), done(answer.statusCode)));
  r.on("upgrade", (answer, socket) => (socket.destroy(), done(answer.statusCode)));
  r.on("error", fail);
  r.end();
});
const upgrade = { Connection: "Upgrade", Upgrade: "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==" };

const tests = [];
const test = (name, act) => tests.push([name, act]);
const first = await open();
const { page } = first;

test("frames come, and move the picture", async () => {
  const shot = () => page.evaluate(() => document.getElementById("canvas3d").toDataURL().length + ":" + window.klingel.view.motion.s);
  const [before, picture] = [await state(page), await shot()];
  await page.waitForFunction((n) => window.klingel.live.received > n + 20, before.received);
  const after = await state(page);
  assert.ok(after.t > before.t && after.rows > before.rows);
  assert.equal(after.shown, after.t);
  assert.notEqual(await shot(), picture);
  assert.equal(await page.locator("#end").textContent(), "live");
  await page.waitForFunction(() => window.klingel.board.charts[0].values[0].length > 20);
});

test("where frames were lost the line is broken", async () => {
  const gaps = await page.evaluate(() => {
    const { live, recording: r } = window.klingel;
    live.number -= 1; // as if the next frame came after one that was lost
    const before = r.rows;
    return new Promise((done) => {
      const look = () => {
        if (r.rows < before + 3) return setTimeout(look, 20);
        const y = r.column(r.family("y_rel")[0]);
        done({ gaps: Array.from(y.subarray(before, r.rows)).filter(Number.isNaN).length, times: Array.from(r.t.subarray(before - 1, r.rows)) });
      };
      look();
    });
  });
  assert.ok(gaps.gaps >= 1);
  for (let i = 1; i < gaps.times.length; ++i) assert.ok(gaps.times[i] >= gaps.times[i - 1]);
  await page.waitForFunction(() => window.klingel.board.charts[0].values[0].includes(null));
});

test("a slider changes the input", async () => {
  await page.locator('[data-control="torque"]').fill("1000");
  await page.waitForFunction(() => {
    const r = window.klingel.recording;
    return r.family("u").length === 2 && r.family("u").every((n) => Math.abs(r.column(n)[r.rows - 1] - 1000) < 10);
  });
  await page.locator('[data-control="friction"]').fill("0.1");
  await page.waitForFunction(() => Math.abs(window.klingel.live.controls.at(-1) - 0.1) < 0.001);
});

test("pause holds, step steps, looking back is possible, reset begins again", async () => {
  await page.locator("#play").click();
  await wait(page, "paused");
  const held = await state(page);
  await page.waitForTimeout(150);
  assert.equal((await state(page)).t, held.t);
  await page.locator("#step").click();
  await page.waitForFunction((t) => window.klingel.recording.end > t, held.t);
  assert.ok(Math.abs((await state(page)).t - held.t - 0.001) < 1e-9);
  await page.locator("#scrub").fill("2000");
  assert.ok((await state(page)).shown < held.t);
  await page.locator("#reset").click();
  await page.waitForFunction((n) => window.klingel.live.resets > n, held.resets);
  const fresh = await state(page);
  assert.ok(fresh.t < 0.01 && fresh.rows === 1, JSON.stringify(fresh));
  assert.equal(fresh.controls[0], 0);
  await page.locator("#speed").selectOption("0");
  await page.locator("#play").click();
  await page.waitForFunction(() => window.klingel.recording.end > 0.5);
  // at this rate the track ends soon
  await page.locator("#speed").selectOption("1");
  await page.locator("#reset").click();
  await page.waitForFunction((n) => window.klingel.live.resets > n, fresh.resets);
  await wait(page, "running");
});

test("two pages see the same, and one may leave", async () => {
  // a machine without a graphics card draws one page at a time
  await page.evaluate(() => (window.klingel.view.draw = () => {}));
  const second = await open();
  await second.page.locator("#play").click();
  await wait(page, "paused");
  await wait(second.page, "paused");
  assert.equal((await state(page)).t, (await state(second.page)).t);
  await second.page.locator('[data-control="torque"]').fill("-500");
  await page.waitForFunction(() => Number(document.querySelector('[data-control="torque"]').value) < -490);
  assert.deepEqual(second.complaints, []);
  await second.close();
  await page.evaluate(() => delete window.klingel.view.draw);
  await page.locator("#play").click();
  await wait(page, "running");
});

test("foreign pages, foreign names and files are refused", async () => {
  assert.equal(await status("/live", { ...upgrade, Origin: "http://evil.example" }), 403);
  assert.equal(await status("/", { Host: "evil.example" }), 403);
  assert.equal(await status("/etc/passwd", {}), 404);
  assert.equal(await status("/live", { ...upgrade, Origin: new URL(url).origin }), 101);
});

test("a message that is no command is ignored and counted", async () => {
  await page.evaluate(() => window.klingel.live.socket.send("rubbish"));
  await page.evaluate(() => window.klingel.live.send({ do: "set", control: 99, value: 1 }));
  const { received } = await state(page);
  await page.waitForFunction((n) => window.klingel.live.received > n + 3, received);
});

test("a port in use is said with a free one; wrong arguments too", async () => {
  const second = spawnSync(program, ["view", "bogie", "--backend", "interpreter", "--port", new URL(url).port], { encoding: "utf8" });
  assert.equal(second.status, 2);
  assert.match(second.stderr, /port \d+ is in use.*\n.*add --port \d+/);
  const rate = spawnSync(program, ["view", "bogie", "--rate", "fast"], { encoding: "utf8" });
  assert.equal(rate.status, 2);
  assert.match(rate.stderr, /--rate takes/);
});

test("the end of the program is noticed", async () => {
  assert.deepEqual(first.complaints, []);
  server.child.kill("SIGINT");
  assert.equal(await server.ended, 0);
  assert.match(server.out, /frames sent, \d+ left out for slow pages, 2 messages ignored, 2 requests refused/);
  await wait(page, "no connection");
  await page.waitForFunction(() => document.getElementById("end").textContent === "no connection");
});

await finish(tests, browser);
