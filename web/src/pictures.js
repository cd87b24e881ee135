// Pictures of a vehicle in a page that is not a report: every element of class "picture" gets a canvas
// with the vehicle of the page's recording, which the mouse turns. data-apart says how far its parts
// are drawn apart; the recording's "pictures" hold shifts and colours. What is in such an element
// before stays where there is no WebGL: a drawing without scripts.

import { Box3, BufferAttribute, BufferGeometry, LineSegments, Vector3 } from "three";
import { paint } from "./paint.js";
import { Player } from "./player.js";
import { SceneView } from "./scene.js";
import { kindOf } from "./solids.js";
import { embedded } from "./source.js";

// Where parts came from: lines from their places to where they are drawn.
class Ways {
  constructor(view) {
    this.view = view;
    this.lines = new LineSegments(new BufferGeometry(), paint(view.light, 0x3f4b56, { transparent: true, opacity: 0.7 }));
    this.lines.frustumCulled = false;
    view.scene.add(this.lines);
  }

  update() {
    const { view } = this;
    const { solids } = view.recording.scene;
    const ends = [];
    solids.forEach((s, i) => {
      const shift = new Vector3(...(view.shifts[i] ?? [0, 0, 0])).multiplyScalar(view.apart);
      if (s.shape === "none" || shift.length() < 0.01) return;
      const place = view.motion.places[s.frame];
      const from = new Vector3(...s.centre).applyQuaternion(place.q).add(place.r).sub(view.origin);
      ends.push(...from.toArray(), ...from.add(shift).toArray());
    });
    this.lines.geometry.setAttribute("position", new BufferAttribute(new Float32Array(ends), 3));
  }
}

class Picture {
  constructor(holder, recording, extras) {
    const canvas = document.createElement("canvas");
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", holder.dataset.words ?? "the vehicle");
    const frame = document.createElement("div");
    frame.className = "frame";
    frame.append(canvas);
    holder.prepend(frame);
    try {
      this.view = new SceneView(canvas, recording, new Player(0, 0), extras);
    } catch (error) {
      frame.remove();
      throw error;
    }
    this.view.setTheme(false);
    // the mouse wheel scrolls the page
    this.view.controls.enableZoom = this.view.controls.enablePan = false;
    this.ways = new Ways(this.view);
    this.view.motion.update(0, 1);
    this.setApart(Number(holder.dataset.apart ?? 0));
    if (holder.dataset.apart) this.#slider(holder);
    this.#legend(holder, recording, extras.colours);
    // the whole vehicle fits into the picture until the reader rotates it
    const look = () => this.#look(Number(holder.dataset.apart ?? 0));
    look();
    const watch = new ResizeObserver(() => {
      this.view.resize();
      look();
    });
    watch.observe(frame);
    canvas.addEventListener("pointerdown", () => watch.disconnect(), { once: true });
    this.view.prepare();
  }

  setApart(share) {
    this.view.setApart(share);
    this.ways.update();
  }

  // From the right, a little behind and above, as near as everything is in the picture.
  #look(apart) {
    const { view } = this;
    view.setCamera("follow");
    for (const p of view.parts) {
      const place = view.motion.places[p.frame];
      p.object.position.copy(place.r).sub(view.origin).addScaledVector(p.shift, view.apart);
      p.object.quaternion.copy(place.q);
    }
    const box = new Box3();
    for (const p of view.parts) box.expandByObject(p.object);
    const middle = box.getCenter(new Vector3());
    const direction = new Vector3(-0.42, -1, apart ? 0.34 : 0.28).normalize();
    const corner = new Vector3();
    const isSeen = () => {
      for (let i = 0; i < 8; ++i) {
        corner.set(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z).project(view.camera);
        if (Math.max(Math.abs(corner.x), Math.abs(corner.y)) > 0.93) return false;
      }
      return true;
    };
    view.controls.target.copy(middle);
    for (let distance = 6; distance < 80; distance *= 1.03) {
      view.camera.position.copy(middle).addScaledVector(direction, distance);
      view.controls.update();
      view.camera.updateMatrixWorld();
      if (isSeen()) break;
    }
  }

  #slider(holder) {
    const label = document.createElement("label");
    const input = document.createElement("input");
    Object.assign(input, { type: "range", min: "0", max: "100", value: String(100 * this.view.apart) });
    input.addEventListener("input", () => this.setApart(input.value / 100));
    label.append("apart ", input);
    holder.append(label);
  }

  #legend(holder, recording, colours) {
    const list = document.createElement("span");
    list.className = "legend";
    const kinds = new Set(recording.scene.solids.filter((s) => s.shape !== "none").map((s) => kindOf(s.name)));
    for (const kind of kinds) {
      const mark = document.createElement("i");
      mark.style.background = colours[kind] ?? "#888";
      const entry = document.createElement("span");
      entry.append(mark, kind);
      list.append(entry);
    }
    holder.append(list);
  }
}

export function drawPictures(document) {
  const done = [];
  try {
    const recording = embedded(document);
    const { shifts = [], colours = {} } = recording.pictures ?? {};
    for (const holder of document.querySelectorAll(".picture")) {
      done.push(new Picture(holder, recording, { shifts, colours }));
      holder.classList.add("live");
    }
  } catch (error) {
    for (const note of document.querySelectorAll(".picture .note")) note.textContent = `The 3D picture cannot be shown: ${error.message}`;
  }
  const draw = () => {
    for (const p of done) p.view.draw();
    requestAnimationFrame(draw);
  };
  requestAnimationFrame(draw);
  window.pictures = done; // for tests
}
