// Where every frame of the scene is at a time: from the recording, between rows by interpolation, and
// with motion against the track made larger.

import { Quaternion, Vector3 } from "three";

const fromAxes = (f, q) => {
  // quaternion of a rotation with columns x, y, z
  const [m00, m10, m20] = f.x;
  const [m01, m11, m21] = f.y;
  const [m02, m12, m22] = f.z;
  const w = Math.sqrt(Math.max(0, 1 + m00 + m11 + m22)) / 2;
  const d = 4 * Math.max(w, 1e-6);
  return q.set((m21 - m12) / d, (m02 - m20) / d, (m10 - m01) / d, w).normalize();
};

export class Motion {
  constructor(recording, track) {
    this.recording = recording;
    this.track = track;
    this.scene = recording.scene;
    this.wheelsets = this.scene.wheelsets.length;
    this.count = this.scene.frames.length;
    this.places = Array.from({ length: this.count }, () => ({ r: new Vector3(), q: new Quaternion() }));
    this.nominal = null;
    this.hasS = recording.has("s");
    const reference = this.scene.solids.find((s) => s.is_reference);
    this.referenceFrame = reference ? reference.frame : Math.min(this.wheelsets, this.count - 1);
    this.next = new Quaternion();
    this.trackTurn = new Quaternion();
    this.trackBack = new Quaternion();
    this.relative = new Quaternion();
    this.delta = new Quaternion();
  }

  #exact(t) {
    const { row, share } = this.recording.at(t);
    const next = Math.min(this.recording.rows - 1, row + 1);
    for (let i = 0; i < this.count; ++i) {
      const column = (k) => this.recording.moving("frames", i, k);
      const mix = (k) => {
        const c = column(k);
        return c[row] + share * (c[next] - c[row]);
      };
      const place = this.places[i];
      place.r.set(mix(0), mix(1), mix(2));
      const at = (q, n) => q.set(column(4)[n], column(5)[n], column(6)[n], column(3)[n]).normalize();
      at(place.q, row);
      if (share > 0) place.q.slerp(at(this.next, next), share);
    }
  }

  // Abscissa of a frame: near that of the vehicle.
  abscissa(i) {
    const r = this.places[i].r;
    return this.track.foot(r.x, r.y, this.guess(r));
  }
  guess(r) {
    if (this.lastS === undefined) {
      // the nearest sample, once
      let best = Infinity;
      for (let i = 0; i < this.track.count; ++i) {
        const d = Math.hypot(this.track.x[i] - r.x, this.track.y[i] - r.y);
        if (d < best) [best, this.lastS] = [d, this.track.s[i]];
      }
    }
    return this.lastS;
  }

  // y, z and turn against the track's frame, of all frames
  #againstTrack(i) {
    const s = this.abscissa(i);
    const frame = this.track.frame(s);
    const r = this.places[i].r;
    const d = [r.x - frame.origin[0], r.y - frame.origin[1], r.z - frame.origin[2]];
    const dot = (a) => a[0] * d[0] + a[1] * d[1] + a[2] * d[2];
    fromAxes(frame, this.trackTurn);
    this.relative.copy(this.trackBack.copy(this.trackTurn).invert()).multiply(this.places[i].q);
    return { frame, x: dot(frame.x), y: dot(frame.y), z: dot(frame.z) };
  }

  #makeNominal() {
    this.#exact(this.recording.begin);
    this.lastS = undefined;
    this.nominal = this.places.map((_, i) => {
      const a = this.#againstTrack(i);
      return { y: a.y, z: a.z, q: this.relative.clone() };
    });
    const off = this.nominal[this.referenceFrame].y;
    for (const n of this.nominal) n.y -= off;
  }

  // Fills places; factor 1 is what was recorded.
  update(t, factor) {
    if (!this.nominal) this.#makeNominal();
    this.#exact(t);
    // all guesses begin at the vehicle
    const reference = this.places[this.referenceFrame].r;
    this.lastS = this.hasS ? this.recording.value("s", t) : undefined;
    this.lastS = this.track.foot(reference.x, reference.y, this.guess(reference));
    this.s = this.lastS;
    if (factor === 1) return;
    for (let i = this.wheelsets; i < this.count; ++i) {
      if (this.scene.frames[i] === "ground") continue;
      const spin = i < 2 * this.wheelsets ? i - this.wheelsets : -1;
      // the wheels turn with the axle: their turn against it stays
      const turn = spin >= 0 ? this.places[i].q.clone().invert().multiply(this.places[spin].q) : null;
      const a = this.#againstTrack(i);
      const n = this.nominal[i];
      const y = n.y + factor * (a.y - n.y);
      const z = n.z + factor * (a.z - n.z);
      const f = a.frame;
      const place = this.places[i];
      place.r.set(...[0, 1, 2].map((k) => f.origin[k] + a.x * f.x[k] + y * f.y[k] + z * f.z[k]));
      this.delta.copy(n.q).invert().multiply(this.relative);
      if (this.delta.w < 0) this.delta.set(-this.delta.x, -this.delta.y, -this.delta.z, -this.delta.w);
      const angle = 2 * Math.acos(Math.min(1, this.delta.w));
      // what turns by itself is not exaggerated
      if (angle < 0.5 && angle > 1e-9) {
        const axis = new Vector3(this.delta.x, this.delta.y, this.delta.z).normalize();
        this.delta.setFromAxisAngle(axis, Math.min(1.5, factor * angle));
        place.q.copy(this.trackTurn).multiply(n.q).multiply(this.delta);
      }
      if (turn) {
        this.places[spin].r.copy(place.r);
        this.places[spin].q.copy(place.q).multiply(turn);
      }
    }
  }
}
