// SPDX-License-Identifier: MIT
// The graph that the page holds: nodes, edges in both directions, and the walks over them.

const SUPPORTED_VERSION = 1;

// Such a dependency closes no cycle.
const RESOLVED_LATER = new Set(['lazy', 'provider']);

class GraphError extends Error {}

function readGraph(text) {
  let json;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new GraphError(`The graph in this page is not JSON: ${error.message}`);
  }
  if (json.format !== 'corinth-graph' || json.version !== SUPPORTED_VERSION) {
    throw new GraphError(
      `This page draws 'corinth-graph' of version ${SUPPORTED_VERSION}; it holds ` +
        `'${json.format}' of version ${json.version}.`);
  }
  return new Graph(json);
}

class Graph {
  constructor(json) {
    this.nodes = json.nodes.map((node) => makeNode(node));
    this.nodeOfID = new Map(this.nodes.map((node) => [node.id, node]));
    this.ghosts = [];
    this.edges = [];
    this.readEdges(json.edges);
    this.cycles = (json.cycles || []).map((ids) => this.nodesOf(ids)).filter((c) => c.length > 0);
    this.findings = (json.findings || []).map((finding, index) => ({
      index, kind: finding.kind, text: finding.text, nodes: this.nodesOf(finding.nodes || []),
    }));
    for (const finding of this.findings) {
      for (const node of new Set(finding.nodes)) node.findings.push(finding);
    }
    this.markCycles();
    this.snapshot = json.snapshot || null;
    this.totals = totalsOf(this.nodes);
    this.timeline = json.timeline || null;
    this.scopes = countBy(this.nodes, (node) => node.scope);
    this.modules = countBy(this.nodes, (node) => node.module);
    this.files = countBy(this.nodes, (node) => node.file);
    this.hasAssemblies = this.nodes.some((node) => node.assembly !== undefined);
    // The part of the application that a node belongs to: its module, or its file if there is one module only.
    const fileName = (file) => file.replace(/^[^/]*\//, '').replace(/\.swift$/, '');
    for (const node of this.nodes) node.part = this.modules.size > 1 ? node.module : fileName(node.file);
  }

  get allNodes() {
    return this.nodes.concat(this.ghosts);
  }

  node(id) {
    return this.nodeOfID.get(id);
  }

  nodesOf(ids) {
    return ids.map((id) => this.nodeOfID.get(id)).filter((node) => node !== undefined);
  }

  // An edge without a target leads to a ghost: one for each key that nothing is registered under.
  readEdges(edges) {
    const ghostOfKey = new Map();
    for (const { source, target, key, kind, evidence } of edges) {
      const from = this.nodeOfID.get(source);
      if (from === undefined) continue;
      let to = this.nodeOfID.get(target);
      if (to === undefined) {
        to = ghostOfKey.get(key);
        if (to === undefined) {
          to = makeGhost(key, ghostOfKey.size);
          ghostOfKey.set(key, to);
          this.ghosts.push(to);
          this.nodeOfID.set(to.id, to);
        }
      }
      const edge = { source: from, target: to, key, kind, evidence, isInCycle: false };
      from.uses.push(edge);
      to.usedBy.push(edge);
      this.edges.push(edge);
    }
  }

  // The groups that no finding explains.
  get unexplainedCycles() {
    const explains = (finding, group) => finding.kind === 'cyclic' && finding.nodes.length > 0 &&
      finding.nodes.every((node) => group.includes(node));
    return this.cycles.filter((group) => !this.findings.some((finding) => explains(finding, group)));
  }

  markCycles() {
    for (const group of this.cycles) {
      for (const node of group) {
        node.isInCycle = true;
        for (const edge of node.uses) {
          if (group.includes(edge.target) && !RESOLVED_LATER.has(edge.kind)) edge.isInCycle = true;
        }
      }
    }
  }
}

function makeNode(json) {
  const named = json.name === undefined ? json.type : `${json.type} “${json.name}”`;
  const given = json.arguments === undefined ? '' : ` ${json.arguments}`;
  return {
    ...json,
    title: named + given,
    file: (json.location || '').replace(/:\d+(:\d+)?$/, ''),
    isGhost: false,
    isInCycle: false,
    uses: [],
    usedBy: [],
    findings: [],
    searchText: [json.type, json.name, json.module, json.key, json.implementation, json.assembly].join('\n').toLowerCase(),
  };
}

function makeGhost(key, index) {
  return {
    id: `missing-${index}`,
    key,
    title: key,
    scope: '',
    kind: 'missing',
    module: '',
    file: '',
    part: '',
    isGhost: true,
    isInCycle: false,
    uses: [],
    usedBy: [],
    findings: [],
    searchText: `${key}\nmissing`.toLowerCase(),
  };
}

function countBy(values, keyOf) {
  const counts = new Map();
  for (const value of values) counts.set(keyOf(value), (counts.get(keyOf(value)) || 0) + 1);
  return new Map([...counts].sort((a, b) => b[1] - a[1] || (String(a[0]) < String(b[0]) ? -1 : 1)));
}

// What has been counted of all keys; `null` if nothing has been. Nodes of one key, in several containers, have the same counts.
// Construction times have those of dependencies in them: their sum would say nothing.
function totalsOf(nodes) {
  const counted = new Map(nodes.filter((node) => node.counts !== undefined).map((node) => [node.key, node.counts]));
  if (counted.size === 0) return null;
  const total = (name) => [...counted.values()].reduce((sum, counts) => sum + counts[name], 0);
  return { resolves: total('resolves'), constructions: total('constructions'), failures: total('failures') };
}

// The edges by which a walk leaves a node, and the end of an edge that it comes to.
const DIRECTIONS = {
  uses: { edges: 'uses', end: 'target' },
  usedBy: { edges: 'usedBy', end: 'source' },
};

// The distance of every node that can be reached from `start` in at most `depth` steps; `start` has 0.
function distancesFrom(start, direction, depth = Infinity) {
  const { edges, end } = DIRECTIONS[direction];
  const distances = new Map([[start, 0]]);
  const queue = [start];
  for (let next = 0; next < queue.length; next += 1) {
    const node = queue[next];
    const distance = distances.get(node);
    if (distance >= depth) continue;
    for (const edge of node[edges]) {
      if (distances.has(edge[end])) continue;
      distances.set(edge[end], distance + 1);
      queue.push(edge[end]);
    }
  }
  return distances;
}

// The paths between two nodes: one shortest chain, the nodes of all shortest chains, the nodes of all chains. `null` if
// the first does not depend on the second.
function pathsBetween(from, to) {
  const ahead = distancesFrom(from, 'uses');
  if (!ahead.has(to)) return null;
  const back = distancesFrom(to, 'usedBy');
  const length = ahead.get(to);
  const every = new Set([...ahead.keys()].filter((node) => back.has(node)));
  const shortest = new Set([...every].filter((node) => ahead.get(node) + back.get(node) === length));
  const chain = [from];
  while (chain[chain.length - 1] !== to) {
    const node = chain[chain.length - 1];
    chain.push(node.uses.map((edge) => edge.target)
      .find((target) => shortest.has(target) && ahead.get(target) === ahead.get(node) + 1));
  }
  const isShortest = (edge) => shortest.has(edge.source) && shortest.has(edge.target) &&
    ahead.get(edge.target) === ahead.get(edge.source) + 1;
  return { chain, shortest, every, isShortest };
}
