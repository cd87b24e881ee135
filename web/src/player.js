// The clock of the page: one time for animation, plots and close-up, which listen to it.

export class Player {
  constructor(begin, end) {
    this.begin = begin;
    this.end = end;
    this.t = begin;
    this.speed = 1;
    this.playing = false;
    this.listeners = new Set();
    this.last = 0;
  }

  // tell({ t, playing, speed }), at once and at every change
  listen(tell) {
    this.listeners.add(tell);
    tell(this);
  }

  #tell() {
    for (const tell of this.listeners) tell(this);
  }

  seek(t) {
    this.t = Math.min(this.end, Math.max(this.begin, t));
    this.#tell();
  }

  setSpeed(speed) {
    this.speed = speed;
    this.#tell();
  }

  toggle(playing = !this.playing) {
    if (playing && this.t >= this.end) this.t = this.begin;
    this.playing = playing;
    this.last = 0;
    this.#tell();
  }

  // once per picture; now in ms
  tick(now) {
    if (!this.playing) return;
    // a tab in the background wakes up after seconds: no jump
    const passed = this.last ? Math.min(0.1, (now - this.last) / 1000) : 0;
    this.last = now;
    this.t += passed * this.speed;
    if (this.t >= this.end) {
      this.t = this.end;
      this.playing = false;
    }
    this.#tell();
  }
}
