// Meshes of the scene: wheelsets turned from the wheel's profile, bogies, boxes, rotors, springs, and
// the track with rails extruded from theirs. Everything in m, z up.

import {
  BoxGeometry, BufferAttribute, BufferGeometry, CatmullRomCurve3, CylinderGeometry, EdgesGeometry,
  Group, InstancedMesh, LatheGeometry, LineSegments, Matrix4, Mesh, Object3D, Quaternion, TubeGeometry,
  Vector2, Vector3,
} from "three";
import { paint } from "./paint.js";
import { decodeSection } from "./track.js";

export const palette = {
  body: 0x2f7d6d, bogie: 0xc9772b, box: 0x7d8893, axle: 0x8c96a0, tread: 0xb9c1c8, web: 0x56616b,
  rotor: 0x4f6fb0, spring: 0xe3b341, rail: 0x8b8178, sleeper: 0x6e655c, ballast: 0x9a948b,
};

const thin = (array, most) => {
  const stride = Math.max(1, Math.ceil(array.length / most));
  const kept = [];
  for (let i = 0; i < array.length; i += stride) kept.push(i);
  if (kept[kept.length - 1] !== array.length - 1) kept.push(array.length - 1);
  return kept;
};

function wheel(light, profile, left) {
  const group = new Group();
  const inner = 0.82 * Math.min(...profile.f);
  const rim = thin(profile.u, 60).map((i) => new Vector2(profile.f[i], profile.u[i]));
  const u0 = profile.u[0];
  const u1 = profile.u[profile.u.length - 1];
  const points = [new Vector2(inner, u0), ...rim, new Vector2(inner, u1), new Vector2(inner, u0)];
  group.add(new Mesh(new LatheGeometry(points, 64), paint(light, palette.tread)));
  const middle = (u0 + u1) / 2;
  const disc = new Mesh(new CylinderGeometry(inner, inner, 0.03, 48), paint(light, palette.web));
  disc.position.y = middle;
  group.add(disc);
  // holes show that it turns
  const hole = new CylinderGeometry(0.13 * inner, 0.13 * inner, 0.036, 20);
  const dark = paint(light, 0x20262b);
  for (let i = 0; i < 5; ++i) {
    const mesh = new Mesh(hole, i === 0 ? paint(light, 0xd8dde2) : dark);
    mesh.position.set(0.6 * inner * Math.cos(1.2566 * i), middle, 0.6 * inner * Math.sin(1.2566 * i));
    group.add(mesh);
  }
  const hub = new Mesh(new CylinderGeometry(0.12, 0.12, 0.18, 24), paint(light, palette.axle));
  hub.position.y = middle;
  group.add(hub);
  group.userData.left = left;
  return group;
}

// Wheelset k as a group in its spinning frame.
export function wheelset(light, scene, k) {
  const group = new Group();
  const wheels = scene.wheels.filter((w) => w.frame === k);
  let reach = 0.5;
  for (const w of wheels) {
    const mesh = wheel(light, decodeSection(scene.wheel_profiles[w.profile]), w.left);
    mesh.position.y = w.y;
    reach = Math.max(reach, Math.abs(w.y));
    group.add(mesh);
  }
  group.add(new Mesh(new CylinderGeometry(0.075, 0.075, 2 * reach + 0.5, 20), paint(light, palette.axle)));
  return group;
}

function box(light, size, mat) {
  const geometry = new BoxGeometry(...size);
  const mesh = new Mesh(geometry, mat);
  const edges = new LineSegments(new EdgesGeometry(geometry), paint(light, 0x000000, { transparent: true, opacity: 0.35 }));
  mesh.add(edges);
  return mesh;
}

// A vehicle body: a shell with a darker band of windows and a floor.
function shell(light, size, colour) {
  const group = new Group();
  const [l, w, h] = size;
  const wall = paint(light, colour, { transparent: true, opacity: 0.62, depthWrite: false });
  group.add(box(light, size, wall));
  const glass = paint(light, 0x18303a, { transparent: true, opacity: 0.55, depthWrite: false });
  const plate = (size, x, y) => {
    const mesh = new Mesh(new BoxGeometry(...size), glass);
    mesh.position.set(x, y, 0.16 * h);
    group.add(mesh);
  };
  for (const side of [-0.5, 0.5]) {
    plate([0.86 * l, 0.02, 0.26 * h], 0, side * (w + 0.02));
    plate([0.02, 0.8 * w, 0.28 * h], side * (l + 0.02), 0);
  }
  const floor = new Mesh(new BoxGeometry(0.99 * l, 0.97 * w, 0.08), paint(light, 0x39434a));
  floor.position.z = -h / 2 + 0.06;
  group.add(floor);
  // the front end, so that one sees where it goes
  const nose = new Mesh(new BoxGeometry(0.12, 0.7 * w, 0.14 * h), paint(light, 0xe3b341));
  nose.position.set(l / 2 + 0.03, 0, -0.28 * h);
  group.add(nose);
  return group;
}

function bogie(light, size, colour) {
  const group = new Group();
  const [l, w, h] = size;
  const coat = paint(light, colour);
  for (const side of [-1, 1]) {
    const beam = box(light, [l, 0.14, h], coat);
    beam.position.y = (side * w) / 2;
    group.add(beam);
  }
  const cross = box(light, [0.45, w, 0.8 * h], coat);
  group.add(cross);
  for (const end of [-1, 1]) {
    const tube = box(light, [0.1, w, 0.1], coat);
    tube.position.x = end * (l / 2 - 0.08);
    group.add(tube);
  }
  return group;
}

// An open wagon: floor, sides and ends.
function wagon(light, size, colour) {
  const group = new Group();
  const [l, w, h] = size;
  const coat = paint(light, colour);
  const plate = (size, x, y, z) => {
    const mesh = box(light, size, coat);
    mesh.position.set(x, y, z);
    group.add(mesh);
  };
  plate([l, w, 0.12], 0, 0, -h / 2 + 0.06);
  for (const side of [-0.5, 0.5]) {
    plate([l, 0.06, h], 0, side * (w - 0.06), 0);
    plate([0.06, w, h], side * (l - 0.06), 0, 0);
  }
  return group;
}

// A locomotive: a body with cabs at both ends, windows in these only.
function locomotive(light, size, colour) {
  const group = new Group();
  const [l, w, h] = size;
  const coat = paint(light, colour, { transparent: true, opacity: 0.8, depthWrite: false });
  const middle = box(light, [l - 1.2, w, h], coat);
  group.add(middle);
  const glass = paint(light, 0x18303a);
  for (const end of [-1, 1]) {
    const cab = box(light, [0.6, 0.94 * w, 0.55 * h], coat);
    cab.position.set((end * (l - 0.6)) / 2, 0, -0.2 * h);
    group.add(cab);
    const window = new Mesh(new BoxGeometry(0.03, 0.8 * w, 0.24 * h), glass);
    window.position.set((end * (l - 1.17)) / 2, 0, 0.26 * h);
    group.add(window);
    const side = new Mesh(new BoxGeometry(0.8, w + 0.03, 0.22 * h), glass);
    side.position.set((end * (l - 2.4)) / 2, 0, 0.24 * h);
    group.add(side);
  }
  return group;
}

const number = (colour) => (colour ? parseInt(colour.slice(1), 16) : undefined);

// The last word of a name: "box" of "rear.front.left_box.box".
export const kindOf = (name) => name.slice(name.lastIndexOf(".") + 1);

// A solid as an object in its frame, null if it has none of its own. The colour may be left out.
export function solid(light, s, colour) {
  let mesh = null;
  colour ??= number(s.colour);
  if (s.look === "coach") mesh = shell(light, s.size, colour ?? palette.body);
  else if (s.look === "wagon") mesh = wagon(light, s.size, colour ?? palette.bogie);
  else if (s.look === "locomotive") mesh = locomotive(light, s.size, colour ?? palette.body);
  else if (s.shape === "box" && s.is_reference && !s.look) mesh = shell(light, s.size, colour ?? palette.body);
  else if (s.shape === "box") mesh = box(light, s.size, paint(light, colour ?? palette.box));
  if (s.shape === "bogie") mesh = bogie(light, s.size, colour ?? palette.bogie);
  if (s.shape === "cylinder") mesh = new Mesh(new CylinderGeometry(s.size[0] / 2, s.size[0] / 2, s.size[1], 24), paint(light, colour ?? palette.rotor));
  if (!mesh) return null;
  mesh.position.set(...s.centre);
  const holder = new Group();
  holder.add(mesh);
  holder.name = s.name;
  return holder;
}

// A coil of length 1 along z.
const coil = () => {
  const points = [];
  const turns = 5;
  for (let i = 0; i <= turns * 12; ++i) {
    const a = (2 * Math.PI * i) / 12;
    points.push(new Vector3(0.07 * Math.cos(a), 0.07 * Math.sin(a), i / (turns * 12)));
  }
  return new TubeGeometry(new CatmullRomCurve3(points), turns * 24, 0.013, 6);
};

// Geometries of length 1 along z, side by side in one.
const joined = (parts) => {
  const positions = [];
  const normals = [];
  const index = [];
  for (const g of parts) {
    const first = positions.length / 3;
    positions.push(...g.attributes.position.array);
    normals.push(...g.attributes.normal.array);
    for (const i of g.index.array) index.push(first + i);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(positions), 3));
  geometry.setAttribute("normal", new BufferAttribute(new Float32Array(normals), 3));
  geometry.setIndex(index);
  return geometry;
};
const tube = (radius, from, to) =>
  new CylinderGeometry(radius, radius, to - from, 16).rotateX(Math.PI / 2).translate(0, 0, (from + to) / 2);

// What an element looks like, by its kind; widths in m at a length of 1.
const kinds = {
  spring: { geometry: coil, colour: palette.spring },
  damper: { geometry: () => joined([tube(0.055, 0, 0.55), tube(0.025, 0.5, 1)]), colour: 0x8fb7c9 },
  rod: { geometry: () => tube(0.03, 0, 1), colour: 0xa9b2ba },
  bar: { geometry: () => tube(0.04, 0, 1), colour: 0x9a7fc2 },
  air: { geometry: () => joined([tube(0.24, 0, 0.45), tube(0.27, 0.2, 0.8), tube(0.24, 0.55, 1)]), colour: 0x3b4248 },
  friction: { geometry: () => new BoxGeometry(0.1, 0.1, 1).translate(0, 0, 0.5), colour: 0xb8693f },
  stop: { geometry: () => joined([tube(0.05, 0, 0.4), tube(0.05, 0.6, 1)]), colour: 0x5b656e },
};

// All elements of one kind at once; update(places) stretches them between their ends.
class Elements {
  constructor(light, springs, kind) {
    this.springs = springs;
    const { geometry, colour } = kinds[kind];
    this.coils = kind === "spring";
    this.mesh = new InstancedMesh(geometry(), paint(light, colour), Math.max(1, springs.length));
    this.mesh.frustumCulled = false;
    this.mesh.count = springs.length;
    this.a = new Vector3();
    this.b = new Vector3();
    this.q = new Quaternion();
    this.m = new Matrix4();
    this.up = new Vector3(0, 0, 1);
    this.size = new Vector3();
  }

  update(places, origin) {
    this.springs.forEach((s, i) => {
      const end = (v, e) => v.set(...e.r).applyQuaternion(places[e.frame].q).add(places[e.frame].r).sub(origin);
      end(this.a, s.to);
      end(this.b, s.from).sub(this.a);
      const length = Math.max(0.02, this.b.length());
      this.q.setFromUnitVectors(this.up, this.b.normalize());
      // long ones are thin
      const width = this.coils && length > 0.6 ? 0.5 : 1;
      this.m.compose(this.a, this.q, this.size.set(width, width, length));
      this.mesh.setMatrixAt(i, this.m);
    });
    this.mesh.instanceMatrix.needsUpdate = true;
  }
}

// Springs, dampers, rods and so on, each drawn as what it is.
export class Springs {
  constructor(light, springs) {
    const kindOfSpring = (s) => (s.kind in kinds ? s.kind : "spring");
    this.mesh = new Group();
    this.parts = Object.keys(kinds)
      .map((kind) => new Elements(light, springs.filter((s) => kindOfSpring(s) === kind), kind))
      .filter((part) => part.springs.length > 0);
    for (const part of this.parts) this.mesh.add(part.mesh);
  }

  update(places, origin) {
    for (const part of this.parts) part.update(places, origin);
  }
}

// A rail's cross-section, closed: head by its profile, web and foot as usual.
function railOutline(section) {
  const head = thin(section.u, 24).map((i) => [section.u[i], section.f[i]]);
  const first = head[0];
  const last = head[head.length - 1];
  const middle = (first[0] + last[0]) / 2;
  const low = Math.min(first[1], last[1]) - 0.012;
  return [
    ...head, [last[0], low], [middle + 0.009, low - 0.012], [middle + 0.009, low - 0.09], [middle + 0.065, low - 0.105],
    [middle + 0.065, low - 0.117], [middle - 0.065, low - 0.117], [middle - 0.065, low - 0.105], [middle - 0.009, low - 0.09],
    [middle - 0.009, low - 0.012], [first[0], low],
  ];
}

export const railHeight = 0.15;

function ribbon(rows, columns, place) {
  const positions = new Float32Array(rows * columns * 3);
  for (let i = 0; i < rows; ++i) for (let k = 0; k < columns; ++k) positions.set(place(i, k), 3 * (i * columns + k));
  const index = [];
  for (let i = 0; i + 1 < rows; ++i) {
    for (let k = 0; k + 1 < columns; ++k) {
      const a = i * columns + k;
      index.push(a, a + 1, a + columns, a + 1, a + columns + 1, a + columns);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(positions, 3));
  geometry.setIndex(index);
  geometry.computeVertexNormals();
  return geometry;
}

// The track relative to `origin`; irregularities `factor` times as large.
export function trackObject(light, track, scene, origin, factor) {
  const group = new Group();
  const steel = paint(light, palette.rail);
  const at = (section, u, f) => [0, 1, 2].map((k) => section.origin[k] + u * section.y[k] + f * section.z[k] - origin.getComponent(k));
  for (const side of ["left", "right"]) {
    const outline = railOutline(decodeSection(scene["rail_" + side]));
    outline.push(outline[0]);
    const sections = Array.from(track.s, (s) => track.section(side, s, factor));
    const mesh = new Mesh(ribbon(track.count, outline.length, (i, k) => at(sections[i], ...outline[k])), steel);
    mesh.frustumCulled = false;
    group.add(mesh);
  }
  // rails may have their origin at the crown or at the foot
  const crown = Math.max(...decodeSection(scene.rail_left).f);
  // bed and sleepers follow the design: exaggerated waves are in the rails only
  const half = track.railDistance / 2 + 0.45;
  const bed = [[-half - 0.7, -0.75], [-half, -0.27], [half, -0.27], [half + 0.7, -0.75]];
  const frames = Array.from(track.s, (s) => track.frame(s));
  const ballast = new Mesh(
    ribbon(track.count, bed.length, (i, k) => at(frames[i], bed[k][0], crown + bed[k][1])),
    paint(light, palette.ballast),
  );
  ballast.frustumCulled = false;
  group.add(ballast);

  const spacing = 0.6;
  const length = track.s[track.count - 1] - track.s[0];
  const count = Math.min(20000, Math.max(1, Math.floor(length / spacing)));
  const sleepers = new InstancedMesh(new BoxGeometry(0.24, 2 * half - 0.05, 0.16), paint(light, palette.sleeper), count);
  sleepers.frustumCulled = false;
  const dummy = new Object3D();
  const basis = new Matrix4();
  const v = (a) => new Vector3(...a);
  for (let i = 0; i < count; ++i) {
    const f = track.frame(track.s[0] + (i + 0.5) * (length / count));
    basis.makeBasis(v(f.x), v(f.y), v(f.z));
    dummy.quaternion.setFromRotationMatrix(basis);
    dummy.position.set(...at(f, 0, crown - railHeight - 0.08));
    dummy.updateMatrix();
    sleepers.setMatrixAt(i, dummy.matrix);
  }
  group.add(sleepers);
  return group;
}

export function dispose(object) {
  object.traverse((o) => {
    o.geometry?.dispose();
    o.material?.dispose?.();
  });
}
