// Puts everything together.
'use strict';

function draw() {
  drawScatter(); drawHeat(); drawParallel(); drawHistogram(); drawTable();
  $('shown').textContent = state.shown.length === count ? '' : `${state.shown.length} of ${count} cases`;
}

function offer(id, columns, first) {
  for (const c of columns) $(id).append(new Option(c.name, c.name));
  if (first) $(id).value = first.name;
  $(id).onchange = draw;
}

function nearest(list, distance, most) {
  let best = -1, least = most;
  for (const item of list) {
    const d = distance(item);
    if (d < least) { least = d; best = item[item.length - 1]; }
  }
  if (best >= 0) choose(best);
}

function listen() {
  $('scatter').onclick = (e) => nearest(places.scatter, ([x, y]) => Math.hypot(x - e.offsetX, y - e.offsetY), 20);
  $('heat').onclick = (e) => nearest(places.heat, ([x, y, w, h]) =>
    (e.offsetX >= x && e.offsetX < x + w && e.offsetY >= y && e.offsetY < y + h ? 0 : 1), 1);
  const parallel = $('parallel');
  let from = null;
  const axisAt = (e) => drawable.findIndex((_, k) => Math.abs(axisX(k, parallel.clientWidth) - e.offsetX) < 14);
  const valueAt = (c, y) => c.least + (parallel.clientHeight - 24 - y) / (parallel.clientHeight - 70) * (c.most - c.least);
  parallel.onpointerdown = (e) => { from = { k: axisAt(e), y: e.offsetY }; };
  parallel.onpointerup = (e) => {
    if (!from) return;
    const c = drawable[from.k];
    if (c && Math.abs(e.offsetY - from.y) > 4) {
      state.brushes.set(c, [valueAt(c, from.y), valueAt(c, e.offsetY)].sort((a, b) => a - b));
    } else if (c && state.brushes.has(c)) {
      state.brushes.delete(c);
    } else {
      pickLine(e);
    }
    from = null;
    refilter(); draw();
  };
  $('filter').oninput = () => {
    try {
      state.tests = parseFilter($('filter').value);
      $('filter').classList.remove('wrong');
      refilter(); draw();
    } catch (problem) {
      $('filter').classList.add('wrong'); $('shown').textContent = problem.message;
    }
  };
  $('filter-form').onsubmit = (e) => e.preventDefault();
  $('clear').onclick = () => { $('filter').value = ''; $('filter').classList.remove('wrong'); state.tests = []; state.brushes.clear(); refilter(); draw(); };
  window.onresize = draw;
  matchMedia('(prefers-color-scheme: dark)').onchange = draw;
}

// The line nearest to a click between two axes.
function pickLine(e) {
  const w = $('parallel').clientWidth;
  let best = -1, least = 12;
  for (const [line, i] of places.parallel) {
    for (let k = 0; k + 1 < line.length; ++k) {
      const [x0, y0] = line[k], [x1, y1] = line[k + 1];
      if (e.offsetX < x0 || e.offsetX > x1) continue;
      const d = Math.abs(y0 + (y1 - y0) * (e.offsetX - x0) / (x1 - x0) - e.offsetY);
      if (d < least) { least = d; best = i; }
    }
  }
  if (best >= 0 && w > 0) choose(best);
}

function head() {
  document.title = data.name;
  $('name').textContent = data.name;
  $('about').textContent = data.about;
  const parts = [`${count} cases`, `${data.failed} failed`];
  $('counts').textContent = parts.join(', ');
  for (const c of data.columns) {
    if (c.limit_least === undefined && c.limit_most === undefined) continue;
    const beyond = c.numbers.filter((v) => violates(c, v)).length;
    $('counts').append(element('span', `; ${c.name} is beyond its limit in ${beyond}`, beyond ? 'bad' : ''));
  }
}

// Whether each value of one belongs to one value of the other: they change together.
function linked(a, b) {
  const other = new Map();
  for (let i = 0; i < count; ++i) {
    if (!other.has(a.numbers[i])) other.set(a.numbers[i], b.numbers[i]);
    if (other.get(a.numbers[i]) !== b.numbers[i]) return false;
  }
  return true;
}

const varied = drawable.filter((c) => c.role === 'vary'), measured = drawable.filter((c) => c.role === 'measure');
head();
const start = data.start ?? {};
// what has a limit is asked for first; what changes together with another says nothing new
const second = varied.find((c) => c !== varied[0] && !(linked(varied[0], c) && linked(c, varied[0]))) ?? varied[1];
const main = measured.find((c) => c.limit_least !== undefined || c.limit_most !== undefined) ?? measured[0];
offer('scatter-x', drawable, column(start.x) ?? varied[0] ?? drawable[0]);
offer('scatter-y', drawable, column(start.y) ?? main ?? drawable[0]);
offer('scatter-c', drawable, second ?? measured[1] ?? varied[0] ?? drawable[0]);
offer('heat-x', drawable, varied[0] ?? drawable[0]);
offer('heat-y', drawable, second ?? varied[0] ?? drawable[0]);
offer('heat-v', drawable, main ?? drawable[0]);
offer('histogram-v', drawable, main ?? drawable[0]);
listen();
refilter();
draw();
