// The track from its samples: frames of the centre line, sections of the rails, the foot of a point.
// x forward, y left, z up; places in m. Straight lines between samples.

import { floats } from "./packed.js";

const rail = (json) => ({
  x: floats(json.x), y: floats(json.y), z: floats(json.z), cant: floats(json.cant),
  lateral: floats(json.lateral), vertical: floats(json.vertical),
});

export class Track {
  constructor(json) {
    this.name = json.name;
    this.railDistance = json.rail_distance;
    for (const key of ["s", "x", "y", "z", "heading", "cant", "curvature"]) this[key] = floats(json[key]);
    this.left = rail(json.left);
    this.right = rail(json.right);
    this.count = this.s.length;
    this.step = this.count > 1 ? (this.s[this.count - 1] - this.s[0]) / (this.count - 1) : 1;
  }

  // Sample before s, and the share of the way to the next.
  index(s) {
    const f = Math.min(this.count - 1.001, Math.max(0, (s - this.s[0]) / this.step));
    const i = Math.max(0, Math.min(this.count - 2, Math.floor(f)));
    return [i, f - i];
  }

  lerp(column, s) {
    const [i, u] = this.index(s);
    return column[i] + u * (column[i + 1] - column[i]);
  }

  // Origin and axes of the designed track.
  frame(s) {
    const heading = this.lerp(this.heading, s);
    const cant = this.lerp(this.cant, s);
    const [i] = this.index(s);
    const slope = (this.z[i + 1] - this.z[i]) / this.step || 0;
    const [ch, sh, cc, sc] = [Math.cos(heading), Math.sin(heading), Math.cos(cant), Math.sin(cant)];
    const n = Math.hypot(1, slope);
    const x = [ch / n, sh / n, slope / n];
    const level = [-sh, ch, 0];
    const up = [-x[2] * ch, -x[2] * sh, Math.hypot(x[0], x[1])];
    const y = level.map((v, k) => cc * v + sc * up[k]);
    const z = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]];
    return { origin: [this.lerp(this.x, s), this.lerp(this.y, s), this.lerp(this.z, s)], x, y, z };
  }

  // Origin, left and up of a rail's section; irregularities k times as large.
  section(side, s, k = 1) {
    const r = this[side];
    const [i, u] = this.index(s);
    const at = (c) => c[i] + u * (c[i + 1] - c[i]);
    const heading = at(this.heading);
    const cant = at(r.cant);
    const across = [-Math.sin(heading), Math.cos(heading)];
    const lateral = (k - 1) * at(r.lateral);
    const origin = [at(r.x) + lateral * across[0], at(r.y) + lateral * across[1], at(r.z) + (k - 1) * at(r.vertical)];
    const [c, n] = [Math.cos(cant), Math.sin(cant)];
    return { origin, y: [c * across[0], c * across[1], n], z: [-n * across[0], -n * across[1], c] };
  }

  // Abscissa of the foot of (x, y) on the centre line, from a guess.
  foot(x, y, guess) {
    let s = guess;
    for (let k = 0; k < 4; ++k) {
      const heading = this.lerp(this.heading, s);
      const d = (x - this.lerp(this.x, s)) * Math.cos(heading) + (y - this.lerp(this.y, s)) * Math.sin(heading);
      s += d;
      if (Math.abs(d) < 1e-4) break;
    }
    return s;
  }
}

// Linear interpolation in a section given by ascending u.
export function heightAt(section, u) {
  const n = section.u.length;
  const f = Math.min(n - 1.001, Math.max(0, ((u - section.u[0]) / (section.u[n - 1] - section.u[0])) * (n - 1)));
  const i = Math.floor(f);
  const share = f - i;
  const f0 = section.f[i];
  const f1 = section.f[i + 1];
  return { height: f0 + share * (f1 - f0), slope: (f1 - f0) / (section.u[i + 1] - section.u[i]) };
}

export const decodeSection = (json) => ({ name: json.name, u: floats(json.u), f: floats(json.f) });
