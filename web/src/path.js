// One channel over another as a line in the plane, with a dot at the player's time. For paths, which
// may turn back: uPlot wants x to ascend.

import { saveCsv, savePng } from "./download.js";

// Ticks at 1, 2 or 5 times a power of ten.
export function ticks(low, high, count) {
  const rough = (high - low) / Math.max(1, count);
  if (!(rough > 0)) return [low];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((k) => k * power).find((s) => s >= rough);
  const list = [];
  for (let v = Math.ceil(low / step) * step; v <= high + 1e-9 * step; v += step) list.push(Math.abs(v) < 1e-9 * step ? 0 : v);
  return list;
}

export const frame = (title, tools) => {
  const card = document.createElement("section");
  card.className = "plot";
  card.setAttribute("aria-label", title);
  const head = document.createElement("header");
  const h = document.createElement("h3");
  h.textContent = title;
  const span = document.createElement("span");
  span.className = "tools";
  for (const [text, about, act] of tools) {
    const b = document.createElement("button");
    b.type = "button";
    b.className = "small";
    b.textContent = text;
    b.title = about;
    b.addEventListener("click", act);
    span.append(b);
  }
  head.append(h, span);
  const canvas = document.createElement("canvas");
  canvas.className = "free";
  const holder = document.createElement("div");
  holder.className = "chart";
  holder.append(canvas);
  card.append(head, holder);
  return { card, canvas };
};

// Canvas, context and size in points, cleared.
export function begin(canvas, height) {
  const ratio = window.devicePixelRatio || 1;
  const width = Math.max(200, canvas.parentElement.clientWidth);
  canvas.style.height = height + "px";
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const c = canvas.getContext("2d");
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  c.clearRect(0, 0, width, height);
  c.font = "11px system-ui, sans-serif";
  return { c, width, height };
}

// Grid and labels; x and y map values to points.
export function axes(c, ink, area, x, y, xTicks, yTicks, xLabel, yLabel) {
  c.strokeStyle = ink.grid;
  c.fillStyle = ink.dim;
  c.lineWidth = 1;
  c.textAlign = "center";
  c.textBaseline = "top";
  for (const v of xTicks) {
    c.beginPath();
    c.moveTo(x(v), area.top);
    c.lineTo(x(v), area.bottom);
    c.stroke();
    c.fillText(String(Number(v.toPrecision(6))), x(v), area.bottom + 5);
  }
  c.textAlign = "right";
  c.textBaseline = "middle";
  for (const v of yTicks) {
    c.beginPath();
    c.moveTo(area.left, y(v));
    c.lineTo(area.right, y(v));
    c.stroke();
    c.fillText(String(Number(v.toPrecision(6))), area.left - 6, y(v));
  }
  c.textAlign = "center";
  c.fillText(xLabel, (area.left + area.right) / 2, area.bottom + 26);
  c.save();
  c.translate(12, (area.top + area.bottom) / 2);
  c.rotate(-Math.PI / 2);
  c.fillText(yLabel, 0, 0);
  c.restore();
}

export class PathPlot {
  constructor(board, spec) {
    this.board = board;
    this.spec = spec;
    const made = frame(spec.title, [
      ["CSV", "Download the path as CSV", () => this.csv()],
      ["PNG", "Save this plot as a picture", () => this.png()],
    ]);
    this.card = made.card;
    this.canvas = made.canvas;
    this.dot = document.createElement("div");
    this.dot.className = "dot";
    this.canvas.parentElement.append(this.dot);
    this.canvas.addEventListener("pointermove", (e) => !board.player.playing && this.#seek(e));
    this.canvas.addEventListener("click", (e) => this.#seek(e));
  }

  #columns() {
    const r = this.board.recording;
    return [r.column(this.spec.x).subarray(0, r.rows), r.column(this.spec.y).subarray(0, r.rows)];
  }

  make() {
    const [xs, ys] = this.#columns();
    const n = this.board.recording.rows;
    const { c, width, height } = begin(this.canvas, 260);
    const ink = this.board.ink();
    const area = { left: 62, right: width - 14, top: 10, bottom: height - 40 };
    const span = (v) => {
      let [low, high] = [Infinity, -Infinity];
      for (let i = 0; i < n; ++i) [low, high] = [Math.min(low, v[i]), Math.max(high, v[i])];
      const margin = 0.05 * (high - low) || 0.5;
      return [low - margin, high + margin];
    };
    const [x0, x1] = span(xs);
    const [y0, y1] = span(ys);
    this.px = (v) => area.left + ((v - x0) / (x1 - x0)) * (area.right - area.left);
    this.py = (v) => area.bottom - ((v - y0) / (y1 - y0)) * (area.bottom - area.top);
    const unit = (name) => `${name}, ${this.board.recording.channel(name).unit}`;
    axes(c, ink, area, this.px, this.py, ticks(x0, x1, 8), ticks(y0, y1, 5), unit(this.spec.x), unit(this.spec.y));
    c.strokeStyle = ink.blue;
    c.lineWidth = 1.6;
    c.beginPath();
    for (let i = 0; i < n; ++i) c.lineTo(this.px(xs[i]), this.py(ys[i]));
    c.stroke();
    this.show(this.board.player.t);
  }

  show(t) {
    if (!this.px) return;
    const r = this.board.recording;
    this.dot.style.transform = `translate(${this.px(r.value(this.spec.x, t)) - 5}px, ${this.py(r.value(this.spec.y, t)) - 5}px)`;
  }

  #seek(e) {
    const box = this.canvas.getBoundingClientRect();
    const [xs, ys] = this.#columns();
    let [best, row] = [Infinity, 0];
    for (let i = 0; i < this.board.recording.rows; ++i) {
      const d = Math.hypot(this.px(xs[i]) - (e.clientX - box.left), this.py(ys[i]) - (e.clientY - box.top));
      if (d < best) [best, row] = [d, i];
    }
    this.board.player.seek(this.board.recording.t[row]);
  }

  csv() {
    const r = this.board.recording;
    const columns = ["t", this.spec.x, this.spec.y].map((n) => ({ name: n, unit: r.channel(n).unit, values: r.column(n) }));
    saveCsv(this.spec.title, columns, 0, r.rows - 1);
  }
  png() {
    const ink = this.board.ink();
    savePng(this.spec.title, this.canvas, this.spec.title, [], { ground: ink.card, ink: ink.ink });
  }
  resize() {
    this.make();
  }
}
