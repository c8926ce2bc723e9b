// SPDX-License-Identifier: MIT
// What a view shows: items (services, and groups that stand for several), boxes around them, and lines between them.

const LIMITS = {
  // The library needs a second for 250 items and a minute for 1,216: more is never drawn one by one.
  items: 250,
  // In a box of more than this, services stand in rows.
  box: 120,
  boxLines: 300,
  // An overview of no more than this begins with its groups open.
  openOverview: 120,
  // A focus on more than this begins with its neighbors grouped by module, or by file.
  focus: 60,
  // A group of fewer services than this would take the place of what it hides.
  focusGroup: 3,
  // What is joined to the center alone stands in columns of this many.
  column: 16,
  // Of more lines than this, and more than this for each item, an overview draws only the strongest.
  lines: 48,
  linesPerItem: 2,
};

const GROUPINGS = {
  module: (node) => group('module', node.module, node.module || 'No module'),
  assembly: (node) => group('assembly', node.assembly ?? '', node.assembly ?? 'No assembly'),
  file: (node) => group('file', node.file, node.file.split('/').pop() || 'No location'),
  none: () => null,
};

function group(kind, value, label) {
  return { key: `${kind}:${value}`, kind, label };
}

function groupOfNode(node, grouping) {
  if (node.isGhost) return grouping === 'none' ? null : { key: 'missing:', kind: 'missing', label: 'Not registered' };
  return GROUPINGS[grouping](node);
}

// The grouping that an overview begins with: by module, or by file if there is one module only.
function firstGrouping(graph) {
  return graph.modules.size > 1 || graph.files.size <= 1 ? 'module' : 'file';
}

// Items for nodes; lines between items. With boxes, the lines that leave a box are drawn from box to box, and those of
// its services only for a selected one.
function compose({ nodes, groupOf, isOpen, withBoxes = false, keepsEdge, anchors = new Set(), hidesAlone = false }) {
  const items = new Map();
  const boxes = new Map();
  const itemOfNode = new Map();
  for (const node of nodes) {
    const into = groupOf(node);
    let item;
    if (into !== null && !isOpen(into.key)) {
      item = items.get(into.key);
      if (item === undefined) item = { ...into, isGroup: true, members: [], box: null };
      item.members.push(node);
    } else {
      item = { key: `node:${node.id}`, isGroup: false, node, members: [node], box: null };
      if (withBoxes && into !== null && into.kind !== 'missing') {
        if (!boxes.has(into.key)) boxes.set(into.key, { ...into, isGroup: true, isBox: true, members: [], items: [] });
        item.box = boxes.get(into.key);
        item.box.members.push(node);
        item.box.items.push(item);
      }
    }
    item.isAnchor = anchors.has(node);
    items.set(item.key, item);
    itemOfNode.set(node, item);
  }
  const edges = edgesAmong(nodes, itemOfNode, keepsEdge);
  const isInside = ([from, to]) => from.box === to.box;
  const crosses = ([from, to]) => !isInside([from, to]) && (from.box !== null || to.box !== null);
  const lines = [
    ...linesOf(edges, isInside, (item) => item),
    ...linesOf(edges, (ends) => !isInside(ends), (item) => item.box || item),
  ];
  if (hidesAlone) {
    const touched = new Set(lines.flatMap((line) => [line.from, line.to]));
    for (const [key, item] of items) {
      if (!touched.has(item) && item.box === null) items.delete(key);
    }
  }
  return {
    items: [...items.values()], boxes: [...boxes.values()], lines, weakLines: linesOf(edges, crosses, (item) => item),
    strength: '',
  };
}

function edgesAmong(nodes, itemOfNode, keepsEdge = () => true) {
  const edges = [];
  for (const node of nodes) {
    for (const edge of node.uses) {
      const from = itemOfNode.get(node);
      const to = itemOfNode.get(edge.target);
      if (to === undefined || !keepsEdge(edge)) continue;
      if (from !== to) edges.push([from, to, edge]);
      else if (!from.isGroup) from.usesItself = true;
    }
  }
  return edges;
}

// One line for all edges between the same ends.
function linesOf(edges, isWanted, endOf) {
  const lines = new Map();
  for (const [fromItem, toItem, edge] of edges) {
    if (!isWanted([fromItem, toItem])) continue;
    const from = endOf(fromItem);
    const to = endOf(toItem);
    const key = `${from.key}\n${to.key}`;
    if (!lines.has(key)) lines.set(key, { from, to, edges: [] });
    lines.get(key).edges.push(edge);
  }
  return [...lines.values()];
}

// Leaves the strongest lines of each group in the drawing; the others are drawn for a selected item.
function keepStrongest(scene) {
  const isBetweenGroups = (line) => line.from.isGroup || line.to.isGroup;
  const between = scene.lines.filter(isBetweenGroups);
  const ends = new Set(between.flatMap((line) => [line.from, line.to]));
  if (between.length <= Math.max(LIMITS.lines, ends.size * LIMITS.linesPerItem)) return scene;
  const leaving = new Set();
  const arriving = new Set();
  const kept = new Set();
  for (const line of between.sort((a, b) => b.edges.length - a.edges.length)) {
    if (leaving.has(line.from) && arriving.has(line.to)) continue;
    leaving.add(line.from);
    arriving.add(line.to);
    kept.add(line);
  }
  scene.weakLines.push(...between.filter((line) => !kept.has(line)));
  scene.lines = scene.lines.filter((line) => !isBetweenGroups(line) || kept.has(line));
  scene.strength = `The ${number(kept.size)} strongest of ${counted(between.length, 'connection')}. `;
  return scene;
}

function sceneOf(graph, state) {
  const scene = SCENES[state.view](graph, state);
  // An overview of groups stands in rows, if need be; all else needs the library.
  const standsInRows = scene.boxes.length > 0 || (scene.isOverview && scene.items.some((item) => item.isGroup));
  scene.isTooLarge = !standsInRows && scene.items.length > LIMITS.items;
  const drawn = counted(scene.items.length, scene.items.some((item) => item.isGroup) ? 'item' : 'service');
  scene.summary = scene.summary || `${drawn}, ${counted(scene.lines.length, 'connection')}.`;
  if (scene.isTooLarge) scene.summary = `${drawn} are too many for one picture (at most ${LIMITS.items}).`;
  else if (scene.strength !== '') scene.summary = `${scene.strength}Select an item to see all of its own.`;
  else if (scene.weakLines.length > 0) scene.summary = 'Select a service to see all of its connections.';
  return scene;
}

const SCENES = {
  overview(graph, state) {
    const scene = compose({
      nodes: graph.allNodes,
      groupOf: (node) => groupOfNode(node, state.group),
      isOpen: (key) => state.open.has(key),
      withBoxes: true,
    });
    scene.title = 'Overview';
    scene.isOverview = true;
    return keepStrongest(scene);
  },

  // One group with its services one by one, and the groups beside it that they are connected to.
  group(graph, state) {
    const isInside = (node) => {
      const into = groupOfNode(node, state.group);
      return into !== null && into.key === state.key;
    };
    const members = graph.allNodes.filter(isInside);
    const scene = compose({
      nodes: graph.allNodes,
      groupOf: (node) => groupOfNode(node, state.group),
      isOpen: (key) => key === state.key || state.open.has(key),
      withBoxes: true,
      keepsEdge: (edge) => isInside(edge.source) || isInside(edge.target),
      hidesAlone: true,
    });
    const label = members.length > 0 ? groupOfNode(members[0], state.group).label : state.key;
    scene.title = `${label}: ${counted(members.length, 'service')}`;
    const box = scene.boxes.find((candidate) => candidate.key === state.key);
    if (box !== undefined) {
      spreadFan(scene, box);
      box.isAnchor = true;
    }
    return scene;
  },

  // One service, what it depends on to the right, what depends on it to the left, and nothing else.
  focus(graph, state) {
    const center = graph.node(state.node);
    const depth = state.depth;
    const uses = state.direction === 'usedBy' ? new Map([[center, 0]]) : distancesFrom(center, 'uses', depth);
    const usedBy = state.direction === 'uses' ? new Map([[center, 0]]) : distancesFrom(center, 'usedBy', depth);
    const nodes = new Set([...usedBy.keys(), ...uses.keys()]);
    const isLarge = nodes.size > LIMITS.focus;
    const isOnSide = (side, from, to) => side.has(from) && side.has(to) && (!isLarge || side.get(to) === side.get(from) + 1);
    const scene = compose({
      nodes,
      groupOf: focusGrouping(nodes, (node) => (uses.has(node) ? 'uses' : 'usedBy'), center),
      isOpen: (key) => state.open.has(key),
      keepsEdge: (edge) => isOnSide(uses, edge.source, edge.target) || isOnSide(usedBy, edge.target, edge.source),
      anchors: new Set([center]),
    });
    if (isLarge) spreadFan(scene, scene.items.find((item) => item.isAnchor));
    scene.title = `${{ both: 'Around', uses: 'Dependencies of', usedBy: 'Dependents of' }[state.direction]} ${center.title}`;
    scene.summary = [
      state.direction === 'uses' ? '' : counted(usedBy.size - 1, 'dependent'),
      state.direction === 'usedBy' ? '' : counted(uses.size - 1, 'dependency', 'dependencies'),
    ].filter(Boolean).join(', ') + (isLarge ? '; only the steps away from it are drawn' : '');
    return scene;
  },

  path(graph, state) {
    const from = graph.node(state.from);
    const to = graph.node(state.to);
    const paths = pathsBetween(from, to);
    const nodes = paths === null ? new Set([from, to]) : paths[state.ways === 'all' ? 'every' : 'shortest'];
    const scene = compose({
      nodes,
      groupOf: state.ways === 'all' ? focusGrouping(nodes, () => 'between', from) : () => null,
      isOpen: (key) => state.open.has(key),
      keepsEdge: (edge) => paths !== null && (state.ways === 'all' || paths.isShortest(edge)),
      anchors: new Set([from, to]),
    });
    scene.title = `Path from ${from.title} to ${to.title}`;
    scene.paths = paths;
    return scene;
  },

  finding(graph, state) {
    const finding = graph.findings[state.index];
    return sceneOfNodes(finding.nodes, `Finding: ${finding.kind}`);
  },

  cycle(graph, state) {
    return sceneOfNodes(graph.cycles[state.index], 'Cycle');
  },
};

// A column of everything that is joined to the center alone would be many times as high as the picture: such items share
// several columns, the largest groups next to the center.
function spreadFan(scene, center) {
  const isElsewhere = (line) => line.from !== center && line.to !== center;
  const joinedElsewhere = new Set(scene.lines.filter(isElsewhere).flatMap((line) => [line.from, line.to]));
  const placed = new Set();
  for (const [own, other] of [['from', 'to'], ['to', 'from']]) {
    scene.lines.filter((line) => line[own] === center && !joinedElsewhere.has(line[other]) && !placed.has(line[other]))
      .sort((a, b) => b.edges.length - a.edges.length)
      .forEach((line, index) => {
        line.length = 1 + Math.floor(index / LIMITS.column);
        placed.add(line[other]);
      });
  }
}

// The given services, those on the way from each to the next, and the missing keys that they ask for.
function sceneOfNodes(given, title) {
  const nodes = new Set(given);
  given.forEach((node, index) => {
    if (index === 0) return;
    const paths = pathsBetween(given[index - 1], node);
    if (paths !== null) paths.chain.forEach((between) => nodes.add(between));
  });
  for (const node of given) {
    for (const edge of node.uses) {
      if (edge.target.isGhost) nodes.add(edge.target);
    }
  }
  const scene = compose({
    nodes, groupOf: () => null, isOpen: () => true, anchors: new Set(given),
  });
  scene.title = title;
  return scene;
}

// Groups by side and part what would be too much to show one by one.
function focusGrouping(nodes, sideOf, center) {
  if (nodes.size <= LIMITS.focus) return () => null;
  const groupKey = (node) => `${sideOf(node)}:${node.part}`;
  const sizes = countBy([...nodes], groupKey);
  const groupsAll = [...sizes.values()].filter((size) => size < LIMITS.focusGroup).length > LIMITS.focus / 2;
  return (node) => {
    if (node === center) return null;
    const key = groupKey(node);
    if (!groupsAll && sizes.get(key) < LIMITS.focusGroup) return null;
    return { key, kind: 'module', label: node.isGhost ? 'Not registered' : node.part || 'No module' };
  };
}

function number(value) {
  return value.toLocaleString('en');
}

function seconds(value) {
  if (value >= 1) return `${value.toFixed(2)} s`;
  return value >= 0.001 ? `${(value * 1e3).toFixed(1)} ms` : `${(value * 1e6).toFixed(0)} µs`;
}

function counted(count, noun, plural = `${noun}s`) {
  return `${number(count)} ${count === 1 ? noun : plural}`;
}
