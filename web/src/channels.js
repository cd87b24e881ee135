// The list of all channels with a search: words in any order, in name or meaning. Chosen channels
// are shown in plots of their own, one per unit.

import { shown } from "./units.js";

const most = 120; // entries in the list

// Channels that hold all words.
export function search(channels, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return channels.filter((c) => {
    const all = `${c.name} ${c.about} ${c.unit}`.toLowerCase();
    return words.every((w) => all.includes(w));
  });
}

export class ChannelList {
  // calls changed(names) with the chosen channels
  constructor(input, list, recording, changed) {
    this.input = input;
    this.list = list;
    this.recording = recording;
    this.changed = changed;
    this.chosen = new Set();
    input.addEventListener("input", () => this.show());
    input.addEventListener("keydown", (e) => {
      if (e.key !== "Enter") return;
      const first = list.querySelector("input:not(:checked)");
      first?.click();
    });
    this.show();
  }

  show() {
    const found = search([...this.recording.channels.values()], this.input.value);
    const items = found.slice(0, most).map((c) => {
      const item = document.createElement("label");
      item.title = c.about;
      const check = document.createElement("input");
      check.type = "checkbox";
      check.checked = this.chosen.has(c.name);
      check.addEventListener("change", () => this.toggle(c.name, check.checked));
      const name = document.createElement("span");
      name.className = "name";
      name.textContent = c.name;
      const about = document.createElement("span");
      about.className = "about";
      about.textContent = c.about + (c.unit && c.unit !== "1" ? ` (${c.unit})` : "");
      item.append(check, name, about);
      return item;
    });
    if (found.length > most || !found.length) {
      const note = document.createElement("p");
      note.textContent = found.length ? `and ${found.length - most} more: add a word to the search` : "no channel matches these words";
      items.push(note);
    }
    this.list.replaceChildren(...items);
  }

  toggle(name, on = !this.chosen.has(name)) {
    if (on) this.chosen.add(name);
    else this.chosen.delete(name);
    this.changed([...this.chosen]);
  }

  clear() {
    this.chosen.clear();
    this.show();
    this.changed([]);
  }

  // Plots of what is chosen: by unit, so that one axis fits.
  specs() {
    const groups = new Map();
    for (const name of this.chosen) {
      const { unit } = shown(this.recording.channel(name));
      if (!groups.has(unit)) groups.set(unit, []);
      groups.get(unit).push(name);
    }
    return [...groups].map(([unit, names]) => ({ title: names.length === 1 ? names[0] : `Chosen channels${unit ? `, ${unit}` : ""}`, names, full: true }));
  }
}
