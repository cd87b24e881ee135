// A simulation that runs while the page looks at it: frames come over a WebSocket and become rows of
// the recording, commands go back. The protocol is in src/view/protocol.hpp. The newest rows are kept;
// a reader who looks at an earlier time stays there until "now" is pressed.

import { Player } from "./player.js";
import { DataError } from "./source.js";
import { short } from "./units.js";

const states = ["running", "paused", "end of track", "derailed", "failed"];
const head = 5; // resets, state, speed wanted, speed reached, number of the frame

// The program's settings of the stream, or null on a page of a finished run.
export function liveSettings(document) {
  const element = document.getElementById("live");
  if (!element) return null;
  const json = JSON.parse(element.textContent);
  if (json.version !== 1 || !Array.isArray(json.controls)) throw new DataError("This page and the program that serves it have different versions. Reload the page.");
  return json;
}

// The clock of a live page: the newest row, or the earlier time that the reader chose.
export class LivePlayer extends Player {
  constructor(recording, send) {
    super(recording.begin, recording.end);
    this.send = send;
    this.following = true;
    this.running = false;
  }

  tick() {} // time comes from the program

  toggle() {
    this.send({ do: this.running ? "pause" : "resume" });
  }
  setSpeed(factor) {
    this.send({ do: "speed", factor });
  }
  seek(t) {
    this.following = t >= this.end;
    this.playing = this.running && this.following;
    super.seek(t);
  }
  arrived(recording, running) {
    if (running && !this.running) this.following = true;
    this.running = running;
    this.begin = recording.t[recording.first];
    this.end = recording.end;
    this.seek(this.following ? this.end : this.t);
  }
}

export class Live {
  constructor(recording, settings) {
    this.recording = recording;
    this.settings = settings;
    this.player = new LivePlayer(recording, (command) => this.send(command));
    this.names = [...recording.channels.keys()];
    this.frames = recording.motion?.frames.length ?? 0;
    this.wheels = recording.motion?.wheels.length ?? 0;
    this.controls = settings.controls.map((c) => c.value);
    this.length = head + this.controls.length + this.names.length + 7 * this.frames + 3 * this.wheels;
    this.state = { name: "connecting", speed: 1, reached: 0 };
    this.message = "";
    this.received = 0; // frames, for tests
    this.resets = -1;
    this.changed = () => {};
    this.#connect();
  }

  // A page that only watches is a loop's, which a device drives.
  send(command) {
    if (this.settings.watch && command.do !== "seen") return;
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(command));
  }

  #connect() {
    const socket = new WebSocket(`ws://${location.host}${this.settings.stream}${location.search}`);
    this.socket = socket;
    socket.binaryType = "arraybuffer";
    socket.addEventListener("message", (e) => {
      if (typeof e.data === "string") {
        this.message = String(JSON.parse(e.data).message ?? "");
        this.changed();
        return;
      }
      this.#frame(e.data);
      this.send({ do: "seen" });
    });
    socket.addEventListener("close", () => {
      this.state = { ...this.state, name: "no connection" };
      this.player.running = this.player.playing = false;
      this.changed();
      setTimeout(() => this.#connect(), 1000);
    });
  }

  #frame(buffer) {
    if (buffer.byteLength !== 8 * this.length) {
      // another program serves at this address now: its page is another one
      location.reload();
      return;
    }
    const v = new Float64Array(buffer);
    let at = head;
    const some = (n) => v.subarray(at, (at += n));
    this.controls = Array.from(some(this.controls.length));
    const row = some(this.names.length);
    const values = {};
    this.names.forEach((name, i) => (values[name] = row[i]));
    const motion = { frames: [], wheels: [] };
    for (let i = 0; i < this.frames; ++i) motion.frames.push(some(7));
    for (let i = 0; i < this.wheels; ++i) motion.wheels.push(some(3));
    const r = this.recording;
    if (v[0] !== this.resets) r.restart();
    else if (r.rows && values.t <= r.end) r.dropLast(); // the same instant with other inputs
    // frames were lost: the lines of plots are broken there
    else if (r.rows && v[4] !== this.number + 1) r.appendGap(values, this.frames ? motion : null);
    this.resets = v[0];
    this.number = v[4];
    r.append(values, this.frames ? motion : null);
    this.state = { name: states[v[1]] ?? "failed", speed: v[2], reached: v[3] };
    this.received += 1;
    this.player.arrived(r, v[1] === 0);
    this.changed();
  }
}

// Sliders, the buttons step, reset and now, and the state of the simulation in words.
export class ControlBar {
  constructor(root, live) {
    this.live = live;
    this.$ = (id) => root.querySelector("#" + id);
    const { watch } = live.settings;
    for (const id of watch ? ["now"] : ["step", "reset", "now", "controls"]) this.$(id).hidden = false;
    for (const id of watch ? ["play", "speed"] : []) this.$(id).hidden = true;
    this.$("step").addEventListener("click", (e) => this.step(e.shiftKey));
    this.$("reset").addEventListener("click", () => this.reset());
    this.$("now").addEventListener("click", () => live.player.seek(live.player.end));
    const speed = this.$("speed");
    speed.append(new Option("10×", "10"), new Option("max", "0"));
    this.sliders = live.settings.controls.map((c, i) => this.#slider(c, i));
    live.changed = () => (this.dirty = true);
    live.player.listen(() => (this.dirty = true));
  }

  step(many) {
    this.live.player.seek(this.live.player.end);
    this.live.send({ do: "step", steps: many ? 100 : 1 });
  }
  reset() {
    this.live.player.seek(this.live.player.end);
    this.live.send({ do: "reset" });
  }

  #slider(control, index) {
    const label = document.createElement("label");
    const name = document.createElement("span");
    name.className = "name";
    name.textContent = control.name + (control.count > 1 ? ` × ${control.count}` : "");
    const input = document.createElement("input");
    input.type = "range";
    [input.min, input.max, input.step] = [String(control.low), String(control.high), "any"];
    input.value = String(control.value);
    input.setAttribute("aria-label", control.name);
    input.dataset.control = control.name;
    input.title = "double click: back to the initial value";
    const output = document.createElement("output");
    const set = (value) => {
      slider.touched = performance.now();
      this.live.send({ do: "set", control: index, value });
    };
    input.addEventListener("input", () => {
      set(Number(input.value));
      output.textContent = this.#words(control, Number(input.value));
    });
    input.addEventListener("dblclick", () => {
      input.value = String(control.value);
      set(control.value);
    });
    label.append(name, input, output);
    this.$("controls").append(label);
    const slider = { control, input, output, touched: -1e9 };
    return slider;
  }

  #words(control, value) {
    const digits = control.high - control.low > 50 ? 0 : 2;
    return `${value.toFixed(digits)}${control.unit ? ` ${control.unit}` : ""}`;
  }

  // once per picture
  draw() {
    if (!this.dirty) return;
    this.dirty = false;
    const { live } = this;
    const { name, speed, reached } = live.state;
    const back = name === "running" && !live.player.following;
    const end = this.$("end");
    end.textContent = back ? "earlier time" : name === "running" ? "live" : name;
    end.dataset.end = { running: back ? "stopped" : "live", paused: "stopped", "end of track": "stopped", connecting: "stopped" }[name] ?? "failed";
    this.$("now").classList.toggle("on", live.player.following);
    this.$("step").disabled = !["running", "paused"].includes(name);
    this.$("play").disabled = !["running", "paused"].includes(name);
    // shows what another page has set; a slider that is being dragged is not moved
    const select = this.$("speed");
    const wanted = String(speed);
    if (![...select.options].some((o) => o.value === wanted)) select.append(new Option(`${short(speed)}×`, wanted));
    if (document.activeElement !== select) select.value = wanted;
    this.$("reached").textContent = name === "running" && (speed === 0 || reached < 0.9 * speed) ? `reached ${short(Number(reached.toPrecision(2)))}×` : "";
    this.sliders.forEach((s, i) => {
      if (performance.now() - s.touched < 400) return;
      s.input.value = String(live.controls[i]);
      s.output.textContent = this.#words(s.control, live.controls[i]);
    });
    const message = this.$("message");
    message.textContent = live.message;
    message.hidden = !live.message;
  }
}
