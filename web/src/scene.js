// The vehicle on its track in three dimensions, at the player's time. Draws only when something
// changed. Cameras follow the vehicle or a wheel; the mouse turns around what is followed.

import { ArrowHelper, Color, Mesh, PerspectiveCamera, PlaneGeometry, Scene, SphereGeometry, Vector3, WebGLRenderer } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { Motion } from "./motion.js";
import { Light, paint } from "./paint.js";
import { Springs, dispose, kindOf, solid, trackObject, wheelset } from "./solids.js";
import { Track, decodeSection, heightAt } from "./track.js";

// camera places in the frame of the track: forward, left, up
export const cameras = {
  follow: { title: "follow", at: [-7.2, -12.2, 4], look: [-0.4, 0, 1] },
  side: { title: "side", at: [0, -15, 2.0], look: [0, 0, 1.2] },
  front: { title: "front", at: [14, -1.4, 2.4], look: [0, 0, 1.2] },
  top: { title: "top", at: [0, -0.6, 21], look: [0, 0, 0] },
  wheel: { title: "wheel", at: [1.9, -1.2, 0.05], look: [0, 0, -0.22] },
};

export class SceneView {
  // shifts: [x, y, z] of every solid, then of every wheelset, by which parts are drawn apart when
  // setApart() is above zero. colours: of solids, by the last word of their names.
  constructor(canvas, recording, player, { shifts = [], colours = {} } = {}) {
    this.shifts = shifts;
    this.colours = colours;
    this.apart = 0;
    this.recording = recording;
    this.player = player;
    this.canvas = canvas;
    this.track = new Track(recording.scene.track);
    this.motion = new Motion(recording, this.track);
    this.factor = 1;
    this.camera = new PerspectiveCamera(38, 1, 0.05, 1500);
    this.camera.up.set(0, 0, 1);
    this.renderer = new WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    // checking shaders for errors would wait for their compilation
    this.renderer.debug.checkShaderErrors = false;
    this.scene = new Scene();
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.controls.maxDistance = 400;
    this.controls.addEventListener("change", () => (this.dirty = true));
    this.wheel = 0;
    this.target = new Vector3();
    this.heading = 0;

    // coordinates near zero: the graphics card computes with single precision
    const first = this.track.frame(this.track.s[0]).origin;
    this.origin = new Vector3(...first);
    this.#lights();
    this.#vehicle();
    this.#rebuildTrack();
    this.resize();
    this.setCamera("follow");
    player.listen(() => (this.dirty = true));
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
  }

  #lights() {
    this.light = new Light();
    this.ground = new Mesh(new PlaneGeometry(3000, 3000), paint(this.light, 0xb8c2b0));
    this.scene.add(this.ground);
  }

  #vehicle() {
    const scene = this.recording.scene;
    this.parts = [];
    const shift = (i) => new Vector3(...(this.shifts[i] ?? [0, 0, 0]));
    scene.wheelsets.forEach((_, k) => this.parts.push({ object: wheelset(this.light, scene, k), frame: k, shift: shift(scene.solids.length + k) }));
    scene.solids.forEach((s, i) => {
      const object = solid(this.light, s, this.colours[kindOf(s.name)]);
      if (object) this.parts.push({ object, frame: s.frame, shift: shift(i), reference: s.is_reference && s.shape === "box" });
    });
    for (const p of this.parts) this.scene.add(p.object);
    this.springs = new Springs(this.light, scene.springs);
    this.scene.add(this.springs.mesh);

    // contacts: a point, and arrows of the rail's force on the wheel
    this.sections = { left: decodeSection(scene.rail_left), right: decodeSection(scene.rail_right) };
    const largest = Math.max(1, ...scene.wheels.map((w) => this.#most("Q." + w.name)));
    this.perNewton = 0.75 / largest;
    const dot = new SphereGeometry(0.025, 12, 8);
    this.contacts = scene.wheels.map((w) => {
      // visible through all solids
      const seen = (colour) => paint(this.light, colour, { flat: true, depthTest: false, transparent: true });
      const arrow = (colour) => {
        const a = new ArrowHelper(new Vector3(0, 0, 1), new Vector3(), 1, colour, 0.12, 0.07);
        for (const part of [a.line, a.cone]) {
          part.material.dispose();
          part.material = seen(colour);
          part.renderOrder = 9;
        }
        return a;
      };
      const contact = { wheel: w, point: new Mesh(dot, seen(0xff3b5c)), Q: arrow(0x1d6fe0), Y: arrow(0xe8590c) };
      contact.point.renderOrder = 10;
      this.scene.add(contact.point, contact.Q, contact.Y);
      return contact;
    });
    this.showForces = true;
  }

  #most(name) {
    if (!this.recording.has(name)) return 1;
    let most = 0;
    for (const v of this.recording.column(name)) if (Math.abs(v) > most) most = Math.abs(v);
    return most;
  }

  #rebuildTrack() {
    if (this.trackGroup) {
      this.scene.remove(this.trackGroup);
      dispose(this.trackGroup);
    }
    this.trackGroup = trackObject(this.light, this.track, this.recording.scene, this.origin, this.factor);
    this.scene.add(this.trackGroup);
    this.dirty = true;
  }

  setFactor(factor) {
    this.factor = factor;
    clearTimeout(this.later);
    // rails are many triangles: not at every pixel of the slider
    this.later = setTimeout(() => this.#rebuildTrack(), 120);
    this.dirty = true;
  }

  // 0: as it is; 1: every part at its shift, without springs.
  setApart(share) {
    this.apart = share;
    this.springs.mesh.visible = share === 0;
    this.dirty = true;
  }

  setForces(show) {
    this.showForces = show;
    this.dirty = true;
  }

  setBody(show) {
    for (const p of this.parts) if (p.reference) p.object.visible = show;
    this.dirty = true;
  }

  setTheme(dark) {
    const sky = new Color(dark ? 0x141a20 : 0xdfe8ef);
    this.scene.background = sky;
    this.light.sky.value.copy(sky);
    this.ground.material.uniforms.color.value.set(dark ? 0x252c28 : 0xbac4b1);
    this.dirty = true;
  }

  setWheel(index) {
    this.wheel = index;
    if (this.mode === "wheel") this.setCamera("wheel");
    this.dirty = true;
  }

  // Where the camera looks at: the vehicle, or the wheel.
  #focus() {
    if (this.mode === "wheel") {
      const w = this.recording.scene.wheels[this.wheel];
      const place = this.motion.places[w.frame];
      return new Vector3(0, w.y, 0).applyQuaternion(place.q).add(place.r).sub(this.origin);
    }
    const p = this.motion.places[this.motion.referenceFrame].r;
    const f = this.track.frame(this.motion.s);
    // on the track below the vehicle: its heave and roll are to be seen
    return new Vector3(p.x, p.y, f.origin[2]).sub(this.origin);
  }

  #axes() {
    const heading = this.track.lerp(this.track.heading, this.motion.s);
    return { heading, x: new Vector3(Math.cos(heading), Math.sin(heading), 0), y: new Vector3(-Math.sin(heading), Math.cos(heading), 0) };
  }

  setCamera(mode) {
    this.mode = mode;
    this.motion.update(this.player.t, this.factor);
    const c = cameras[mode];
    const { heading, x, y } = this.#axes();
    const focus = this.#focus();
    const left = mode === "wheel" && this.recording.scene.wheels[this.wheel].left ? -1 : 1;
    const ahead = mode === "wheel" ? this.#freeSide(x) : 1;
    const place = ([a, b, h]) => focus.clone().addScaledVector(x, ahead * a).addScaledVector(y, left * b).add(new Vector3(0, 0, h));
    const { at, look } = c;
    // long vehicles are seen from further away
    const tall = Math.max(1, 1.8 / (this.camera.aspect || 1.8));
    const scale = mode === "wheel" ? 1 : Math.max(0.35, this.#length() / 14) * (mode === "front" ? 1 : tall);
    this.camera.position.copy(place(at.map((v) => v * scale)));
    this.controls.target.copy(place(look));
    this.target.copy(focus);
    this.heading = heading;
    this.controls.update();
    this.dirty = true;
  }

  // The side from which the wheel is visible: away from the nearest other wheelset, and so from the bogie.
  #freeSide(x) {
    const own = this.recording.scene.wheels[this.wheel].frame;
    const at = this.motion.places[own].r;
    let [best, side] = [6, 1];
    for (let k = 0; k < this.motion.wheelsets; ++k) {
      const d = this.motion.places[k].r.clone().sub(at);
      if (k === own || d.length() > best) continue;
      [best, side] = [d.length(), d.dot(x) > 0 ? -1 : 1];
    }
    return side;
  }

  #length() {
    const xs = this.motion.places.slice(0, this.motion.wheelsets).map((p) => p.r);
    let most = 0;
    for (const a of xs) for (const b of xs) most = Math.max(most, a.distanceTo(b));
    const body = this.recording.scene.solids.find((s) => s.is_reference);
    return Math.max(most + 2, body ? body.size[0] : 0, 4);
  }

  // The camera follows the vehicle and turns with the track.
  #follow() {
    const focus = this.#focus();
    const { heading } = this.#axes();
    const turn = heading - this.heading;
    const up = new Vector3(0, 0, 1);
    for (const v of [this.camera.position, this.controls.target]) v.sub(this.target).applyAxisAngle(up, turn).add(focus);
    this.target.copy(focus);
    this.heading = heading;
    this.controls.update();
  }

  #placeContacts(t) {
    const r = this.recording;
    for (const c of this.contacts) {
      const name = c.wheel.name;
      const side = c.wheel.left ? "left" : "right";
      const known = r.has("s_r." + name) && r.has("u_r." + name);
      const visible = this.showForces && known;
      const Q = visible && r.has("Q." + name) ? r.value("Q." + name, t) : 0;
      const Y = visible && r.has("Y." + name) ? r.value("Y." + name, t) : 0;
      c.point.visible = visible && Q > 0;
      c.Q.visible = visible && Math.abs(Q) * this.perNewton > 0.02;
      c.Y.visible = visible && Math.abs(Y) * this.perNewton > 0.02;
      if (!visible) continue;
      const s = r.value("s_r." + name, t);
      const u = r.value("u_r." + name, t);
      const section = this.track.section(side, s, this.factor);
      const { height } = heightAt(this.sections[side], u);
      const place = [0, 1, 2].map((k) => section.origin[k] + u * section.y[k] + height * section.z[k]);
      c.point.position.set(...place).sub(this.origin);
      const frame = this.track.frame(s);
      for (const [arrow, force, axis] of [[c.Q, Q, frame.z], [c.Y, Y, frame.y]]) {
        if (!arrow.visible) continue;
        arrow.position.copy(c.point.position);
        arrow.setDirection(new Vector3(...axis).multiplyScalar(Math.sign(force)));
        const length = Math.abs(force) * this.perNewton;
        arrow.setLength(length, Math.min(0.1, 0.4 * length), 0.06);
      }
    }
  }

  resize() {
    const { clientWidth: w, clientHeight: h } = this.canvas.parentElement;
    if (!w || !h) return;
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio));
    this.renderer.setSize(w, h, false);
    this.camera.aspect = w / h;
    this.camera.updateProjectionMatrix();
    this.dirty = true;
  }

  // Shaders are compiled in the background; the page can be used meanwhile.
  prepare() {
    this.compiled = this.renderer.compileAsync(this.scene, this.camera).catch(() => {}).then(() => {
      this.isReady = true;
      this.dirty = true;
    });
  }

  // once per picture
  draw() {
    if (!this.dirty || !this.isReady) return;
    this.dirty = false;
    const t = this.player.t;
    this.motion.update(t, this.factor);
    for (const p of this.parts) {
      const place = this.motion.places[p.frame];
      p.object.position.copy(place.r).sub(this.origin).addScaledVector(p.shift, this.apart);
      p.object.quaternion.copy(place.q);
    }
    this.springs.update(this.motion.places, this.origin);
    this.#placeContacts(t);
    this.#follow();
    const lowest = this.track.frame(this.motion.s).origin[2] - this.origin.z;
    this.ground.position.set(this.target.x, this.target.y, lowest - 0.55);
    this.renderer.render(this.scene, this.camera);
    this.dirty = false;
  }
}
