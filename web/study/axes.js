// Drawing on a canvas: sharp on any screen, with axes and round ticks.
'use strict';

const ink = (name) => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();

function begin(canvas) {
  const scale = window.devicePixelRatio || 1, w = canvas.clientWidth, h = canvas.clientHeight;
  canvas.width = w * scale;
  canvas.height = h * scale;
  const g = canvas.getContext('2d');
  g.scale(scale, scale);
  g.clearRect(0, 0, w, h);
  g.font = '12px system-ui, "DejaVu Sans", sans-serif';
  return { g, w, h };
}

// About so many round numbers between the ends.
function ticks(low, high, about) {
  const raw = (high - low) / about, power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((f) => f * power).find((s) => s >= raw) ?? 10 * power;
  const list = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k) list.push(k * step);
  return list;
}

function labels(c, low, high, about) {
  if (c && c.isText) return c.words.map((word, i) => [i, word]);
  const list = ticks(low, high, about), step = list.length > 1 ? list[1] - list[0] : 1;
  return list.map((v) => [v, shortText(Math.abs(v) < 1e-9 * step ? 0 : v)]);
}

// What the legend takes above a picture.
const legendHeight = 40;

// A box with ticks; returns the places of values.
function box({ g, w, h }, cx, cy, range, top = 8) {
  const left = 70, right = 14, bottom = 34;
  const pad = (c) => { const d = 0.03 * (c.most - c.least); return [c.least - d, c.most + d]; };
  const [x0, x1] = range?.x ?? pad(cx), [y0, y1] = range?.y ?? pad(cy);
  const X = (v) => left + ((v - x0) / (x1 - x0)) * (w - left - right);
  const Y = (v) => h - bottom - ((v - y0) / (y1 - y0)) * (h - top - bottom);
  g.strokeStyle = ink('grid');
  g.fillStyle = ink('faint');
  g.textAlign = 'center';
  for (const [v, text] of labels(cx, x0, x1, 7)) {
    g.beginPath(); g.moveTo(X(v), top); g.lineTo(X(v), h - bottom); g.stroke();
    g.fillText(text, X(v), h - bottom + 15);
  }
  g.textAlign = 'right';
  for (const [v, text] of labels(cy, y0, y1, 6)) {
    g.beginPath(); g.moveTo(left, Y(v)); g.lineTo(w - right, Y(v)); g.stroke();
    g.fillText(text, left - 6, Y(v) + 4);
  }
  g.textAlign = 'center';
  g.fillStyle = ink('ink');
  g.fillText(cx.name, left + (w - left - right) / 2, h - 4);
  g.save(); g.translate(12, top + (h - top - bottom) / 2); g.rotate(-Math.PI / 2);
  g.fillText(cy?.name ?? range.label, 0, 0); g.restore();
  return { X, Y, left, right: w - right, top, bottom: h - bottom };
}

// Dark blue to yellow, told apart by its lightness alone, too.
const stops = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];
function shade(share) {
  if (!Number.isFinite(share)) return ink('grid');
  const at = Math.min(Math.max(share, 0), 1) * (stops.length - 1), k = Math.min(Math.floor(at), stops.length - 2);
  const mix = stops[k].map((v, i) => Math.round(v + (at - k) * (stops[k + 1][i] - v)));
  return `rgb(${mix.join(',')})`;
}

// A bar that explains the colours, above the picture at the right.
function legend({ g, w }, c) {
  const width = 160, x = w - width - 20;
  for (let i = 0; i < width; ++i) { g.fillStyle = shade(i / width); g.fillRect(x + i, 4, 1, 8); }
  g.fillStyle = ink('ink'); g.textAlign = 'left'; g.fillText(shortText(c.isText ? c.words[0] : c.least), x, 25);
  g.textAlign = 'right'; g.fillText(shortText(c.isText ? c.words[c.words.length - 1] : c.most), x + width, 25);
  g.fillText(c.name, x - 10, 13);
}
