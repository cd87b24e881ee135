// Cross-section of a wheel on its rail, to scale: both profiles at their recorded positions, the
// contact points, the forces of the rail on the wheel. Seen in driving direction: left is left.

import { decodeSection, heightAt } from "./track.js";

const kN = (v) => (v / 1000).toFixed(Math.abs(v) < 9950 ? 2 : 1) + " kN";

// The highest point of a rail, a little lower: rails may have their origin at the foot.
const crown = (rail) => {
  let best = 0;
  rail.f.forEach((f, i) => f > rail.f[best] && (best = i));
  return [rail.u[best], rail.f[best] - 0.002];
};

export class CloseUp {
  constructor(canvas, recording, player) {
    this.canvas = canvas;
    this.recording = recording;
    this.player = player;
    this.scene = recording.scene;
    this.rails = { left: decodeSection(this.scene.rail_left), right: decodeSection(this.scene.rail_right) };
    this.profiles = this.scene.wheel_profiles.map(decodeSection);
    this.wheel = 0;
    this.zoom = 1;
    this.shift = [0, 0];
    player.listen(() => (this.dirty = true));
    new ResizeObserver(() => (this.dirty = true)).observe(canvas.parentElement);
    canvas.addEventListener("wheel", (e) => {
      e.preventDefault();
      this.zoom = Math.min(40, Math.max(0.6, this.zoom * Math.exp(-e.deltaY / 400)));
      this.dirty = true;
    }, { passive: false });
    canvas.addEventListener("pointermove", (e) => {
      if (!e.buttons) return;
      this.shift[0] += e.movementX;
      this.shift[1] += e.movementY;
      this.dirty = true;
    });
    canvas.addEventListener("dblclick", () => {
      this.zoom = 1;
      this.shift = [0, 0];
      this.dirty = true;
    });
  }

  setWheel(index) {
    this.wheel = index;
    this.dirty = true;
  }

  #value(name) {
    const full = `${name}.${this.scene.wheels[this.wheel].name}`;
    return this.recording.has(full) ? this.recording.value(full, this.player.t) : NaN;
  }

  // Points of contact as they are: place on the section, normal and lateral force.
  contacts(rail) {
    const list = [];
    for (const [end, u, N, f] of [["tread", "u_r", "N", "fy"], ["flange", "u_rf", "Nf", "fyf"]]) {
      const force = this.#value(N);
      const place = this.#value(u);
      if (!(force > 0) || !Number.isFinite(place)) continue;
      const { height, slope } = heightAt(rail, place);
      const n = Math.hypot(1, slope);
      list.push({ end, u: place, f: height, normal: [-slope / n, 1 / n], tangent: [1 / n, slope / n], N: force, fy: this.#value(f) || 0 });
    }
    return list;
  }

  // From the wheel's profile to the section of its rail.
  #placed() {
    const { row, share } = this.recording.at(this.player.t);
    const [y, z, angle] = [0, 1, 2].map((k) => {
      const column = this.recording.moving("wheels", this.wheel, k);
      return column[row] + share * ((column[row + 1] ?? column[row]) - column[row]);
    });
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    return (u, f) => [y + c * u + s * f, z + s * u - c * f];
  }

  draw() {
    if (!this.dirty) return;
    this.dirty = false;
    const { clientWidth: w, clientHeight: h } = this.canvas.parentElement;
    if (!w || !h) return;
    const ratio = window.devicePixelRatio || 1;
    if (this.canvas.width !== Math.round(w * ratio) || this.canvas.height !== Math.round(h * ratio)) {
      this.canvas.width = Math.round(w * ratio);
      this.canvas.height = Math.round(h * ratio);
    }
    const c = this.canvas.getContext("2d");
    const style = getComputedStyle(this.canvas);
    const ink = (name) => style.getPropertyValue(name).trim();
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.clearRect(0, 0, w, h);

    const wheel = this.scene.wheels[this.wheel];
    const rail = this.rails[wheel.left ? "left" : "right"];
    const profile = this.profiles[wheel.profile];
    const scale = (Math.min(w / 0.17, h / 0.105)) * this.zoom;
    const points = this.contacts(rail);
    // zoomed in, the contact stays in the middle
    const focus = this.zoom > 1.3 && points.length ? [points[0].u, points[0].f] : crown(rail);
    // seen along x, y to the left is to the left of the picture
    const at = (y, z) => [w / 2 - (y - focus[0]) * scale + this.shift[0], h * 0.52 - (z - focus[1]) * scale + this.shift[1]];

    const fill = (list, colour, line) => {
      c.beginPath();
      list.forEach(([y, z], i) => (i ? c.lineTo(...at(y, z)) : c.moveTo(...at(y, z))));
      c.closePath();
      c.fillStyle = colour;
      c.fill();
      c.strokeStyle = line;
      c.lineWidth = 1.3;
      c.stroke();
    };
    const n = rail.u.length - 1;
    const head = Array.from(rail.u, (u, i) => [u, rail.f[i]]);
    const low = Math.min(rail.f[0], rail.f[n]) - 0.02;
    fill([...head, [rail.u[n], low], [rail.u[0], low]], ink("--rail"), ink("--rail-line"));

    const put = this.#placed();
    const m = profile.u.length - 1;
    const rim = 0.86 * profile.f[Math.floor(m / 2)];
    fill([...Array.from(profile.u, (u, i) => put(u, profile.f[i])), put(profile.u[m], rim), put(profile.u[0], rim)], ink("--wheel"), ink("--wheel-line"));

    const longest = this.#longest();
    const arrow = ([x0, y0], [dy, dz], force, colour) => {
      const length = (force / longest) * 0.38 * h;
      const [x1, y1] = [x0 - dy * length, y0 - dz * length];
      if (Math.abs(length) < 3) return;
      const angle = Math.atan2(y1 - y0, x1 - x0);
      c.strokeStyle = c.fillStyle = colour;
      c.lineWidth = 2.4;
      c.beginPath();
      c.moveTo(x0, y0);
      c.lineTo(x1, y1);
      c.stroke();
      c.beginPath();
      c.moveTo(x1 + 3 * Math.cos(angle), y1 + 3 * Math.sin(angle));
      for (const side of [-1, 1]) c.lineTo(x1 - 9 * Math.cos(angle + side * 0.45), y1 - 9 * Math.sin(angle + side * 0.45));
      c.fill();
    };
    for (const p of points) {
      const place = at(p.u, p.f);
      arrow(place, p.normal, p.N, ink("--blue"));
      arrow(place, p.tangent, p.fy, ink("--orange"));
      c.beginPath();
      c.arc(...place, 4.5, 0, 2 * Math.PI);
      c.fillStyle = ink("--red");
      c.fill();
      c.strokeStyle = ink("--card");
      c.lineWidth = 1.5;
      c.stroke();
    }

    c.font = "12px system-ui, sans-serif";
    c.textBaseline = "top";
    c.fillStyle = ink("--ink");
    const lines = [];
    for (const p of points)
      lines.push(`${p.end}: N ${kN(p.N)}, ${p.fy ? `f_y ${kN(p.fy)}, ` : ""}${((Math.atan2(-p.normal[0], p.normal[1]) * 180) / Math.PI).toFixed(1)}°`);
    if (!points.length) lines.push("no contact");
    // on its own background, since the wheel may be behind it
    c.globalAlpha = 0.8;
    c.fillStyle = ink("--card");
    c.fillRect(6, 4, 8 + Math.max(...lines.map((l) => c.measureText(l).width)), 6 + 16 * lines.length);
    c.globalAlpha = 1;
    c.fillStyle = ink("--ink");
    lines.forEach((line, i) => c.fillText(line, 10, 8 + 16 * i));
    this.#ruler(c, w, h, scale, ink("--dim"));
  }

  // the scale bar
  #ruler(c, w, h, scale, colour) {
    let length = 0.05;
    while (length * scale > 0.4 * w) length /= length.toExponential()[0] === "5" ? 2.5 : 2;
    const mm = length * 1000;
    c.strokeStyle = c.fillStyle = colour;
    c.lineWidth = 1;
    c.beginPath();
    c.moveTo(w - 12 - length * scale, h - 12.5);
    c.lineTo(w - 12, h - 12.5);
    c.stroke();
    c.textAlign = "right";
    c.textBaseline = "bottom";
    c.fillText(`${mm >= 1 ? Number(mm.toPrecision(2)) : mm.toPrecision(1)} mm`, w - 12, h - 15);
    c.textAlign = "left";
  }

  #longest() {
    if (!this.most) {
      this.most = 1;
      for (const w of this.scene.wheels)
        for (const name of ["N." + w.name, "Nf." + w.name])
          if (this.recording.has(name)) for (const v of this.recording.column(name)) if (v > this.most) this.most = v;
    }
    return this.most;
  }
}
