// SPDX-License-Identifier: MIT
// Moving about the picture: mouse, wheel, touch and keys.

const ZOOM = { least: 0.04, most: 3, step: 1.25, farBelow: 0.5, afarBelow: 0.25 };

class Viewport {
  constructor(canvas, world) {
    this.canvas = canvas;
    this.world = world;
    this.x = 0;
    this.y = 0;
    this.scale = 1;
    this.pointers = new Map();
    canvas.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    canvas.addEventListener('pointerdown', (event) => this.pointerDown(event));
    canvas.addEventListener('pointermove', (event) => this.pointerMove(event));
    for (const kind of ['pointerup', 'pointercancel']) {
      canvas.addEventListener(kind, (event) => this.pointers.delete(event.pointerId));
    }
  }

  apply() {
    this.world.setAttribute('transform', `translate(${this.x} ${this.y}) scale(${this.scale})`);
    this.canvas.classList.toggle('far', this.scale < ZOOM.farBelow);
    this.canvas.classList.toggle('afar', this.scale < ZOOM.afarBelow);
  }

  get size() {
    return this.canvas.getBoundingClientRect();
  }

  // Shows the whole scene; or what is around its anchor, where that would take a smaller scale than the least.
  fit(scene, { least = 0, anchor = null } = {}) {
    const { width, height } = this.size;
    const room = 24;
    const whole = Math.min((width - 2 * room) / (scene.width || 1), (height - 2 * room) / (scene.height || 1), 1.2);
    this.scale = clamp(Math.max(whole, least));
    // No more empty room beside the scene than there would be with all of it in view.
    const within = (value, extent, view) => {
      const half = (view / 2 - room) / this.scale;
      return extent <= 2 * half ? extent / 2 : Math.min(Math.max(value, half), extent - half);
    };
    const { x, y } = anchor || { x: scene.width / 2, y: scene.height / 2 };
    this.centerOn({ x: within(x, scene.width, width), y: within(y, scene.height, height) });
  }

  centerOn(point) {
    const { width, height } = this.size;
    this.x = width / 2 - point.x * this.scale;
    this.y = height / 2 - point.y * this.scale;
    this.apply();
  }

  // Brings a point into view, and moves nothing if it is there.
  reveal(point) {
    const { width, height } = this.size;
    const x = point.x * this.scale + this.x;
    const y = point.y * this.scale + this.y;
    const margin = 60;
    if (x < margin || y < margin || x > width - margin || y > height - margin) this.centerOn(point);
  }

  pan(dx, dy) {
    this.x += dx;
    this.y += dy;
    this.apply();
  }

  zoomAt(factor, x, y) {
    const scale = clamp(this.scale * factor);
    const change = scale / this.scale;
    this.x = x - (x - this.x) * change;
    this.y = y - (y - this.y) * change;
    this.scale = scale;
    this.apply();
  }

  zoom(factor) {
    const { width, height } = this.size;
    this.zoomAt(factor, width / 2, height / 2);
  }

  wheel(event) {
    event.preventDefault();
    const unit = event.deltaMode === 1 ? 16 : 1;
    if (event.shiftKey) {
      this.pan(-(event.deltaX || event.deltaY) * unit, 0);
      return;
    }
    const { left, top } = this.size;
    // A pinch on a touchpad comes as a wheel with small deltas and the control key.
    const speed = event.ctrlKey ? 0.01 : 0.0018;
    this.zoomAt(Math.exp(-event.deltaY * unit * speed), event.clientX - left, event.clientY - top);
  }

  pointerDown(event) {
    if (event.button !== 0) return;
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.traveled = 0;
  }

  pointerMove(event) {
    const before = this.pointers.get(event.pointerId);
    if (before === undefined) return;
    const now = { x: event.clientX, y: event.clientY };
    this.traveled += Math.hypot(now.x - before.x, now.y - before.y);
    // A pointer that is captured from its first move on would take the click from the item below it.
    if (this.traveled > 4 && !this.canvas.hasPointerCapture(event.pointerId)) {
      this.canvas.setPointerCapture(event.pointerId);
    }
    if (this.pointers.size === 1) {
      this.pan(now.x - before.x, now.y - before.y);
    } else {
      const [other] = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
      const { left, top } = this.size;
      const factor = distance(now, other) / (distance(before, other) || 1);
      this.zoomAt(factor, (now.x + other.x) / 2 - left, (now.y + other.y) / 2 - top);
      this.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
    }
    this.pointers.set(event.pointerId, now);
  }

  get wasDragged() {
    return this.traveled > 4;
  }
}

function clamp(scale) {
  return Math.min(ZOOM.most, Math.max(ZOOM.least, scale));
}

function distance(a, b) {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
