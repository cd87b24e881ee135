// The track under a plot: curvature filled, cant and vertical irregularity as lines, over the same x.
// Each has its own scale; the maximum values are written beside it.

export class Strip {
  constructor(board) {
    this.board = board;
    this.canvas = document.createElement("canvas");
    this.canvas.className = "strip";
    this.line = document.createElement("div");
    this.line.className = "cursor-line";
    this.holder = document.createElement("div");
    this.holder.className = "chart";
    this.holder.append(this.canvas, this.line);
    this.canvas.title = "curvature (filled, left up), cant (line), vertical irregularity of the rails (thin)";
  }

  // A straight, level, smooth track needs no picture.
  static isWorth(board) {
    const { most } = Strip.#columns(board);
    return most.curvature > 1e-9 || most.cant > 1e-9 || most.rough > 1e-9;
  }

  static #columns(board) {
    const { recording: r, track } = board;
    const n = r.rows - r.first;
    const own = (name) => (r.has(name) ? r.column(name).subarray(r.first, r.rows) : null);
    const s = own("s");
    const along = (column) => (track && s ? Float64Array.from({ length: n }, (_, i) => track.lerp(column, s[i])) : null);
    const curvature = own("curvature") ?? along(track?.curvature);
    const cant = own("cant") ?? along(track?.cant);
    let rough = null;
    if (track && s) rough = Float64Array.from({ length: n }, (_, i) => (track.lerp(track.left.vertical, s[i]) + track.lerp(track.right.vertical, s[i])) / 2);
    const most = (c) => (c ? c.reduce((m, v) => Math.max(m, Math.abs(v)), 0) : 0);
    return { curvature, cant, rough, most: { curvature: most(curvature), cant: most(cant), rough: most(rough) } };
  }

  draw() {
    const { board, canvas } = this;
    const chart = board.charts.find((c) => c.strip === this);
    if (!chart?.u) return;
    const ratio = window.devicePixelRatio || 1;
    const width = chart.holder.clientWidth;
    const height = 44;
    canvas.style.height = height + "px";
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const c = canvas.getContext("2d");
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    const ink = board.ink();
    const { left, width: inner } = chart.u.bbox;
    const [x0, w] = [left / ratio, inner / ratio];
    const { min, max } = chart.u.scales.x;
    const middle = 20;
    const half = 16;
    const d = (board.stripData ??= Strip.#columns(board));
    const line = (column, most, fill) => {
      if (!column || !(most > 0)) return;
      c.beginPath();
      let begun = false;
      const stride = Math.max(1, Math.floor(board.x.length / (4 * w)));
      for (let i = 0; i < board.x.length; i += stride) {
        if (board.x[i] < min || board.x[i] > max) continue;
        const x = x0 + ((board.x[i] - min) / (max - min)) * w;
        const y = middle - (column[i] / most) * half;
        if (!begun && fill) c.moveTo(x, middle);
        begun ? c.lineTo(x, y) : fill ? c.lineTo(x, y) : c.moveTo(x, y);
        begun = true;
        this.endX = x;
      }
      if (fill && begun) {
        c.lineTo(this.endX, middle);
        c.fill();
      } else {
        c.stroke();
      }
    };
    c.strokeStyle = ink.grid;
    c.strokeRect(x0, 2.5, w, 2 * half + 3);
    c.fillStyle = ink.blue;
    c.globalAlpha = 0.35;
    line(d.curvature, d.most.curvature, true);
    c.globalAlpha = 0.8;
    c.strokeStyle = ink.dim;
    c.lineWidth = 0.8;
    line(d.rough, d.most.rough);
    c.globalAlpha = 1;
    c.strokeStyle = ink.orange;
    c.lineWidth = 1.5;
    line(d.cant, d.most.cant);

    c.font = "10px system-ui, sans-serif";
    c.textBaseline = "top";
    const words = [
      [ink.blue, d.most.curvature > 1e-9 ? `R ${Math.round(1 / d.most.curvature)} m` : "straight"],
      [ink.orange, d.most.cant > 1e-9 ? `cant ${((d.most.cant * 180) / Math.PI).toFixed(1)}°` : "level"],
      [ink.dim, d.most.rough > 1e-9 ? `±${(d.most.rough * 1e3).toPrecision(2)} mm` : ""],
    ];
    words.forEach(([colour, text], i) => {
      c.fillStyle = colour;
      c.textAlign = "right";
      c.fillText(text, x0 - 4, 4 + 12 * i);
    });
    this.geometry = { x0, w, min, max };
    this.show(board.player.t);
  }

  // the cursor: a line over what is drawn
  show(t) {
    if (!this.geometry) return;
    const { x0, w, min, max } = this.geometry;
    const x = x0 + ((this.board.xAt(t) - min) / (max - min)) * w;
    const inside = x >= x0 && x <= x0 + w;
    this.line.style.display = inside ? "" : "none";
    if (inside) this.line.style.transform = `translateX(${x}px)`;
  }
}
