"use strict";
// The page: maps with linked selection, colors, search, and the dark theme.

// Okabe and Ito's palette, which readers with color blindness can tell apart.
const PALETTE = [[0, 114, 178], [230, 159, 0], [0, 158, 115], [204, 121, 167], [86, 180, 233], [213, 94, 0], [240, 228, 66]];
const OTHER = [140, 140, 140], MISSING = [190, 190, 190];
const SCALE = [[68, 1, 84], [65, 68, 135], [42, 120, 142], [34, 168, 132], [122, 209, 81], [253, 231, 37]];
const MATCHES = 12;

function decoded(text, Type) {
  const binary = window.atob(text), bytes = new Uint8Array(binary.length);
  for (let k = 0; k < binary.length; k++) bytes[k] = binary.charCodeAt(k);
  return new Type(bytes.buffer);
}

function element(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

function css(color) { return `rgb(${color.join(",")})`; }

function gradient(share) {
  const place = Math.max(0, Math.min(1, share)) * (SCALE.length - 1), low = Math.min(SCALE.length - 2, Math.floor(place));
  return SCALE[low].map((part, k) => Math.round(part + (place - low) * (SCALE[low + 1][k] - part)));
}

class Coloring {
  constructor(data) {
    this.name = data.name;
    this.labels = data.labels;
    this.log = data.log;
    this.values = decoded(data.values, Float32Array);
    // A few extreme values would leave one color for all others.
    const finite = this.values.filter(Number.isFinite).sort(), last = finite.length - 1;
    this.low = finite[Math.floor(0.02 * last)] ?? NaN;
    this.high = finite[Math.ceil(0.98 * last)] ?? NaN;
    this.signs = [finite[0] < this.low ? "≤ " : "", finite[last] > this.high ? "≥ " : ""];
  }

  color(node) {
    const value = this.values[node];
    if (this.labels) return value < 0 ? MISSING : PALETTE[value] || OTHER;
    if (!Number.isFinite(value)) return MISSING;
    const scaled = this.log ? (v) => Math.log1p(v) : (v) => v;
    const span = scaled(this.high) - scaled(this.low);
    return gradient(span > 0 ? (scaled(value) - scaled(this.low)) / span : 0.5);
  }

  text(node) {
    const value = this.values[node];
    if (this.labels) return value < 0 ? "missing" : this.labels[value];
    return Number.isFinite(value) ? String(Number(value.toPrecision(6))) : "missing";
  }

  colors() {
    const colors = new Uint8Array(3 * this.values.length);
    for (let k = 0; k < this.values.length; k++) {
      const color = this.color(k);
      for (let part = 0; part < 3; part++) colors[3 * k + part] = color[part];
    }
    return colors;
  }

  legend() {
    if (!this.labels) {
      const steps = SCALE.map((color) => swatch(color));
      const number = (value) => String(Number(value.toPrecision(4)));
      const ends = [this.low, this.high].map((value, k) => this.signs[k] + number(value));
      return [element("span", { class: "scale" }, ends[0], ...steps, ends[1] + (this.log ? " (log scale)" : ""))];
    }
    const counts = new Map();
    for (const value of this.values) counts.set(value, (counts.get(value) || 0) + 1);
    const entry = (color, text, count) => element("span", { class: "entry" }, swatch(color), `${text} (${count.toLocaleString("en-US")})`);
    const entries = this.labels.slice(0, PALETTE.length).map((label, k) => entry(PALETTE[k], label, counts.get(k) || 0));
    let others = 0;
    for (const [value, count] of counts) if (value >= PALETTE.length) others += count;
    if (others) entries.push(entry(OTHER, `${this.labels.length - PALETTE.length} other labels`, others));
    if (counts.has(-1)) entries.push(entry(MISSING, "missing", counts.get(-1)));
    return entries;
  }
}

function swatch(color) {
  const node = element("i", { class: "swatch" });
  node.style.backgroundColor = css(color);
  return node;
}

class MapPanel {
  constructor(figure, data, page) {
    this.page = page;
    this.name = data.name;
    this.k = data.n_neighbors;
    this.neighborsOf = decoded(data.neighbors, Int32Array);
    this.cosines = decoded(data.cosines, Int16Array);
    this.canvas = figure.querySelector("canvas");
    this.box = figure.querySelector(".box");
    this.scatter = new Scatter(this.canvas, decoded(data.points, Float32Array));
    this.canvas.dataset.painter = this.scatter.painter.name;
    this.pointers = new Map();
    this.listen(figure);
    new ResizeObserver(() => this.scatter.resize()).observe(this.canvas);
  }

  neighbors(node) {
    const nodes = [];
    for (let k = node * this.k; k < (node + 1) * this.k; k++) {
      if (this.neighborsOf[k] >= 0) nodes.push([this.neighborsOf[k], this.cosines[k] / 10000]);
    }
    return nodes;
  }

  listen(figure) {
    const canvas = this.canvas, middle = () => [canvas.clientWidth / 2, canvas.clientHeight / 2];
    figure.querySelector(".zoom-in").addEventListener("click", () => this.scatter.zoomAt(...middle(), 1.5));
    figure.querySelector(".zoom-out").addEventListener("click", () => this.scatter.zoomAt(...middle(), 1 / 1.5));
    figure.querySelector(".zoom-reset").addEventListener("click", () => this.scatter.reset());
    canvas.addEventListener("wheel", (event) => {
      if (document.activeElement !== canvas && !event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      this.scatter.zoomAt(event.offsetX, event.offsetY, Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)));
    }, { passive: false });
    canvas.addEventListener("pointerdown", (event) => this.down(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => this.up(event));
    canvas.addEventListener("pointercancel", (event) => this.forget(event));
    canvas.addEventListener("pointerleave", () => this.page.hideTip());
    canvas.addEventListener("dblclick", (event) => this.scatter.zoomAt(event.offsetX, event.offsetY, 2));
    canvas.addEventListener("keydown", (event) => this.key(event));
  }

  key(event) {
    const step = 40, middle = [this.canvas.clientWidth / 2, this.canvas.clientHeight / 2];
    const actions = {
      ArrowLeft: () => this.scatter.pan(step, 0),
      ArrowRight: () => this.scatter.pan(-step, 0),
      ArrowUp: () => this.scatter.pan(0, step),
      ArrowDown: () => this.scatter.pan(0, -step),
      "+": () => this.scatter.zoomAt(...middle, 1.3),
      "=": () => this.scatter.zoomAt(...middle, 1.3),
      "-": () => this.scatter.zoomAt(...middle, 1 / 1.3),
      0: () => this.scatter.reset(),
      Enter: () => this.page.select(this.scatter.nodeAt(...middle, 1e4)),
      Escape: () => this.page.select(-1),
    };
    if (!Object.hasOwn(actions, event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    actions[event.key]();
  }

  down(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
    this.start = { x: event.offsetX, y: event.offsetY, moved: false, boxed: event.shiftKey };
  }

  move(event) {
    const last = this.pointers.get(event.pointerId), x = event.offsetX, y = event.offsetY;
    if (!last) {
      const node = this.scatter.nodeAt(x, y, 8);
      if (node >= 0) this.page.showTip(node, event.clientX, event.clientY);
      else this.page.hideTip();
      this.canvas.classList.toggle("over", node >= 0);
      return;
    }
    if (Math.hypot(x - this.start.x, y - this.start.y) > 4) this.start.moved = true;
    if (this.pointers.size === 2) this.pinch(event.pointerId, [x, y]);
    else if (this.start.boxed) this.drawBox(x, y);
    else if (this.start.moved) this.scatter.pan(x - last[0], y - last[1]);
    this.pointers.set(event.pointerId, [x, y]);
  }

  pinch(moved, to) {
    const [other] = [...this.pointers].filter(([id]) => id !== moved).map(([, place]) => place);
    const from = this.pointers.get(moved), gap = (a) => Math.max(1, Math.hypot(a[0] - other[0], a[1] - other[1]));
    this.start.moved = true;
    this.scatter.zoomAt((to[0] + other[0]) / 2, (to[1] + other[1]) / 2, gap(to) / gap(from));
  }

  drawBox(x, y) {
    const style = this.box.style;
    this.box.hidden = false;
    style.left = `${Math.min(x, this.start.x)}px`;
    style.top = `${Math.min(y, this.start.y)}px`;
    style.width = `${Math.abs(x - this.start.x)}px`;
    style.height = `${Math.abs(y - this.start.y)}px`;
  }

  up(event) {
    const { x, y, moved, boxed } = this.start || {};
    if (this.start && boxed && moved) this.page.selectMany(this.scatter.nodesIn(x, y, event.offsetX, event.offsetY));
    else if (this.start && !moved) this.page.select(this.scatter.nodeAt(event.offsetX, event.offsetY, event.pointerType === "touch" ? 18 : 8));
    this.forget(event);
  }

  forget(event) {
    this.pointers.delete(event.pointerId);
    this.box.hidden = true;
  }
}

class Page {
  constructor(data) {
    this.ids = data.ids;
    this.lower = data.ids.map((id) => id.toLowerCase());
    this.tip = document.getElementById("tip");
    this.colorings = data.colorings.map((coloring) => new Coloring(coloring));
    const figures = [...document.querySelectorAll("figure.map")];
    this.panels = data.maps.map((map, k) => new MapPanel(figures[k], map, this));
    this.many = [];
    this.chosen = -1;
    this.setUpColors();
    this.setUpSearch();
    this.details(-1);
  }

  setUpColors() {
    const select = document.getElementById("color");
    this.colorings.forEach((coloring, k) => select.append(element("option", { value: k }, coloring.name)));
    select.addEventListener("change", () => this.recolor());
    this.recolor();
  }

  recolor() {
    const coloring = this.colorings[Number(document.getElementById("color").value)];
    if (!coloring) return;
    const colors = coloring.colors();
    this.panels.forEach((panel) => panel.scatter.setColors(colors));
    document.getElementById("legend").replaceChildren(...coloring.legend());
  }

  setUpSearch() {
    const input = document.getElementById("search"), list = document.getElementById("matches");
    let active = -1;
    const close = () => {
      list.hidden = true;
      input.setAttribute("aria-expanded", "false");
      input.removeAttribute("aria-activedescendant");
      active = -1;
    };
    const choose = (node) => {
      input.value = this.ids[node];
      close();
      this.select(node, true);
    };
    const highlight = (step) => {
      const options = [...list.children];
      if (!options.length) return;
      active = (active + step + options.length) % options.length;
      options.forEach((option, k) => option.setAttribute("aria-selected", String(k === active)));
      input.setAttribute("aria-activedescendant", options[active].id);
      options[active].scrollIntoView({ block: "nearest" });
    };
    input.addEventListener("input", () => {
      const nodes = this.matches(input.value);
      list.replaceChildren(...nodes.map((node) => {
        const option = element("li", { role: "option", id: `match-${node}`, "aria-selected": "false" }, this.ids[node]);
        option.addEventListener("pointerdown", (event) => {
          event.preventDefault();
          choose(node);
        });
        return option;
      }));
      active = -1;
      list.hidden = !nodes.length;
      input.setAttribute("aria-expanded", String(nodes.length > 0));
      document.getElementById("found").textContent = input.value && !nodes.length ? "No node has this name." : "";
    });
    input.addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        event.preventDefault();
        highlight(event.key === "ArrowDown" ? 1 : -1);
      } else if (event.key === "Enter") {
        event.preventDefault();
        const option = list.children[active < 0 ? 0 : active];
        if (option && !list.hidden) choose(Number(option.id.slice(6)));
      } else if (event.key === "Escape") close();
    });
    input.addEventListener("blur", close);
  }

  // Exact names first, then names that begin with the text, then names that contain it.
  matches(text) {
    const wanted = text.trim().toLowerCase(), ranks = [[], [], []];
    if (!wanted) return [];
    for (let k = 0; k < this.lower.length && ranks[0].length + ranks[1].length < MATCHES; k++) {
      const place = this.lower[k].indexOf(wanted);
      if (place < 0) continue;
      const rank = this.lower[k] === wanted ? 0 : place === 0 ? 1 : 2;
      if (ranks[rank].length < MATCHES) ranks[rank].push(k);
    }
    return ranks.flat().slice(0, MATCHES);
  }

  select(node, show = false) {
    this.chosen = node;
    this.many = [];
    for (const panel of this.panels) {
      panel.scatter.mark(node, node < 0 ? [] : panel.neighbors(node).map(([neighbor]) => neighbor));
      if (show && node >= 0) panel.scatter.show(node);
    }
    this.details(node);
  }

  selectMany(nodes) {
    this.chosen = -1;
    this.many = nodes;
    this.panels.forEach((panel) => panel.scatter.mark(-1, nodes));
    this.details(-1);
  }

  details(node) {
    const target = document.getElementById("node");
    if (node < 0) {
      const count = this.many.length;
      target.replaceChildren(element("p", {}, count
        ? `${count.toLocaleString("en-US")} nodes selected; they are highlighted in every map.`
        : "Select a node in a map or by its name to list its neighbors."));
      if (count) target.append(this.counted());
      return;
    }
    const facts = element("dl", { class: "facts" });
    for (const coloring of this.colorings) facts.append(element("dt", {}, coloring.name), element("dd", {}, coloring.text(node)));
    const lists = element("div", { class: "lists" });
    for (const panel of this.panels) {
      const items = panel.neighbors(node).map(([neighbor, cosine]) => {
        const link = element("button", { type: "button", class: "link" }, this.ids[neighbor]);
        link.addEventListener("click", () => this.select(neighbor, true));
        const coloring = this.colorings[Number(document.getElementById("color").value)];
        const mark = coloring ? [swatch(coloring.color(neighbor))] : [];
        return element("li", {}, ...mark, link, element("span", { class: "number" }, cosine.toFixed(2)));
      });
      const empty = element("p", {}, "A zero vector has no neighbors.");
      lists.append(element("section", {}, element("h4", {}, `Nearest in ${panel.name}`), items.length ? element("ol", {}, ...items) : empty));
    }
    target.replaceChildren(element("h3", {}, this.ids[node]), facts, lists);
  }

  // Labels of the selected nodes, most frequent first.
  counted() {
    const coloring = this.colorings[Number(document.getElementById("color").value)];
    if (!coloring || !coloring.labels) return "";
    const counts = new Map();
    for (const node of this.many) counts.set(coloring.text(node), (counts.get(coloring.text(node)) || 0) + 1);
    const parts = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 8).map(([text, count]) => `${text}: ${count.toLocaleString("en-US")}`);
    return element("p", {}, `${coloring.name}: ${parts.join(", ")}`);
  }

  showTip(node, x, y) {
    const coloring = this.colorings[Number(document.getElementById("color").value)];
    this.tip.textContent = coloring ? `${this.ids[node]} · ${coloring.name}: ${coloring.text(node)}` : this.ids[node];
    this.tip.hidden = false;
    this.tip.style.left = `${Math.min(x + 12, window.innerWidth - this.tip.offsetWidth - 8)}px`;
    this.tip.style.top = `${y + 14}px`;
  }

  hideTip() { this.tip.hidden = true; }

  theme() {
    const text = window.getComputedStyle(document.documentElement).getPropertyValue("--ring").trim();
    const edge = text.match(/[0-9a-f]{2}/gi).map((part) => parseInt(part, 16));
    for (const panel of this.panels) {
      panel.scatter.edge = edge;
      panel.scatter.drawMarks();
    }
  }
}

function setUpTheme(page) {
  const button = document.getElementById("theme"), dark = window.matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (document.documentElement.dataset.theme || (dark.matches ? "dark" : "light")) === "dark";
  const update = () => {
    button.textContent = isDark() ? "Light theme" : "Dark theme";
    if (page) page.theme();
  };
  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    update();
  });
  dark.addEventListener("change", update);
  update();
}

const data = document.getElementById("data");
const page = data ? new Page(JSON.parse(data.textContent)) : null;
setUpTheme(page);
document.documentElement.dataset.ready = "true";
window.addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((node) => { node.open = true; }));
