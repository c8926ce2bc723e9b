// SPDX-License-Identifier: MIT
// Where things stand: the sizes of items from their texts, and places for them from the library.

const SIZES = {
  nodeHeight: 40,
  minimumWidth: 96,
  maximumWidth: 260,
  groupHeight: 36,
  // The left band, the space beside the text, and room for a mark at the right.
  besideText: 34,
  mark: 14,
  boxLabel: 20,
  boxPadding: 12,
  boxAspect: 1.5,
  apart: 10,
  betweenBoxes: 44,
};

const FONT = '13px system-ui, "Segoe UI", "Helvetica Neue", "DejaVu Sans", sans-serif';
const GROUP_FONT = FONT.replace('13px', '600 15px');
const SMALL_FONT = FONT.replace('13px', '11px');

const measuring = document.createElement('canvas').getContext('2d');

function widthOf(text, font) {
  measuring.font = font;
  return measuring.measureText(text).width;
}

// Control characters would break a line or turn its direction; the details show the text as it is.
function oneLine(text) {
  return String(text).replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ');
}

function shortened(text, font, width) {
  const line = oneLine(text);
  if (widthOf(line, font) <= width) return line;
  const letters = [...line];
  let low = 0;
  let high = letters.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (widthOf(`${letters.slice(0, middle).join('')}…`, font) <= width) low = middle;
    else high = middle - 1;
  }
  return `${letters.slice(0, low).join('')}…`;
}

function measure(item) {
  const room = SIZES.maximumWidth - SIZES.besideText;
  const font = item.isGroup ? GROUP_FONT : FONT;
  item.label1 = shortened(item.isGroup ? item.label : item.node.title, font, room);
  item.label2 = item.isGroup ? number(item.members.length) : shortened(secondLine(item), SMALL_FONT, room);
  const [first, second] = [widthOf(item.label1, font) * 1.05, widthOf(item.label2, SMALL_FONT)];
  const mark = item.members.some((node) => node.findings.length > 0) ? SIZES.mark : 0;
  const text = mark + (item.isGroup ? first + second + 10 : Math.max(first, second));
  item.width = Math.round(Math.max(SIZES.minimumWidth, text + SIZES.besideText));
  item.height = item.isGroup ? SIZES.groupHeight : SIZES.nodeHeight;
}

function secondLine(item) {
  if (item.isGroup) return counted(item.members.length, item.kind === 'missing' ? 'key' : 'service');
  const { node } = item;
  if (node.isGhost) return 'not registered';
  return [
    node.implementation, node.scope, item.box === null ? node.part : SHORT_KINDS.get(node.kind) ?? node.kind, node.isEager ? 'eager' : '',
    LEVELS[node.level] ?? `${node.level} levels up`,
  ].filter(Boolean).join(' · ');
}

const LEVELS = ['', 'in the parent'];

// A kind that is not listed here, or not known yet, stands for itself.
const SHORT_KINDS = new Map([
  ['factory', ''], ['factoryWithArguments', 'with arguments'], ['asynchronousFactory', 'async'],
  ['forwarding', 'forwards'],
]);

// Gives items, boxes and lines their places: first inside of each box, then for the boxes and what stands beside them.
function layOut(scene, aspect) {
  scene.items.forEach(measure);
  const boxOf = new Map(scene.items.map((item) => [item, item.box]));
  for (const box of scene.boxes) {
    layOutInside(box, scene.lines.filter((line) => boxOf.get(line.from) === box && boxOf.get(line.to) === box));
  }
  const outside = [...scene.boxes, ...scene.items.filter((item) => item.box === null)];
  const isOutside = new Set(outside);
  const lines = scene.lines.filter((line) => isOutside.has(line.from) && isOutside.has(line.to));
  const isPacked = scene.boxes.length * 2 > outside.length || outside.length > LIMITS.items;
  Object.assign(scene, isPacked ? packBoxes(outside, lines, aspect)
    : place(outside, lines, { ranksep: 56, aspect: scene.isOverview ? aspect : null }));
  for (const box of scene.boxes) moveInside(box);
}

// Boxes are too large for the library's layers, which leave most of the picture empty: they stand in rows, those that
// depend on others first, and the lines between them run below them.
function packBoxes(things, lines, aspect) {
  const balance = new Map(things.map((thing) => [thing, { leaving: 0, arriving: 0 }]));
  for (const line of lines) {
    balance.get(line.from).leaving += line.edges.length;
    balance.get(line.to).arriving += line.edges.length;
    line.isBelow = true;
  }
  const rank = (thing) => {
    const { leaving, arriving } = balance.get(thing);
    return (arriving - leaving) / (arriving + leaving || 1);
  };
  const order = things.slice().sort((a, b) => rank(a) - rank(b));
  let best;
  for (let stretch = 0.5; stretch <= 2; stretch += 0.1) {
    const size = { width: 0, height: 0 };
    placeInRows(order, size, aspect * stretch, SIZES.betweenBoxes);
    const extent = Math.max(size.width / aspect, size.height);
    if (best === undefined || extent < best.extent) best = { stretch, extent };
  }
  const size = { width: 0, height: 0 };
  placeInRows(order, size, aspect * best.stretch, SIZES.betweenBoxes);
  return size;
}

function layOutInside(box, lines) {
  const isSmall = box.items.length <= LIMITS.box && lines.length <= LIMITS.boxLines;
  const size = place(box.items, isSmall ? lines : [], { ranksep: 28, aspect: SIZES.boxAspect });
  const label = Math.min(SIZES.maximumWidth, widthOf(`${oneLine(box.label)} (${box.members.length})`, FONT) * 1.1 + 44);
  box.innerLines = lines;
  box.width = Math.max(size.width, label) + 2 * SIZES.boxPadding;
  box.height = size.height + SIZES.boxLabel + 2 * SIZES.boxPadding;
}

function moveInside(box) {
  const dx = box.x - box.width / 2 + SIZES.boxPadding;
  const dy = box.y - box.height / 2 + SIZES.boxPadding + SIZES.boxLabel;
  for (const item of box.items) {
    item.x += dx;
    item.y += dy;
  }
  for (const line of box.innerLines) {
    if (line.points !== undefined) line.points = line.points.map(({ x, y }) => ({ x: x + dx, y: y + dy }));
  }
}

// Things without a line are put into rows below the others, where the library would pile them up in one column.
function place(things, lines, { ranksep, aspect }) {
  const connected = new Set(lines.flatMap((line) => [line.from, line.to]));
  const placed = things.filter((thing) => connected.has(thing));
  const alone = things.filter((thing) => !connected.has(thing));
  const size = placed.length > 0 ? placeWithLibrary(placed, lines, ranksep, aspect) : { width: 0, height: 0 };
  if (alone.length > 0) placeInRows(alone, size, aspect || 1.6);
  return size;
}

// From left to right; or from top to bottom, if an aspect is wanted and this comes nearer to it.
function placeWithLibrary(things, lines, ranksep, aspect) {
  const results = (aspect === null ? ['LR'] : ['LR', 'TB']).map((rankdir) => {
    const nodes = things.map((thing) => ({ v: thing.key, width: thing.width, height: thing.height }));
    // A label in the center of a line takes no room beside it; there is none.
    const edges = lines.map((line) => (
      { v: line.from.key, w: line.to.key, minlen: line.length || 1, labelpos: 'c' }));
    const size = {};
    layout(nodes, edges, { rankdir, nodesep: SIZES.apart, edgesep: 4, ranksep }, size);
    return { nodes, edges, size, extent: Math.max(size.width / (aspect || 1), size.height) };
  });
  const { nodes, edges, size } = results.reduce((best, other) => (other.extent < best.extent ? other : best));
  things.forEach((thing, index) => Object.assign(thing, { x: nodes[index].x, y: nodes[index].y }));
  lines.forEach((line, index) => { line.points = edges[index].points; });
  return { width: size.width, height: size.height };
}

function placeInRows(things, size, aspect, gap = SIZES.apart) {
  const area = things.reduce((sum, thing) => sum + (thing.width + gap) * (thing.height + gap), 0);
  const width = Math.max(size.width, Math.sqrt(area * aspect));
  let x = 0;
  let y = size.height > 0 ? size.height + gap : 0;
  let height = 0;
  for (const thing of things) {
    if (x > 0 && x + thing.width > width) {
      x = 0;
      y += height + gap;
      height = 0;
    }
    thing.x = x + thing.width / 2;
    thing.y = y + thing.height / 2;
    x += thing.width + gap;
    height = Math.max(height, thing.height);
    size.width = Math.max(size.width, x - gap);
  }
  size.height = y + height;
}
