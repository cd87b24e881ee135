// The four pictures. Each remembers where its cases are, for clicks.
'use strict';

const places = { scatter: [], heat: [], parallel: [] };
const wanted = (id) => column($(id).value);

function drawScatter() {
  const at = begin($('scatter')), cx = wanted('scatter-x'), cy = wanted('scatter-y'), cc = wanted('scatter-c');
  const b = box(at, cx, cy, null, legendHeight);
  places.scatter = [];
  const size = state.shown.length > 5000 ? 2 : 4;
  for (const i of state.shown) {
    const x = b.X(cx.numbers[i]), y = b.Y(cy.numbers[i]);
    if (!Number.isFinite(x) || !Number.isFinite(y)) continue;
    at.g.fillStyle = shade((cc.numbers[i] - cc.least) / (cc.most - cc.least));
    at.g.beginPath(); at.g.arc(x, y, size, 0, 7); at.g.fill();
    if (i === state.chosen) ring(at.g, x, y);
    places.scatter.push([x, y, i]);
  }
  for (const limit of [cy.limit_least, cy.limit_most]) {
    if (limit === undefined || b.Y(limit) < b.top || b.Y(limit) > b.bottom) continue;
    at.g.strokeStyle = ink('bad'); at.g.setLineDash([6, 4]); at.g.beginPath();
    at.g.moveTo(b.left, b.Y(limit)); at.g.lineTo(b.right, b.Y(limit)); at.g.stroke(); at.g.setLineDash([]);
  }
  legend(at, cc);
}

function ring(g, x, y) {
  g.strokeStyle = ink('bad'); g.lineWidth = 2; g.beginPath(); g.arc(x, y, 8, 0, 7); g.stroke(); g.lineWidth = 1;
}

// Few different values are cells of their own; many are put into 24 equal ones.
function cells(c) {
  const different = [...new Set(c.numbers.filter(Number.isFinite))].sort((a, b) => a - b);
  if (different.length <= 60)
    return { n: different.length, of: (v) => different.indexOf(v), name: (k) => c.isText ? c.words[different[k]] : shortText(different[k]) };
  const n = 24, width = (c.most - c.least) / n;
  return { n, of: (v) => Number.isFinite(v) ? Math.min(n - 1, Math.floor((v - c.least) / width)) : -1,
    name: (k) => shortText(c.least + (k + 0.5) * width) };
}

function drawHeat() {
  const at = begin($('heat')), { g, w, h } = at;
  const cx = wanted('heat-x'), cy = wanted('heat-y'), cv = wanted('heat-v');
  const kx = cells(cx), ky = cells(cy), sum = new Map();
  for (const i of state.shown) {
    const key = kx.of(cx.numbers[i]) + ky.of(cy.numbers[i]) * kx.n, v = cv.numbers[i];
    if (!Number.isFinite(v)) continue;
    const cell = sum.get(key) ?? { total: 0, n: 0, cases: [] };
    cell.total += v; cell.n += 1; cell.cases.push(i);
    sum.set(key, cell);
  }
  const left = 78, bottom = 34, top = legendHeight, width = (w - left - 14) / kx.n, height = (h - top - bottom) / ky.n;
  places.heat = [];
  for (const [key, cell] of sum) {
    const x = left + (key % kx.n) * width, y = h - bottom - (Math.floor(key / kx.n) + 1) * height;
    g.fillStyle = shade((cell.total / cell.n - cv.least) / (cv.most - cv.least));
    g.fillRect(x, y, Math.ceil(width), Math.ceil(height));
    if (cell.cases.includes(state.chosen)) ring(g, x + width / 2, y + height / 2);
    places.heat.push([x, y, width, height, cell.cases[0]]);
  }
  g.fillStyle = ink('faint'); g.textAlign = 'center';
  const every = Math.ceil(kx.n * 48 / (w - left)), everyUp = Math.ceil(ky.n * 16 / (h - top - bottom));
  for (let k = 0; k < kx.n; k += every) g.fillText(kx.name(k), left + (k + 0.5) * width, h - bottom + 15);
  g.textAlign = 'right';
  for (let k = 0; k < ky.n; k += everyUp) g.fillText(ky.name(k), left - 6, h - bottom - (k + 0.5) * height + 4);
  g.fillStyle = ink('ink'); g.textAlign = 'center'; g.fillText(cx.name, left + (w - left) / 2, h - 4);
  g.save(); g.translate(12, h / 2); g.rotate(-Math.PI / 2); g.fillText(cy.name, 0, 0); g.restore();
  legend(at, cv);
}

const axisX = (k, w) => 60 + k * (w - 120) / Math.max(1, drawable.length - 1);
const axisY = (c, v, h) => h - 24 - ((v - c.least) / (c.most - c.least)) * (h - 70);

function drawParallel() {
  const { g, w, h } = begin($('parallel'));
  places.parallel = [];
  const cc = wanted('scatter-c');
  g.globalAlpha = Math.max(0.04, Math.min(0.8, 60 / Math.max(1, state.shown.length)));
  for (const i of state.shown) {
    const line = drawable.map((c, k) => [axisX(k, w), axisY(c, c.numbers[i], h)]);
    if (i !== state.chosen) stroke(g, line, shade((cc.numbers[i] - cc.least) / (cc.most - cc.least)), 1);
    places.parallel.push([line, i]);
  }
  g.globalAlpha = 1;
  for (const [line, i] of places.parallel) if (i === state.chosen) stroke(g, line, ink('bad'), 2.5);
  drawable.forEach((c, k) => {
    const x = axisX(k, w);
    g.strokeStyle = ink('ink'); g.beginPath(); g.moveTo(x, 46); g.lineTo(x, h - 24); g.stroke();
    g.fillStyle = ink('ink'); g.textAlign = 'center'; g.fillText(c.name, x, k % 2 ? 26 : 11);
    g.fillStyle = ink('faint'); g.fillText(c.isText ? c.words[c.words.length - 1] : shortText(c.most), x, 43);
    g.fillText(c.isText ? c.words[0] : shortText(c.least), x, h - 8);
    const brush = state.brushes.get(c);
    if (!brush) return;
    g.fillStyle = ink('mark'); g.globalAlpha = 0.35;
    g.fillRect(x - 6, axisY(c, brush[1], h), 12, axisY(c, brush[0], h) - axisY(c, brush[1], h)); g.globalAlpha = 1;
  });
}

function stroke(g, line, colour, width) {
  g.strokeStyle = colour; g.lineWidth = width; g.beginPath();
  let pen = false;
  for (const [x, y] of line) {
    if (!Number.isFinite(y)) { pen = false; continue; }
    pen ? g.lineTo(x, y) : g.moveTo(x, y);
    pen = true;
  }
  g.stroke(); g.lineWidth = 1;
}

function drawHistogram() {
  const at = begin($('histogram')), c = wanted('histogram-v');
  const n = c.isText ? c.words.length : Math.min(40, Math.max(8, Math.ceil(Math.sqrt(state.shown.length))));
  const low = c.isText ? -0.5 : c.least, high = c.isText ? c.words.length - 0.5 : c.most, bins = new Array(n).fill(0);
  for (const i of state.shown) {
    const v = c.numbers[i];
    if (Number.isFinite(v)) bins[Math.min(n - 1, Math.floor((v - low) / (high - low) * n))] += 1;
  }
  const b = box(at, c, null, { x: [low, high], y: [0, 1.05 * Math.max(1, ...bins)], label: 'cases' }, 24);
  bins.forEach((v, k) => {
    const x = b.X(low + k * (high - low) / n), next = b.X(low + (k + 1) * (high - low) / n);
    at.g.fillStyle = ink('mark'); at.g.fillRect(x + 0.5, b.Y(v), Math.max(1, next - x - 1), b.bottom - b.Y(v));
  });
  const values = state.shown.map((i) => c.numbers[i]).filter(Number.isFinite);
  if (c.isText || !values.length) return;
  const mean = values.reduce((a, v) => a + v, 0) / values.length;
  const deviation = Math.sqrt(values.reduce((a, v) => a + (v - mean) ** 2, 0) / values.length);
  at.g.fillStyle = ink('ink'); at.g.textAlign = 'right';
  at.g.fillText(`mean ${shortText(mean)}, deviation ${shortText(deviation)}`, b.right - 4, b.top - 9);
}
