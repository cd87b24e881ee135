// The top of the page: what was run, how it ended, the assessment quantities, events and warnings.
// Texts of the recording become text nodes, never HTML.

import { definitions } from "./definitions.js";
import { short } from "./units.js";

// Three digits; values close to zero are shown as 0.
const round = (v) => (!Number.isFinite(v) ? "–" : Math.abs(v) < 5e-4 ? "0" : Math.abs(v) < 0.01 ? v.toFixed(3) : short(Number(v.toPrecision(3))));

const make = (tag, className, text) => {
  const e = document.createElement(tag);
  if (className) e.className = className;
  if (text !== undefined) e.textContent = text;
  return e;
};

// The largest of { name: object } by a function, with its name.
const worst = (objects, value) => {
  let best = null;
  for (const [name, o] of Object.entries(objects ?? {})) {
    const v = value(o);
    if (Number.isFinite(v) && (!best || v > best.value)) best = { name, value: v, t: null, o };
  }
  return best;
};

// Above these a quantity is marked; definitions.js says why.
export const limits = { unloading: 0.9, Wz: 3.25, NMV: 4.5 };

// [{ key, words, value, unit, detail, t, bad }]
export function quantities(summary) {
  const a = summary.assessment ?? {};
  const list = [];
  const add = (key, words, value, unit, detail, more = {}) => Number.isFinite(value) && list.push({ key, words, value, unit, detail, ...more });
  const yq = worst(a.wheels, (w) => w.YQ_2m?.value);
  const nadal = a.nadal_limit;
  if (yq) add("YQ", "max Y/Q, 20 Hz, 2 m", yq.value, "", `${yq.name}; limit ${a.limit_YQ} (EN 14363)${Number.isFinite(nadal) ? `, Nadal ${nadal.toFixed(2)}` : ""}`, { t: yq.o.YQ_2m.t, bad: yq.value > Math.min(a.limit_YQ ?? Infinity, nadal ?? Infinity) });
  const dq = worst(a.wheels, (w) => w.unloading?.value);
  if (dq) add("unloading", "ΔQ/Q₀", dq.value, "", `${dq.name}; limit ${limits.unloading}`, { t: dq.o.unloading.t, bad: dq.value > limits.unloading });
  const kN = (v) => (v / 1e3).toFixed(0);
  const sum = worst(a.wheelsets, (w) => Math.abs(w.sum_Y_2m_N?.value));
  if (sum) {
    const limit = Number.isFinite(sum.o.limit_N) ? `; limit ${kN(sum.o.limit_N)} kN (EN 14363), freight ${kN(sum.o.limit_freight_N)} kN` : "";
    add("sumY", "max ΣY, 20 Hz, 2 m", sum.o.sum_Y_2m_N.value / 1e3, "kN", sum.name + limit, { t: sum.o.sum_Y_2m_N.t, bad: sum.value > sum.o.limit_N });
  }
  const hunting = worst(a.wheelsets, (w) => w.instability_rms_N?.value);
  if (hunting) {
    const limit = Number.isFinite(hunting.o.limit_N) ? `; limit ${kN(hunting.o.limit_N / 2)} kN` : "";
    add("instability", "rms ΣY, 100 m", hunting.value / 1e3, "kN", `${hunting.name}, ${hunting.o.instability_f0_Hz} Hz${limit}`, { t: hunting.o.instability_rms_N.t, bad: hunting.value > hunting.o.limit_N / 2 });
  }
  const lateral = worst(a.accelerations, (p) => Math.abs(p.lateral_6Hz_m_s2?.value));
  if (lateral) add("lateral", "lateral a, 6 Hz", lateral.o.lateral_6Hz_m_s2.value, "m/s²", `floor, ${lateral.name}; median ${round(lateral.o.lateral_median_m_s2)}`, { t: lateral.o.lateral_6Hz_m_s2.t });
  const safety = worst(a.accelerations, (p) => Math.abs(p["vertical_0.4_4Hz_m_s2"]?.value));
  if (safety) add("vertical", "vertical a, 0.4–4 Hz", safety.value, "m/s²", `floor, ${safety.name}`, { t: safety.o["vertical_0.4_4Hz_m_s2"].t });
  const bogie = worst(a.bogies, (p) => Math.abs(p.lateral_10Hz_m_s2?.value));
  if (bogie) add("bogie", "bogie a, 10 Hz", bogie.value, "m/s²", bogie.name, { t: bogie.o.lateral_10Hz_m_s2.t });
  const wear = worst(a.wheels, (w) => w.T_gamma_N?.value);
  if (wear) add("Tgamma", "max T-gamma", wear.value, "N", `${wear.name}; mean ${round(wear.o.T_gamma_mean_N)} N`, { t: wear.o.T_gamma_N.t });
  const wzy = worst(a.ride, (p) => p.Wz_y);
  const wzz = worst(a.ride, (p) => p.Wz_z);
  if (wzy) add("Wz", "Wz lateral", wzy.value, "", `floor, ${wzy.name}; limit ${limits.Wz}`, { bad: wzy.value > limits.Wz });
  if (wzz) add("Wz", "Wz vertical", wzz.value, "", `floor, ${wzz.name}; limit ${limits.Wz}`, { bad: wzz.value > limits.Wz });
  const nmv = worst(a.ride, (p) => p.N_MV);
  if (nmv) add("NMV", "N_MV", nmv.value, "", `floor, ${nmv.name}; limit ${limits.NMV}`, { bad: nmv.value > limits.NMV });
  const lift = worst(summary.lift_s, (v) => v);
  if (lift && lift.value > 0) add("lift", "longest lift", lift.value * 1e3, "ms", lift.name, { bad: true });
  return list;
}

const words = {
  release: "wheel lifts off the rail", touch: "wheel touches the rail again", flange_on: "flange contact begins", flange_off: "flange contact ends",
  jump: "contact point jumps on the tread", limit: "corrections ended at their limit", pivoting_solver: "solved with full pivoting", derailed: "derailed",
};

export class Summary {
  constructor(root, recording, player) {
    this.player = player;
    this.recording = recording;
    const s = recording.summary;
    const title = [s.vehicle, s.scenario].filter((v) => typeof v === "string" && v).join(" · ") || "Recording";
    document.title = `${title} – Klingel`;
    root.querySelector("#title").textContent = title;
    const end = root.querySelector("#end");
    end.textContent = s.end ?? "";
    end.dataset.end = s.end ?? "";
    end.title = s.message ?? "";
    this.#alarm(root.querySelector("#facts"), s);
    this.#facts(root.querySelector("#facts"), s);
    this.#tiles(root.querySelector("#tiles"), s);
    this.#more(root.querySelector("#more"), s);
  }

  // a run whose numbers are in doubt says so before anything else
  #alarm(root, s) {
    const e = s.energy;
    const doubtful = e && !(Math.abs(e.error_J) <= 0.01 * e.exchanged_J + 1);
    if (doubtful) root.before(make("p", "alarm", `Warning: ${s.warnings?.find((w) => String(w).startsWith("energy error")) ?? "the energy balance is broken"}. Results may be wrong; use a shorter time step.`));
    if (s.end === "failed") root.before(make("p", "alarm", `This run failed: ${s.message ?? ""}`));
  }

  #facts(root, s) {
    const fact = (name, value, key) => {
      if (value === undefined || value === null || value === "") return;
      const item = make("span", "fact");
      const label = make("span", "dim", name + " ");
      if (key) this.#explains(label, key);
      item.append(label, make("b", "", value));
      root.append(item);
    };
    const known = (v, f) => (Number.isFinite(v) ? f(v) : undefined);
    fact("track", s.track);
    fact("time step", known(s.step_s, (v) => `${short(v * 1e3)} ms`), "step");
    fact("duration", known(s.t_end, (v) => `${short(v - (s.t_begin ?? 0))} s`));
    const r = this.recording;
    if (r.has("s") && r.rows > 1) fact("distance", `${short(r.column("s")[r.rows - 1] - r.column("s")[0])} m`);
    fact("real-time factor", known(s.real_time_factor, (v) => `× ${short(Number(v.toPrecision(3)))}`), "rtf");
    fact("run time per step", known(s.step_wall_us?.mean, (v) => `${short(Number(v.toPrecision(3)))} µs`));
    fact("integrator", s.integrator);
    fact("creep law", s.law);
    fact("residual", known(s.max_phi_m, (v) => `${v.toExponential(1)} m`), "residual");
    fact("energy error", known(s.energy?.relative_error, (v) => `${(100 * Math.abs(v)).toPrecision(2)} %`), "energy");
  }

  #tiles(root, s) {
    for (const q of quantities(s)) {
      const tile = make("div", "tile" + (q.bad ? " bad" : ""));
      // not all readers can tell colours apart
      if (q.bad) tile.title = "above its limit";
      const name = make("button", "what", q.words);
      name.type = "button";
      name.append(make("span", "ask", "?"));
      this.#explains(name, q.key);
      const value = make("div", "value", (q.bad ? "▲ " : "") + round(q.value));
      if (q.unit) value.append(make("small", "", " " + q.unit));
      const detail = make("div", "detail", q.detail);
      detail.title = q.detail;
      tile.append(name, value, detail);
      if (Number.isFinite(q.t)) {
        const go = make("button", "go", `at ${short(Number(q.t.toPrecision(3)))} s`);
        go.type = "button";
        go.title = "Show this moment";
        go.addEventListener("click", () => this.player.seek(q.t));
        tile.append(go);
      }
      root.append(tile);
    }
    if (root.children.length) root.after(make("p", "source", "From every time step, filtered. Definitions and limits follow EN 14363 from general knowledge of the standard, not from its text; a click on ? shows each."));
  }

  #more(root, s) {
    const fold = (title, content, open = false) => {
      const details = make("details");
      details.open = open;
      details.append(make("summary", "", title), content);
      root.append(details);
    };
    if (s.message && s.end !== "failed") root.append(make("p", "message", s.message));
    const warnings = Array.isArray(s.warnings) ? s.warnings : [];
    if (warnings.length) {
      const list = make("ul");
      for (const w of warnings) list.append(make("li", "", String(w)));
      fold(`${warnings.length} warning${warnings.length > 1 ? "s" : ""}`, list);
    }
    this.#events(fold, s);
    this.#extremes(fold, s);
    this.#ride(fold, s);
  }

  #table(head, rows) {
    const table = make("table");
    const line = (cells, tag) => {
      const tr = make("tr");
      for (const cell of cells) {
        const td = make(tag);
        if (cell instanceof Node) td.append(cell);
        else td.textContent = cell;
        tr.append(td);
      }
      return tr;
    };
    table.append(line(head, "th"), ...rows.map((r) => line(r, "td")));
    const holder = make("div", "scroll");
    holder.append(table);
    return holder;
  }

  // one row per kind of event, with its wheels in the last column
  #events(fold, s) {
    const kinds = new Map();
    for (const e of this.recording.events) {
      if (!kinds.has(e.kind)) kinds.set(e.kind, { count: 0, first: Infinity, wheels: [] });
      const k = kinds.get(e.kind);
      k.count += e.count;
      k.first = Math.min(k.first, e.first);
      k.wheels.push(`${e.wheel} ${e.count}`);
    }
    if (!kinds.size) return;
    let total = 0;
    const rows = [...kinds].map(([kind, k]) => {
      total += k.count;
      const go = make("button", "go", `${short(k.first)} s`);
      go.type = "button";
      go.addEventListener("click", () => this.player.seek(k.first));
      return [words[String(kind).replaceAll(" ", "_")] ?? kind, String(k.count), go, k.wheels.join(", ")];
    });
    const left = s.events_left_out > 0 ? `, ${s.events_left_out} more not recorded` : "";
    fold(`${total} events of ${kinds.size} kind${kinds.size > 1 ? "s" : ""}${left}`, this.#table(["event", "times", "first at", "wheels"], rows));
  }

  #extremes(fold, s) {
    const names = Object.keys(s.max_N ?? {});
    if (!names.length) return;
    const kN = (v) => (Number.isFinite(v) ? (v / 1e3).toFixed(2) : "–");
    const a = s.assessment?.wheels ?? {};
    const rows = names.map((n) => [
      n, kN(a[n]?.Q_min_20Hz_N?.value), kN(a[n]?.Q_max_20Hz_N?.value), kN(a[n]?.Q_median_N), kN(a[n]?.Y_20Hz_N?.value), kN(a[n]?.Y_median_N),
      round(a[n]?.YQ_2m?.value ?? NaN), round(a[n]?.YQ_median ?? NaN), round(a[n]?.unloading?.value ?? NaN), round(a[n]?.T_gamma_N?.value ?? NaN),
    ]);
    fold("judged values of each wheel (20 Hz)", this.#table(["wheel", "Q min, kN", "Q max, kN", "Q quasi-static, kN", "Y max (left positive), kN", "Y quasi-static (median), kN", "Y/Q, 2 m", "Y/Q quasi-static", "ΔQ/Q₀", "T-gamma, N"], rows));
    const raw = names.map((n) => [n, kN(s.min_N?.[n]), kN(s.max_N?.[n]), kN(s.max_Nf?.[n]), kN(s.min_Q?.[n]), kN(s.max_Q?.[n]), kN(s.max_Y?.[n]), round(s.max_YQ?.[n] ?? NaN)]);
    fold("raw extremes of single steps", this.#table(["wheel", "N min, kN", "N max, kN", "flange, kN", "Q min, kN", "Q max, kN", "|Y| max, kN", "Y/Q max"], raw));
  }

  #ride(fold, s) {
    const ride = Object.entries(s.assessment?.ride ?? {});
    if (!ride.length) return;
    const rows = ride.map(([n, p]) => [n, (p.place_m ?? []).map((v) => Number(v).toFixed(2)).join(", "), ...[p.Wz_y, p.Wz_z, p.N_MV, p.rms_y_m_s2, p.rms_z_m_s2].map((v) => round(v))]);
    fold("ride at the floor", this.#table(["point", "position in the body, m", "Wz lateral", "Wz vertical", "N_MV", "rms lateral, m/s²", "rms vertical, m/s²"], rows));
  }

  // a click shows the definition
  #explains(element, key) {
    const d = definitions[key];
    if (!d) return;
    element.classList.add("explained");
    element.addEventListener("click", () => explain(...d));
  }
}

export function explain(title, text) {
  const dialog = document.getElementById("explain");
  dialog.querySelector("h2").textContent = title;
  dialog.querySelector("p").textContent = text;
  if (!dialog.open) dialog.showModal();
}
