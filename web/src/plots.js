// Line charts over time or distance with one cursor for all: the player's time. Hovering moves it
// while the player rests, a click always; dragging zooms all charts, a double click shows all again.

import uPlot from "uplot";
import { saveCsv, savePng } from "./download.js";
import { Strip } from "./strip.js";
import { label, short, shown } from "./units.js";

// colours that colour-blind readers can tell apart, for the light and the dark theme
const hues = {
  light: ["#1d6fe0", "#e8590c", "#2b8a3e", "#c2255c", "#7048e8", "#0c8599", "#997404", "#495057"],
  dark: ["#6ea8fe", "#ff922b", "#69db7c", "#f783ac", "#b197fc", "#3bc9db", "#ffd43b", "#ced4da"],
};

export const colour = (i, dark) => hues[dark ? "dark" : "light"][i % 8];

// Right and left wheel of an axle share a colour, the left one is dashed.
export function styles(names, dark) {
  const groups = new Map();
  return names.map((name) => {
    const match = /^(.*)\.(left|right)$/.exec(name);
    const key = match ? match[1] : name;
    if (!groups.has(key)) groups.set(key, groups.size);
    return { colour: colour(groups.get(key), dark), dashed: match?.[2] === "left" };
  });
}

// Smaller ranges are drawn as a flat line.
const noise = { mm: 1e-3, kN: 1e-3, "m/s²": 1e-4, "‰": 1e-3, mrad: 1e-3, "": 1e-4 };

// Labels with as many digits as their steps need.
const tickLabels = (values) => {
  const step = values.length > 1 ? Math.abs(values[1] - values[0]) : 1;
  let digits = 0;
  while (digits < 6 && Math.abs(step * 10 ** digits - Math.round(step * 10 ** digits)) > 1e-6) ++digits;
  return values.map((v) => (v === null ? "" : Math.abs(v) < step * 1e-6 ? "0" : digits > 5 || Math.abs(v) >= 1e6 ? v.toExponential(1) : v.toFixed(digits)));
};

const element = (tag, className, text) => {
  const e = document.createElement(tag);
  if (className) e.className = className;
  if (text !== undefined) e.textContent = text;
  return e;
};

const button = (text, title, act) => {
  const b = element("button", "small", text);
  b.type = "button";
  b.title = title;
  b.addEventListener("click", act);
  return b;
};

class Chart {
  constructor(board, spec) {
    this.board = board;
    this.spec = spec;
    this.names = spec.names;
    const r = board.recording;
    const first = shown(r.channel(this.names[0]));
    this.unit = first.unit;
    this.card = element("section", "plot");
    this.card.setAttribute("aria-label", spec.title);
    const head = element("header");
    head.append(element("h3", "", spec.title));
    const tools = element("span", "tools");
    tools.append(
      button("CSV", "Download the shown part as CSV", () => this.csv()),
      button("PNG", "Save this plot as a picture", () => this.png()),
    );
    if (spec.remove) tools.append(button("✕", "Remove this plot", () => spec.remove(this)));
    head.append(tools);
    this.holder = element("div", "chart");
    this.strip = board.hasStrip ? new Strip(board) : null;
    this.legend = element("div", "legend");
    this.card.append(head, this.holder);
    if (this.strip) this.card.append(this.strip.holder);
    this.card.append(this.legend);
  }

  make() {
    const { board } = this;
    const dark = board.dark;
    const ink = board.ink();
    const r = board.recording;
    this.u?.destroy();
    this.style = styles(this.names, dark);
    const limits = this.spec.limits?.(r) ?? [];
    this.#read();
    const limitFactor = shown(r.channel(this.names[0])).factor;
    this.limits = limits.map((l) => ({ ...l, value: l.value * limitFactor }));
    const axis = { stroke: ink.dim, grid: { stroke: ink.grid, width: 1 }, ticks: { stroke: ink.grid, width: 1 }, font: "11px system-ui, sans-serif", labelFont: "12px system-ui, sans-serif" };
    const options = {
      width: Math.max(200, this.holder.clientWidth),
      height: board.height,
      legend: { show: false },
      cursor: { drag: { x: true, y: false, setScale: true }, points: { show: false }, x: false, y: false },
      scales: { x: { time: false }, y: { range: (_, low, high) => this.#range(low, high) } },
      axes: [
        { ...axis, label: board.xLabel(), labelSize: 18, size: 32, values: (_, v) => tickLabels(v) },
        { ...axis, label: label(this.spec.quantity ?? "", this.unit).replace(/^, /, ""), labelSize: 18, size: 52, values: (_, v) => tickLabels(v) },
      ],
      series: [{}, ...this.names.map((_, i) => ({ stroke: this.style[i].colour, width: 1.4, dash: this.style[i].dashed ? [6, 4] : undefined, points: { show: false } }))],
      hooks: {
        draw: [(u) => this.#drawLimits(u)],
        setScale: [(u, key) => key === "x" && board.zoomed(this, u.scales.x.min, u.scales.x.max)],
        ready: [(u) => this.#listen(u)],
      },
    };
    this.u = new uPlot(options, [board.x, ...this.values], this.holder);
    this.line = element("div", "cursor-line");
    this.u.over.append(this.line);
    this.#makeLegend();
    if (board.range) this.setRange(...board.range);
    this.show(board.player.t);
  }

  #read() {
    const r = this.board.recording;
    this.values = this.names.map((n) => {
      const { factor } = shown(r.channel(n));
      const column = r.column(n).subarray(r.first, r.rows);
      // what is not known is a gap in the line: null for uPlot
      if (column.some(Number.isNaN)) return Array.from(column, (v) => (Number.isNaN(v) ? null : v * factor));
      return factor === 1 ? column : column.map((v) => v * factor);
    });
  }

  grow() {
    this.#read();
    this.board.zooming = true;
    this.u.setData([this.board.x, ...this.values], !this.board.range);
    this.board.zooming = false;
    this.strip?.draw();
  }

  // Rounding errors of a constant are drawn flat; limits near the values are inside the range.
  #range(low, high) {
    if (!Number.isFinite(low) || !Number.isFinite(high)) return [-1, 1];
    const near = 2 * Math.max(Math.abs(low), Math.abs(high));
    for (const { value } of this.limits) {
      if (Math.abs(value) > near) continue;
      [low, high] = [Math.min(low, value), Math.max(high, value)];
    }
    const least = Math.max(noise[this.unit] ?? 1e-12, 2e-3 * Math.max(Math.abs(low), Math.abs(high)));
    const margin = Math.max(0.06 * (high - low), (least - (high - low)) / 2);
    return [low - margin, high + margin];
  }

  #drawLimits(u) {
    const c = u.ctx;
    c.save();
    c.beginPath();
    c.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
    c.clip();
    [c.textAlign, c.textBaseline] = ["left", "alphabetic"]; // axes leave others behind
    for (const l of this.limits) {
      const y = u.valToPos(l.value, "y", true);
      const inside = y > u.bbox.top && y < u.bbox.top + u.bbox.height;
      c.strokeStyle = c.fillStyle = this.board.ink().red;
      c.setLineDash([8, 5]);
      c.lineWidth = 1.5;
      c.beginPath();
      c.moveTo(u.bbox.left, y);
      c.lineTo(u.bbox.left + u.bbox.width, y);
      c.stroke();
      c.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
      // a limit outside the range is written at the edge
      const above = y <= u.bbox.top;
      c.fillText(inside ? l.label : `${above ? "↑" : "↓"} ${l.label}`, u.bbox.left + 8, inside ? y - 5 : above ? u.bbox.top + 14 * devicePixelRatio : u.bbox.top + u.bbox.height - 6);
      if (!inside) break;
    }
    c.restore();
  }

  #listen(u) {
    const seek = (e) => {
      const x = u.posToVal(e.clientX - u.over.getBoundingClientRect().left, "x");
      this.board.seekX(x);
    };
    let down = null;
    u.over.addEventListener("mousedown", (e) => (down = e.clientX));
    u.over.addEventListener("mousemove", (e) => {
      if (!e.buttons && !this.board.player.playing) seek(e);
    });
    u.over.addEventListener("mouseup", (e) => {
      if (down !== null && Math.abs(e.clientX - down) < 4) seek(e);
      down = null;
    });
    u.over.addEventListener("dblclick", () => this.board.resetZoom());
    u.over.addEventListener("wheel", (e) => {
      if (!e.ctrlKey && !e.shiftKey) return;
      e.preventDefault();
      this.board.zoom(Math.exp((e.deltaY || e.deltaX) / 500), u.posToVal(e.offsetX, "x"));
    }, { passive: false });
  }

  #makeLegend() {
    this.legend.replaceChildren();
    this.cells = this.names.map((name, i) => {
      const item = element("span", "entry");
      const mark = element("i");
      mark.style.borderTop = `2px ${this.style[i].dashed ? "dashed" : "solid"} ${this.style[i].colour}`;
      const words = this.spec.full ? name : name.split(".").slice(1).join(".") || name;
      const value = element("b");
      item.append(mark, element("span", "", words), value);
      item.title = this.board.recording.channel(name).about;
      item.addEventListener("click", () => {
        const visible = !this.u.series[i + 1].show;
        this.u.setSeries(i + 1, { show: visible });
        item.classList.toggle("off", !visible);
      });
      this.legend.append(item);
      return value;
    });
  }

  show(t) {
    if (!this.u) return;
    const x = this.board.xAt(t);
    const left = this.u.valToPos(x, "x");
    // computed here: reading it from the browser would force a new layout
    const inside = left >= 0 && left <= this.u.bbox.width / (window.devicePixelRatio || 1);
    this.line.style.display = inside ? "" : "none";
    if (inside) this.line.style.transform = `translateX(${left}px)`;
    this.strip?.show(t);
    // numbers that change faster cannot be read
    const now = performance.now();
    if (this.board.player.playing && now - (this.lastNumbers ?? 0) < 100) return;
    this.lastNumbers = now;
    const r = this.board.recording;
    const row = r.at(t).row - r.first;
    // rows may have come since the lines were drawn
    this.cells.forEach((cell, i) => (cell.textContent = this.#words(this.values[i][Math.min(row, this.values[i].length - 1)])));
  }

  #words(v) {
    if (v === null) return "–";
    return Math.abs(v) < 1e-3 * (noise[this.unit] ?? 0) ? "0" : short(v);
  }

  setRange(min, max) {
    this.u.setScale("x", { min, max });
    this.strip?.draw();
  }

  resize() {
    if (!this.u) return;
    this.u.setSize({ width: Math.max(200, this.holder.clientWidth), height: this.board.height });
    this.strip?.draw();
  }

  // SI units, as recorded
  csv() {
    const r = this.board.recording;
    const { min, max } = this.u.scales.x;
    let first = this.board.x.findIndex((x) => x >= min);
    if (first < 0) first = 0;
    let last = first;
    while (last + 1 < this.board.x.length && this.board.x[last + 1] <= max) ++last;
    const names = ["t", ...(r.has("s") ? ["s"] : []), ...this.names.filter((_, i) => this.u.series[i + 1].show)];
    const columns = names.map((n) => ({ name: n, unit: r.channel(n).unit, values: r.column(n).subarray(r.first, r.rows) }));
    saveCsv(this.spec.title, columns, first, last);
  }

  png() {
    const ink = this.board.ink();
    const legend = this.names.map((n, i) => [n, this.style[i].colour, this.style[i].dashed]);
    savePng(this.spec.title, this.u.ctx.canvas, this.spec.title, legend, { ground: ink.card, ink: ink.ink });
  }
}

// All charts that are shown, below each other, with one range of x.
export class Board {
  constructor(holder, recording, player, track) {
    this.holder = holder;
    this.recording = recording;
    this.player = player;
    this.track = track;
    this.charts = [];
    this.extras = [];
    this.range = null;
    this.dark = false;
    this.height = 190;
    this.by = "t";
    // the range of a live recording is not known yet
    this.isLive = Number.isFinite(recording.most);
    this.hasStrip = this.isLive || Strip.isWorth(this);
    this.#rows();
    new ResizeObserver(() => this.resize()).observe(holder);
    player.listen(() => (this.dirty = true));
    recording.listeners.add(() => (this.grown = true));
  }

  // New rows of a live recording: four times a second is enough for lines.
  #grow() {
    const now = performance.now();
    const isOld = this.recording.trims !== this.trims; // rows moved: the lines show others
    if (!isOld && now - (this.lastGrowth ?? -1e9) < 250) return;
    this.lastGrowth = now;
    this.grown = false;
    this.#rows();
    for (const c of this.charts) c.grow();
    for (const e of this.extras) e.make();
  }

  // all rows that are shown now
  #rows() {
    const r = this.recording;
    this.stripData = undefined;
    this.trims = r.trims;
    this.canUseDistance = r.has("s") && (this.isLive || this.#ascends(r.column("s")));
    this.x = r.column(this.by).subarray(r.first, r.rows);
  }

  #ascends(values) {
    for (let i = 1; i < this.recording.rows; ++i) if (!(values[i] >= values[i - 1])) return false;
    return values[this.recording.rows - 1] > values[0];
  }

  ink() {
    const style = getComputedStyle(document.documentElement);
    const of = (name) => style.getPropertyValue("--" + name).trim();
    return { ink: of("ink"), dim: of("dim"), grid: of("grid"), red: of("red"), blue: of("blue"), orange: of("orange"), card: of("card") };
  }

  xLabel() {
    return this.by === "t" ? "t, s" : "s, m";
  }
  xAt(t) {
    return this.by === "t" ? t : this.recording.value("s", t);
  }
  tAt(x) {
    if (this.by === "t") return x;
    const s = this.recording.column("s");
    let [low, high] = [0, this.recording.rows - 1];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (s[middle] <= x) low = middle;
      else high = middle;
    }
    const d = s[high] - s[low];
    return this.recording.t[low] + (d > 0 ? Math.min(1, Math.max(0, (x - s[low]) / d)) : 0) * (this.recording.t[high] - this.recording.t[low]);
  }
  seekX(x) {
    this.player.seek(this.tAt(x));
  }

  setAxis(by) {
    if (by === this.by || (by === "s" && !this.canUseDistance)) return;
    const range = this.range?.map((x) => this.tAt(x));
    this.by = by;
    this.range = range ? range.map((t) => this.xAt(t)) : null;
    this.remake();
  }

  setTheme(dark) {
    this.dark = dark;
    this.remake();
  }

  // specs: [{ title, names, limits, full, remove }], and views with make(), show(t), resize()
  set(specs, extras = []) {
    for (const c of this.charts) c.u?.destroy();
    this.extras = extras;
    this.charts = specs.map((s) => new Chart(this, s));
    this.holder.replaceChildren(...extras.map((e) => e.card), ...this.charts.map((c) => c.card));
    this.remake();
  }

  remake() {
    this.#rows();
    for (const c of this.charts) c.make();
    for (const e of this.extras) e.make();
    for (const c of this.charts) c.strip?.draw();
    this.dirty = true;
  }

  full() {
    return [this.x[0], this.x[this.x.length - 1]];
  }

  zoomed(from, min, max) {
    if (this.zooming) return;
    this.zooming = true;
    const [low, high] = this.full();
    this.range = min <= low && max >= high ? null : [min, max];
    for (const c of this.charts) if (c !== from && c.u) c.setRange(min, max);
    from.strip?.draw();
    this.zooming = false;
  }

  setRange(min, max) {
    const [low, high] = this.full();
    const range = [Math.max(low, min), Math.min(high, max)];
    this.zooming = true;
    this.range = range[0] <= low && range[1] >= high ? null : range;
    for (const c of this.charts) c.setRange(...range);
    this.zooming = false;
  }
  resetZoom() {
    this.setRange(...this.full());
  }
  zoom(factor, around = this.xAt(this.player.t)) {
    const [min, max] = this.range ?? this.full();
    if ((max - min) * factor < 1e-3 * (this.full()[1] - this.full()[0])) return;
    this.setRange(around + (min - around) * factor, around + (max - around) * factor);
  }

  resize() {
    for (const c of this.charts) c.resize();
    for (const e of this.extras) e.resize();
  }

  // once per picture
  draw() {
    if (this.grown) this.#grow();
    if (!this.dirty) return;
    this.dirty = false;
    for (const c of this.charts) c.show(this.player.t);
    for (const e of this.extras) e.show(this.player.t);
  }
}
