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
uniform float ring;
uniform vec3 edge;
void main() {
  float r = length(gl_PointCoord - 0.5) * 2.0;
  float inside = 1.0 - smoothstep(0.8, 1.0, r);
  vec3 color = ring > 0.0 && r > 0.62 ? edge : shade;
  gl_FragColor = vec4(color * inside * opacity, inside * opacity);
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
    this.buffers = { point: gl.createBuffer(), color: gl.createBuffer(), fewPoints: gl.createBuffer(), fewColors: gl.createBuffer() };
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

  draw(count, view, style, few) {
    if (!count) return;
    const gl = this.gl, program = this.program;
    if (few) {
      this.load("fewPoints", few.points);
      this.load("fewColors", few.colors);
    }
    for (const [name, buffer, width, kind, normal] of [
      ["point", few ? "fewPoints" : "point", 2, gl.FLOAT, false],
      ["color", few ? "fewColors" : "color", 3, gl.UNSIGNED_BYTE, true],
    ]) {
      const place = gl.getAttribLocation(program, name);
      gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[buffer]);
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, width, kind, normal, 0, 0);
    }
    const place = (name) => gl.getUniformLocation(program, name);
    gl.uniform2f(place("scale"), 2 * view.sx / view.width, 2 * view.sy / view.height);
    gl.uniform2f(place("shift"), 2 * view.tx / view.width - 1, 1 - 2 * view.ty / view.height);
    gl.uniform1f(place("size"), style.size);
    gl.uniform1f(place("opacity"), style.opacity);
    gl.uniform1f(place("ring"), style.ring ? 1 : 0);
    gl.uniform3f(place("edge"), ...style.edge.map((part) => part / 255));
    gl.drawArrays(gl.POINTS, 0, count);
  }
}

class CanvasPainter {
  constructor(canvas) {
    this.context = canvas.getContext("2d");
    this.name = "canvas";
  }

  setPoints(points) { this.points = points; }

  setColors(colors) { this.colors = colors; }

  clear(width, height) { this.context.clearRect(0, 0, width, height); }

  draw(count, view, style, few) {
    const context = this.context, { points, colors } = few || this, half = style.size / 2;
    context.globalAlpha = style.opacity;
    for (let k = 0; k < count; k++) {
      const x = points[2 * k] * view.sx + view.tx, y = view.ty - points[2 * k + 1] * view.sy;
      if (!(x > -half && x < view.width + half && y > -half && y < view.height + half)) continue;
      context.fillStyle = `rgb(${colors[3 * k]},${colors[3 * k + 1]},${colors[3 * k + 2]})`;
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
}

class Scatter {
  constructor(canvas, points) {
    this.canvas = canvas;
    this.points = points;
    this.count = points.length / 2;
    this.painter = GlPainter.create(canvas) || new CanvasPainter(canvas);
    this.painter.setPoints(points);
    this.colors = new Uint8Array(3 * this.count);
    this.marked = [];
    this.chosen = -1;
    this.edge = [0, 0, 0];
    this.zoom = 1;
    this.center = [0, 0];
    this.pending = false;
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
      this.canvas.width = width;
      this.canvas.height = height;
    }
    this.draw();
  }

  draw() {
    if (this.pending) return;
    this.pending = true;
    window.requestAnimationFrame(() => {
      this.pending = false;
      this.paint();
    });
  }

  few(nodes) {
    const points = new Float32Array(2 * nodes.length), colors = new Uint8Array(3 * nodes.length);
    nodes.forEach((node, k) => {
      points.set(this.points.subarray(2 * node, 2 * node + 2), 2 * k);
      colors.set(this.colors.subarray(3 * node, 3 * node + 3), 3 * k);
    });
    return { points, colors };
  }

  paint() {
    const view = this.view, any = this.marked.length > 0 || this.chosen >= 0;
    const base = Math.max(2.2, Math.min(9, 260 / Math.sqrt(this.count))) * this.ratio * Math.min(2.5, Math.pow(this.zoom, 0.35));
    const edge = this.edge;
    this.painter.clear(view.width, view.height);
    this.painter.draw(this.count, view, { size: base, opacity: any ? 0.22 : 0.85, ring: false, edge });
    if (this.marked.length) {
      const ring = this.marked.length <= 60;
      const size = ring ? Math.max(1.6 * base, 10 * this.ratio) : 1.2 * base;
      this.painter.draw(this.marked.length, view, { size, opacity: 1, ring, edge }, this.few(this.marked));
    }
    if (this.chosen >= 0) {
      this.painter.draw(1, view, { size: Math.max(2.4 * base, 17 * this.ratio), opacity: 1, ring: true, edge }, this.few([this.chosen]));
    }
  }

  setColors(colors) {
    this.colors = colors;
    this.painter.setColors(colors);
    this.draw();
  }

  mark(chosen, nodes) {
    this.chosen = chosen;
    this.marked = nodes;
    this.draw();
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
    this.draw();
  }

  pan(dx, dy) {
    const view = this.view;
    this.center = [this.center[0] - dx * this.ratio / view.sx, this.center[1] + dy * this.ratio / view.sy];
    this.draw();
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
