// Where the page's numbers come from. A Recording has channels (columns of equal length, decoded when
// they are first asked for), a summary, events, and maybe a scene with its motion. It may grow:
// append() adds a row and notifies the listeners. A live view uses that, keeps the newest rows only
// (`most`), and begins again with restart().

import { unpack } from "./packed.js";

export const version = 1;

// An error in the data, with a message for the reader of the page.
export class DataError extends Error {}

const need = (truth, words) => {
  if (!truth) throw new DataError(words);
};

export class Recording {
  constructor(json) {
    need(json && typeof json === "object", "The recording is not an object.");
    need(json.format === "klingel page", "This is not a recording of klingel.");
    need(json.version === version, `The recording has version ${json.version}, this page reads version ${version}.`);
    need(Number.isInteger(json.rows) && json.rows >= 0, "The number of rows of the recording is missing.");
    need(json.rows <= 5e6, `${json.rows} rows are more than this page can show.`);
    need(Array.isArray(json.channels), "The recording contains no channels.");
    this.rows = json.rows;
    this.packed = json.rows; // of columns that are not decoded yet
    this.most = Infinity;
    this.summary = json.summary ?? {};
    this.events = Array.isArray(json.events) ? json.events : [];
    this.scene = json.scene ?? null;
    this.motion = json.motion ?? null;
    this.pictures = json.pictures ?? null; // pictures.js
    this.channels = new Map();
    for (const c of json.channels) {
      need(c && typeof c.name === "string" && typeof c.data === "string", "A channel has no name or no data.");
      this.channels.set(c.name, { name: c.name, unit: String(c.unit ?? ""), about: String(c.about ?? ""), data: c.data, values: null });
    }
    need(this.channels.has("t"), "The recording has no time: the channel 't' is missing.");
    need(this.rows > 0, "The recording is empty.");
    this.motionColumns = new Map();
    this.listeners = new Set();
    this.t = this.column("t");
    for (let i = 1; i < this.rows; ++i) need(this.t[i] >= this.t[i - 1], "The times in the recording decrease.");
  }

  has(name) {
    return this.channels.has(name);
  }

  channel(name) {
    return this.channels.get(name);
  }

  // Names of the channels "prefix.*", or the one of that very name.
  family(prefix) {
    return [...this.channels.keys()].filter((n) => n === prefix || n.startsWith(prefix + "."));
  }

  column(name) {
    const c = this.channels.get(name);
    need(c, `There is no channel '${name}'.`);
    if (!c.values) c.values = this.#decode(c.data, name);
    return c.values;
  }

  // Column k of frame or wheel i of the motion.
  moving(kind, i, k) {
    const key = `${kind} ${i} ${k}`;
    let values = this.motionColumns.get(key);
    if (!values) {
      values = this.#decode(this.motion[kind][i][k], key);
      this.motionColumns.set(key, values);
    }
    return values;
  }

  #decode(data, name) {
    try {
      return unpack(data, this.packed);
    } catch (error) {
      throw new DataError(`'${name}' cannot be read: ${error.message}`);
    }
  }

  get begin() {
    return this.t[0];
  }
  get end() {
    return this.t[this.rows - 1];
  }

  // The row before t, and the share of the way to the next.
  at(t) {
    let low = 0;
    let high = this.rows - 1;
    if (!(t > this.t[0])) return { row: 0, share: 0 };
    if (t >= this.t[high]) return { row: high, share: 0 };
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.t[middle] <= t) low = middle;
      else high = middle;
    }
    const step = this.t[high] - this.t[low];
    return { row: low, share: step > 0 ? (t - this.t[low]) / step : 0 };
  }

  value(name, t) {
    const values = this.column(name);
    const { row, share } = this.at(t);
    return share > 0 ? values[row] + share * (values[row + 1] - values[row]) : values[row];
  }

  // The first row that is shown: a little more than `most` rows are kept, so that dropping is rare.
  get first() {
    return Math.max(0, this.rows - this.most);
  }

  restart() {
    this.rows = 0;
    this.trims = (this.trims ?? 0) + 1;
  }

  dropLast() {
    this.rows -= 1;
  }

  // Forgets the oldest rows when there are too many.
  #trim() {
    const drop = Math.floor(this.most / 4);
    if (this.rows < this.most + drop) return;
    for (const c of this.channels.values()) c.values.copyWithin(0, drop, this.rows);
    for (const column of this.motionColumns.values()) column.copyWithin(0, drop, this.rows);
    this.rows -= drop;
    this.trims = (this.trims ?? 0) + 1;
  }

  // A row that was just simulated: channels by name; motion { frames: [[7]...], wheels: [[3]...] }.
  append(values, motion) {
    const grown = (old, value) => {
      let column = old;
      if (this.rows >= column.length) {
        column = new Float64Array(Math.max(256, 2 * column.length));
        column.set(old);
      }
      column[this.rows] = value;
      return column;
    };
    if (Number.isFinite(this.most)) this.#trim();
    for (const c of this.channels.values()) c.values = grown(this.column(c.name), values[c.name] ?? NaN);
    if (motion) {
      for (const kind of ["frames", "wheels"])
        motion[kind].forEach((list, i) => list.forEach((v, k) => this.motionColumns.set(`${kind} ${i} ${k}`, grown(this.moving(kind, i, k), v))));
    }
    this.t = this.channels.get("t").values;
    this.rows += 1;
    for (const tell of this.listeners) tell(this);
  }

  // A row half-way to the given one whose values are not known.
  appendGap(values, motion) {
    const middle = (name) => (this.column(name)[this.rows - 1] + values[name]) / 2;
    this.append({ t: middle("t"), ...(this.has("s") ? { s: middle("s") } : {}) }, motion);
  }
}

// The recording inside the page.
export function embedded(document) {
  const element = document.getElementById("recording");
  need(element, "This page contains no recording.");
  let json;
  try {
    json = JSON.parse(element.textContent);
  } catch (error) {
    throw new DataError(`The recording is damaged: ${error.message}`);
  }
  element.remove(); // megabytes of text that nobody needs any more
  return new Recording(json);
}
