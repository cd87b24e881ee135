// The table, and what is known of one case.
'use strict';

const pageRows = 300;
let rowsWanted = pageRows;

function sorted() {
  if (!state.sort) return state.shown;
  const c = state.sort, sign = state.down ? -1 : 1;
  const key = (i) => (c.isText ? c.values[i] ?? '' : Number.isNaN(c.numbers[i]) ? Infinity : c.numbers[i]);
  return [...state.shown].sort((a, b) => (key(a) < key(b) ? -sign : key(a) > key(b) ? sign : a - b));
}

function element(tag, text, type) {
  const e = document.createElement(tag);
  if (text !== undefined) e.textContent = text;
  if (type) e.className = type;
  return e;
}

function drawTable() {
  const table = element('table'), head = table.createTHead().insertRow(), body = table.createTBody();
  for (const c of data.columns) {
    const th = element('th', c.name + (state.sort === c ? (state.down ? ' ▾' : ' ▴') : ''));
    th.title = c.about ?? '';
    th.onclick = () => { state.down = state.sort === c && !state.down; state.sort = c; drawTable(); };
    head.append(th);
  }
  const order = sorted();
  for (const i of order.slice(0, rowsWanted)) {
    const row = body.insertRow();
    row.onclick = () => choose(i);
    if (i === state.chosen) row.className = 'chosen';
    for (const c of data.columns)
      row.append(element('td', shortText(c.values[i]),
        violates(c, c.numbers[i]) ? 'bad' : typeof c.values[i] === 'string' ? 'text' : ''));
  }
  $('table').replaceChildren(table);
  if (order.length > rowsWanted) {
    const more = element('button', `${order.length - rowsWanted} more`);
    more.onclick = () => { rowsWanted += 10 * pageRows; drawTable(); };
    $('table').append(more);
  }
}

function choose(i) {
  state.chosen = i;
  draw();
  const detail = $('detail'), list = element('table').createTBody();
  for (const c of data.columns) {
    const row = list.insertRow();
    row.append(element('td', c.name, 'text'), element('td', c.values[i] === null ? '-' : String(c.values[i]), violates(c, c.numbers[i]) ? 'bad' : ''));
  }
  detail.replaceChildren(list.parentElement ?? list);
  if (data.messages[i]) detail.prepend(element('p', data.messages[i], 'message'));
  const number = column('case')?.values[i];
  const command = data.command?.replaceAll('{}', number) ?? data.analyses?.[i];
  if (!command) return;
  const code = element('code', command), copy = element('button', 'copy');
  copy.onclick = () => navigator.clipboard?.writeText(command);
  detail.append(element('p', data.command ? 'run it again, with the full report:' : 'in full:'), code, copy);
  if (!location.protocol.startsWith('http') || !data.served || !data.command) return;
  const run = element('button', 'run it here');
  run.onclick = () => runHere(number, run);
  detail.append(' ', run);
}

// The server runs it and answers with its report.
async function runHere(number, button) {
  button.disabled = true;
  button.textContent = 'running ...';
  try {
    const key = new URLSearchParams(location.search).get('key');
    const address = `/case/${number}` + (key ? `?key=${key}` : '');
    const answer = await fetch(address);
    if (!answer.ok) throw new Error((await answer.text()).trim());
    const link = element('a', 'open its report');
    link.href = URL.createObjectURL(await answer.blob());
    link.target = '_blank';
    button.replaceWith(link);
    window.open(link.href, '_blank');
  } catch (problem) {
    button.textContent = 'run it here';
    button.disabled = false;
    button.after(element('p', String(problem.message ?? problem), 'message'));
  }
}
