// Puts the page together: a source of data, one player, and the views that follow it.

import { ChannelList } from "./channels.js";
import { CloseUp } from "./closeup.js";
import { Histogram } from "./histogram.js";
import { ControlBar, Live, liveSettings } from "./live.js";
import { PathPlot } from "./path.js";
import { drawPictures } from "./pictures.js";
import { Player } from "./player.js";
import { Board } from "./plots.js";
import { presets } from "./presets.js";
import { SceneView, cameras } from "./scene.js";
import { DataError, embedded } from "./source.js";
import { Summary, explain } from "./summary.js";
import { Track } from "./track.js";
import { short } from "./units.js";

const $ = (id) => document.getElementById(id);

function refuse(error) {
  $("page").hidden = true;
  $("problem").hidden = false;
  $("problem").querySelector("p").textContent = error.message;
}

const choice = (holder, entries, chosen) => {
  const buttons = entries.map(([id, title, tip]) => {
    const b = document.createElement("button");
    b.type = "button";
    b.textContent = title;
    b.dataset.id = id;
    if (tip) b.title = tip;
    b.addEventListener("click", () => set(id));
    holder.append(b);
    return b;
  });
  const set = (id) => {
    for (const b of buttons) {
      b.classList.toggle("on", b.dataset.id === id);
      b.setAttribute("aria-pressed", String(b.dataset.id === id));
    }
    if (id) chosen(id);
  };
  return set;
};

// The views of a recording; of a live one, too, which has its own player and grows.
export class Page {
  constructor(recording, live = null) {
    this.recording = recording;
    this.live = live;
    this.player = live?.player ?? new Player(recording.begin, recording.end);
    $("page").hidden = false;
    this.summary = new Summary($("page"), recording, this.player);
    this.track = null;
    this.#animation();
    this.board = new Board($("plots"), recording, this.player, this.track);
    this.#plots();
    this.#controls();
    this.#marks();
    this.#theme();
    this.#keys();
    // a growing recording: the player follows the end if it is at the end
    recording.listeners.add(() => {
      const atEnd = this.player.t >= this.player.end;
      this.player.end = recording.end;
      if (atEnd) this.player.seek(recording.end);
    });
    if (live) this.bar = new ControlBar($("page"), live);
    const picture = (now) => {
      this.player.tick(now);
      this.bar?.draw();
      this.view?.draw();
      this.closeup?.draw();
      this.board.draw();
      if (!this.opened) {
        this.opened = performance.now(); // ms since the page was asked for
        // summary and plots are painted before the vehicle is built
        setTimeout(() => this.#vehicle());
      }
      if (!this.shown && this.view?.isReady && !this.view.dirty) this.shown = performance.now();
      requestAnimationFrame(picture);
    };
    requestAnimationFrame(picture);
  }

  #animation() {
    const { scene, motion } = this.recording;
    if (!scene || !motion) {
      $("look").classList.add("none");
      this.#no3d("This recording contains no shapes, so there is no animation. 'klingel run --out' writes the shapes.");
      return;
    }
    this.track = new Track(scene.track);
    if (scene.wheels.length) {
      this.closeup = new CloseUp($("canvas2d"), this.recording, this.player);
      for (const [i, w] of scene.wheels.entries()) $("wheel").append(new Option(w.name, String(i)));
      $("wheel").addEventListener("change", () => this.#wheel(Number($("wheel").value)));
    }
  }

  #no3d(why) {
    $("no3d").hidden = false;
    $("no3d").textContent = why;
    $("view").classList.add("empty");
  }

  // The vehicle in three dimensions, after everything else can be seen.
  #vehicle() {
    if (!this.track) {
      this.shown = performance.now();
      return;
    }
    try {
      this.view = new SceneView($("canvas3d"), this.recording, this.player);
    } catch (error) {
      this.shown = performance.now();
      if (error instanceof DataError) refuse(error);
      else if (/webgl/i.test(error.message)) this.#no3d(`The animation needs WebGL, which this browser does not support (${error.message}).`);
      else this.#no3d(`The animation cannot be drawn: ${error.message}`);
      return;
    }
    this.setCamera = choice($("cameras"), Object.entries(cameras).map(([id, c], i) => [id, c.title, `camera (${i + 1})`]), (id) => this.view.setCamera(id));
    this.setCamera("follow");
    $("factor").addEventListener("input", () => {
      const factor = Math.round(10 * 30 ** ($("factor").value / 100)) / 10;
      $("factor-value").textContent = `${short(factor)}×`;
      this.view.setFactor(factor);
    });
    $("forces").addEventListener("change", () => this.view.setForces($("forces").checked));
    $("body").addEventListener("change", () => this.view.setBody($("body").checked));
    this.view.setWheel(Number($("wheel").value));
    this.applyTheme();
    this.view.prepare();
  }

  #wheel(index) {
    $("wheel").value = String(index);
    this.closeup?.setWheel(index);
    this.view?.setWheel(index);
  }

  #plots() {
    const r = this.recording;
    const names = (families) => families.flatMap((f) => r.family(f));
    const usable = presets.filter((p) => p.histogram || (p.plots ?? []).some((x) => names(x.families).length) || (p.paths ?? []).some((x) => r.has(x.x) && r.has(x.y)));
    this.list = new ChannelList($("search"), $("list"), r, (chosen) => {
      if (!chosen.length) return this.setPreset(usable[0]?.id);
      this.setPreset(null);
      this.board.set(this.list.specs());
    });
    this.setPreset = choice($("presets"), usable.map((p) => [p.id, p.title]), (id) => {
      const p = presets.find((x) => x.id === id);
      const specs = (p.plots ?? []).map((x) => ({ title: x.title, names: names(x.families), limits: x.limits, quantity: x.quantity ?? x.families.join(", "), full: x.families.length > 1 || x.families[0].includes(".") })).filter((x) => x.names.length);
      const extras = (p.paths ?? []).filter((x) => r.has(x.x) && r.has(x.y)).map((x) => new PathPlot(this.board, x));
      if (p.histogram) {
        const histogram = new Histogram(this.board);
        if (!histogram.isEmpty) extras.push(histogram);
      }
      this.board.set(specs, extras);
    });
    $("clear").addEventListener("click", () => this.list.clear());
    if (usable.length) this.setPreset(usable[0].id);
    else {
      for (const name of [...r.channels.keys()].filter((n) => n !== "t").slice(0, 3)) this.list.chosen.add(name);
      this.list.show();
      this.board.set(this.list.specs());
    }
    const axis = (by) => {
      this.board.setAxis(by);
      $("by-t").classList.toggle("on", this.board.by === "t");
      $("by-s").classList.toggle("on", this.board.by === "s");
    };
    $("by-t").addEventListener("click", () => axis("t"));
    $("by-s").addEventListener("click", () => axis("s"));
    $("by-s").disabled = !this.board.canUseDistance;
    this.axis = axis;
  }

  #controls() {
    const { player } = this;
    $("play").addEventListener("click", () => player.toggle());
    $("speed").addEventListener("change", () => player.setSpeed(Number($("speed").value)));
    $("scrub").addEventListener("input", () => player.seek(player.begin + (player.end - player.begin) * ($("scrub").value / 10000)));
    const r = this.recording;
    player.listen(() => {
      $("play").textContent = (player.running ?? player.playing) ? "❚❚" : "▶";
      $("scrub").value = String(Math.round((10000 * (player.t - player.begin)) / (player.end - player.begin || 1)));
      const parts = [`${player.t.toFixed(2)} s`];
      if (r.has("s")) parts.push(`${r.value("s", player.t).toFixed(1)} m`);
      if (r.has("speed")) parts.push(`${(3.6 * r.value("speed", player.t)).toFixed(1)} km/h`);
      $("clock").textContent = parts.join("  ·  ");
    });
    $("help").addEventListener("click", () => this.help());
  }

  help() {
    explain("Keyboard and mouse", "space: play or pause.  ← →: one row, with shift half a second.  Home, End.  + −: zoom the plots around the cursor, 0: all.  1 … 5: camera.  w: next wheel.  x: time or distance.  /: search channels.  d: light or dark.  Plots: hover to move in time, drag to zoom, double click to show all; click a name below a plot to hide its line.  Animation: drag to rotate, scroll to zoom, right button to pan.  Cross-section: scroll to zoom, drag to pan, double click to reset." + (this.live ? "  Live: space pauses the simulation, . does one time step, r restarts, End follows the simulation; a double click on a slider resets it." : ""));
  }

  // marks of the events above the slider
  #marks() {
    const canvas = $("marks");
    const draw = () => {
      const ratio = window.devicePixelRatio || 1;
      const w = canvas.clientWidth;
      canvas.width = Math.round(w * ratio);
      canvas.height = Math.round(6 * ratio);
      const c = canvas.getContext("2d");
      const ink = this.board.ink();
      const { begin, end } = this.player;
      for (const e of this.recording.events) {
        c.fillStyle = e.kind === "derailed" || e.kind === "release" ? ink.red : ink.orange;
        for (const t of e.times ?? []) c.fillRect(((t - begin) / (end - begin || 1)) * canvas.width, 0, ratio, canvas.height);
      }
    };
    new ResizeObserver(draw).observe(canvas);
  }

  #theme() {
    // pages opened from disk may have no access to localStorage
    const memory = { get: () => { try { return localStorage.getItem("klingel-theme"); } catch { return null; } }, set: (v) => { try { localStorage.setItem("klingel-theme", v); } catch { /* then not */ } } };
    const media = matchMedia("(prefers-color-scheme: dark)");
    const apply = () => {
      const dark = (memory.get() ?? (media.matches ? "dark" : "light")) === "dark";
      document.documentElement.dataset.theme = dark ? "dark" : "light";
      this.view?.setTheme(dark);
      if (this.closeup) this.closeup.dirty = true;
      this.board.setTheme(dark);
    };
    this.toggleTheme = () => {
      memory.set(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
      document.documentElement.dataset.theme = memory.get() ?? (document.documentElement.dataset.theme === "dark" ? "light" : "dark");
      apply();
    };
    this.applyTheme = apply;
    $("theme").addEventListener("click", this.toggleTheme);
    media.addEventListener("change", apply);
    apply();
  }

  #keys() {
    document.addEventListener("keydown", (e) => {
      if (e.ctrlKey || e.metaKey || e.altKey) return;
      const typing = e.target instanceof HTMLInputElement && ["search", "text"].includes(e.target.type);
      if (typing) {
        if (e.key === "Escape") e.target.blur();
        return;
      }
      if (e.target instanceof HTMLSelectElement) return;
      const { player, recording, board } = this;
      const row = recording.at(player.t).row;
      const jump = (rows) => player.seek(recording.t[Math.max(0, Math.min(recording.rows - 1, row + rows))]);
      const half = 0.5;
      const keys = {
        " ": () => player.toggle(),
        ArrowLeft: () => (e.shiftKey ? player.seek(player.t - half) : jump(-1)),
        ArrowRight: () => (e.shiftKey ? player.seek(player.t + half) : jump(1)),
        Home: () => player.seek(player.begin),
        End: () => player.seek(player.end),
        "+": () => board.zoom(0.6),
        "-": () => board.zoom(1 / 0.6),
        0: () => board.resetZoom(),
        w: () => this.closeup && this.#wheel((Number($("wheel").value) + 1) % recording.scene.wheels.length),
        x: () => this.axis(board.by === "t" ? "s" : "t"),
        d: () => this.toggleTheme(),
        ".": () => this.bar?.step(false),
        r: () => this.bar?.reset(),
        "?": () => this.help(),
        "/": () => {
          $("channels").open = true;
          $("search").focus();
        },
      };
      Object.keys(cameras).forEach((id, i) => (keys[String(i + 1)] = () => this.setCamera?.(id)));
      if (!keys[e.key]) return;
      e.preventDefault();
      keys[e.key]();
    });
  }
}

// columns are decoded when they are first needed, so damaged data may be found late
window.addEventListener("error", (e) => {
  if (e.error instanceof DataError) refuse(e.error);
});

function start() {
  // another kind of page, which only contains pictures of a vehicle
  if (document.querySelector(".picture")) return drawPictures(document);
  try {
    // for tests and for the console
    const settings = liveSettings(document);
    const recording = embedded(document);
    if (settings) recording.most = 3600; // a minute at sixty rows per second
    window.klingel = new Page(recording, settings && new Live(recording, settings));
  } catch (error) {
    if (!(error instanceof DataError)) console.error(error);
    refuse(error instanceof DataError ? error : new Error(`This recording is not valid: ${error.message}`));
  }
}

start();
