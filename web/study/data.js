// The study: columns with a value per case, which cases are shown, and which one is chosen.
'use strict';

const data = JSON.parse(document.getElementById('data').textContent);
const $ = (id) => document.getElementById(id);
const count = data.columns.length ? data.columns[0].values.length : 0;
const column = (name) => data.columns.find((c) => c.name === name);

// Of texts their place in the list, so that they can be drawn.
for (const c of data.columns) {
  c.isText = c.values.some((v) => typeof v === 'string');
  if (c.isText) {
    c.words = [...new Set(c.values.filter((v) => v !== null))];
    c.numbers = c.values.map((v) => (v === null ? NaN : c.words.indexOf(v)));
  } else {
    c.numbers = c.values.map((v) => (v === null ? NaN : v));
  }
  const finite = c.numbers.filter(Number.isFinite);
  c.least = finite.reduce((a, b) => Math.min(a, b), Infinity);
  c.most = finite.reduce((a, b) => Math.max(a, b), -Infinity);
  if (!finite.length) { c.least = 0; c.most = 1; }
  if (c.least === c.most) { c.least -= 0.5; c.most += 0.5; }
}
const drawable = data.columns.filter((c) => c.role !== 'word');

function violates(c, value) {
  if (c.limit_least === undefined && c.limit_most === undefined) return false;
  return !(value >= (c.limit_least ?? -Infinity) && value <= (c.limit_most ?? Infinity));
}

function shortText(value) {
  if (value === null || Number.isNaN(value)) return '-';
  if (typeof value === 'string') return value;
  if (value === 0 || !Number.isFinite(value)) return String(value);
  if (Math.abs(value) >= 1e6 || Math.abs(value) < 1e-4) {
    const [digits, power] = value.toExponential(4).split('e');
    return `${Number(digits)}e${Number(power)}`;
  }
  return String(Number(value.toPrecision(Number.isInteger(value) ? 6 : 5)));
}

// What is shown: the text of the filter, and a range on an axis of "all at once" each.
const state = { tests: [], brushes: new Map(), shown: [], chosen: -1, sort: null, down: false };

// "speed > 15 and law = polach": name, comparison, value; joined by "and".
function parseFilter(text) {
  if (!text.trim()) return [];
  return text.split(/\s+and\s+|&&/).map((part) => {
    const m = part.trim().match(/^(.+?)\s*(<=|>=|!=|=|<|>)\s*(.+)$/);
    if (!m) throw new Error(`"${part.trim()}": expected a column, a comparison and a value`);
    const c = column(m[1].trim());
    if (!c) throw new Error(`there is no column "${m[1].trim()}"`);
    const number = Number(m[3]), isNumber = m[3].trim() !== '' && !Number.isNaN(number);
    if (!isNumber && !['=', '!='].includes(m[2])) throw new Error(`"${m[3]}" is no number`);
    const compare = { '<': (a, b) => a < b, '>': (a, b) => a > b, '<=': (a, b) => a <= b,
      '>=': (a, b) => a >= b, '=': (a, b) => a === b, '!=': (a, b) => a !== b }[m[2]];
    if (c.isText) return (i) => compare(c.values[i], m[3].trim());
    if (!isNumber) throw new Error(`"${m[3]}" is no number`);
    return (i) => compare(c.numbers[i], number);  // false for what is not a number
  });
}

function refilter() {
  state.shown = [];
  for (let i = 0; i < count; ++i) {
    if (!state.tests.every((test) => test(i))) continue;
    let inside = true;
    for (const [c, [low, high]] of state.brushes) inside &&= c.numbers[i] >= low && c.numbers[i] <= high;
    if (inside) state.shown.push(i);
  }
}
