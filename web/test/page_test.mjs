// The page in a real browser: it loads without complaints, draws, follows its cursor, finds channels,
// gives CSV, and neither hostile names nor damaged recordings break it. The article's page draws its
// locomotive. Tests that leave a page as it was share one: opening it is what takes the time.
// usage: node page_test.mjs KLINGEL [FOLDER]   (the program; a folder for what is written)
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { finish, launch, skip } from "./browser.mjs";

const program = process.argv[2];
const folder = process.argv[3] ?? mkdtempSync(join(tmpdir(), "klingel_page_"));
const klingel = (...args) => spawnSync(program, args, { encoding: "utf8" });

const browser = await launch();
mkdirSync(folder, { recursive: true });
// the article's page takes a while: beside the other tests
const paper = new Promise((done) => {
  const child = spawn(program, ["paper", "--quick", "--out", join(folder, "paper")], { stdio: "ignore" });
  child.on("exit", done);
});
const run = klingel("run", "bogie", "--duration", "2", "--backend", "interpreter", "--report", "--csv", "--force", "--out", join(folder, "run"));
assert.equal(run.status, 0, run.stderr);
const report = join(folder, "run", "report.html");
if (readFileSync(report, "utf8").includes("built without npm")) skip("the program was built without npm");
const recording = JSON.parse(readFileSync(join(folder, "run", "recording.json"), "utf8"));

const tests = [];
const test = (name, act) => tests.push([name, act]);

// A page with everything it complains about.
async function open(path, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1366, height: 768 }, acceptDownloads: true, ...options });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (m) => m.type() === "error" && complaints.push(m.text()));
  page.on("pageerror", (e) => complaints.push(e.message));
  page.on("request", (r) => !/^(file|data|blob):/.test(r.url()) && complaints.push(`asks the network for ${r.url()}`));
  page.setDefaultTimeout(120000); // other tests run beside
  // processor time of the page's own thread, s
  const session = await context.newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const work = async () => (await session.send("Performance.getMetrics")).metrics.find((m) => m.name === "TaskDuration").value;
  await page.goto(pathToFileURL(path).href);
  return { page, complaints, work, close: () => context.close() };
}

const ready = (page) => page.waitForFunction(() => window.klingel?.board?.charts.length > 0 && window.klingel.shown);
const picture = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

// Different colours in a canvas.
const colours = (page, id) => page.evaluate((id) => {
  const from = document.getElementById(id);
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [from.width, from.height];
  const c = canvas.getContext("2d");
  c.drawImage(from, 0, 0);
  const d = c.getImageData(0, 0, canvas.width, canvas.height).data;
  const seen = new Set();
  for (let i = 0; i < d.length; i += 40) seen.add((d[i] << 16) | (d[i + 1] << 8) | d[i + 2]);
  return seen.size;
}, id);

// A page with another recording inside, written without the program.
function variant(name, change) {
  const json = structuredClone(recording);
  const text = change(json) ?? JSON.stringify(json);
  const html = readFileSync(report, "utf8");
  const begin = html.indexOf(">", html.indexOf('id="recording"')) + 1;
  const end = html.indexOf("</script>", begin);
  const path = join(folder, `${name}.html`);
  writeFileSync(path, html.slice(0, begin) + text.replaceAll("<", "\\u003c") + html.slice(end));
  return path;
}

const shared = await open(report);

test("loads without complaints, draws, and is small", async () => {
  assert.ok(statSync(report).size < 5e6);
  const { page, complaints } = shared;
  await ready(page);
  await picture(page);
  assert.ok((await colours(page, "canvas3d")) > 50, "the animation is blank");
  assert.ok((await colours(page, "canvas2d")) > 5, "the cross-section is blank");
  assert.match(await page.title(), /bogie/);
  assert.ok((await page.locator(".tile").count()) >= 4);
  assert.deepEqual(complaints, []);
});

test("the cursor of a plot moves the animation, keys and slider too", async () => {
  const { page, complaints } = shared;
  const shot = () => page.evaluate(() => document.getElementById("canvas3d").toDataURL());
  const before = await shot();
  const box = await page.locator(".u-over").first().boundingBox();
  await page.mouse.move(box.x + 0.6 * box.width, box.y + 20);
  await picture(page);
  const t = await page.evaluate(() => window.klingel.player.t);
  assert.ok(t > 0.9 && t < 1.5, `the cursor is at ${t} s`);
  assert.notEqual(await shot(), before);
  const lines = await page.evaluate(() => [...document.querySelectorAll(".u-over .cursor-line")].map((l) => l.style.transform));
  assert.ok(lines.length >= 2 && new Set(lines).size === 1, "cursors differ");

  await page.keyboard.press("Home");
  assert.equal(await page.evaluate(() => window.klingel.player.t), 0);
  await page.keyboard.press("ArrowRight");
  assert.ok(Math.abs((await page.evaluate(() => window.klingel.player.t)) - 0.01) < 1e-9);
  await page.locator("#scrub").fill("5000");
  assert.ok(Math.abs((await page.evaluate(() => window.klingel.player.t)) - 1) < 0.02);
  await page.keyboard.press("Home");
  await page.locator("#play").click();
  await page.waitForFunction(() => window.klingel.player.t > 0.15);
  await page.locator("#play").click();
  assert.equal(await page.evaluate(() => window.klingel.player.playing), false);
  assert.deepEqual(complaints, []);
});

test("channels are searched and shown; CSV parses; PNG is a picture", async () => {
  const { page, complaints } = shared;
  await page.keyboard.press("/");
  await page.keyboard.type("normal force tread left");
  const names = await page.locator("#list .name").allTextContents();
  assert.ok(names.length >= 1 && names.every((n) => /^N\..*left$/.test(n)), names.join());
  await page.locator("#list input").first().check();
  await page.waitForFunction((n) => window.klingel.board.charts.some((c) => c.names.includes(n)), names[0]);
  await page.keyboard.press("Escape");
  await page.locator("#channels > summary").click();
  const [file] = await Promise.all([page.waitForEvent("download"), page.locator(".plot .tools button", { hasText: "CSV" }).first().click()]);
  const lines = readFileSync(await file.path(), "utf8").trim().split("\n");
  assert.equal(lines[0], `t [s],s [m],${names[0]} [N]`);
  assert.equal(lines.length, 1 + recording.rows);
  for (const line of lines.slice(1)) assert.ok(line.split(",").every((v) => Number.isFinite(Number(v))), line);
  // the same numbers as the program's own file
  const own = readFileSync(join(folder, "run", "results.csv"), "utf8").split("\n").filter((line) => !line.startsWith("#"));
  const column = own[0].split(",").indexOf(names[0]);
  assert.ok(Math.abs(Number(own[100].split(",")[column]) - Number(lines[100].split(",")[2])) < 5);
  const [image] = await Promise.all([page.waitForEvent("download"), page.locator(".plot .tools button", { hasText: "PNG" }).first().click()]);
  assert.equal(readFileSync(await image.path()).subarray(1, 4).toString(), "PNG");
  assert.deepEqual(complaints, []);
});

test("presets, distance, zoom, cameras, exaggeration, dark: all without complaints", async () => {
  const { page, complaints, close } = await open(report, { colorScheme: "dark" });
  await ready(page);
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  for (const b of await page.locator("#presets button").all()) {
    await b.click();
    assert.ok((await page.locator("#plots .plot").count()) > 0);
  }
  await page.locator("#presets button").first().click();
  await page.locator("#by-s").click();
  assert.equal(await page.evaluate(() => window.klingel.board.by), "s");
  for (const key of ["+", "+", "-", "0", "w", "d", "1", "2", "3", "4", "5", "x"]) await page.keyboard.press(key);
  await page.locator("#factor").fill("60");
  await page.waitForTimeout(200);
  await picture(page);
  assert.ok((await colours(page, "canvas3d")) > 50);
  await page.locator(".tile .what").first().click();
  assert.match(await page.locator("#explain p").textContent(), /Nadal|mean/);
  await page.keyboard.press("Escape");
  assert.deepEqual(complaints, []);
  await close();
});

test("hostile names are text", async () => {
  const evil = `"><img src=x onerror="window.hacked=1"></script><script>window.hacked=2</script>'`;
  const hostile = structuredClone(recording);
  hostile.summary.vehicle = hostile.summary.scenario = hostile.summary.track = evil;
  hostile.summary.warnings = [evil];
  hostile.summary.message = evil;
  hostile.events = [{ kind: evil, wheel: evil, count: 1, first: 0, last: 0, times: [0] }];
  hostile.scene.wheels[0].name = evil;
  hostile.scene.solids[0].name = hostile.scene.frames[0] = evil;
  for (const c of hostile.channels.slice(1, 6)) [c.name, c.about, c.unit] = [c.name + evil, evil, evil];
  const there = join(folder, "hostile");
  mkdirSync(there, { recursive: true });
  writeFileSync(join(there, "recording.json"), JSON.stringify(hostile));
  const made = klingel("report", there);
  assert.equal(made.status, 0, made.stderr);
  const { page, complaints, close } = await open(join(there, "report.html"));
  await ready(page);
  await page.keyboard.press("/");
  await page.keyboard.type("script");
  await page.locator("#list input").first().check();
  await picture(page);
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.ok((await page.locator("#title").textContent()).includes("<img"));
  assert.deepEqual(complaints, []);
  await close();
});

test("damaged recordings give a message", async () => {
  const broken = {
    cut: [(j) => JSON.stringify(j).slice(0, 1000), /damaged/],
    version: [(j) => void (j.version = 99), /version 99/],
    foreign: [() => "[1, 2]", /not a recording/],
    timeless: [(j) => void (j.channels = j.channels.filter((c) => c.name !== "t")), /'t' is missing/],
    empty: [(j) => void (j.rows = 0), /empty/],
    short: [(j) => void (j.channels[0].data = j.channels[0].data.slice(0, 20)), /cannot be read/],
    huge: [(j) => void (j.rows = 1e9), /more than this page can show/],
    scene: [(j) => void (j.motion.frames = [[]]), /./],
  };
  const { page, close } = await open(variant("first", () => "0"));
  for (const [name, [change, words]] of Object.entries(broken)) {
    await page.goto(pathToFileURL(variant(name, change)).href);
    await page.locator("#problem").waitFor({ state: "visible" });
    assert.match(await page.locator("#problem p").textContent(), words, name);
  }
  // damage that is found when a column is first shown
  await page.goto(pathToFileURL(variant("late", (j) => void j.channels.filter((c) => c.name.startsWith("xi_x.")).forEach((c) => (c.data = "!")))).href);
  await ready(page);
  assert.equal(await page.locator("#problem").isVisible(), false);
  await page.locator('#presets [data-id="creepages"]').click();
  await page.locator("#problem").waitFor({ state: "visible" });
  assert.match(await page.locator("#problem p").textContent(), /'xi_x.*' cannot be read/);
  await close();
});

test("wheels stand on their rails: motion, profiles and contacts agree", async () => {
  const { unpack } = await import("../src/packed.js");
  const { decodeSection, heightAt, Track } = await import("../src/track.js");
  const column = (name) => unpack(recording.channels.find((c) => c.name === name).data, recording.rows);
  const { scene, motion } = recording;
  const track = new Track(scene.track);
  for (const [i, w] of scene.wheels.entries()) {
    const rail = decodeSection(scene[w.left ? "rail_left" : "rail_right"]);
    const profile = decodeSection(scene.wheel_profiles[w.profile]);
    const place = motion.wheels[i].map((d) => unpack(d, recording.rows));
    const centre = [0, 1, 2].map((k) => unpack(motion.frames[w.frame][k], recording.rows));
    const [u_r, u_w, s_r] = ["u_r", "u_w", "s_r"].map((n) => column(`${n}.${w.name}`));
    for (let row = 0; row < recording.rows; row += 7) {
      // the same point from the wheel and from the rail, in the section: 0.1 mm, since the wheel is cut
      // below its axle and not where it touches
      const f = heightAt(profile, u_w[row]).height;
      const [c, s] = [Math.cos(place[2][row]), Math.sin(place[2][row])];
      const wheel = [place[0][row] + c * u_w[row] + s * f, place[1][row] + s * u_w[row] - c * f];
      const height = heightAt(rail, u_r[row]).height;
      assert.ok(Math.hypot(wheel[0] - u_r[row], wheel[1] - height) < 1e-4, `${w.name} row ${row}`);
      // and in space: half an axle and a radius from the wheelset's centre, to a millimetre of the
      // track's samples
      const at = track.section(w.left ? "left" : "right", s_r[row]);
      const point = [0, 1, 2].map((k) => at.origin[k] + u_r[row] * at.y[k] + height * at.z[k]);
      const distance = Math.hypot(...point.map((v, k) => v - centre[k][row]));
      assert.ok(Math.abs(distance - Math.hypot(f, w.y + u_w[row])) < 2e-3, `${w.name} row ${row}: ${distance}`);
    }
  }
});

test("exaggeration multiplies motion and nothing else", async () => {
  const { page } = shared;
  const { plain, same, large } = await page.evaluate(() => {
    const m = window.klingel.view.motion;
    const lateral = (factor) => {
      m.update(0.7, factor);
      const s = m.track.foot(m.places[m.wheelsets].r.x, m.places[m.wheelsets].r.y, m.s);
      const f = m.track.frame(s);
      const r = m.places[m.wheelsets].r;
      return [r.x, r.y, r.z].reduce((sum, v, k) => sum + f.y[k] * (v - f.origin[k]), 0) - m.nominal[m.wheelsets].y;
    };
    return { plain: lateral(1), same: lateral(1.0000001), large: lateral(10) };
  });
  assert.ok(Math.abs(plain - same) < 1e-6);
  assert.ok(Math.abs(plain) > 1e-6 && Math.abs(large / plain - 10) < 0.01, `${plain} ${large}`);
});

// the last one of the shared page
test("a recording may grow", async () => {
  const { page, complaints, close } = shared;
  await page.evaluate(() => {
    const { recording, player } = window.klingel;
    player.seek(player.end);
    for (let i = 1; i <= 300; ++i) {
      const row = Object.fromEntries([...recording.channels.keys()].map((n) => [n, n === "t" ? 2 + 0.01 * i : recording.column(n)[100]]));
      const last = (kind) => recording.motion[kind].map((f, k) => f.map((_, j) => recording.moving(kind, k, j)[100]));
      recording.append(row, { frames: last("frames"), wheels: last("wheels") });
    }
  });
  await page.waitForFunction(() => window.klingel.board.charts[0].u.data[0].length === window.klingel.recording.rows);
  assert.ok(Math.abs((await page.evaluate(() => window.klingel.player.t)) - 5) < 1e-9);
  await picture(page);
  assert.deepEqual(complaints, []);
  await close();
});

test("without shapes there are plots", async () => {
  const there = join(folder, "csv_only");
  mkdirSync(there, { recursive: true });
  writeFileSync(join(there, "results.csv"), readFileSync(join(folder, "run", "results.csv")));
  const made = klingel("report", there);
  assert.equal(made.status, 0, made.stderr);
  const { page, complaints, close } = await open(join(there, "report.html"));
  await ready(page);
  assert.ok((await page.locator("#plots .plot").count()) > 0);
  assert.deepEqual(complaints, []);
  await close();
});

test("a long recording opens soon", async () => {
  // 60 s of feve3000: 6001 rows of 350 channels; here every row several times
  const path = variant("long", (j) => {
    const more = 6000;
    const wave = Buffer.alloc(Math.ceil(more / 128) * (20 + 256) - 2 * (128 - (more % 128 || 128)));
    let at = 0;
    for (let begin = 0; begin < more; begin += 128) {
      wave.writeDoubleLE(begin, at);
      wave.writeFloatLE(1e-3, at + 16);
      at += 20;
      for (let i = 0; i < Math.min(128, more - begin); ++i, at += 2) wave.writeInt16LE(Math.round(2000 * Math.sin(i)), at);
    }
    const line = Buffer.alloc(20 * Math.ceil(more / 128));
    for (let k = 0; k * 128 < more; ++k) [line.writeDoubleLE(k * 1.28, 20 * k), line.writeDoubleLE(0.01, 20 * k + 8)];
    j.rows = more;
    const [data, t] = [wave.toString("base64"), line.toString("base64")];
    for (const c of j.channels) c.data = c.name === "t" || c.name === "s" ? t : data;
    for (let i = 0; j.channels.length < 350; ++i) j.channels.push({ name: `more.${i}`, unit: "N", about: "", data });
    for (const list of [j.motion.frames, j.motion.wheels]) for (const f of list) for (const k of f.keys()) f[k] = list === j.motion.frames && k === 0 ? t : data;
  });
  const { page, complaints, close, work } = await open(path);
  await ready(page);
  const times = await page.evaluate(() => [...performance.getEntriesByName("first-contentful-paint").map((e) => e.startTime), window.klingel.shown]);
  const opening = await work();
  // responsive: every move of the cursor to another place
  const moves = 20;
  for (let i = 0; i < moves; ++i) {
    await page.evaluate((t) => window.klingel.player.seek(t), (60 * (i + 1)) / moves);
    await picture(page);
  }
  const moving = ((await work()) - opening) / moves;
  console.log(`    plots after ${(times[0] / 1000).toFixed(2)} s, vehicle after ${(times[1] / 1000).toFixed(2)} s; page's work ${opening.toFixed(2)} s, ${(1000 * moving).toFixed(0)} ms per move`);
  assert.deepEqual(complaints, []);
  // what the page itself computes, whatever else the machine does: 0.6 s and 20 ms where it was measured
  assert.ok(opening < 2, `${opening} s of work to open`);
  assert.ok(moving < 0.1, `${moving} s of work to move the cursor`);
  await close();
});

test("view serves a recording: the page and nothing else, also to others if asked", async () => {
  for (const address of ["127.0.0.1", "0.0.0.0"]) {
    const child = spawn(program, ["view", join(folder, "run"), "--port", "0", "--bind", address]);
    let out = "";
    const ended = new Promise((done) => child.on("exit", done));
    const url = await new Promise((done) => {
      child.stdout.on("data", (d) => {
        out += d;
        if (out.includes("Ctrl-C")) done(/http:\S+/.exec(out)[0].replace("0.0.0.0", "127.0.0.1"));
      });
      child.on("exit", () => done(null));
    });
    try {
      assert.ok(url, "no address");
      assert.equal(out.includes("can watch and control it"), address === "0.0.0.0");
      assert.equal(url.includes("?key="), address === "0.0.0.0");
      const answer = await fetch(url);
      assert.equal(answer.status, 200);
      assert.equal(await answer.text(), readFileSync(report, "utf8"));
      const [place, key] = [url.split("?")[0], url.includes("?") ? "?" + url.split("?")[1] : ""];
      if (key) assert.equal((await fetch(place)).status, 403);
      for (const path of ["recording.json", "../summary.json", "live"]) assert.equal((await fetch(place + path + key)).status, 404);
      assert.ok((await fetch(url, { method: "POST", body: "x" })).status >= 400);
    } finally {
      child.kill("SIGINT");
    }
    assert.equal(await ended, 0);
  }
  // wrong folders and addresses are said
  const wrong = (...args) => {
    const { status, stderr } = klingel("view", ...args);
    assert.equal(status, 2, stderr);
    return stderr;
  };
  assert.match(wrong(folder), /contains no recording: expected recording.json/);
  assert.match(wrong(join(folder, "run"), "--bind", "here"), /cannot serve at 'here'/);
  assert.match(wrong(join(folder, "run"), "--port", "70000"), /below 65536/);
});

test("the article's page draws its locomotive, and shows a photograph without scripts", async () => {
  assert.equal(await paper, 0);
  const index = join(folder, "paper", "index.html");
  // photographs are taken within a minute or not at all: a busy machine may have drawings instead
  for (const path of ["locomotive", "expanded"].map((name) => join(folder, "paper", name + ".png"))) {
    if (existsSync(path)) assert.equal(readFileSync(path).subarray(1, 4).toString(), "PNG");
    else console.log(`    no ${path}: the machine is busy`);
  }
  const { page, complaints, close } = await open(index);
  await page.waitForFunction(() => window.pictures?.length === 2 && window.pictures.every((p) => p.view.isReady && !p.view.dirty));
  assert.equal(await page.locator(".picture.live").count(), 2);
  assert.equal(await page.locator(".picture .still:visible").count(), 0);
  const shots = () => page.evaluate(() => window.pictures.map((p) => p.view.canvas.toDataURL()));
  const [whole, apart] = await shots();
  assert.notEqual(whole, apart);
  await page.locator(".picture input").fill("0");
  await picture(page);
  assert.notEqual((await shots())[1], apart);
  assert.deepEqual(complaints, []);
  await close();
  const plain = await open(index, { javaScriptEnabled: false });
  assert.equal(await plain.page.locator(".still > img:visible, .still > svg:visible").count(), 2);
  await plain.close();
});

await finish(tests, browser, () => {
  if (!process.argv[3]) rmSync(folder, { recursive: true, force: true });
});
