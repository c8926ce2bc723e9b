// SPDX-License-Identifier: MIT
// The picture of a scene in SVG. Texts become text nodes, never markup.

const SVG = 'http://www.w3.org/2000/svg';

function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

function html(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

// Isolates a text of any direction from the texts around it; SVG has no element for this.
function isolated(text) {
  return `\u2068${text}\u2069`;
}

// Known scopes have colors of their own; the others share three.
const SCOPE_COLORS = ['singleton', 'scoped', 'transient', 'graph', 'weak', 'cached'];
const OTHER_COLORS = 3;

function scopeClasses(scopes) {
  const classes = new Map();
  let others = 0;
  for (const scope of scopes.keys()) {
    const known = SCOPE_COLORS.findIndex((name) => String(scope).startsWith(name));
    classes.set(scope, known >= 0 ? `scope-${known}` : `scope-other-${others++ % OTHER_COLORS}`);
  }
  return classes;
}

class Drawing {
  constructor(root, graph) {
    this.root = root;
    this.classOfScope = scopeClasses(graph.scopes);
    this.showsBuilt = graph.nodes.some((node) => node.isBuilt);
    this.elementOfItem = new Map();
    this.lineElements = [];
  }

  draw(scene) {
    this.scene = scene;
    this.elementOfItem.clear();
    this.lines = svg('g', { class: 'lines' });
    this.lineElements = scene.lines.map((line) => this.drawLine(line));
    this.lines.append(...this.lineElements);
    const boxes = svg('g', { class: 'boxes' });
    for (const box of scene.boxes) {
      const element = this.drawBox(box);
      this.elementOfItem.set(box, element);
      boxes.append(element);
    }
    const items = svg('g', { class: 'items' });
    for (const item of scene.items) {
      const element = item.isGroup ? this.drawGroup(item) : this.drawNode(item);
      this.elementOfItem.set(item, element);
      items.append(element);
    }
    const isBelow = this.lineElements.filter((element) => element.line.isBelow);
    const below = svg('g', { class: isBelow.length > LIMITS.items ? 'lines many' : 'lines' }, ...isBelow);
    this.root.replaceChildren(below, boxes, this.lines, items);
  }

  drawNode(item) {
    const { node, width, height } = item;
    const classes = ['item', 'node', node.isGhost ? 'ghost' : this.classOfScope.get(node.scope)];
    if (item.isAnchor) classes.push('anchor');
    if (node.isInCycle) classes.push('in-cycle');
    const element = this.itemElement(item, classes, node.isGhost ? `${node.key}, not registered` : describe(node));
    element.append(
      svg('title', {}, node.isGhost ? `${node.key}\nnot registered` : tooltip(node)),
      svg('rect', { class: 'body', width, height, rx: 5 }));
    if (!node.isGhost) element.append(svg('path', { class: 'band', d: bandPath(height) }));
    if (node.areDependenciesKnown === false) {
      element.append(svg('path', { class: 'unknown', d: `M${width} ${height / 2}h14` }));
    }
    this.drawTexts(element, item, 17, 32);
    if (this.showsBuilt && !node.isGhost) {
      element.append(svg('circle', {
        class: node.isBuilt ? 'built' : 'unbuilt', cx: width - 10, cy: height - 11, r: 3,
      }));
    }
    if (item.usesItself) element.append(svg('path', { class: 'itself', d: `M${width - 26} 0c-6 -18 18 -18 12 0` }));
    this.drawMark(element, item);
    return element;
  }

  drawGroup(item) {
    const { width, height } = item;
    const element = this.itemElement(item, ['item', 'group', item.kind === 'missing' ? 'ghost' : 'some'],
      `${item.label}, ${secondLine(item)}`);
    element.append(
      svg('title', {}, `${item.label}\n${secondLine(item)}\n${scopeCounts(item.members)}`),
      svg('rect', { class: 'card', x: 4, y: 4, width, height, rx: 5 }),
      svg('rect', { class: 'body', width, height, rx: 5 }));
    element.append(
      svg('text', { class: 'name', x: 10, y: 20 }, isolated(item.label1)),
      svg('text', { class: 'count', x: width - 10, y: 20 }, item.label2));
    let x = 10;
    const room = width - 20;
    if (item.kind !== 'missing') {
      for (const [scope, count] of countBy(item.members, (node) => node.scope)) {
        const share = (room * count) / item.members.length;
        element.append(svg('rect', {
          class: `share ${this.classOfScope.get(scope)}`, x, y: height - 9, width: Math.max(1, share - 1), height: 4,
        }));
        x += share;
      }
    }
    this.drawMark(element, item);
    return element;
  }

  itemElement(item, classes, label) {
    const x = item.x - item.width / 2;
    const y = item.y - item.height / 2;
    return svg('g', {
      class: classes.join(' '), transform: `translate(${x} ${y})`, 'data-key': item.key,
      role: 'button', tabindex: -1, 'aria-label': label,
    });
  }

  drawTexts(element, item, first, second) {
    element.append(
      svg('text', { class: 'name', x: 13, y: first }, isolated(item.label1)),
      svg('text', { class: 'sub', x: 13, y: second }, isolated(item.label2)));
  }

  // A triangle tells the number of findings; its form tells it without its color.
  drawMark(element, item) {
    const findings = new Set(item.members.flatMap((node) => node.findings));
    if (findings.size === 0) return;
    const x = item.width - 11;
    element.append(
      svg('path', { class: 'mark', d: `M${x} -7l11 19h-22z` }),
      svg('text', { class: 'mark-text', x, y: 9 }, findings.size > 9 ? '9+' : String(findings.size)));
  }

  drawBox(box) {
    const x = box.x - box.width / 2;
    const y = box.y - box.height / 2;
    const label = shortened(`${box.label} (${box.members.length})`, FONT, Math.max(40, box.width - 44));
    const element = svg('g', { class: 'box item', transform: `translate(${x} ${y})`, 'data-key': box.key },
      svg('title', {}, `${box.label}: ${counted(box.members.length, 'service')}`),
      svg('rect', { class: 'outline', width: box.width, height: box.height, rx: 8 }),
      svg('text', { class: 'box-name', x: 34, y: 20 }, isolated(label)),
      svg('g', { class: 'fold', role: 'button', tabindex: 0, 'aria-label': `Collapse ${box.label}`, 'data-fold': box.key },
        svg('rect', { x: 8, y: 5, width: 20, height: 20, rx: 4 }), svg('path', { d: 'M13 15h10' })));
    // From afar the name of a box is as large as the box allows.
    const size = Math.min(80, (13 * 0.9 * box.width) / (widthOf(label, FONT) + 30), box.height * 0.8);
    element.style.setProperty('--from-afar', `${round(size)}px`);
    return element;
  }

  drawLine(line) {
    const [first] = line.edges;
    const kinds = new Set(line.edges.map((edge) => edge.kind));
    const isOneToOne = !line.from.isGroup && !line.to.isGroup;
    const classes = ['line', isOneToOne || kinds.size === 1 ? `kind-${first.kind}` : 'kind-several'];
    classes.push(`evidence-${first.evidence}`);
    if (line.edges.some((edge) => edge.isInCycle)) classes.push('in-cycle');
    if (line.to.members[0].isGhost) classes.push('to-ghost');
    const points = line.points || (line.isBelow ? centerLine(line.from, line.to) : straight(line.from, line.to));
    const element = svg('g', { class: classes.join(' ') },
      svg('title', {}, lineTitle(line)),
      svg('path', { class: 'reach', d: curve(points) }),
      svg('path', { class: 'stroke', d: curve(points), 'stroke-width': lineWidth(line) }),
      svg('path', { class: 'head', d: arrowhead(points, first.evidence) }));
    element.line = line;
    return element;
  }

  // Brings out an item as the selected or the hovered one: its lines, weak ones too, and the items at their other ends.
  emphasize(item, className) {
    const beside = `beside-${className}`;
    this.root.querySelectorAll(`.weak.${className}`).forEach((element) => element.remove());
    for (const name of [className, beside]) {
      this.root.querySelectorAll(`.${name}`).forEach((element) => element.classList.remove(name));
    }
    this.root.classList.toggle(`has-${className}`, item !== undefined);
    if (item === undefined) return;
    this.elementOfItem.get(item).classList.add(className);
    this.drawWeakLines(item);
    for (const element of this.root.querySelectorAll('.line')) {
      const { from, to } = element.line;
      if (from !== item && to !== item) continue;
      element.classList.add(className);
      this.elementOfItem.get(from === item ? to : from).classList.add(beside);
    }
  }

  drawWeakLines(item) {
    for (const line of this.scene.weakLines) {
      if (line.from !== item && line.to !== item) continue;
      const element = this.drawLine(line);
      element.classList.add('weak');
      this.lines.append(element);
    }
  }

  brighten(scope) {
    this.root.classList.toggle('has-scope', scope !== null);
    for (const [item, element] of this.elementOfItem) {
      element.classList.toggle('of-scope', item.members.some((node) => node.scope === scope));
    }
  }
}

function tooltip(node) {
  const places = [node.scope, node.module, node.assembly].filter(Boolean).join(', ');
  return [node.key, node.implementation, places].filter(Boolean).join('\n');
}

function describe(node) {
  const parts = [node.title, node.implementation, node.scope, node.module && `module ${node.module}`];
  if (node.findings.length > 0) parts.push(counted(node.findings.length, 'finding'));
  return parts.filter(Boolean).join(', ');
}

function scopeCounts(nodes) {
  return [...countBy(nodes.filter((node) => !node.isGhost), (node) => node.scope)]
    .map(([scope, count]) => `${number(count)} ${scope}`).join(', ');
}

function itemName(item) {
  return item.isGroup ? item.label : item.node.title;
}

function lineTitle(line) {
  const ends = `${itemName(line.from)} → ${itemName(line.to)}`;
  if (line.edges.length > 1) return `${ends}\n${`${number(line.edges.length)} dependencies`}`;
  const [edge] = line.edges;
  return `${ends}\n${edge.kind}, ${edge.evidence}`;
}

function lineWidth(line) {
  return line.from.isGroup || line.to.isGroup ? 1.2 + Math.min(5, Math.log2(line.edges.length) * 0.7) : 1.4;
}

function bandPath(height) {
  return `M5 0H6V${height}H5a5 5 0 0 1 -5 -5V5a5 5 0 0 1 5 -5z`;
}

// A line that the library has not placed leaves at the right and arrives at the left.
function straight(from, to) {
  const isAhead = to.x >= from.x;
  const start = { x: from.x + (isAhead ? from.width : -from.width) / 2, y: from.y };
  const end = { x: to.x + (isAhead ? -to.width : to.width) / 2, y: to.y };
  const bend = Math.max(30, Math.abs(end.x - start.x) / 3) * (isAhead ? 1 : -1);
  return [start, { x: start.x + bend, y: start.y }, { x: end.x - bend, y: end.y }, end];
}

// From border to border, along the line of the centers; a little to the right, so that two ways stay apart.
function centerLine(from, to) {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [dx, dy] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const side = { x: -dy * 7, y: dx * 7 };
  const border = (thing, sign) => {
    const reach = Math.min(thing.width / 2 / (Math.abs(dx) || 1e-9), thing.height / 2 / (Math.abs(dy) || 1e-9));
    const within = (value, center, extent) => Math.min(Math.max(value, center - extent / 2), center + extent / 2);
    return {
      x: within(thing.x + sign * dx * reach + side.x, thing.x, thing.width),
      y: within(thing.y + sign * dy * reach + side.y, thing.y, thing.height),
    };
  };
  return [border(from, 1), border(to, -1)];
}

// Smooth, and inside of the room that the points leave: parabolas from midpoint to midpoint.
function curve(points) {
  const at = (point) => `${round(point.x)} ${round(point.y)}`;
  if (points.length < 3) return `M${points.map(at).join('L')}`;
  let path = `M${at(points[0])}`;
  for (let i = 1; i < points.length - 2; i += 1) {
    const middle = { x: (points[i].x + points[i + 1].x) / 2, y: (points[i].y + points[i + 1].y) / 2 };
    path += `Q${at(points[i])} ${at(middle)}`;
  }
  return `${path}Q${at(points[points.length - 2])} ${at(points[points.length - 1])}`;
}

// Open for what was declared; the style fills the others by their evidence.
function arrowhead(points, evidence) {
  const tip = points[points.length - 1];
  let from = points[points.length - 2];
  if (Math.hypot(tip.x - from.x, tip.y - from.y) < 1 && points.length > 2) from = points[points.length - 3];
  const length = Math.hypot(tip.x - from.x, tip.y - from.y) || 1;
  const dx = (tip.x - from.x) / length;
  const dy = (tip.y - from.y) / length;
  const base = { x: tip.x - dx * 9, y: tip.y - dy * 9 };
  const corner = (sign) => `${round(base.x - sign * dy * 4)} ${round(base.y + sign * dx * 4)}`;
  const way = `M${corner(1)}L${round(tip.x)} ${round(tip.y)}L${corner(-1)}`;
  return evidence === 'declared' ? way : `${way}z`;
}

function round(value) {
  return Math.round(value * 10) / 10;
}
