// Histogram of the run time per step, over a logarithmic axis in microseconds.

import { saveCsv, savePng } from "./download.js";
import { axes, begin, frame } from "./path.js";

export class Histogram {
  constructor(board) {
    this.board = board;
    this.bars = board.recording.summary.step_wall_histogram ?? { upper_us: [], count: [] };
    const title = "Run time per time step";
    const made = frame(title, [
      ["CSV", "Download the bars as CSV", () => this.csv()],
      ["PNG", "Save this plot as a picture", () => this.png()],
    ]);
    this.title = title;
    this.card = made.card;
    this.canvas = made.canvas;
  }

  get isEmpty() {
    return !this.bars.upper_us?.length;
  }

  make() {
    const { c, width, height } = begin(this.canvas, 210);
    const ink = this.board.ink();
    const area = { left: 62, right: width - 14, top: 10, bottom: height - 40 };
    const growth = 2 ** (1 / 6);
    const upper = this.bars.upper_us;
    const [low, high] = [upper[0] / growth / 1.2, upper[upper.length - 1] * 1.2];
    const most = Math.max(...this.bars.count);
    // a logarithmic y axis, so that one slow step is visible beside thousands of fast ones
    const top = Math.log10(most) + 0.3;
    const x = (v) => area.left + (Math.log(v / low) / Math.log(high / low)) * (area.right - area.left);
    const y = (v) => area.bottom - ((Math.log10(Math.max(v, 0.5)) + 0.3) / (top + 0.3)) * (area.bottom - area.top);
    const xTicks = [];
    // as many ticks as fit
    const steps = high / low < 200 ? [1, 2, 5] : [1];
    for (let p = 10 ** Math.floor(Math.log10(low)); p < high; p *= 10) for (const k of steps) if (k * p > low && k * p < high) xTicks.push(k * p);
    const yTicks = [];
    for (let p = 1; p <= most * 2; p *= 10) yTicks.push(p);
    axes(c, ink, area, x, y, xTicks, yTicks, "time per step, µs", "steps");
    c.fillStyle = ink.blue;
    upper.forEach((u, i) => {
      if (!this.bars.count[i]) return;
      const [a, b] = [x(u / growth), x(u)];
      c.fillRect(a + 0.5, y(this.bars.count[i]), Math.max(1, b - a - 1), area.bottom - y(this.bars.count[i]));
    });
    const times = this.board.recording.summary.step_wall_us ?? {};
    c.textAlign = "left";
    c.textBaseline = "bottom";
    [["p50", "median"], ["p99", "99th percentile"], ["max", "maximum"]].forEach(([key, words], i) => {
      const v = times[key];
      if (!(v > low) || !(v < high)) return;
      c.strokeStyle = c.fillStyle = ink.orange;
      c.setLineDash([4, 3]);
      c.beginPath();
      c.moveTo(x(v), area.top);
      c.lineTo(x(v), area.bottom);
      c.stroke();
      c.setLineDash([]);
      c.textAlign = x(v) > area.right - 120 ? "right" : "left";
      c.fillText(`${words} ${Number(v.toPrecision(3))} µs`, x(v) + (c.textAlign === "left" ? 4 : -4), area.top + 14 + 14 * i);
    });
  }

  show() {}
  resize() {
    this.make();
  }
  csv() {
    const columns = [
      { name: "below", unit: "us", values: this.bars.upper_us },
      { name: "steps", unit: "", values: this.bars.count },
    ];
    saveCsv(this.title, columns, 0, this.bars.count.length - 1);
  }
  png() {
    const ink = this.board.ink();
    savePng(this.title, this.canvas, this.title, [], { ground: ink.card, ink: ink.ink });
  }
}
