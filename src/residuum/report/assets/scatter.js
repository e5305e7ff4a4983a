"use strict";
// A scatter plot of many points: WebGL, or a 2-d canvas where WebGL is missing. No library.

const VERTEX = `
attribute vec2 point;
attribute vec3 color;
uniform vec2 scale;
uniform vec2 shift;
uniform float size;
varying vec3 shade;
void main() {
  gl_Position = vec4(point * scale + shift, 0.0, 1.0);
  gl_PointSize = size;
  shade = color;
}`;
const FRAGMENT = `
precision mediump float;
varying vec3 shade;
uniform float opacity;
void main() {
  float r = length(gl_PointCoord - 0.5) * 2.0;
  float inside = 1.0 - smoothstep(0.8, 1.0, r);
  gl_FragColor = vec4(shade * inside * opacity, inside * opacity);
}`;

class GlPainter {
  static create(canvas) {
    // The shader smooths the edges; multisampling as well takes seven times as long without a graphics card.
    const gl = canvas.getContext("webgl", { preserveDrawingBuffer: true, premultipliedAlpha: true, antialias: false });
    if (!gl) return null;
    const program = gl.createProgram();
    for (const [kind, source] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    return gl.getProgramParameter(program, gl.LINK_STATUS) ? new GlPainter(gl, program) : null;
  }

  constructor(gl, program) {
    this.gl = gl;
    this.program = program;
    this.name = "webgl";
    this.buffers = { point: gl.createBuffer(), color: gl.createBuffer() };
    const place = (kind, names) => names.map((name) => [name, gl[kind](program, name)]);
    this.places = Object.fromEntries([...place("getAttribLocation", ["point", "color"]), ...place("getUniformLocation", ["scale", "shift", "size", "opacity"])]);
    gl.useProgram(program);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }

  load(buffer, data) {
    this.gl.bindBuffer(this.gl.ARRAY_BUFFER, this.buffers[buffer]);
    this.gl.bufferData(this.gl.ARRAY_BUFFER, data, this.gl.STATIC_DRAW);
  }

  setPoints(points) { this.load("point", points); }

  setColors(colors) { this.load("color", colors); }

  clear(width, height) {
    this.gl.viewport(0, 0, width, height);
    this.gl.clearColor(0, 0, 0, 0);
    this.gl.clear(this.gl.COLOR_BUFFER_BIT);
  }

  // Every step-th point: the stride of the buffers skips the others.
  draw(count, view, style, step) {
    if (!count) return;
    const gl = this.gl, places = this.places;
    for (const [name, width, kind, bytes] of [["point", 2, gl.FLOAT, 8], ["color", 3, gl.UNSIGNED_BYTE, 3]]) {
      gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[name]);
      gl.enableVertexAttribArray(places[name]);
      gl.vertexAttribPointer(places[name], width, kind, kind === gl.UNSIGNED_BYTE, step * bytes, 0);
    }
    gl.uniform2f(places.scale, 2 * view.sx / view.width, 2 * view.sy / view.height);
    gl.uniform2f(places.shift, 2 * view.tx / view.width - 1, 1 - 2 * view.ty / view.height);
    gl.uniform1f(places.size, style.size);
    gl.uniform1f(places.opacity, style.opacity);
    gl.drawArrays(gl.POINTS, 0, Math.ceil(count / step));
  }

  // Wait until the points are drawn.
  finish() { this.gl.readPixels(0, 0, 1, 1, this.gl.RGBA, this.gl.UNSIGNED_BYTE, new Uint8Array(4)); }
}

class CanvasPainter {
  constructor(canvas) {
    this.context = canvas.getContext("2d");
    this.name = "canvas";
    this.names = new Map();
  }

  // The same text for the same color, which the browser parses once.
  text(code) {
    if (!this.names.has(code)) this.names.set(code, `#${code.toString(16).padStart(6, "0")}`);
    return this.names.get(code);
  }

  setPoints(points) { this.points = points; }

  setColors(colors) { this.colors = colors; }

  clear(width, height) { this.context.clearRect(0, 0, width, height); }

  draw(count, view, style, step) {
    const context = this.context, { points, colors } = this, half = style.size / 2;
    context.globalAlpha = style.opacity;
    let last = -1;
    for (let k = 0; k < count; k += step) {
      const x = points[2 * k] * view.sx + view.tx, y = view.ty - points[2 * k + 1] * view.sy;
      if (!(x > -half && x < view.width + half && y > -half && y < view.height + half)) continue;
      const code = colors[3 * k] << 16 | colors[3 * k + 1] << 8 | colors[3 * k + 2];
      if (code !== last) context.fillStyle = this.text(code);
      last = code;
      if (style.size < 5) {
        context.fillRect(x - half, y - half, style.size, style.size);
        continue;
      }
      context.beginPath();
      context.arc(x, y, half, 0, 7);
      context.fill();
      if (style.ring) {
        context.lineWidth = half / 3;
        context.strokeStyle = `rgb(${style.edge.join(",")})`;
        context.stroke();
      }
    }
  }

  finish() {}
}

// Milliseconds for a frame while the map moves, and after which the map is at rest.
const FRAME = 12, REST = 150;

// Points on one canvas, and marked points on another above it, so that a selection draws only what it marks.
class Scatter {
  constructor(canvas, points) {
    this.canvas = canvas;
    this.points = points;
    this.count = points.length / 2;
    this.painter = GlPainter.create(canvas) || new CanvasPainter(canvas);
    this.painter.setPoints(points);
    this.above = document.createElement("canvas");
    this.above.className = "marks";
    this.above.setAttribute("aria-hidden", "true");
    canvas.after(this.above);
    this.marker = new CanvasPainter(this.above);
    this.colors = new Uint8Array(3 * this.count);
    this.marked = [];
    this.chosen = -1;
    this.edge = [0, 0, 0];
    this.zoom = 1;
    this.center = [0, 0];
    this.pending = { points: false, marks: false };
    this.cost = null;
    this.step = 1;
    this.buildGrid();
  }

  buildGrid() {
    const side = Math.max(1, Math.min(256, Math.ceil(Math.sqrt(this.count / 4))));
    this.side = side;
    const cell = (value) => Math.max(0, Math.min(side - 1, Math.floor((value + 1) / 2 * side)));
    this.cell = cell;
    this.grid = new Map();
    for (let k = 0; k < this.count; k++) {
      const x = this.points[2 * k], y = this.points[2 * k + 1];
      if (Number.isNaN(x)) continue;
      const key = cell(y) * side + cell(x);
      if (!this.grid.has(key)) this.grid.set(key, []);
      this.grid.get(key).push(k);
    }
  }

  get ratio() { return window.devicePixelRatio || 1; }

  // Pixels of the drawing buffer per unit, and the pixel of the origin.
  get view() {
    const width = this.canvas.width, height = this.canvas.height;
    const unit = 0.47 * Math.min(width, height) * this.zoom;
    return { width, height, sx: unit, sy: unit, tx: width / 2 - this.center[0] * unit, ty: height / 2 + this.center[1] * unit };
  }

  resize() {
    const box = this.canvas.getBoundingClientRect();
    const width = Math.max(1, Math.round(box.width * this.ratio)), height = Math.max(1, Math.round(box.height * this.ratio));
    if (width !== this.canvas.width || height !== this.canvas.height) {
      for (const canvas of [this.canvas, this.above]) {
        canvas.width = width;
        canvas.height = height;
      }
      this.cost = null;
    }
    this.draw();
  }

  draw() {
    this.next("points", () => this.paint());
    this.drawMarks();
  }

  drawMarks() { this.next("marks", () => this.paintMarks()); }

  // Once in the next frame, however often it is asked for.
  next(what, paint) {
    if (this.pending[what]) return;
    this.pending[what] = true;
    window.requestAnimationFrame(() => {
      this.pending[what] = false;
      paint();
    });
  }

  // Where all points take too long for a frame, draw a part of them until the map rests.
  moved() {
    this.step = Math.max(1, Math.min(16, Math.ceil(this.cost / FRAME)));
    this.draw();
    window.clearTimeout(this.rest);
    if (this.step > 1) {
      this.rest = window.setTimeout(() => {
        this.step = 1;
        this.draw();
      }, REST);
    }
  }

  get size() { return Math.max(2.2, Math.min(9, 260 / Math.sqrt(this.count))) * this.ratio * Math.min(2.5, Math.pow(this.zoom, 0.35)); }

  paint() {
    const view = this.view, began = window.performance.now();
    this.painter.clear(view.width, view.height);
    this.painter.draw(this.count, view, { size: this.size, opacity: 0.85 }, this.step);
    if (this.cost === null && this.step === 1) {
      this.painter.finish();
      this.cost = window.performance.now() - began;
    }
  }

  paintMarks() {
    const view = this.view, base = this.size, edge = this.edge, some = this.marked.length;
    this.marker.clear(view.width, view.height);
    if (some) {
      const ring = some <= 60, size = ring ? Math.max(1.6 * base, 10 * this.ratio) : 1.2 * base;
      this.marks(this.marked);
      this.marker.draw(some, view, { size, opacity: 1, ring, edge }, ring ? 1 : this.step);
    }
    if (this.chosen >= 0) {
      this.marks([this.chosen]);
      this.marker.draw(1, view, { size: Math.max(2.4 * base, 17 * this.ratio), opacity: 1, ring: true, edge }, 1);
    }
  }

  marks(nodes) {
    const points = new Float32Array(2 * nodes.length), colors = new Uint8Array(3 * nodes.length);
    for (let k = 0; k < nodes.length; k++) {
      const node = nodes[k];
      for (let part = 0; part < 2; part++) points[2 * k + part] = this.points[2 * node + part];
      for (let part = 0; part < 3; part++) colors[3 * k + part] = this.colors[3 * node + part];
    }
    this.marker.setPoints(points);
    this.marker.setColors(colors);
  }

  setColors(colors) {
    this.colors = colors;
    this.painter.setColors(colors);
    this.draw();
  }

  mark(chosen, nodes) {
    this.chosen = chosen;
    this.marked = nodes;
    this.canvas.classList.toggle("dim", chosen >= 0 || nodes.length > 0);
    this.drawMarks();
  }

  // Map coordinates of a place in the element, in CSS pixels.
  place(x, y) {
    const view = this.view;
    return [(x * this.ratio - view.tx) / view.sx, (view.ty - y * this.ratio) / view.sy];
  }

  nodeAt(x, y, reach) {
    const [px, py] = this.place(x, y), radius = reach * this.ratio / this.view.sx;
    let best = -1, least = radius * radius;
    this.visit(px - radius, py - radius, px + radius, py + radius, (node, nx, ny) => {
      const squared = (nx - px) ** 2 + (ny - py) ** 2;
      if (squared <= least) {
        least = squared;
        best = node;
      }
    });
    return best;
  }

  nodesIn(x0, y0, x1, y1) {
    const [ax, ay] = this.place(Math.min(x0, x1), Math.max(y0, y1)), [bx, by] = this.place(Math.max(x0, x1), Math.min(y0, y1));
    const nodes = [];
    this.visit(ax, ay, bx, by, (node, x, y) => {
      if (x >= ax && x <= bx && y >= ay && y <= by) nodes.push(node);
    });
    return nodes;
  }

  visit(ax, ay, bx, by, found) {
    for (let row = this.cell(ay); row <= this.cell(by); row++) {
      for (let column = this.cell(ax); column <= this.cell(bx); column++) {
        for (const node of this.grid.get(row * this.side + column) || []) {
          found(node, this.points[2 * node], this.points[2 * node + 1]);
        }
      }
    }
  }

  zoomAt(x, y, factor) {
    const before = this.place(x, y);
    this.zoom = Math.max(0.5, Math.min(200, this.zoom * factor));
    const after = this.place(x, y);
    this.center = [this.center[0] + before[0] - after[0], this.center[1] + before[1] - after[1]];
    this.moved();
  }

  pan(dx, dy) {
    const view = this.view;
    this.center = [this.center[0] - dx * this.ratio / view.sx, this.center[1] + dy * this.ratio / view.sy];
    this.moved();
  }

  reset() {
    this.zoom = 1;
    this.center = [0, 0];
    this.draw();
  }

  // Move to a node if it is outside the view.
  show(node) {
    const view = this.view, x = this.points[2 * node] * view.sx + view.tx, y = view.ty - this.points[2 * node + 1] * view.sy;
    if (x < 0 || y < 0 || x > view.width || y > view.height) {
      this.center = [this.points[2 * node], this.points[2 * node + 1]];
      this.draw();
    }
  }
}
