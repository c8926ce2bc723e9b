// SPDX-License-Identifier: MIT
// swift-format-ignore-file
// Made from Page by Scripts/build-graph-page. Change the parts, and run it.

/// The page that draws a graph. Its licenses are in Page/LICENSE-dagre.txt and in the page.
enum GraphPage {
  /// What stands in ``template`` where the page reads the graph's JSON.
  static let placeholder = "@CORINTH-GRAPH@"

  static let template = #"""
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-T8J7eMseW4jaWh8fuvQUjl7uUxCttp7YheTKQ54bGw4='; style-src 'sha256-xWegB6bQjNqHTUqoZhIb6fo8hhAEJ8w9SLXZy/KAYec='; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Dependency graph</title>
<link rel="icon" href="data:,">
<style>/* SPDX-License-Identifier: MIT */
/* The colors of scopes keep apart for people with any kind of color vision (Okabe and Ito; Tol for the spare ones). */
:root {
color-scheme: light dark;
--ground: #ffffff; --panel: #f6f7f8; --edge: #d5d9dd; --text: #1b1f23; --faint: #5b6570; --body: #ffffff;
--accent: #0b5a8a; --on-accent: #ffffff; --line: #7d8791; --finding: #b34700; --on-finding: #ffffff; --group: #eef1f4;
--scope-0: #0072b2; --scope-1: #009e73; --scope-2: #e69f00; --scope-3: #cc79a7; --scope-4: #56b4e9; --scope-5: #8a7a00;
--scope-other-0: #882255; --scope-other-1: #6b7785; --scope-other-2: #332288;
}
@media (prefers-color-scheme: dark) {
:root {
--ground: #14181c; --panel: #1b2025; --edge: #363e46; --text: #e6e9ec; --faint: #a0abb6; --body: #20262c;
--accent: #6cb8ea; --on-accent: #0d1216; --line: #8b96a1; --finding: #ff9d5c; --on-finding: #14181c; --group: #262d34;
--scope-0: #4ba3e3; --scope-1: #2fc79a; --scope-2: #f0b429; --scope-3: #e19cc4; --scope-4: #8fd0f5; --scope-5: #d9cb3c;
--scope-other-0: #d16b9a; --scope-other-1: #a3afbc; --scope-other-2: #9d8df1;
}
}
.scope-0 { --scope: var(--scope-0); } .scope-1 { --scope: var(--scope-1); } .scope-2 { --scope: var(--scope-2); }
.scope-3 { --scope: var(--scope-3); } .scope-4 { --scope: var(--scope-4); } .scope-5 { --scope: var(--scope-5); }
.scope-other-0 { --scope: var(--scope-other-0); } .scope-other-1 { --scope: var(--scope-other-1); }
.scope-other-2 { --scope: var(--scope-other-2); }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html, body { height: 100%; margin: 0; }
body {
display: flex; flex-direction: column; background: var(--ground); color: var(--text);
font: 13px/1.45 system-ui, "Segoe UI", "Helvetica Neue", "DejaVu Sans", sans-serif;
}
h1, h2, h3, p, ul, ol, dl, dd { margin: 0; padding: 0; }
h1 { font-size: 15px; } h2 { font-size: 15px; overflow-wrap: anywhere; }
h3 { font-size: 13px; margin-top: 14px; padding-bottom: 3px; border-bottom: 1px solid var(--edge); }
bdi { white-space: pre-wrap; overflow-wrap: anywhere; }
kbd { font: 11px ui-monospace, monospace; padding: 0 4px; border: 1px solid var(--edge); border-radius: 3px; }
.note, .hint { color: var(--faint); font-weight: normal; } .note { font-size: 12px; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.row { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; }
button, select, input { font: inherit; color: inherit; }
button, select, input:not([type=checkbox]) {
padding: 3px 9px; background: var(--body); border: 1px solid var(--edge); border-radius: 5px;
}
button { cursor: pointer; } button:hover { border-color: var(--accent); }
::placeholder { color: var(--faint); opacity: 1; }
button[aria-pressed=true], button.primary { background: var(--accent); color: var(--on-accent); border-color: var(--accent); }
button.link { padding: 0; border: 0; background: none; color: var(--accent); text-align: start; }
button.link:hover { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
.choices button { border-radius: 0; margin-inline-start: -1px; }
.choices button:first-child { border-radius: 5px 0 0 5px; } .choices button:last-child { border-radius: 0 5px 5px 0; }
.top { display: flex; gap: 16px; align-items: center; padding: 8px 14px; border-bottom: 1px solid var(--edge); background: var(--panel); }
.top #summary { color: var(--faint); flex: 1; }
.tabs { display: flex; gap: 2px; }
.tabs button { border-color: transparent; background: none; border-radius: 5px 5px 0 0; border-bottom: 2px solid transparent; }
.tabs button[aria-selected=true] { border-bottom-color: var(--accent); font-weight: 600; }
#page-graph { flex: 1; display: grid; grid-template-columns: 270px minmax(0, 1fr) 310px; min-height: 0; }
.side, .details { display: flex; flex-direction: column; padding: 10px 12px; overflow: auto; background: var(--panel); }
.side { border-inline-end: 1px solid var(--edge); overflow: hidden; } .details { display: block; border-inline-start: 1px solid var(--edge); }
.search { display: grid; gap: 3px; margin-bottom: 8px; } .search input { width: 100%; padding: 5px 9px; }
.side section { flex: 1; overflow: auto; padding-top: 8px; }
.side .check { display: flex; gap: 6px; align-items: center; } #found { color: var(--faint); padding: 3px 0; }
#path input { width: 100%; min-width: 0; }
#path form { display: grid; gap: 5px; margin-bottom: 10px; } #path-result { display: grid; gap: 6px; justify-items: start; }
#path-result ol { padding-inline-start: 22px; }
#path-result ol.list { list-style: decimal; }
#path-result li { content-visibility: visible; } #path-result li .link { vertical-align: top; }
.list { list-style: none; }
.list li { content-visibility: auto; contain-intrinsic-size: auto 40px; }
.list li.empty { color: var(--faint); }
.service { display: grid; grid-template-columns: 12px 1fr auto; gap: 0 7px; width: 100%; padding: 4px 5px; border-color: transparent; background: none; text-align: start; }
.service .note { grid-column: 2; } .service .title, .service .note { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.service .title bdi, .service .note bdi { white-space: nowrap; }
.service[aria-current] { background: var(--body); border-color: var(--accent); }
.service .finding-mark { grid-column: 3; grid-row: 1 / span 2; align-self: center; }
.swatch { display: inline-block; width: 10px; height: 10px; margin-top: 4px; border-radius: 2px; background: var(--scope); }
.swatch.ghost { background: none; border: 1px dashed var(--finding); }
.finding-mark { padding: 0 6px; border-radius: 8px; background: var(--finding); color: var(--on-finding); font-size: 11px; font-weight: 600; }
.finding { display: block; width: 100%; margin: 6px 0; text-align: start; border-inline-start: 4px solid var(--finding); }
.finding .kind { display: block; font-weight: 600; color: var(--finding); }
.details dl { display: grid; grid-template-columns: auto 1fr; gap: 2px 12px; margin-top: 10px; }
dt { color: var(--faint); } dd { overflow-wrap: anywhere; }
.actions { margin: 8px 0; } .details dl + button { margin-top: 8px; }
.neighbors li { display: flex; flex-wrap: wrap; gap: 0 8px; justify-content: space-between; padding: 2px 0; contain-intrinsic-size: auto 22px; }
.neighbors .note { flex: none; margin-inline-start: auto; }
.picture { position: relative; display: flex; flex-direction: column; min-width: 0; }
.bar { display: flex; flex-wrap: wrap; gap: 4px 10px; align-items: center; padding: 6px 10px; border-bottom: 1px solid var(--edge); }
.where { display: flex; flex: 1 1 auto; gap: 10px; align-items: center; max-width: 100%; } .where button { flex: none; }
/* All of a sentence, up to three lines. */
.place { min-width: 0; overflow: hidden; overflow-wrap: anywhere; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; }
.bar label { white-space: nowrap; } #view-summary { color: var(--faint); }
#canvas { flex: 1; min-height: 0; width: 100%; touch-action: none; cursor: grab; user-select: none; }
#canvas:active { cursor: grabbing; }
.message { position: absolute; inset: 40% 15% auto; text-align: center; color: var(--faint); font-size: 15px; }
.foot { display: flex; gap: 12px; justify-content: space-between; align-items: end; padding: 6px 10px; border-top: 1px solid var(--edge); }
.zoom { display: flex; gap: 4px; }
.legend { display: flex; flex-wrap: wrap; gap: 4px; max-height: 84px; overflow: auto; }
.legend bdi { max-width: 180px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.foot .zoom { flex: none; }
.legend button, .legend .entry { display: flex; gap: 6px; align-items: center; padding: 2px 8px; font-size: 12px; }
.legend .swatch { margin: 0; } .legend .entry { background: var(--ground); }
.item { cursor: pointer; } .item:focus { outline: none; }
.item .body { fill: var(--body); stroke: var(--line); stroke-width: 1; }
.item .band { fill: var(--scope); }
.item text { fill: var(--text); font-size: 13px; pointer-events: none; } .item .sub { fill: var(--faint); font-size: 11px; }
.group .body { fill: var(--group); } .group .card { fill: var(--group); stroke: var(--line); } .group .share { fill: var(--scope); }
.item.group .name { font-weight: 600; font-size: 15px; }
.ghost .body { stroke: var(--finding); stroke-dasharray: 5 3; fill: var(--ground); } .ghost .sub { fill: var(--finding); }
.item.in-cycle .body { stroke: var(--finding); stroke-width: 2; }
.anchor .body { stroke: var(--text); stroke-width: 2; } .anchor .name { font-weight: 600; }
.item.beside-hovered .body, .item.beside-selected .body { stroke: var(--accent); stroke-width: 1.6; }
.item:focus-visible .body, .item.hovered .body, .item.selected .body { stroke: var(--accent); stroke-width: 3; }
.item .unknown { stroke: var(--faint); stroke-width: 2; stroke-dasharray: 2 2; fill: none; }
.item .built { fill: var(--faint); } .item .unbuilt { fill: none; stroke: var(--faint); }
.item .itself { fill: none; stroke: var(--line); }
.item .count { fill: var(--faint); font-size: 11px; text-anchor: end; }
.mark { fill: var(--finding); stroke: var(--ground); } .item .mark-text { fill: var(--on-finding); font-size: 10px; font-weight: 700; text-anchor: middle; }
.box .outline { fill: var(--panel); stroke: var(--edge); } .box.selected .outline { stroke: var(--accent); stroke-width: 2; } text.box-name { fill: var(--faint); font-size: 13px; font-weight: 600; }
.fold { cursor: pointer; } .fold rect { fill: var(--body); stroke: var(--edge); } .fold path { stroke: var(--text); stroke-width: 1.5; }
.line .stroke { fill: none; stroke: var(--line); } .line .head { fill: var(--line); stroke: var(--line); stroke-linejoin: round; }
.line .reach { fill: none; stroke: transparent; stroke-width: 9; }
.kind-lazy .stroke { stroke-dasharray: 9 5; } .kind-provider .stroke { stroke-dasharray: 9 4 2 4; }
.kind-collection .stroke { stroke-dasharray: 2 4; stroke-linecap: round; } .kind-decorator .stroke { stroke-width: 3; }
.kind-forward .stroke { stroke-dasharray: 16 4; } .kind-input .stroke { stroke-dasharray: 4 3; stroke-width: 1; }
.kind-several .stroke { stroke-opacity: .75; }
.evidence-recorded .head { fill: var(--ground); } .evidence-declared .head { fill: none !important; stroke-width: 1.4; }
.line.to-ghost .stroke, .line.to-ghost .head { stroke: var(--finding); } .line.to-ghost.evidence-known .head { fill: var(--finding); }
.line.in-cycle .stroke { stroke: var(--finding); stroke-width: 3; } .line.in-cycle .head { fill: var(--finding); stroke: var(--finding); }
.has-selected .line:not(.selected):not(.in-cycle) { opacity: .3; } .has-hovered .line:not(.hovered):not(.selected) { opacity: .2; }
.many .line:not(.selected):not(.hovered) { opacity: .15; }
.line.selected .stroke, .line.hovered .stroke { stroke: var(--accent); } .line.selected .head, .line.hovered .head { stroke: var(--accent); fill: var(--accent); }
.line.in-cycle.selected .stroke, .line.in-cycle.selected .head { stroke: var(--finding); }
.has-scope .item:not(.of-scope), .has-match .item:not(.match) { opacity: .3; }
.far .sub, .far .group .count, .far .built, .far .unbuilt, .far .unknown { display: none; }
.afar .name { display: none; }
.afar .box .box-name { font-size: var(--from-afar); dominant-baseline: hanging; transform: translate(-24px, -12px); fill: var(--text); }
.afar .fold { display: none; }
.afar .node { opacity: .45; } .afar .node.selected, .afar .node.match { opacity: 1; }
#page-timeline { flex: 1; overflow: auto; padding: 12px 16px; }
.waterfall { width: 100%; border-collapse: collapse; margin-top: 8px; }
.waterfall th, .waterfall td { padding: 2px 8px; border-bottom: 1px solid var(--edge); text-align: start; font-weight: normal; }
/* A column is never narrower than a word; more words than fit scroll. */
.waterfall bdi { overflow-wrap: normal; }
.waterfall thead th { color: var(--faint); } .waterfall thead .number, .waterfall .number { text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap; }
.waterfall .track { position: relative; width: 45%; min-width: 120px; } .waterfall .note { max-width: 260px; }
.waterfall .span { position: absolute; top: calc(50% - 7px); height: 14px; min-width: 2px; border-radius: 2px; background: var(--line); }
.waterfall .critical .span { background: var(--accent); } .waterfall .critical th { font-weight: 600; }
dialog { max-width: 640px; max-height: 88vh; overflow: auto; background: var(--ground); color: var(--text); border: 1px solid var(--edge); border-radius: 8px; }
dialog .head { display: flex; justify-content: space-between; align-items: center; }
dialog::backdrop { background: rgb(0 0 0 / .4); }
dialog dl { display: grid; grid-template-columns: 110px 1fr; gap: 4px 12px; margin: 6px 0; } dialog details { margin: 14px 0; }
dialog pre { white-space: pre-wrap; font-size: 11px; }
#failure { margin: 40px; font-size: 15px; }
@media (max-width: 1200px) {
#page-graph { grid-template-columns: 236px minmax(0, 1fr) 240px; }
.side .tabs button { padding: 3px 6px; white-space: nowrap; }
.top #summary { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
}
@media (max-width: 900px) {
body { height: auto; }
.top { flex-wrap: wrap; }
#page-graph { display: flex; flex-direction: column; }
.picture { order: -1; height: 70vh; } .side { max-height: 60vh; }
.side, .details { border-inline: 0; border-top: 1px solid var(--edge); }
}
@media (max-width: 600px) {
.top { gap: 6px 12px; } .top h1 { flex: 1; white-space: nowrap; } .top #summary { flex: 1 1 60%; order: 1; } #help-button { order: 2; }
.foot { flex-wrap: wrap; } .legend { flex-basis: 100%; max-height: none; } .zoom { margin-inline-start: auto; }
}
@media print { .side, .zoom, .bar { display: none; } #page-graph { grid-template-columns: 1fr 300px; } }
</style>
</head>
<body>
<header class="top">
  <h1>Dependency graph</h1>
  <p id="summary"></p>
  <nav class="tabs" role="tablist" aria-label="Pages" id="pages" hidden>
    <button type="button" role="tab" id="tab-graph" aria-controls="page-graph" aria-selected="true">Graph</button>
    <button type="button" role="tab" id="tab-timeline" aria-controls="page-timeline" aria-selected="false" tabindex="-1">Timeline</button>
  </nav>
  <button type="button" id="help-button" aria-haspopup="dialog">Keys and signs</button>
</header>
<main id="page-graph">
  <aside class="side" aria-label="Services and findings">
    <div class="search">
      <label for="search">Search <kbd>/</kbd></label>
      <input id="search" type="search" autocomplete="off" spellcheck="false" placeholder="Type, name or module" title="Also the type of the instances, and the assembly">
    </div>
    <nav class="tabs" role="tablist" aria-label="Lists">
      <button type="button" role="tab" id="tab-services" aria-controls="services" aria-selected="true">Services</button>
      <button type="button" role="tab" id="tab-findings" aria-controls="findings" aria-selected="false" tabindex="-1">Findings</button>
      <button type="button" role="tab" id="tab-path" aria-controls="path" aria-selected="false" tabindex="-1">Path</button>
    </nav>
    <section id="services" role="tabpanel" aria-labelledby="tab-services">
      <label class="check"><input type="checkbox" id="only-shown"> Only those in the picture</label>
      <p id="found" role="status"></p>
      <ul id="service-list" class="list"></ul>
      <button type="button" id="more-services" hidden></button>
    </section>
    <section id="findings" role="tabpanel" aria-labelledby="tab-findings" hidden>
      <ul id="finding-list" class="list"></ul>
    </section>
    <section id="path" role="tabpanel" aria-labelledby="tab-path" hidden>
      <form id="path-form">
        <label for="path-from">From, the one that depends</label>
        <input id="path-from" list="path-choices" autocomplete="off" spellcheck="false">
        <label for="path-to">To, the one it depends on</label>
        <input id="path-to" list="path-choices" autocomplete="off" spellcheck="false">
        <datalist id="path-choices"></datalist>
        <div class="row">
          <button type="submit" class="primary">Show the path</button>
          <button type="button" id="path-swap">Swap</button>
        </div>
      </form>
      <div id="path-result" role="status"></div>
    </section>
  </aside>
  <section class="picture" aria-label="Picture">
    <div class="bar" role="toolbar" aria-label="View">
      <span class="where">
        <button type="button" id="overview">Overview</button>
        <span class="place" role="status"><strong id="view-title"></strong> <span id="view-summary"></span></span>
      </span>
      <span id="view-controls" class="row"></span>
    </div>
    <svg id="canvas" tabindex="0" role="group" aria-label="Dependency graph" aria-describedby="canvas-help">
      <g id="world"></g>
    </svg>
    <p id="canvas-help" class="hidden">Arrow keys move the picture, plus and minus zoom, 0 shows all of it. Enter goes to a
      service in the picture; there, arrow keys go to the next one, Enter selects it, f focuses on it, Escape leaves.</p>
    <p id="picture-message" class="message" hidden></p>
    <div class="foot">
    <div id="legend" class="legend" role="group" aria-label="Scopes"></div>
    <div class="zoom" role="group" aria-label="Zoom">
      <button type="button" id="zoom-in" aria-label="Zoom in" title="Zoom in (+)">+</button>
      <button type="button" id="zoom-out" aria-label="Zoom out" title="Zoom out (-)">−</button>
      <button type="button" id="zoom-fit" title="Show all (0)">Fit</button>
    </div>
    </div>
  </section>
  <aside class="details" id="details" aria-label="Details" tabindex="-1"></aside>
</main>
<main id="page-timeline" hidden></main>
<dialog id="help" aria-labelledby="help-title"></dialog>
<p id="failure" role="alert" hidden></p>
<script type="application/json" id="graph">@CORINTH-GRAPH@</script>
<script type="text/plain" id="licenses">dagre.js is the layout of Netron 9.3.3 (https://pypi.org/project/netron/), a revised form of dagre
(https://github.com/dagrejs/dagre) and graphlib (https://github.com/dagrejs/graphlib). It comes under the MIT License:

Copyright (c) 2012-2014 Chris Pettitt
Copyright (c) Lutz Roeder

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in
all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN
THE SOFTWARE.
</script>
<script>'use strict';
(() => {
const { layout } = (() => {
const dagre = {};
dagre.layout = (nodes, edges, layout, state) => {
let uniqueIdCounter = 0;
const uniqueId = (prefix) => {
const id = ++uniqueIdCounter;
return prefix + id;
};
const flat = (list) => {
if (Array.isArray(list) && list.every((item) => !Array.isArray(item))) {
return list;
}
const target = [];
for (const item of list) {
if (!Array.isArray(item)) {
target.push(item);
continue;
}
for (const entry of item) {
target.push(entry);
}
}
return target;
};
const addDummyNode = (g, type, label, name) => {
let v = '';
do {
v = uniqueId(name);
} while (g.hasNode(v));
label.dummy = type;
g.setNode(v, label);
return v;
};
const asNonCompoundGraph = (g) => {
const graph = new dagre.Graph(true, false);
for (const node of g.nodes.values()) {
const v = node.v;
if (!g.hasChildren(v)) {
graph.setNode(v, node.label);
}
}
for (const e of g.edges.values()) {
graph.setEdge(e.v, e.w, e.label);
}
return graph;
};
const maxRank = (g) => {
let rank = Number.NEGATIVE_INFINITY;
for (const node of g.nodes.values()) {
const x = node.label.rank;
if (x !== undefined && x > rank) {
rank = x;
}
}
return rank === Number.NEGATIVE_INFINITY ? undefined : rank;
};
const buildLayerMatrix = (g) => {
const rank = maxRank(g);
const length = rank === undefined ? 0 : rank + 1;
const layering = Array.from(new Array(length), () => []);
for (const node of g.nodes.values()) {
const label = node.label;
const rank = label.rank;
if (rank !== undefined) {
layering[rank][label.order] = node.v;
}
}
return layering;
};
const makeSpaceForEdgeLabels = (g, state, layout) => {
layout.ranksep /= 2;
const rankdir = layout.rankdir;
for (const e of g.edges.values()) {
const edge = e.label;
edge.minlen *= 2;
if (edge.labelpos.toLowerCase() !== 'c') {
if (rankdir === 'TB' || rankdir === 'BT') {
edge.width += edge.labeloffset;
} else {
edge.height += edge.labeloffset;
}
}
}
};
const removeSelfEdges = (g) => {
for (const e of g.edges.values()) {
if (e.v === e.w) {
const label = e.vNode.label;
if (!label.selfEdges) {
label.selfEdges = [];
}
label.selfEdges.push({ e, label: e.label });
g.removeEdge(e);
}
}
};
const acyclic_run = (g) => {
const edges = [];
const visited = new Set();
const path = new Set();
const stack = Array.from(g.nodes.keys()).reverse();
while (stack.length > 0) {
const v = stack.pop();
if (Array.isArray(v)) {
path.delete(v[0]);
} else if (!visited.has(v)) {
visited.add(v);
path.add(v);
stack.push([v]);
const out = g.node(v).out;
for (let i = out.length - 1; i >= 0; i--) {
const e = out[i];
if (path.has(e.w)) {
edges.push(e);
}
stack.push(e.w);
}
}
}
for (const e of edges) {
const label = e.label;
g.removeEdge(e);
label.forwardName = e.name;
label.reversed = true;
g.setEdge(e.w, e.v, label, uniqueId('rev'));
}
};
const acyclic_undo = (g) => {
for (const e of g.edges.values()) {
const edge = e.label;
if (edge.reversed) {
edge.points.reverse();
g.removeEdge(e);
const forwardName = edge.forwardName;
delete edge.reversed;
delete edge.forwardName;
g.setEdge(e.w, e.v, edge, forwardName);
}
}
};
const slack = (g, e) => {
return e.wNode.label.rank - e.vNode.label.rank - e.label.minlen;
};
const rank = (g) => {
g = asNonCompoundGraph(g);
const feasibleTree = (g) => {
const t = new dagre.Graph(false, false);
const start = g.nodes.keys().next().value;
const size = g.nodes.size;
t.setNode(start, {});
const tightTree = (t, g) => {
const stack = Array.from(t.nodes.keys()).reverse();
while (stack.length > 0) {
const v = stack.pop();
const node = g.node(v);
for (const e of node.in.concat(node.out)) {
const edgeV = e.v;
const w = (v === edgeV) ? e.w : edgeV;
if (!t.hasNode(w) && !slack(g, e)) {
t.setNode(w, {});
t.setEdge(v, w, {});
stack.push(w);
}
}
}
return t.nodes.size;
};
while (tightTree(t, g) < size) {
let minKey = Number.MAX_SAFE_INTEGER;
let edge = null;
for (const e of g.edges.values()) {
if (t.hasNode(e.v) !== t.hasNode(e.w)) {
const key = slack(g, e);
if (key < minKey) {
minKey = key;
edge = e;
}
}
}
const delta = t.hasNode(edge.v) ? slack(g, edge) : -slack(g, edge);
for (const v of t.nodes.keys()) {
g.node(v).label.rank += delta;
}
}
return t;
};
const longestPath = (g) => {
const visited = new Set();
const stack = [Array.from(g.nodes.values()).filter((node) => node.in.length === 0).reverse()];
while (stack.length > 0) {
const current = stack[stack.length - 1];
if (Array.isArray(current)) {
const node = current.pop();
if (current.length === 0) {
stack.pop();
}
if (!visited.has(node)) {
visited.add(node);
const children = node.out.map((e) => e.wNode);
if (children.length > 0) {
stack.push(node);
stack.push(children.reverse());
} else {
node.label.rank = 0;
}
}
} else {
stack.pop();
let rank = Number.MAX_SAFE_INTEGER;
for (const e of current.out) {
rank = Math.min(rank, e.wNode.label.rank - e.label.minlen);
}
current.label.rank = rank;
}
}
};
const networkSimplex = (g) => {
const simplify = (g) => {
const graph = new dagre.Graph(true, false);
for (const node of g.nodes.values()) {
graph.setNode(node.v, node.label);
}
for (const e of g.edges.values()) {
const simpleEdge =  graph.edge(e.v, e.w);
const simpleLabel = simpleEdge ? simpleEdge.label : { weight: 0, minlen: 1 };
const label = e.label;
graph.setEdge(e.v, e.w, {
weight: simpleLabel.weight + label.weight,
minlen: Math.max(simpleLabel.minlen, label.minlen)
});
}
return graph;
};
const initLowLimValues = (tree, root) => {
const dfs = (tree, visited, start) => {
let nextLim = 1;
const nodes = new Map();
const stack = [[start, null, 0]];
while (stack.length > 0) {
const [v, parent, state] = stack.pop();
if (state === 0) {
if (!visited.has(v)) {
visited.add(v);
const label = tree.node(v).label;
const low = nextLim;
nodes.set(v, { label, low, parent, lim: null });
stack.push([v, parent, 1]);
for (const w of tree.neighbors(v)) {
if (!visited.has(w)) {
stack.push([w, v, 0]);
}
}
}
} else {
const data = nodes.get(v);
const label = data.label;
label.low = data.low;
label.lim = nextLim++;
if (data.parent) {
label.parent = data.parent;
} else {
delete label.parent;
}
}
}
};
root = tree.nodes.keys().next().value;
const visited = new Set();
dfs(tree, visited, root);
};
const initCutValues = (t, g) => {
const vs = [];
const visited = new Set();
const stack = [Array.from(t.nodes.keys()).reverse()];
while (stack.length > 0) {
const current = stack[stack.length - 1];
if (Array.isArray(current)) {
const v = current.pop();
if (current.length === 0) {
stack.pop();
}
if (!visited.has(v)) {
visited.add(v);
const children = t.neighbors(v);
if (children.size > 0) {
stack.push(v);
stack.push(Array.from(children).reverse());
} else {
vs.push(v);
}
}
} else {
vs.push(stack.pop());
}
}
for (const v of vs.slice(0, vs.length - 1)) {
const childLabel = t.node(v).label;
const parent = childLabel.parent;
const edge = g.edge(v, parent);
const childIsTail = edge ? true : false;
const graphEdge = edge ? edge.label : g.edge(parent, v).label;
let cutValue = graphEdge.weight;
const node = g.node(v);
for (const e of node.in.concat(node.out)) {
const isOutEdge = e.v === v;
const other = isOutEdge ? e.w : e.v;
if (other !== parent) {
const pointsToHead = isOutEdge === childIsTail;
cutValue += pointsToHead ? e.label.weight : -e.label.weight;
const edge = t.edge(v, other);
if (edge) {
const otherCutValue = edge.label.cutvalue;
cutValue += pointsToHead ? -otherCutValue : otherCutValue;
}
}
}
t.edge(v, parent).label.cutvalue = cutValue;
}
};
const leaveEdge = (tree) => {
return Array.from(tree.edges.values()).find((e) => e.label.cutvalue < 0);
};
const enterEdge = (t, g, edge) => {
let v = edge.v;
let w = edge.w;
if (!g.edge(v, w)) {
v = edge.w;
w = edge.v;
}
const vLabel = t.node(v).label;
const wLabel = t.node(w).label;
let tailLabel = vLabel;
let flip = false;
if (vLabel.lim > wLabel.lim) {
tailLabel = wLabel;
flip = true;
}
const isDescendant = (vLabel, rootLabel) => {
return rootLabel.low <= vLabel.lim && vLabel.lim <= rootLabel.lim;
};
let minKey = Number.POSITIVE_INFINITY;
let minValue = null;
for (const edge of g.edges.values()) {
if (flip === isDescendant(t.node(edge.v).label, tailLabel) &&
flip !== isDescendant(t.node(edge.w).label, tailLabel)) {
const key = slack(g, edge);
if (key < minKey) {
minKey = key;
minValue = edge;
}
}
}
return minValue;
};
const exchangeEdges = (t, g, e, f) => {
t.removeEdge(e);
t.setEdge(f.v, f.w, {});
initLowLimValues(t);
initCutValues(t, g);
const root = Array.from(t.nodes.keys()).find((v) => !g.node(v).label.parent);
const stack = [root];
const visited = new Set();
while (stack.length > 0) {
const v = stack.pop();
if (!visited.has(v)) {
visited.add(v);
const neighbors = Array.from(t.neighbors(v));
for (let i = neighbors.length - 1; i >= 0; i--) {
stack.push(neighbors[i]);
}
}
}
const vs = Array.from(visited);
for (const v of vs.slice(1)) {
const parent = t.node(v).label.parent;
let edge = g.edge(v, parent);
let flipped = false;
if (!edge) {
edge = g.edge(parent, v);
flipped = true;
}
g.node(v).label.rank = g.node(parent).label.rank + (flipped ? edge.label.minlen : -edge.label.minlen);
}
};
g = simplify(g);
longestPath(g);
const t = feasibleTree(g);
initLowLimValues(t);
initCutValues(t, g);
let e = null;
let f = null;
while ((e = leaveEdge(t))) {
f = enterEdge(t, g, e);
exchangeEdges(t, g, e, f);
}
};
switch (layout.ranker) {
case 'tight-tree':
longestPath(g);
feasibleTree(g);
break;
case 'longest-path':
longestPath(g);
break;
default:
networkSimplex(g);
break;
}
};
const injectEdgeLabelProxies = (g) => {
for (const e of g.edges.values()) {
const edge = e.label;
if (edge.width && edge.height) {
const v = e.vNode.label;
const w = e.wNode.label;
addDummyNode(g, 'edge-proxy', { rank: (w.rank - v.rank) / 2 + v.rank, e }, '_ep');
}
}
};
const removeEmptyRanks = (g, state) => {
if (g.nodes.size > 0) {
let minRank = Number.MAX_SAFE_INTEGER;
let maxRank = Number.MIN_SAFE_INTEGER;
const nodes = Array.from(g.nodes.values());
for (const node of nodes) {
const label = node.label;
if (label.rank !== undefined) {
minRank = Math.min(minRank, label.rank);
maxRank = Math.max(maxRank, label.rank);
}
}
const size = maxRank - minRank;
if (size > 0) {
const layers = new Array(size);
for (const node of nodes) {
const label = node.label;
if (label.rank !== undefined) {
const rank = label.rank - minRank;
if (!layers[rank]) {
layers[rank] = [];
}
layers[rank].push(node.v);
}
}
let delta = 0;
const nodeRankFactor = state.nodeRankFactor;
for (let i = 0; i < layers.length; i++) {
const vs = layers[i];
if (vs === undefined && i % nodeRankFactor !== 0) {
delta--;
} else if (delta && vs) {
for (const v of vs) {
g.node(v).label.rank += delta;
}
}
}
}
}
};
const nestingGraph_run = (g, state) => {
const root = addDummyNode(g, 'root', {}, '_root');
const treeDepths = (g) => {
const depths = {};
const dfs = (v, depth) => {
for (const child of g.children(v)) {
dfs(child, depth + 1);
}
depths[v] = depth;
};
for (const v of g.children()) {
dfs(v, 1);
}
return depths;
};
const dfs = (g, root, nodeSep, weight, height, depths, v) => {
const children = Array.from(g.children(v));
if (!children.length) {
if (v !== root) {
g.setEdge(root, v, { weight: 0, minlen: nodeSep });
}
return;
}
const top = addDummyNode(g, 'border', { width: 0, height: 0 }, '_bt');
const bottom = addDummyNode(g, 'border', { width: 0, height: 0 }, '_bb');
const label = g.node(v).label;
g.hasBorder = true;
g.setParent(top, v);
label.borderTop = top;
g.setParent(bottom, v);
label.borderBottom = bottom;
for (const child of children) {
dfs(g, root, nodeSep, weight, height, depths, child);
const childNode = g.node(child).label;
const childTop = childNode.borderTop ? childNode.borderTop : child;
const childBottom = childNode.borderBottom ? childNode.borderBottom : child;
const thisWeight = childNode.borderTop ? weight : 2 * weight;
const minlen = childTop === childBottom ? height - depths[v] + 1 : 1;
g.setEdge(top, childTop, { weight: thisWeight, minlen, nestingEdge: true });
g.setEdge(childBottom, bottom, { weight: thisWeight, minlen, nestingEdge: true });
}
if (!g.parent(v)) {
g.setEdge(root, top, { weight: 0, minlen: height + depths[v] });
}
};
const depths = treeDepths(g);
let height = 0;
for (const value of Object.values(depths)) {
if (value > height) {
height = value;
}
}
height -= 1;
const nodeSep = 2 * height + 1;
state.nestingRoot = root;
for (const e of g.edges.values()) {
e.label.minlen *= nodeSep;
}
const weight = Array.from(g.edges.values()).reduce((acc, e) => acc + e.label.weight, 0) + 1;
for (const child of g.children()) {
dfs(g, root, nodeSep, weight, height, depths, child);
}
state.nodeRankFactor = nodeSep;
};
const nestingGraph_cleanup = (g, state) => {
g.removeNode(state.nestingRoot);
delete state.nestingRoot;
for (const e of g.edges.values()) {
if (e.label.nestingEdge) {
g.removeEdge(e);
}
}
};
const assignRankMinMax = (g, state) => {
let min = Number.POSITIVE_INFINITY;
for (const node of g.nodes.values()) {
const rank = node.label.rank;
if (rank !== undefined && rank < min) {
min = rank;
}
}
for (const node of g.nodes.values()) {
const label = node.label;
if (label.rank !== undefined) {
label.rank -= min;
}
}
let maxRank = 0;
if (g.hasBorder) {
for (const node of g.nodes.values()) {
const label = node.label;
if (label.borderTop) {
label.minRank = g.node(label.borderTop).label.rank;
label.maxRank = g.node(label.borderBottom).label.rank;
maxRank = Math.max(maxRank, label.maxRank);
}
}
}
state.maxRank = maxRank;
};
const normalize = (g, state) => {
state.dummyChains = [];
for (const e of g.edges.values()) {
let v = e.v;
const w = e.w;
const name = e.name;
const edgeLabel = e.label;
const labelRank = edgeLabel.labelRank;
let vRank = g.node(v).label.rank;
const wRank = g.node(w).label.rank;
if (wRank !== vRank + 1) {
g.removeEdge(e);
let first = true;
vRank++;
while (vRank < wRank) {
edgeLabel.points = [];
delete e.key;
const attrs = {
width: 0, height: 0,
edgeLabel,
edgeObj: e,
rank: vRank
};
const dummy = addDummyNode(g, 'edge', attrs, '_d');
if (vRank === labelRank) {
attrs.width = edgeLabel.width;
attrs.height = edgeLabel.height;
attrs.dummy = 'edge-label';
attrs.labelpos = edgeLabel.labelpos;
}
g.setEdge(v, dummy, { weight: edgeLabel.weight }, name);
if (first) {
state.dummyChains.push(dummy);
first = false;
}
v = dummy;
vRank++;
}
g.setEdge(v, w, { weight: edgeLabel.weight }, name);
}
}
};
const denormalize = (g, state) => {
for (let v of state.dummyChains) {
let label = g.node(v).label;
const edgeLabel = label.edgeLabel;
const e = label.edgeObj;
g.setEdge(e.v, e.w, edgeLabel, e.name);
while (label.dummy) {
const w = g.successors(v).keys().next().value;
g.removeNode(v);
edgeLabel.points.push({ x: label.x, y: label.y });
if (label.dummy === 'edge-label') {
edgeLabel.x = label.x;
edgeLabel.y = label.y;
edgeLabel.width = label.width;
edgeLabel.height = label.height;
}
v = w;
label = g.node(v).label;
}
}
};
const removeEdgeLabelProxies = (g) => {
for (const node of g.nodes.values()) {
const label = node.label;
if (label.dummy === 'edge-proxy') {
label.e.label.labelRank = label.rank;
g.removeNode(node.v);
}
}
};
const parentDummyChains = (g, state) => {
const findPath = (g, postorderNums, v, w) => {
const low = Math.min(postorderNums[v].low, postorderNums[w].low);
const lim = Math.max(postorderNums[v].lim, postorderNums[w].lim);
let parent = v;
const vPath = [];
do {
parent = g.parent(parent);
vPath.push(parent);
}
while (parent && (postorderNums[parent].low > low || lim > postorderNums[parent].lim));
const lca = parent;
parent = w;
const wPath = [];
while ((parent = g.parent(parent)) !== lca) {
wPath.push(parent);
}
return { path: vPath.concat(wPath.reverse()), lca };
};
const postorder = (g) => {
const result = {};
let lim = 0;
const dfs = (v) => {
const low = lim;
for (const u of g.children(v)) {
dfs(u);
}
result[v] = { low, lim: lim++ };
};
for (const v of g.children()) {
dfs(v);
}
return result;
};
const postorderNums = postorder(g);
for (let v of state.dummyChains || []) {
const node = g.node(v).label;
const edgeObj = node.edgeObj;
const pathData = findPath(g, postorderNums, edgeObj.v, edgeObj.w);
const path = pathData.path;
const lca = pathData.lca;
let pathIdx = 0;
let pathV = path[pathIdx];
let ascending = true;
while (v !== edgeObj.w) {
const node = g.node(v).label;
if (ascending) {
while ((pathV = path[pathIdx]) !== lca && g.node(pathV).label.maxRank < node.rank) {
pathIdx++;
}
if (pathV === lca) {
ascending = false;
}
}
if (!ascending) {
while (pathIdx < path.length - 1 && g.node(path[pathIdx + 1]).label.minRank <= node.rank) {
pathIdx++;
}
pathV = path[pathIdx];
}
g.setParent(v, pathV);
v = g.successors(v).keys().next().value;
}
}
};
const addBorderSegments = (g) => {
const addBorderNode = (g, prop, prefix, sg, sgNode, rank) => {
const label = { width: 0, height: 0, rank, borderType: prop };
const prev = sgNode[prop][rank - 1];
const curr = addDummyNode(g, 'border', label, prefix);
sgNode[prop][rank] = curr;
g.setParent(curr, sg);
if (prev) {
g.setEdge(prev, curr, { weight: 1 });
}
};
const queue = Array.from(g.children());
for (let i = 0; i < queue.length; i++) {
const v = queue[i];
const node = g.node(v).label;
if ('minRank' in node) {
node.borderLeft = [];
node.borderRight = [];
const maxRank = node.maxRank + 1;
for (let rank = node.minRank; rank < maxRank; rank++) {
addBorderNode(g, 'borderLeft', '_bl', v, node, rank);
addBorderNode(g, 'borderRight', '_br', v, node, rank);
}
}
const children = g.children(v);
for (const v of children) {
queue.push(v);
}
}
};
const order = (g) => {
const sortSubgraph = (g, v, cg, biasRight) => {
const resolveConflicts = (entries, cg) => {
const mappedEntries = new Map();
for (let i = 0; i < entries.length; i++) {
const entry = entries[i];
const tmp = { indegree: 0, 'in': [], out: [], vs: [entry.v], i };
if (entry.barycenter !== undefined) {
tmp.barycenter = entry.barycenter;
tmp.weight = entry.weight;
}
mappedEntries.set(entry.v, tmp);
}
for (const e of cg.edges.values()) {
const entryV = mappedEntries.get(e.v);
const entryW = mappedEntries.get(e.w);
if (entryV && entryW) {
entryW.indegree++;
entryV.out.push(entryW);
}
}
const sourceSet = Array.from(mappedEntries.values()).filter((entry) => !entry.indegree);
const results = [];
const handleIn = function(vEntry) {
return function(uEntry) {
if (uEntry.merged) {
return;
}
if (uEntry.barycenter === undefined || vEntry.barycenter === undefined || uEntry.barycenter >= vEntry.barycenter) {
let sum = 0;
let weight = 0;
if (vEntry.weight) {
sum += vEntry.barycenter * vEntry.weight;
weight += vEntry.weight;
}
if (uEntry.weight) {
sum += uEntry.barycenter * uEntry.weight;
weight += uEntry.weight;
}
vEntry.vs = uEntry.vs.concat(vEntry.vs);
vEntry.barycenter = sum / weight;
vEntry.weight = weight;
vEntry.i = Math.min(uEntry.i, vEntry.i);
uEntry.merged = true;
}
};
};
const handleOut = (vEntry) => {
return function(wEntry) {
wEntry.in.push(vEntry);
if (--wEntry.indegree === 0) {
sourceSet.push(wEntry);
}
};
};
while (sourceSet.length) {
const entry = sourceSet.pop();
results.push(entry);
const inHandler = handleIn(entry);
for (const uEntry of entry.in.reverse()) {
inHandler(uEntry);
}
const outHandler = handleOut(entry);
for (const wEntry of entry.out) {
outHandler(wEntry);
}
}
return results.filter((entry) => !entry.merged).map((entry) => {
const value = {
vs: entry.vs,
i: entry.i
};
if (entry.barycenter !== undefined) {
value.barycenter = entry.barycenter;
}
if (entry.weight !== undefined) {
value.weight = entry.weight;
}
return value;
});
};
const barycenter = (g, movable) => {
return Array.from(movable).map((v) => {
const inV = g.node(v).in;
if (!inV.length) {
return { v };
}
const result = inV.reduce((acc, e) => {
const edge = e.label;
const nodeU = e.vNode.label;
return {
sum: acc.sum + (edge.weight * nodeU.order),
weight: acc.weight + edge.weight
};
}, { sum: 0, weight: 0 });
return {
v,
barycenter: result.sum / result.weight,
weight: result.weight
};
});
};
const sort = (entries, biasRight) => {
const consumeUnsortable = (vs, unsortable, index) => {
let last = null;
while (unsortable.length && (last = unsortable[unsortable.length - 1]).i <= index) {
unsortable.pop();
vs.push(last.vs);
index++;
}
return index;
};
const compareWithBias = (bias) => {
return function(entryV, entryW) {
if (entryV.barycenter < entryW.barycenter) {
return -1;
} else if (entryV.barycenter > entryW.barycenter) {
return 1;
}
return bias ? entryW.i - entryV.i : entryV.i - entryW.i;
};
};
const parts = { lhs: [], rhs: [] };
for (const value of entries) {
if ('barycenter' in value) {
parts.lhs.push(value);
} else {
parts.rhs.push(value);
}
}
const sortable = parts.lhs;
const unsortable = parts.rhs.sort((a, b) => -a.i + b.i);
const vs = [];
let sum = 0;
let weight = 0;
let vsIndex = 0;
sortable.sort(compareWithBias(Boolean(biasRight)));
vsIndex = consumeUnsortable(vs, unsortable, vsIndex);
for (const entry of sortable) {
vsIndex += entry.vs.length;
vs.push(entry.vs);
sum += entry.barycenter * entry.weight;
weight += entry.weight;
vsIndex = consumeUnsortable(vs, unsortable, vsIndex);
}
const result = { vs: flat(vs) };
if (weight) {
result.barycenter = sum / weight;
result.weight = weight;
}
return result;
};
const node = g.node(v);
const bl = node && node.label ? node.label.borderLeft : undefined;
const br = node && node.label ? node.label.borderRight : undefined;
const subgraphs = {};
const movable = bl ? Array.from(g.children(v)).filter((w) => w !== bl && w !== br) : g.children(v);
const barycenters = barycenter(g, movable);
for (const entry of barycenters) {
if (g.hasChildren(entry.v)) {
const result = sortSubgraph(g, entry.v, cg, biasRight);
subgraphs[entry.v] = result;
if ('barycenter' in result) {
if (entry.barycenter === undefined) {
entry.barycenter = result.barycenter;
entry.weight = result.weight;
} else {
entry.barycenter = (entry.barycenter * entry.weight + result.barycenter * result.weight) / (entry.weight + result.weight);
entry.weight += result.weight;
}
}
}
}
const entries = resolveConflicts(barycenters, cg);
for (const entry of entries) {
entry.vs = flat(entry.vs.map((v) => subgraphs[v] ? subgraphs[v].vs : v));
}
const result = sort(entries, biasRight);
if (bl) {
result.vs = flat([bl, result.vs, br]);
const predecessors = g.predecessors(bl);
if (predecessors.size > 0) {
const blPred = g.node(predecessors.keys().next().value).label;
const brPred = g.node(g.predecessors(br).keys().next().value).label;
if (!('barycenter' in result)) {
result.barycenter = 0;
result.weight = 0;
}
result.barycenter = (result.barycenter * result.weight + blPred.order + brPred.order) / (result.weight + 2);
result.weight += 2;
}
}
return result;
};
const sweepLayerGraphs = (layerGraphs, biasRight) => {
const cg = new dagre.Graph(true, false);
for (const lg of layerGraphs) {
const root = lg.root;
const sorted = sortSubgraph(lg, root, cg, biasRight);
const vs = sorted.vs;
const length = vs.length;
for (let i = 0; i < length; i++) {
lg.node(vs[i]).label.order = i;
}
const prev = {};
let rootPrev = '';
let exit = false;
for (const v of vs) {
let child = lg.parent(v);
let prevChild = null;
while (child) {
const parent = lg.parent(child);
if (parent) {
prevChild = prev[parent];
prev[parent] = child;
} else {
prevChild = rootPrev;
rootPrev = child;
}
if (prevChild && prevChild !== child) {
cg.setEdge(prevChild, child, null);
exit = true;
break;
}
child = parent;
}
if (exit) {
break;
}
}
}
};
const crossCount = (g, layering, bestCC) => {
let count = 0;
for (let i = 1; i < layering.length; i++) {
const northLayer = layering[i - 1];
const southLayer = layering[i];
const southPos = new Map();
for (let i = 0; i < southLayer.length; i++) {
southPos.set(southLayer[i], i);
}
const southEntries = [];
for (const v of northLayer) {
const entries = [];
for (const e of g.node(v).out) {
entries.push({
pos: southPos.get(e.w),
weight: e.label.weight
});
}
entries.sort((a, b) => a.pos - b.pos);
for (const entry of entries) {
southEntries.push(entry);
}
}
let firstIndex = 1;
while (firstIndex < southLayer.length) {
firstIndex <<= 1;
}
const treeSize = 2 * firstIndex - 1;
firstIndex -= 1;
const tree = Array.from(new Array(treeSize), () => 0);
for (const entry of southEntries) {
let index = entry.pos + firstIndex;
tree[index] += entry.weight;
let weightSum = 0;
while (index > 0) {
if (index % 2) {
weightSum += tree[index + 1];
}
index = (index - 1) >> 1;
tree[index] += entry.weight;
}
count += entry.weight * weightSum;
}
if (count > bestCC) {
break;
}
}
return count;
};
const initOrder = (g) => {
const visited = new Set();
const nodes = Array.from(g.nodes.values()).filter((node) => !g.hasChildren(node.v));
let maxRank = -1;
for (const node of nodes) {
const rank = node.label.rank;
if (maxRank === -1 || (rank !== undefined && rank > maxRank)) {
maxRank = rank;
}
}
if (maxRank !== -1) {
const layers = Array.from(new Array(maxRank + 1), () => []);
const queue = nodes.sort((a, b) => a.label.rank - b.label.rank).map((node) => node.v).reverse();
for (let i = 0; i < queue.length; i++) {
const v = queue[i];
if (!visited.has(v)) {
visited.add(v);
const rank = g.node(v).label.rank;
layers[rank].push(v);
queue.push(...g.successors(v).keys());
}
}
return layers;
}
return [];
};
const buildLayerGraph = (g, nodes, rankIndexes, rank, relationship) => {
let root = '';
while (g.hasNode((root = uniqueId('_root')))) {
}
const graph = new dagre.Graph(true, true);
graph.root = root;
graph.setDefaultNodeLabel((v) => {
const node = g.node(v);
return node ? node.label : undefined;
});
const length = nodes.length;
if (g.hasBorder) {
let i = 0;
while (i < length) {
const node = nodes[i++];
const label = node.label;
if (label.rank === rank || 'minRank' in label && 'maxRank' in label && label.minRank <= rank && rank <= label.maxRank) {
const v = node.v;
graph.setNode(v);
const parent = g.parent(v);
graph.setParent(v, parent || root);
if (relationship) {
for (const e of node.in) {
graph.setEdge(e.v, v, { weight: e.label.weight });
}
} else {
for (const e of node.out) {
graph.setEdge(e.w, v, { weight: e.label.weight });
}
}
if ('minRank' in label) {
graph.setNode(v, {
borderLeft: label.borderLeft[rank],
borderRight: label.borderRight[rank]
});
}
}
}
} else {
let i = rankIndexes.get(rank);
while (i < length) {
const node = nodes[i++];
const label = node.label;
if (label.rank !== rank) {
break;
}
const v = node.v;
graph.setNode(v);
const parent = g.parent(v);
graph.setParent(v, parent || root);
if (relationship) {
for (const e of node.in) {
graph.setEdge(e.v, v, { weight: e.label.weight });
}
} else {
for (const e of node.out) {
graph.setEdge(e.w, v, { weight: e.label.weight });
}
}
}
}
return graph;
};
let layering = initOrder(g);
const assignOrder = (g, layering) => {
for (const layer of layering) {
for (let i = 0; i < layer.length; i++) {
g.node(layer[i]).label.order = i;
}
}
};
assignOrder(g, layering);
const rank = maxRank(g) || 0;
const downLayerGraphs = new Array(rank);
const upLayerGraphs = new Array(rank);
const nodes = Array.from(g.nodes.values());
let rankIndexes = null;
if (!g.hasBorder) {
nodes.sort((a, b) => {
return a.label.rank - b.label.rank;
});
rankIndexes = new Map();
for (let i = 0; i < nodes.length; ++i) {
const node = nodes[i];
const rank = node.label.rank;
if (!rankIndexes.has(rank)) {
rankIndexes.set(rank, i);
}
}
}
for (let i = 0; i < rank; i++) {
downLayerGraphs[i] = buildLayerGraph(g, nodes, rankIndexes, i + 1, true);
upLayerGraphs[i] = buildLayerGraph(g, nodes, rankIndexes, rank - i - 1, false);
}
let bestCC = Number.POSITIVE_INFINITY;
let best = [];
for (let i = 0, lastBest = 0; lastBest < 4; ++i, ++lastBest) {
sweepLayerGraphs(i % 2 ? downLayerGraphs : upLayerGraphs, i % 4 >= 2);
layering = buildLayerMatrix(g);
const cc = crossCount(g, layering, bestCC);
if (cc < bestCC) {
lastBest = 0;
const length = layering.length;
best = new Array(length);
for (let j = 0; j < length; j++) {
best[j] = layering[j].slice();
}
bestCC = cc;
}
}
const calcDir = (idx0, idx1) => (idx0 < idx1) ? 1 : 2;
for (let i = 4; i < best.length; i += 2) {
const layer = best[i];
for (let j = 0; j < layer.length; ++j) {
const node = g.nodes.get(layer[j]);
if (node.in && node.in.length === 2) {
let n0 = node.in[0].vNode.in[0].vNode;
let n1 = node.in[1].vNode.in[0].vNode;
const indexes = [];
let dirTotal = 0;
for (let k = i - 2; k >= 0; k -= 2) {
const layer0 = best[k];
const idx0 = layer0.indexOf(n0.v);
const idx1 = layer0.indexOf(n1.v);
const dir = calcDir(idx0, idx1);
dirTotal |= dir;
if (idx0 === idx1
|| Math.abs(idx0 - idx1) !== 1
|| n0.in.length !== 1
|| n1.in.length !== 1
|| n0.out.length !== 1
|| n1.out.length !== 1
) {
if (dirTotal === 3) {
const topDir = dir;
let l = k + 2;
while (indexes.length !== 0) {
const idx1 = indexes.pop();
const idx0 = indexes.pop();
const layer1 = best[l];
const layer2 = best[l - 1];
const idx2 = layer2.indexOf(g.node(layer1[idx0]).in[0].v);
const idx3 = layer2.indexOf(g.node(layer1[idx1]).in[0].v);
if (calcDir(idx0, idx1) !== topDir) {
[layer1[idx0], layer1[idx1]] = [layer1[idx1], layer1[idx0]];
}
if (calcDir(idx2, idx3) !== topDir) {
[layer2[idx2], layer2[idx3]] = [layer2[idx3], layer2[idx2]];
}
l += 2;
}
}
break;
}
indexes.push(idx0, idx1);
n0 = n0.in[0].vNode.in[0].vNode;
n1 = n1.in[0].vNode.in[0].vNode;
}
}
}
}
const exchange = (layer, node0, node1) => {
const index0 = layer.indexOf(node0.v);
const index1 = layer.indexOf(node1.v);
layer[index1] = node0.v;
layer[index0] = node1.v;
};
for (let i = 0; i < best.length - 2; i += 2) {
const layer0 = best[i];
const layer1 = best[i + 1];
const layer2 = best[i + 2];
for (let j = 0; j < layer0.length; ++j) {
const node0 = g.nodes.get(layer0[j]);
if (node0.out && node0.out.length >= 2) {
for (let k = 0; k < node0.out.length - 1; ++k) {
const node1d = node0.out[k].wNode;
const node2d = node0.out[k + 1].wNode;
const node1 = node1d.out[0].wNode;
const node2 = node2d.out[0].wNode;
if ((layer1.indexOf(node1d.v) < layer1.indexOf(node2d.v)) ^ (layer2.indexOf(node1.v) < layer2.indexOf(node2.v))) {
exchange(layer1, node1d, node2d);
}
}
}
}
for (let j = 0; j < layer2.length; ++j) {
const node0 = g.nodes.get(layer2[j]);
if (node0.in && node0.in.length >= 2) {
if (node0.in.length === 2) {
const node1d = node0.in[0].vNode;
const node2d = node0.in[1].vNode;
const node1 = node1d.in[0].vNode;
const node2 = node2d.in[0].vNode;
if ((layer1.indexOf(node1d.v) < layer1.indexOf(node2d.v)) ^ (layer0.indexOf(node1.v) < layer0.indexOf(node2.v))) {
exchange(layer1, node1d, node2d);
}
} else {
const indexes1 = [];
for (let k = 0; k < node0.in.length; ++k) {
const node1 = node0.in[k].vNode;
const node2 = node1.in[0].vNode;
const idx0 = layer0.indexOf(node2.v);
const idx1 = layer1.indexOf(node1.v);
node0.in[k].idx0 = idx0;
indexes1.push(idx1);
}
node0.in.sort((a, b) => a.idx0 - b.idx0);
indexes1.sort((a, b) => a - b);
for (let k = 0; k < indexes1.length; ++k) {
layer1[indexes1[k]] = node0.in[k].v;
}
}
}
}
}
for (let i = 0; i < best.length - 4; i += 2) {
const layer0 = best[i];
const layer2 = best[i + 2];
const layer4 = best[i + 4];
if (layer2.length >= 2 && layer4.length >= 2) {
const layer1 = best[i + 1];
const layer3 = best[i + 3];
for (let j = 0; j < layer0.length; ++j) {
const node0 = g.nodes.get(layer0[j]);
if (node0.in && node0.out && node0.out.length >= 2) {
for (let k = 0; k < node0.out.length - 1; ++k) {
const node1u = node0.out[k].wNode;
const node2u = node0.out[k + 1].wNode;
const node1 = node1u.out[0].wNode;
const node2 = node2u.out[0].wNode;
if (node1.out.length === 1 && node2.out.length === 1) {
const index1 = layer2.indexOf(node1.v);
const index2 = layer2.indexOf(node2.v);
if (index1 + 1 === index2) {
const node1d = node1.out[0].wNode;
const node2d = node2.out[0].wNode;
if (node1d.out.length === 1 && node2d.out.length === 1) {
const node3 = node1d.out[0].wNode;
const node4 = node2d.out[0].wNode;
const index3 = layer4.indexOf(node3.v);
const index4 = layer4.indexOf(node4.v);
if (index3 > index4) {
exchange(layer1, node1u, node2u);
exchange(layer2, node1, node2);
exchange(layer3, node1d, node2d);
++k;
}
}
}
}
}
}
}
for (let j = 0; j < layer2.length - 1; ++j) {
const node0 = g.nodes.get(layer2[j]);
if (node0.in && node0.out && node0.in.length === 1 && node0.out.length === 1) {
const node1 = g.nodes.get(layer2[j + 1]);
if (node1.in && node1.out && node1.in.length === 1 && node1.out.length === 1) {
const node0u = node0.in[0].vNode;
const node1u = node1.in[0].vNode;
if (node0u.in.length === 1 && node1u.in.length === 1) {
const node2 = node0u.in[0].vNode;
const node3 = node1u.in[0].vNode;
let index0 = layer0.indexOf(node2.v);
let index1 = layer0.indexOf(node3.v);
if (index1 + 1 === index0) {
const node0d = node0.out[0].wNode;
const node1d = node1.out[0].wNode;
index0 = layer3.indexOf(node0d.v);
index1 = layer3.indexOf(node1d.v);
if (index0 + 1 === index1 && node0d.out[0].wNode === node1d.out[0].wNode) {
exchange(layer1, node0u, node1u);
exchange(layer2, node0, node1);
exchange(layer3, node0d, node1d);
j += 1;
}
}
}
}
}
}
}
}
assignOrder(g, best);
};
const insertSelfEdges = (g) => {
const layers = buildLayerMatrix(g);
for (const layer of layers) {
let orderShift = 0;
for (let i = 0; i < layer.length; i++) {
const label = g.node(layer[i]).label;
label.order = i + orderShift;
if (label.selfEdges) {
for (const selfEdge of label.selfEdges) {
addDummyNode(g, 'selfedge', {
width: selfEdge.label.width,
height: selfEdge.label.height,
rank: label.rank,
order: i + (++orderShift),
e: selfEdge.e,
label: selfEdge.label
}, '_se');
}
delete label.selfEdges;
}
}
}
};
const coordinateSystem_swapWidthHeight = (g) => {
for (const node of g.nodes.values()) {
const label = node.label;
const w = label.width;
label.width = label.height;
label.height = w;
}
for (const e of g.edges.values()) {
const label = e.label;
const w = label.width;
label.width = label.height;
label.height = w;
}
};
const coordinateSystem_adjust = (g, state, layout) => {
const rankDir = layout.rankdir.toLowerCase();
if (rankDir === 'lr' || rankDir === 'rl') {
coordinateSystem_swapWidthHeight(g);
}
};
const coordinateSystem_undo = (g, state, layout) => {
const rankDir = layout.rankdir.toLowerCase();
if (rankDir === 'bt' || rankDir === 'rl') {
for (const node of g.nodes.values()) {
node.label.y = -node.label.y;
}
for (const e of g.edges.values()) {
const edge = e.label;
for (const attr of edge.points) {
attr.y = -attr.y;
}
if ('y' in edge) {
edge.y = -edge.y;
}
}
}
if (rankDir === 'lr' || rankDir === 'rl') {
const swapXYOne = (attrs) => {
[attrs.x, attrs.y] = [attrs.y, attrs.x];
};
for (const node of g.nodes.values()) {
swapXYOne(node.label);
}
for (const e of g.edges.values()) {
const edge = e.label;
for (const e of edge.points) {
swapXYOne(e);
}
if (edge.x !== undefined) {
swapXYOne(edge);
}
}
coordinateSystem_swapWidthHeight(g);
}
};
const position = (g, state, layout) => {
const addConflict = (conflicts, v, w) => {
if (v > w) {
[v, w] = [w, v];
}
let conflictsV = conflicts.get(v);
if (!conflictsV) {
conflictsV = new Set();
conflicts.set(v, conflictsV);
}
conflictsV.add(w);
};
const hasConflict = (conflicts, v, w) => {
if (v > w) {
[v, w] = [w, v];
}
return conflicts.has(v) && conflicts.get(v).has(w);
};
const buildBlockGraph = (g, layout, layering, root, reverseSep) => {
const nodeSep = layout.nodesep;
const edgeSep = layout.edgesep;
const blockGraph = new dagre.Graph(true, false);
for (const layer of layering) {
let u = null;
for (const v of layer) {
const vRoot = root.get(v);
blockGraph.setNode(vRoot, {});
if (u) {
const uRoot = root.get(u);
const vLabel = g.node(v).label;
const wLabel = g.node(u).label;
let sum = 0;
let delta = 0;
sum += vLabel.width / 2;
if ('labelpos' in vLabel) {
switch (vLabel.labelpos) {
case 'l': delta = -vLabel.width / 2; break;
case 'r': delta = vLabel.width / 2; break;
default: throw new dagre.Error(`Unsupported label position '${vLabel.labelpos}'.`);
}
}
if (delta) {
sum += reverseSep ? delta : -delta;
}
delta = 0;
sum += (vLabel.dummy ? edgeSep : nodeSep) / 2;
sum += (wLabel.dummy ? edgeSep : nodeSep) / 2;
sum += wLabel.width / 2;
if ('labelpos' in wLabel) {
switch (wLabel.labelpos) {
case 'l': delta = wLabel.width / 2; break;
case 'r': delta = -wLabel.width / 2; break;
default: throw new dagre.Error(`Unsupported label position '${wLabel.labelpos}'.`);
}
}
if (delta) {
sum += reverseSep ? delta : -delta;
}
const edge = blockGraph.edge(uRoot, vRoot);
const max = Math.max(sum, edge ? edge.label : 0);
if (edge) {
edge.label = max;
} else {
blockGraph.setEdge(uRoot, vRoot, max);
}
}
u = v;
}
}
return blockGraph;
};
const verticalAlignment = (layering, conflicts, neighborFn) => {
const root = new Map();
const align = new Map();
const pos = new Map();
for (const layer of layering) {
let order = 0;
for (const v of layer) {
root.set(v, v);
align.set(v, v);
pos.set(v, order);
order++;
}
}
for (const layer of layering) {
let prevIdx = -1;
for (const v of layer) {
let ws = neighborFn(v);
if (ws.size > 0) {
ws = Array.from(ws.keys());
ws = ws.sort((a, b) => pos.get(a) - pos.get(b));
const mp = (ws.length - 1) / 2.0000001;
const il = Math.ceil(mp);
for (let i = Math.floor(mp); i <= il; i++) {
const w = ws[i];
if (align.get(v) === v && prevIdx < pos.get(w) && !hasConflict(conflicts, v, w)) {
const x = root.get(w);
align.set(w, v);
align.set(v, x);
root.set(v, x);
prevIdx = pos.get(w);
}
}
}
}
}
return { root, align };
};
const horizontalCompaction = (g, layout, layering, root, align, reverseSep) => {
const blockG = buildBlockGraph(g, layout, layering, root, reverseSep);
const borderType = reverseSep ? 'borderLeft' : 'borderRight';
const xs = new Map();
if (blockG.nodes.size > 0) {
const stack = Array.from(blockG.nodes.keys());
const visited = new Set();
while (stack.length > 0) {
const v = stack.pop();
if (visited.has(v)) {
let max = 0;
for (const e of blockG.node(v).in) {
max = Math.max(max, xs.get(e.v) + e.label);
}
xs.set(v, max);
} else {
visited.add(v);
stack.push(v);
stack.push(...blockG.predecessors(v).keys());
}
}
}
if (blockG.nodes.size > 0) {
const stack = Array.from(blockG.nodes.keys());
const visited = new Set();
while (stack.length > 0) {
const v = stack.pop();
if (visited.has(v)) {
let min = Number.POSITIVE_INFINITY;
for (const e of blockG.node(v).out) {
min = Math.min(min, xs.get(e.w) - e.label);
}
const label = g.node(v).label;
if (label.dummy) {
continue;
}
if (min !== Number.POSITIVE_INFINITY && label.borderType !== borderType) {
xs.set(v, Math.max(xs.get(v), min));
}
} else {
visited.add(v);
stack.push(v);
stack.push(...blockG.successors(v).keys());
}
}
}
for (const v of align.values()) {
xs.set(v, xs.get(root.get(v)));
}
return xs;
};
const findType1Conflicts = (g, layering) => {
const conflicts = new Map();
if (layering.length > 0) {
let [prev] = layering;
for (let k = 1; k < layering.length; k++) {
const layer = layering[k];
let k0 = 0;
let scanPos = 0;
const prevLayerLength = prev.length;
const lastNode = layer[layer.length - 1];
for (let i = 0; i < layer.length; i++) {
const v = layer[i];
const w = g.node(v).label.dummy ? Array.from(g.predecessors(v).keys()).find((u) => g.node(u).label.dummy) : null;
if (w || v === lastNode) {
const k1 = w ? g.node(w).label.order : prevLayerLength;
for (const scanNode of layer.slice(scanPos, i + 1)) {
const predecessors = g.predecessors(scanNode);
if (predecessors.size > 0) {
for (const u of g.predecessors(scanNode).keys()) {
const uLabel = g.node(u).label;
const uPos = uLabel.order;
if ((uPos < k0 || k1 < uPos) && !(uLabel.dummy && g.node(scanNode).label.dummy)) {
addConflict(conflicts, u, scanNode);
}
}
}
}
scanPos = i + 1;
k0 = k1;
}
}
prev = layer;
}
}
return conflicts;
};
const findType2Conflicts = (g, layering) => {
const conflicts = new Map();
const scan = (south, southPos, southEnd, prevNorthBorder, nextNorthBorder) => {
for (let i = southPos; i < southEnd; i++) {
const v = south[i];
if (g.node(v).labeldummy) {
for (const u of g.predecessors(v).keys()) {
const uNode = g.node(u).label;
if (uNode.dummy && (uNode.order < prevNorthBorder || uNode.order > nextNorthBorder)) {
addConflict(conflicts, u, v);
}
}
}
}
};
if (layering.length > 0) {
let [north] = layering;
for (let i = 1; i < layering.length; i++) {
const south = layering[i];
let prevNorthPos = -1;
let nextNorthPos = 0;
let southPos = 0;
for (let southLookahead = 0; southLookahead < south.length; southLookahead++) {
const v = south[southLookahead];
if (g.node(v).label.dummy === 'border') {
const predecessors = g.predecessors(v);
if (predecessors.size > 0) {
nextNorthPos = g.node(predecessors.keys().next().value).label.order;
scan(south, southPos, southLookahead, prevNorthPos, nextNorthPos);
southPos = southLookahead;
prevNorthPos = nextNorthPos;
}
}
scan(south, southPos, south.length, nextNorthPos, north.length);
}
north = south;
}
}
return conflicts;
};
g = asNonCompoundGraph(g);
const layering = buildLayerMatrix(g);
const ranksep = layout.ranksep;
let y = 0;
for (const layer of layering) {
const maxHeight = layer.reduce((a, v) => Math.max(a, g.node(v).label.height), 0);
for (const v of layer) {
g.node(v).label.y = y + maxHeight / 2;
}
y += maxHeight + ranksep;
}
const conflicts = new Map([...findType1Conflicts(g, layering).entries(), ...findType2Conflicts(g, layering).entries()]);
const xss = {};
for (const vertical of ['u', 'd']) {
let adjustedLayering = vertical === 'u' ? layering : Object.values(layering).reverse();
for (const horizontal of ['l', 'r']) {
if (horizontal === 'r') {
adjustedLayering = adjustedLayering.map((layer) => Object.values(layer).reverse());
}
const neighborFn = (vertical === 'u' ? g.predecessors : g.successors).bind(g);
const align = verticalAlignment(adjustedLayering, conflicts, neighborFn);
const xs = horizontalCompaction(g, layout, adjustedLayering, align.root, align.align, horizontal === 'r');
if (horizontal === 'r') {
for (const [key, value] of xs.entries(xs)) {
xs.set(key, -value);
}
}
xss[vertical + horizontal] = xs;
}
}
let minWidth = Number.POSITIVE_INFINITY;
let minValue = null;
for (const xs of Object.values(xss)) {
let max = Number.NEGATIVE_INFINITY;
let min = Number.POSITIVE_INFINITY;
for (const [v, x] of xs.entries()) {
const halfWidth = g.node(v).label.width / 2;
max = Math.max(x + halfWidth, max);
min = Math.min(x - halfWidth, min);
}
const width = max - min;
if (width < minWidth) {
minWidth = width;
minValue = xs;
}
}
const alignTo = minValue;
const range = (values) => {
let min = Number.POSITIVE_INFINITY;
let max = Number.NEGATIVE_INFINITY;
for (const value of values) {
if (value < min) {
min = value;
}
if (value > max) {
max = value;
}
}
return [min, max];
};
const alignToRange = range(alignTo.values(alignTo));
for (const vertical of ['u', 'd']) {
for (const horizontal of ['l', 'r']) {
const alignment = vertical + horizontal;
const xs = xss[alignment];
if (xs !== alignTo) {
const vsValsRange = range(xs.values());
const delta = horizontal === 'l' ? alignToRange[0] - vsValsRange[0] : alignToRange[1] - vsValsRange[1];
if (delta) {
const list = new Map();
for (const [key, value] of xs.entries()) {
list.set(key, value + delta);
}
xss[alignment] = list;
}
}
}
}
const align = layout.align;
if (align) {
const xs = xss[align.toLowerCase()];
for (const v of xss.ul.keys()) {
g.node(v).label.x = xs.get(v);
}
} else {
for (const v of xss.ul.keys()) {
const xs = [xss.ul.get(v), xss.ur.get(v), xss.dl.get(v), xss.dr.get(v)].sort((a, b) => a - b);
g.node(v).label.x = (xs[1] + xs[2]) / 2;
}
}
};
const positionSelfEdges = (g) => {
for (const node of g.nodes.values()) {
const label = node.label;
if (label.dummy === 'selfedge') {
const v = node.v;
const selfNode = g.node(label.e.v).label;
const x = selfNode.x + selfNode.width / 2;
const y = selfNode.y;
const dx = label.x - x;
const dy = selfNode.height / 2;
g.setEdge(label.e.v, label.e.w, label.label);
g.removeNode(v);
label.label.points = [
{ x: x + 2 * dx / 3, y: y - dy },
{ x: x + 5 * dx / 6, y: y - dy },
{ x: x +     dx    , y },
{ x: x + 5 * dx / 6, y: y + dy },
{ x: x + 2 * dx / 3, y: y + dy }
];
label.label.x = label.x;
label.label.y = label.y;
}
}
};
const removeBorderNodes = (g) => {
for (const node of g.nodes.values()) {
const v = node.v;
if (g.hasChildren(v)) {
const label = node.label;
const t = g.node(label.borderTop).label;
const b = g.node(label.borderBottom).label;
const l = g.node(label.borderLeft[label.borderLeft.length - 1]).label;
const r = g.node(label.borderRight[label.borderRight.length - 1]).label;
label.width = Math.abs(r.x - l.x);
label.height = Math.abs(b.y - t.y);
label.x = l.x + label.width / 2;
label.y = t.y + label.height / 2;
}
}
for (const node of g.nodes.values()) {
if (node.label.dummy === 'border') {
g.removeNode(node.v);
}
}
};
const fixupEdgeLabelCoords = (g) => {
for (const e of g.edges.values()) {
const edge = e.label;
if ('x' in edge) {
if (edge.labelpos === 'l' || edge.labelpos === 'r') {
edge.width -= edge.labeloffset;
}
switch (edge.labelpos) {
case 'l': edge.x -= edge.width / 2 + edge.labeloffset; break;
case 'r': edge.x += edge.width / 2 + edge.labeloffset; break;
default: throw new dagre.Error(`Unsupported label position '${edge.labelpos}'.`);
}
}
}
};
const translateGraph = (g, state) => {
let minX = Number.POSITIVE_INFINITY;
let maxX = 0;
let minY = Number.POSITIVE_INFINITY;
let maxY = 0;
const getExtremes = (attrs) => {
const x = attrs.x;
const y = attrs.y;
const w = attrs.width;
const h = attrs.height;
minX = Math.min(minX, x - w / 2);
maxX = Math.max(maxX, x + w / 2);
minY = Math.min(minY, y - h / 2);
maxY = Math.max(maxY, y + h / 2);
};
for (const node of g.nodes.values()) {
getExtremes(node.label);
}
for (const e of g.edges.values()) {
const edge = e.label;
if ('x' in edge) {
getExtremes(edge);
}
}
for (const node of g.nodes.values()) {
node.label.x -= minX;
node.label.y -= minY;
}
for (const e of g.edges.values()) {
const edge = e.label;
for (const p of edge.points) {
p.x -= minX;
p.y -= minY;
}
if ('x' in edge) {
edge.x -= minX;
}
if ('y' in edge) {
edge.y -= minY;
}
}
state.width = maxX - minX;
state.height = maxY - minY;
};
const assignNodeIntersects = (g) => {
const intersectRect = (rect, point) => {
const x = rect.x;
const y = rect.y;
const dx = point.x - x;
const dy = point.y - y;
if (dx === 0 && dy === 0) {
throw new Error('Not possible to find intersection inside of the rectangle');
}
let w = rect.width / 2;
let h = rect.height / 2;
if (Math.abs(dy) * w > Math.abs(dx) * h) {
h = dy < 0 ? -h : h;
return { x: x + (h * dx / dy), y: y + h };
}
w = dx < 0 ? -w : w;
return { x: x + w, y: y + (w * dy / dx) };
};
for (const e of g.edges.values()) {
const edge = e.label;
const vNode = e.vNode.label;
const wNode = e.wNode.label;
let p1 = null;
let p2 = null;
if (edge.points) {
[p1] = edge.points;
p2 = edge.points[edge.points.length - 1];
} else {
edge.points = [];
p1 = wNode;
p2 = vNode;
}
edge.points.unshift(intersectRect(vNode, p1));
edge.points.push(intersectRect(wNode, p2));
}
};
const g = new dagre.Graph(true, true);
for (const node of nodes) {
g.setNode(node.v, {
width: node.width,
height: node.height
});
if (node.parent) {
g.setParent(node.v, node.parent);
}
}
for (const edge of edges) {
g.setEdge(edge.v, edge.w, {
minlen: edge.minlen || 1,
weight: edge.weight || 1,
width: edge.width || 0,
height: edge.height || 0,
labeloffset: edge.labeloffset || 10,
labelpos: edge.labelpos || 'r'
});
}
layout = { ranksep: 50, edgesep: 20, nodesep: 50, rankdir: 'tb', ...layout };
const tasks = [
makeSpaceForEdgeLabels,
removeSelfEdges,
acyclic_run,
nestingGraph_run,
rank,
injectEdgeLabelProxies,
removeEmptyRanks,
nestingGraph_cleanup,
assignRankMinMax,
removeEdgeLabelProxies,
normalize,
parentDummyChains,
addBorderSegments,
order,
insertSelfEdges,
coordinateSystem_adjust,
position,
positionSelfEdges,
removeBorderNodes,
denormalize,
fixupEdgeLabelCoords,
coordinateSystem_undo,
translateGraph,
assignNodeIntersects,
acyclic_undo
];
while (tasks.length > 0) {
const task = tasks.shift();
task(g, state, layout);
}
for (const node of nodes) {
const label = g.node(node.v).label;
node.x = label.x;
node.y = label.y;
if (g.hasChildren(node.v)) {
node.width = label.width;
node.height = label.height;
}
}
for (const edge of edges) {
const label = g.edge(edge.v, edge.w).label;
edge.points = label.points;
if ('x' in label) {
edge.x = label.x;
edge.y = label.y;
}
}
if (state.log) {
state.log = g.toString();
}
};
dagre.Graph = class {
constructor(directed, compound) {
this.directed = directed;
this.compound = compound;
this._defaultNodeLabelFn = () => {
return undefined;
};
this.nodes = new Map();
this.edges = new Map();
if (this.compound) {
this._parent = new Map();
this._children = new Map();
this._children.set('\x00', new Map());
}
}
setDefaultNodeLabel(newDefault) {
this._defaultNodeLabelFn = newDefault;
}
setNode(v, label) {
const node = this.nodes.get(v);
if (node) {
if (label) {
node.label = label;
}
} else {
const node = { label: label ? label : this._defaultNodeLabelFn(v), in: [], out: [], predecessors: new Map(), successors: new Map(), v };
this.nodes.set(v, node);
if (this.compound) {
this._parent.set(v, '\x00');
this._children.set(v, new Map());
this._children.get('\x00').set(v, true);
}
}
}
node(v) {
return this.nodes.get(v);
}
hasNode(v) {
return this.nodes.has(v);
}
removeNode(v) {
const node = this.nodes.get(v);
if (node) {
if (this.compound) {
this._children.get(this._parent.get(v)).delete(v);
this._parent.delete(v);
for (const child of this.children(v)) {
this.setParent(child);
}
this._children.delete(v);
}
for (const edge of node.in.concat()) {
this.removeEdge(edge);
}
for (const edge of node.out.concat()) {
this.removeEdge(edge);
}
this.nodes.delete(v);
}
}
setParent(v, parent) {
if (!this.compound) {
throw new Error('Cannot set parent in a non-compound graph');
}
if (parent) {
for (let ancestor = parent; ancestor !== undefined; ancestor = this.parent(ancestor)) {
if (ancestor === v) {
throw new Error(`Setting ${parent} as parent of ${v} would create a cycle.`);
}
}
this.setNode(parent);
} else {
parent = '\x00';
}
this._children.get(this._parent.get(v)).delete(v);
this._parent.set(v, parent);
this._children.get(parent).set(v, true);
}
parent(v) {
if (this.compound) {
const parent = this._parent.get(v);
if (parent !== '\x00') {
return parent;
}
}
return null;
}
children(v) {
if (this.compound) {
return this._children.get(v === undefined ? '\x00' : v).keys();
} else if (v === undefined) {
return this.nodes.keys();
} else if (this.hasNode(v)) {
return [];
}
return null;
}
hasChildren(v) {
if (this.compound) {
return this._children.get(v === undefined ? '\x00' : v).size > 0;
} else if (v === undefined) {
return this.nodes.size > 0;
}
return false;
}
predecessors(v) {
return this.nodes.get(v).predecessors;
}
successors(v) {
return this.nodes.get(v).successors;
}
neighbors(v) {
const n = this.nodes.get(v);
const p = n.predecessors.keys();
const s = n.successors.keys();
const set = new Set();
for (const k of p) {
set.add(k);
}
for (const k of s) {
set.add(k);
}
return set;
}
edge(v, w) {
return this.edges.get(this._edgeKey(this.directed, v, w));
}
setEdge(v, w, label, name) {
const key = this._edgeKey(this.directed, v, w, name);
const edge = this.edges.get(key);
if (edge) {
edge.label = label;
} else {
if (!this.directed && v > w) {
[v, w] = [w, v];
}
const edge = { label, v, w, name, key, vNode: null, wNode: null };
this.edges.set(key, edge);
this.setNode(v);
this.setNode(w);
const wNode = this.nodes.get(w);
const vNode = this.nodes.get(v);
edge.wNode = wNode;
edge.vNode = vNode;
const incrementOrInitEntry = (map, k) => {
map.set(k, (map.get(k) ?? 0) + 1);
};
incrementOrInitEntry(wNode.predecessors, v);
incrementOrInitEntry(vNode.successors, w);
wNode.in.push(edge);
vNode.out.push(edge);
}
}
removeEdge(edge) {
const key = edge.key;
const v = edge.v;
const w = edge.w;
const wNode = edge.wNode;
const vNode = edge.vNode;
if (wNode.predecessors.has(v)) {
const value = wNode.predecessors.get(v);
if (value === 1) {
wNode.predecessors.delete(v);
} else {
wNode.predecessors.set(v, value - 1);
}
}
if (vNode.successors.has(w)) {
const value = vNode.successors.get(w);
if (value === 1) {
vNode.successors.delete(w);
} else {
vNode.successors.set(w, value - 1);
}
}
const idxIn = wNode.in.findIndex((e) => e.key === key);
if (idxIn !== -1) {
wNode.in.splice(idxIn, 1);
}
const idxOut = vNode.out.findIndex((e) => e.key === key);
if (idxOut !== -1) {
vNode.out.splice(idxOut, 1);
}
this.edges.delete(key);
}
_edgeKey(isDirected, v, w, name) {
if (!isDirected && v > w) {
return name ? `${w}:${v}:${name}` : `${w}:${v}:`;
}
return name ? `${v}:${w}:${name}` : `${v}:${w}:`;
}
toString() {
return [
'[nodes]', Array.from(this.nodes.values()).map((n) => JSON.stringify(n.label)).join('\n'),
'[edges]', Array.from(this.edges.values()).map((e) => JSON.stringify(e.label)).join('\n'),
'[parents]', JSON.stringify(this._parent, null, 2),
'[children]', JSON.stringify(this._children, null, 2)
].join('\n');
}
};
return dagre;
})();
const SUPPORTED_VERSION = 1;
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
function totalsOf(nodes) {
const counted = new Map(nodes.filter((node) => node.counts !== undefined).map((node) => [node.key, node.counts]));
if (counted.size === 0) return null;
const total = (name) => [...counted.values()].reduce((sum, counts) => sum + counts[name], 0);
return { resolves: total('resolves'), constructions: total('constructions'), failures: total('failures') };
}
const DIRECTIONS = {
uses: { edges: 'uses', end: 'target' },
usedBy: { edges: 'usedBy', end: 'source' },
};
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
const LIMITS = {
items: 250,
box: 120,
boxLines: 300,
openOverview: 120,
focus: 60,
focusGroup: 3,
column: 16,
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
function firstGrouping(graph) {
return graph.modules.size > 1 || graph.files.size <= 1 ? 'module' : 'file';
}
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
const SIZES = {
nodeHeight: 40,
minimumWidth: 96,
maximumWidth: 260,
groupHeight: 36,
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
const SHORT_KINDS = new Map([
['factory', ''], ['factoryWithArguments', 'with arguments'], ['asynchronousFactory', 'async'],
['forwarding', 'forwards'],
]);
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
function place(things, lines, { ranksep, aspect }) {
const connected = new Set(lines.flatMap((line) => [line.from, line.to]));
const placed = things.filter((thing) => connected.has(thing));
const alone = things.filter((thing) => !connected.has(thing));
const size = placed.length > 0 ? placeWithLibrary(placed, lines, ranksep, aspect) : { width: 0, height: 0 };
if (alone.length > 0) placeInRows(alone, size, aspect || 1.6);
return size;
}
function placeWithLibrary(things, lines, ranksep, aspect) {
const results = (aspect === null ? ['LR'] : ['LR', 'TB']).map((rankdir) => {
const nodes = things.map((thing) => ({ v: thing.key, width: thing.width, height: thing.height }));
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
function isolated(text) {
return `\u2068${text}\u2069`;
}
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
function straight(from, to) {
const isAhead = to.x >= from.x;
const start = { x: from.x + (isAhead ? from.width : -from.width) / 2, y: from.y };
const end = { x: to.x + (isAhead ? -to.width : to.width) / 2, y: to.y };
const bend = Math.max(30, Math.abs(end.x - start.x) / 3) * (isAhead ? 1 : -1);
return [start, { x: start.x + bend, y: start.y }, { x: end.x - bend, y: end.y }, end];
}
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
fit(scene, { least = 0, anchor = null } = {}) {
const { width, height } = this.size;
const room = 24;
const whole = Math.min((width - 2 * room) / (scene.width || 1), (height - 2 * room) / (scene.height || 1), 1.2);
this.scale = clamp(Math.max(whole, least));
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
const LISTED_AT_ONCE = 200;
const KIND_WORDS = new Map([
['factoryWithArguments', 'factory with arguments'], ['asynchronousFactory', 'asynchronous factory'],
['forwarding', 'forwards to another key'], ['input', 'input of a scope'],
]);
function bdi(text) {
return html('bdi', {}, String(text));
}
function button(label, action, attributes = {}) {
const element = html('button', { type: 'button', ...attributes }, label);
element.addEventListener('click', action);
return element;
}
class ServiceList {
constructor(graph, classOfScope, go) {
this.nodes = [...graph.allNodes].sort((a, b) => a.title.localeCompare(b.title));
this.classOfScope = classOfScope;
this.go = go;
this.list = document.getElementById('service-list');
this.found = document.getElementById('found');
this.more = document.getElementById('more-services');
this.more.addEventListener('click', () => this.list.append(...this.rest.splice(0).map((node) => this.row(node))) ||
(this.more.hidden = true));
this.list.addEventListener('keydown', (event) => this.move(event));
this.list.addEventListener('focusin', (event) => this.stopAt(event.target));
}
stopAt(row) {
this.list.querySelectorAll('.service[tabindex="0"]').forEach((other) => { other.tabIndex = -1; });
if (row !== null) row.tabIndex = 0;
}
find(words) {
const found = this.nodes.filter((node) => words.every((word) => node.searchText.includes(word)));
return words.length > 0 ? found.sort((a, b) => rank(a, words) - rank(b, words)) : found;
}
show({ words, isShown }) {
const matches = this.find(words).filter(isShown);
this.matches = matches;
this.list.replaceChildren(...matches.slice(0, LISTED_AT_ONCE).map((node) => this.row(node)));
this.stopAt(this.first());
this.rest = matches.slice(LISTED_AT_ONCE);
this.more.hidden = this.rest.length === 0;
this.more.textContent = `Show ${number(this.rest.length)} more`;
const missing = matches.filter((node) => node.isGhost).length;
this.found.textContent = matches.length === 0 ? 'Nothing found.'
: counted(matches.length - missing, 'service') + (missing > 0 ? `, ${number(missing)} not registered` : '');
}
row(node) {
const element = button('', () => this.go.focus(node), { 'data-id': node.id, class: 'service', tabindex: -1 });
element.append(
html('span', { class: `swatch ${node.isGhost ? 'ghost' : this.classOfScope.get(node.scope)}` }),
html('span', { class: 'title' }, bdi(node.title)),
html('span', { class: 'note' }, bdi(node.isGhost ? 'not registered'
: [node.implementation, node.scope, node.part].filter(Boolean).join(' · '))));
if (node.findings.length > 0) element.append(findingMark(node.findings.length));
return html('li', {}, element);
}
mark(id) {
this.list.querySelectorAll('[aria-current]').forEach((element) => element.removeAttribute('aria-current'));
for (const element of this.list.querySelectorAll('.service')) {
if (element.dataset.id === String(id)) element.setAttribute('aria-current', 'true');
}
}
move(event) {
const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
if (step === undefined) return;
const rows = [...this.list.querySelectorAll('.service')];
const next = rows[rows.indexOf(document.activeElement) + step];
event.preventDefault();
if (next !== undefined) next.focus();
else if (step < 0) document.getElementById('search').focus();
}
first() {
return this.list.querySelector('.service');
}
}
function rank(node, words) {
const texts = [node.title, node.type, node.name, node.implementation].filter((text) => text !== undefined).map((text) => text.toLowerCase());
const all = words.join(' ');
if (texts.includes(all)) return 0;
if (texts.some((text) => text.startsWith(all))) return 1;
return texts[0].includes(all) ? 2 : 3;
}
function findingMark(count) {
return html('span', { class: 'finding-mark', title: counted(count, 'finding') }, String(count));
}
function fillFindings(graph, go) {
const list = document.getElementById('finding-list');
for (const group of graph.unexplainedCycles) {
const text = group.length === 1 ? `${group[0].title} needs itself.`
: `${group.map((node) => node.title).join(', ')} need each other.`;
list.append(html('li', {}, findingButton('cycle', text, () => go.cycle(graph.cycles.indexOf(group)))));
}
for (const finding of graph.findings) {
list.append(html('li', {}, findingButton(finding.kind, finding.text, () => go.finding(finding))));
}
const count = graph.unexplainedCycles.length + graph.findings.length;
document.getElementById('tab-findings').textContent = `Findings (${number(count)})`;
if (count === 0) list.append(html('li', { class: 'empty' }, 'No findings and no cycles.'));
}
function findingButton(kind, text, action) {
const element = button('', action, { class: 'finding' });
element.append(html('span', { class: 'kind' }, kind), html('span', { class: 'text' }, bdi(text)));
return element;
}
class Details {
constructor(graph, go) {
this.graph = graph;
this.go = go;
this.panel = document.getElementById('details');
}
showNothing() {
this.panel.replaceChildren(html('h2', {}, 'Details'),
html('p', { class: 'hint' }, 'Select a service in the picture or in the list.'), ...this.snapshot());
}
snapshot() {
const { snapshot, totals } = this.graph;
if (snapshot === null) return [];
const facts = [
['Open scopes', number(snapshot.openScopes)], ['Draining', snapshot.isDraining ? 'yes' : 'no'],
['Closed', snapshot.isClosed ? 'yes' : 'no'], ...this.counts(totals),
...Object.entries(snapshot.instances).map(([scope, count]) => [`Instances, ${scope}`, number(count)]),
];
return [html('h3', {}, 'The container when this was taken'), factList(facts)];
}
counts(counts) {
if (counts === undefined || counts === null) return [];
return [
['Resolves', this.graph.totals.resolves > 0 ? number(counts.resolves) : ''],
['Constructions', number(counts.constructions)],
['Took', counts.constructionTime > 0 ? `${seconds(counts.constructionTime)}, dependencies included` : ''],
['Failures', number(counts.failures)],
];
}
showNode(node) {
if (node.isGhost) {
this.panel.replaceChildren(
html('h2', {}, bdi(node.key)), html('p', {}, 'Nothing is registered under this key.'),
...this.neighbors('Asked for by', node, 'usedBy'));
return;
}
const facts = [
['Key', node.key], ['Implementation', node.implementation], ['Scope', node.scope], ['Kind', KIND_WORDS.get(node.kind) ?? node.kind],
['Module', node.module], ['Assembly', node.assembly], ['Location', node.location],
['Container', node.level === 0 ? 'this one' : node.level === 1 ? 'its parent' : `${node.level} levels up`],
['Eager', node.isEager ? 'yes' : 'no'], ['Built', node.isBuilt ? 'yes' : 'no'],
...this.counts(node.counts),
];
const { go } = this;
this.panel.replaceChildren(
html('h2', {}, bdi(node.title)),
html('div', { class: 'row actions' },
button('Focus', () => go.focus(node), { class: 'primary', title: 'f' }),
button('All dependencies', () => go.focus(node, 'uses', Infinity)),
button('All dependents', () => go.focus(node, 'usedBy', Infinity)),
button('Path from here', () => go.pathFrom(node)),
button('Path to here', () => go.pathTo(node))),
...node.findings.map((finding) => findingButton(finding.kind, finding.text, () => go.finding(finding))),
factList(facts),
...(node.location ? [copyButton('Copy the location', node.location)] : []),
...this.neighbors('Depends on', node, 'uses'),
...this.neighbors('Depended on by', node, 'usedBy'));
if (!node.areDependenciesKnown) {
this.panel.querySelector('.neighbors').before(html('p', { class: 'hint' },
'Not all of its dependencies are known: nothing has recorded or declared them.'));
}
}
neighbors(heading, node, direction) {
const { edges, end } = DIRECTIONS[direction];
const list = html('ul', { class: 'neighbors list' });
const sorted = [...node[edges]].sort((a, b) => a[end].title.localeCompare(b[end].title));
const row = (edge) => {
const element = button('', () => this.go.focus(edge[end]), { class: 'link', 'data-id': edge[end].id });
element.append(bdi(edge[end].title));
const notes = [edge.kind, edge.evidence, edge[end].isGhost ? 'not registered' : ''].filter(Boolean).join(', ');
return html('li', {}, element, html('span', { class: 'note' }, notes));
};
list.append(...sorted.slice(0, LISTED_AT_ONCE).map(row));
const rest = sorted.slice(LISTED_AT_ONCE);
if (rest.length > 0) {
const more = html('li', {});
more.append(button(`Show ${number(rest.length)} more`, () => { more.replaceWith(...rest.map(row)); }));
list.append(more);
}
const all = distancesFrom(node, direction).size - 1;
const direct = new Set(sorted.map((edge) => edge[end])).size;
return [html('h3', {}, `${heading} ${number(direct)}`,
html('span', { class: 'note' }, all > direct ? ` directly, ${number(all)} in all` : '')), list];
}
showGroup(item, scene) {
const counts = (direction) => {
const [own, other] = direction === 'uses' ? ['from', 'to'] : ['to', 'from'];
return [...scene.lines, ...scene.weakLines].filter((line) => line[own] === item && (!item.isBox || line[other].isGroup))
.map((line) => ({ item: line[other], count: line.edges.length })).sort((a, b) => b.count - a.count);
};
const neighbors = (heading, direction) => [html('h3', {}, heading), html('ul', { class: 'list neighbors' },
...counts(direction).map(({ item: other, count }) => html('li', {},
button(bdi(itemName(other)), () => this.go.item(other), { class: 'link' }),
html('span', { class: 'note' }, `${number(count)}×`))))];
const members = html('ul', { class: 'list neighbors' }, ...[...item.members]
.sort((a, b) => a.title.localeCompare(b.title)).slice(0, LISTED_AT_ONCE)
.map((node) => html('li', {}, button(bdi(node.title), () => this.go.focus(node), { class: 'link' }),
html('span', { class: 'note' }, node.scope))));
this.panel.replaceChildren(
html('h2', {}, bdi(item.label)), html('p', { class: 'hint' }, `${secondLine(item)}: ${scopeCounts(item.members)}`),
html('div', { class: 'row actions' },
...(this.go.canOpen(item) ? [button('Open', () => this.go.openGroup(item), { class: 'primary' })] : []),
item.isBox ? button('Collapse', () => this.go.collapse(item)) : button('Expand here', () => this.go.expand(item))),
...neighbors('Depends on', 'uses'), ...neighbors('Depended on by', 'usedBy'),
html('h3', {}, secondLine(item)), members);
}
}
function copyButton(label, text) {
const element = button(label, async () => {
try {
await navigator.clipboard.writeText(text);
element.textContent = 'Copied';
} catch {
getSelection().selectAllChildren([...document.querySelectorAll('#details dd bdi')].find((value) => value.textContent === text));
element.textContent = 'Selected: copy it';
}
});
return element;
}
function factList(facts) {
return html('dl', {}, ...facts.filter(([, value]) => value !== undefined && value !== '')
.flatMap(([term, value]) => [html('dt', {}, term), html('dd', {}, bdi(value))]));
}
function fillLegend(graph, classOfScope, brighten) {
const legend = document.getElementById('legend');
let chosen = null;
for (const [scope, count] of graph.scopes) {
const element = button('', () => {
chosen = chosen === scope ? null : scope;
legend.querySelectorAll('button').forEach((other) => other.setAttribute('aria-pressed', 'false'));
element.setAttribute('aria-pressed', String(chosen === scope));
brighten(chosen);
}, { 'aria-pressed': 'false', title: `Bring out the services of this scope` });
element.append(html('span', { class: `swatch ${classOfScope.get(scope)}` }), bdi(scope),
html('span', { class: 'note' }, number(count)));
legend.append(element);
}
if (graph.ghosts.length > 0) {
legend.append(html('span', { class: 'entry' }, html('span', { class: 'swatch ghost' }), 'not registered ',
html('span', { class: 'note' }, number(graph.ghosts.length))));
}
}
function fillTimeline(graph, go) {
const { entries, criticalPath } = graph.timeline;
const critical = new Set(criticalPath || []);
const sorted = [...entries].filter((entry) => graph.node(entry.node) !== undefined)
.sort((a, b) => a.start - b.start || b.duration - a.duration);
const begin = Math.min(...sorted.map((entry) => entry.start), Infinity);
const end = Math.max(...sorted.map((entry) => entry.start + entry.duration), -Infinity);
const whole = end - begin || 1;
const page = document.getElementById('page-timeline');
if (sorted.length === 0) {
page.append(html('p', { class: 'hint' }, 'The timeline has no constructions.'));
return;
}
const body = html('tbody', {}, ...sorted.map((entry) => {
const node = graph.node(entry.node);
const bar = html('span', { class: 'span' });
bar.style.left = `${((entry.start - begin) / whole) * 100}%`;
bar.style.width = `${(entry.duration / whole) * 100}%`;
const waits = graph.nodesOf(entry.waitedFor || []);
const isCritical = critical.has(entry.node);
return html('tr', { class: isCritical ? 'critical' : 'usual' },
html('th', { scope: 'row' }, button(bdi(node.title), () => go.focus(node), { class: 'link' })),
html('td', { class: 'number' }, seconds(entry.start - begin)),
html('td', { class: 'number' }, seconds(entry.duration)),
html('td', { class: 'track' }, bar),
html('td', { class: 'note' }, bdi(entry.task === undefined ? '' : entry.task)),
html('td', { class: 'note' }, isCritical ? 'critical path' : '',
waits.length > 0 ? `${isCritical ? '; ' : ''}waited for ` : '',
...waits.flatMap((other, index) => [index > 0 ? ', ' : '', bdi(other.title)])));
}));
page.append(
html('p', { class: 'hint' },
`${counted(sorted.length, 'construction')} in ${seconds(whole)}. The critical path is drawn in blue: ` +
'only a shorter step of it makes the whole shorter.'),
html('table', { class: 'waterfall' },
html('thead', {}, html('tr', {}, ...['Service', 'Start', 'Took', 'When', 'Task', 'Remarks']
.map((title) => html('th', { scope: 'col', class: ['Start', 'Took'].includes(title) ? 'number' : 'words' }, title)))), body));
}
const byID = (id) => document.getElementById(id);
const LEAST_SCALES = { overview: 0, group: 0.4, focus: 0.62, path: 0.5, finding: 0.5, cycle: 0.5 };
class Page {
constructor(graph) {
this.graph = graph;
this.selected = null;
this.words = [];
this.opened = { overview: new Set(), others: new Set() };
this.go = this.commands();
this.drawing = new Drawing(byID('world'), graph);
this.viewport = new Viewport(byID('canvas'), byID('world'));
this.list = new ServiceList(graph, this.drawing.classOfScope, this.go);
this.details = new Details(graph, this.go);
this.state = this.defaults();
this.openSmallOverview();
this.describe();
fillFindings(graph, this.go);
fillLegend(graph, this.drawing.classOfScope, (scope) => {
this.scope = scope;
this.drawing.brighten(scope);
});
this.wire();
this.follow();
}
defaults() {
return { view: 'overview', group: this.grouping || firstGrouping(this.graph), direction: 'both', depth: 1,
ways: 'shortest' };
}
openSmallOverview() {
if (this.graph.allNodes.length > LIMITS.openOverview) return;
for (const node of this.graph.allNodes) {
for (const grouping of ['module', 'assembly', 'file']) this.opened.overview.add(groupOfNode(node, grouping).key);
}
}
describe() {
const { graph } = this;
const parts = [
counted(graph.nodes.length, 'service'), counted(graph.edges.length, 'dependency', 'dependencies'),
graph.modules.size > 1 ? counted(graph.modules.size, 'module') : counted(graph.files.size, 'file'),
];
byID('summary').textContent = parts.join(' · ');
if (graph.timeline === null) return;
fillTimeline(graph, this.go);
byID('pages').hidden = false;
}
commands() {
const show = (state) => this.show(state);
return {
overview: () => show({ view: 'overview' }),
focus: (node, direction = 'both', depth = 1) => show({ view: 'focus', node: node.id, direction, depth }),
finding: (finding) => (finding.nodes.length === 1
? show({ view: 'focus', node: finding.nodes[0].id, direction: 'both', depth: 1 })
: show({ view: 'finding', index: finding.index })),
cycle: (index) => show({ view: 'cycle', index }),
path: (from, to) => show({ view: 'path', from: from.id, to: to.id }),
pathFrom: (node) => this.choosePath('path-from', node, 'path-to'),
pathTo: (node) => this.choosePath('path-to', node, 'path-from'),
openGroup: (item) => show({ view: 'group', key: item.key }),
canOpen: (item) => ['overview', 'group'].includes(this.state.view) && item.kind !== 'missing',
expand: (item) => this.expand(item),
item: (item) => (item.isGroup ? this.select(item.key, { reveals: true }) : this.go.focus(item.node)),
collapse: (item) => this.collapse(item.key),
};
}
show(change) {
const state = { ...this.defaults(), ...change };
const fields = new URLSearchParams();
for (const [key, value] of Object.entries(state)) {
const isDefault = this.defaults()[key] === value && key !== 'view';
if (!isDefault) fields.set(key, value);
}
const fragment = `#${fields}`;
if (location.hash === fragment) this.follow();
else location.hash = fragment;
}
follow() {
const fields = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
const state = { ...this.defaults(), ...fields };
const id = (value) => (String(value).startsWith('missing-') ? value : Number(value));
state.depth = Number(state.depth);
state.index = Number(state.index);
for (const key of ['node', 'from', 'to']) state[key] = id(state[key]);
const has = (value) => this.graph.node(value) !== undefined;
const checks = {
overview: () => true,
group: () => state.key !== undefined,
focus: () => has(state.node) && state.depth >= 1 && ['both', ...Object.keys(DIRECTIONS)].includes(state.direction),
path: () => has(state.from) && has(state.to),
finding: () => this.graph.findings[state.index] !== undefined,
cycle: () => this.graph.cycles[state.index] !== undefined,
};
const isValid = Object.hasOwn(checks, state.view) && Object.hasOwn(GROUPINGS, state.group) && checks[state.view]();
this.state = isValid ? state : this.defaults();
this.opened.others = new Set();
this.showPage('graph');
this.render();
}
get open() {
return this.state.view === 'overview' ? this.opened.overview : this.opened.others;
}
render({ keepsSelection = false } = {}) {
const { state } = this;
const hadFocus = ['world', 'details', 'view-controls'].find((id) => byID(id).contains(document.activeElement));
const scene = sceneOf(this.graph, { ...state, open: this.open });
this.scene = scene;
const message = byID('picture-message');
message.hidden = !scene.isTooLarge && scene.items.length > 0;
message.textContent = scene.items.length === 0 ? 'There is nothing to draw.'
: `${scene.summary} Search for a service, or choose fewer steps, one direction, or groups.`;
byID('view-title').textContent = scene.title;
byID('view-summary').textContent = scene.summary;
byID('view-title').parentElement.title = `${scene.title} ${scene.summary}`;
if (scene.isTooLarge) Object.assign(scene, { items: [], boxes: [], lines: [], weakLines: [] });
const { width, height } = this.viewport.size;
layOut(scene, width / (height || 1));
this.drawing.draw(scene);
this.fillControls();
this.showPath();
const anchor = [...scene.items, ...scene.boxes].find((item) => item.isAnchor) || null;
this.viewport.fit(scene, { least: LEAST_SCALES[state.view], anchor });
const selects = ['focus', 'finding', 'cycle'].includes(state.view) && anchor !== null;
const wanted = keepsSelection ? this.selected : selects ? anchor.key : null;
this.select(wanted);
if (this.scope) this.drawing.brighten(this.scope);
this.showList();
this.restoreFocus(hadFocus);
}
restoreFocus(place) {
if (place === 'world') this.focusItem(this.selectedItem);
if (place === 'details') byID('details').focus({ preventScroll: true });
if (place === 'view-controls') byID(place).querySelector('[aria-pressed=true], select')?.focus();
if (place === 'world' && this.selectedItem === undefined) byID('canvas').focus();
}
select(key, { reveals = false } = {}) {
const item = this.itemOf(key);
this.selected = item === undefined ? null : key;
this.drawing.emphasize(item, 'selected');
if (item === undefined) this.details.showNothing();
else if (item.isGroup) this.details.showGroup(item, this.scene);
else this.details.showNode(item.node);
this.list.mark(item !== undefined && !item.isGroup ? item.node.id : null);
if (item !== undefined && reveals) this.viewport.reveal(item);
}
itemOf(key) {
return this.scene.items.find((item) => item.key === key) || this.scene.boxes.find((box) => box.key === key);
}
get selectedItem() {
return this.itemOf(this.selected);
}
expand(item) {
this.open.add(item.key);
if (sceneOf(this.graph, { ...this.state, open: this.open }).isTooLarge) {
this.open.delete(item.key);
byID('view-summary').textContent =
`${secondLine(item)} more would be too many for this picture (at most ${LIMITS.items} items).`;
return;
}
this.render({ keepsSelection: true });
}
collapse(key) {
this.open.delete(key);
this.render({ keepsSelection: true });
}
fillControls() {
const { state } = this;
const controls = byID('view-controls');
const change = (fields) => this.show({ ...state, ...fields });
const choices = (label, values, current, name) => html('span', { class: 'choices', role: 'group', 'aria-label': label },
...Object.entries(values).map(([value, text]) => button(text, () => change({ [name]: value }),
{ 'aria-pressed': String(value === current) })));
if (state.view === 'focus') {
const depth = html('select', { id: 'depth', 'aria-label': 'How far' },
...[[1, 'direct'], [2, '2 steps'], [3, '3 steps'], [Infinity, 'all']].map(([value, text]) => {
const option = html('option', { value: String(value) }, text);
option.selected = value === state.depth;
return option;
}));
depth.addEventListener('change', () => change({ depth: Number(depth.value) }));
controls.replaceChildren(
choices('Direction', { usedBy: 'Dependents', both: 'Both', uses: 'Dependencies' }, state.direction, 'direction'), depth);
} else if (state.view === 'path') {
controls.replaceChildren(choices('Paths', { shortest: 'Shortest', all: 'All paths' }, state.ways, 'ways'));
} else if (state.view === 'overview') {
controls.replaceChildren(this.groupingControl(), button('Expand all', (event) => this.expandAll(event.currentTarget)),
button('Collapse all', () => { this.opened.overview.clear(); this.render(); }));
this.warnsOfExpanding = false;
} else {
controls.replaceChildren();
}
}
groupingControl() {
const isUseless = { assembly: !this.graph.hasAssemblies, none: this.graph.allNodes.length > LIMITS.items };
const values = { module: 'module', assembly: 'assembly', file: 'file', none: 'nothing' };
const select = html('select', { id: 'grouping' }, ...Object.entries(values).map(([value, text]) => {
const option = html('option', { value }, text);
option.selected = value === this.state.group;
option.disabled = isUseless[value] ?? false;
return option;
}));
select.addEventListener('change', () => {
this.grouping = select.value;
this.show({ view: 'overview', group: select.value });
});
return html('label', {}, 'Group by ', select);
}
expandAll(clicked) {
const count = this.graph.allNodes.length;
if (count > LIMITS.items && !this.warnsOfExpanding) {
this.warnsOfExpanding = true;
clicked.textContent = `Expand ${number(count)}`;
byID('view-summary').textContent = `${counted(count, 'service')} at once are slow to draw and hard to read. Click again to see them.`;
return;
}
for (const node of this.graph.allNodes) {
const into = groupOfNode(node, this.state.group);
if (into !== null) this.open.add(into.key);
}
this.render();
}
choosePath(field, node, otherField) {
byID(field).value = this.nameForPath(node);
this.showTab('path');
const other = this.nodeForPath(byID(otherField).value);
if (other !== undefined) byID('path-form').requestSubmit();
else byID(otherField).focus();
}
nameForPath(node) {
if (this.pathNames === undefined) {
const title = (other) => oneLine(other.title);
const longer = (other) => oneLine(`${other.title}, ${other.implementation}`);
const [titles, longerTitles] = [title, longer].map((nameOf) => countBy(this.graph.allNodes, nameOf));
this.pathNames = new Map(this.graph.allNodes.map((other) => {
if (titles.get(title(other)) === 1) return [other, title(other)];
const isTold = other.implementation !== undefined && longerTitles.get(longer(other)) === 1;
return [other, isTold ? longer(other) : `${title(other)} [${other.id}]`];
}));
this.nodeOfPathName = new Map([...this.pathNames].map(([other, name]) => [name, other]));
byID('path-choices').replaceChildren(
...[...this.nodeOfPathName.keys()].sort().map((name) => html('option', { value: name })));
}
return this.pathNames.get(node);
}
nodeForPath(name) {
this.nameForPath(null);
const text = name.trim().toLowerCase();
if (text === '') return undefined;
return this.nodeOfPathName.get(name) ||
[...this.nodeOfPathName].filter(([other]) => other.toLowerCase() === text).map(([, node]) => node)[0] ||
this.list.find(wordsOf(text))[0];
}
findPath() {
const from = this.nodeForPath(byID('path-from').value);
const to = this.nodeForPath(byID('path-to').value);
const result = byID('path-result');
const unknown = [['path-from', from], ['path-to', to]].find(([, node]) => node === undefined);
if (unknown !== undefined) {
const { value } = byID(unknown[0]);
result.textContent = value === '' ? 'Name two services.' : `No service is named “${value}”.`;
byID(unknown[0]).focus();
return;
}
this.go.path(from, to);
}
showPath() {
const result = byID('path-result');
if (this.state.view !== 'path') {
result.replaceChildren();
return;
}
const from = this.graph.node(this.state.from);
const to = this.graph.node(this.state.to);
byID('path-from').value = this.nameForPath(from);
byID('path-to').value = this.nameForPath(to);
this.showTab('path');
const { paths } = this.scene;
if (paths === null) {
const isReversed = pathsBetween(to, from) !== null;
result.replaceChildren(html('p', {}, 'No path: ', bdi(from.title), ' does not depend on ', bdi(to.title), '.'));
if (isReversed) {
result.append(html('p', {}, 'The other way round there is one. '), button('Swap', () => this.go.path(to, from)));
}
byID('view-summary').textContent = 'No path.';
return;
}
result.replaceChildren(
html('p', {}, `${counted(paths.chain.length - 1, 'step')}; ${counted(paths.every.size, 'service')} on all paths.`),
html('ol', { class: 'list' }, ...paths.chain.map((node) => html('li', {},
button(bdi(node.title), () => this.go.focus(node), { class: 'link' })))));
}
showList() {
const drawn = new Set(this.scene.items.flatMap((item) => item.members));
const only = byID('only-shown').checked;
this.list.show({ words: this.words, isShown: (node) => !only || drawn.has(node) });
const world = byID('world');
const isLookedThrough = ['overview', 'group'].includes(this.state.view);
const matches = new Set(this.words.length > 0 && isLookedThrough ? this.list.matches : []);
world.classList.toggle('has-match', matches.size > 0);
for (const [item, element] of this.drawing.elementOfItem) {
element.classList.toggle('match', item.members.some((node) => matches.has(node)));
}
const item = this.selectedItem;
this.list.mark(item !== undefined && !item.isGroup ? item.node.id : null);
}
showTab(name) {
selectTab(['services', 'findings', 'path'], name, (tab) => byID(tab));
}
showPage(name) {
selectTab(['graph', 'timeline'], name, (tab) => byID(`page-${tab}`));
}
}
function wordsOf(text) {
return text.toLowerCase().split(/\s+/).filter(Boolean);
}
function selectTab(names, chosen, panelOf) {
for (const name of names) {
byID(`tab-${name}`).setAttribute('aria-selected', String(name === chosen));
byID(`tab-${name}`).tabIndex = name === chosen ? 0 : -1;
panelOf(name).hidden = name !== chosen;
}
}
Page.prototype.wire = function wire() {
const canvas = byID('canvas');
window.addEventListener('hashchange', () => this.follow());
byID('overview').addEventListener('click', () => this.go.overview());
byID('zoom-in').addEventListener('click', () => this.viewport.zoom(ZOOM.step));
byID('zoom-out').addEventListener('click', () => this.viewport.zoom(1 / ZOOM.step));
byID('zoom-fit').addEventListener('click', () => this.viewport.fit(this.scene));
byID('only-shown').addEventListener('change', () => this.showList());
byID('path-swap').addEventListener('click', () => {
const [from, to] = [byID('path-from'), byID('path-to')];
[from.value, to.value] = [to.value, from.value];
this.findPath();
});
byID('path-form').addEventListener('submit', (event) => {
event.preventDefault();
this.findPath();
});
for (const id of ['path-from', 'path-to']) byID(id).addEventListener('focus', () => this.nameForPath(null));
this.wireTabs(['services', 'findings', 'path'], (name) => this.showTab(name));
this.wireTabs(['graph', 'timeline'], (name) => this.showPage(name));
this.wireSearch();
fillHelp(this.graph);
byID('help-button').addEventListener('click', () => byID('help').showModal());
canvas.addEventListener('click', (event) => this.click(event));
canvas.addEventListener('dblclick', (event) => this.doubleClick(event));
for (const [name, isOver] of [['pointerover', true], ['pointerout', false]]) {
canvas.addEventListener(name, (event) => this.hover(event, isOver));
}
canvas.addEventListener('keydown', (event) => this.canvasKey(event));
this.followSize();
document.addEventListener('keydown', (event) => this.key(event));
};
Page.prototype.followSize = function followSize() {
let { width, height } = this.viewport.size;
let pending;
new ResizeObserver(() => {
clearTimeout(pending);
pending = setTimeout(() => {
const now = this.viewport.size;
const isOther = now.width > 0 && (Math.abs(now.width - width) > 40 || Math.abs(now.height - height) > 80);
if (!isOther) return;
({ width, height } = now);
this.render({ keepsSelection: true });
}, 150);
}).observe(byID('canvas'));
};
Page.prototype.wireTabs = function wireTabs(names, show) {
names.forEach((name, index) => {
const tab = byID(`tab-${name}`);
tab.addEventListener('click', () => show(name));
tab.addEventListener('keydown', (event) => {
const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
if (step === undefined) return;
event.preventDefault();
const next = names[(index + step + names.length) % names.length];
show(next);
byID(`tab-${next}`).focus();
});
});
};
Page.prototype.wireSearch = function wireSearch() {
const search = byID('search');
search.addEventListener('input', () => {
this.words = wordsOf(search.value);
this.showTab('services');
this.showList();
});
search.addEventListener('keydown', (event) => {
const first = this.list.first();
if (event.key === 'Enter' && first !== null) first.click();
if (event.key === 'ArrowDown' && first !== null) {
event.preventDefault();
first.focus();
}
if (event.key === 'Escape') {
search.value = '';
this.words = [];
this.showList();
byID('canvas').focus();
event.stopPropagation();
}
});
};
Page.prototype.itemAt = function itemAt(target) {
const element = target.closest('[data-key]');
return element === null ? undefined : this.itemOf(element.dataset.key);
};
Page.prototype.click = function click(event) {
if (this.viewport.wasDragged) return;
const fold = event.target.closest('[data-fold]');
if (fold !== null) {
this.collapse(fold.dataset.fold);
return;
}
const item = this.itemAt(event.target);
this.select(item === undefined ? null : item.key);
};
Page.prototype.doubleClick = function doubleClick(event) {
const item = this.itemAt(event.target);
if (item !== undefined) this.enter(item);
};
Page.prototype.enter = function enter(item) {
if (!item.isGroup) this.go.focus(item.node);
else if (this.go.canOpen(item)) this.go.openGroup(item);
else this.go.expand(item);
};
Page.prototype.hover = function hover(event, isOver) {
const item = this.itemAt(event.target);
this.drawing.emphasize(isOver && !(item && item.isBox) ? item : undefined, 'hovered');
};
Page.prototype.canvasKey = function canvasKey(event) {
if (event.ctrlKey || event.metaKey || event.altKey) return;
const fold = event.target.closest('[data-fold]');
if (fold !== null) {
if (event.key === 'Enter' || event.key === ' ') this.collapse(fold.dataset.fold);
return;
}
const item = this.itemAt(event.target);
const arrow = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
if (arrow !== undefined) {
event.preventDefault();
if (item === undefined) this.viewport.pan(-arrow[0] * 80, -arrow[1] * 80);
else this.goBeside(item, arrow);
} else if (event.key === 'Enter' || event.key === ' ') {
event.preventDefault();
if (item === undefined) this.focusItem(this.selectedItem || this.scene.items[0]);
else if (this.selected === item.key) this.enter(item);
else this.select(item.key);
} else if (event.key === 'Escape') {
byID('canvas').focus();
}
};
Page.prototype.focusItem = function focusItem(item) {
if (item === undefined || item.isBox) return;
this.viewport.reveal(item);
this.drawing.elementOfItem.get(item).focus({ preventScroll: true });
};
Page.prototype.goBeside = function goBeside(item, [dx, dy]) {
let best;
let least = Infinity;
for (const other of this.scene.items) {
const ahead = (other.x - item.x) * dx + (other.y - item.y) * dy;
const aside = Math.abs((other.x - item.x) * dy) + Math.abs((other.y - item.y) * dx);
if (other !== item && ahead > 1 && ahead + 2 * aside < least) {
best = other;
least = ahead + 2 * aside;
}
}
this.focusItem(best);
};
Page.prototype.key = function key(event) {
if (event.ctrlKey || event.metaKey || event.altKey || byID('help').open) return;
if (event.target.closest('input, select, textarea')) return;
const item = this.selectedItem;
const actions = {
'/': () => byID('search').focus(),
'+': () => this.viewport.zoom(ZOOM.step),
'=': () => this.viewport.zoom(ZOOM.step),
'-': () => this.viewport.zoom(1 / ZOOM.step),
0: () => this.viewport.fit(this.scene),
o: () => this.go.overview(),
f: () => this.enterFocused(item),
Escape: () => (item === undefined ? this.go.overview() : this.select(null)),
'?': () => byID('help').showModal(),
};
if (actions[event.key] === undefined) return;
event.preventDefault();
actions[event.key]();
};
Page.prototype.enterFocused = function enterFocused(selected) {
const item = this.itemAt(document.activeElement) || selected;
if (item !== undefined) this.enter(item);
};
const KEYS = [
['/', 'Search'], ['Enter', 'In the search: focus on the first service found'], ['Arrow keys', 'Move the picture, or go to the next service'],
['+  −', 'Zoom'], ['0', 'Show all of the picture'], ['Enter', 'In the picture: go to a service, select it, focus on it'],
['f', 'Focus on the selected service'], ['o', 'Overview'], ['Escape', 'Leave the selection, then the view'], ['?', 'This page'],
];
const EDGE_KINDS = {
direct: 'resolved when the service is built', lazy: 'resolved on first use', provider: 'resolved on each call',
collection: 'one of all that are registered', decorator: 'what a decorator wraps', forward: 'another key for it',
input: 'given to the scope', several: 'several dependencies in one line',
};
const EVIDENCE = {
known: 'the registration says so', recorded: 'seen when it was built', declared: 'declared by hand',
};
function fillHelp(graph) {
const sample = (kind, evidence) => svg('svg', { class: 'sample', width: 72, height: 16, 'aria-hidden': 'true' },
svg('g', { class: `line kind-${kind} evidence-${evidence}` },
svg('path', { class: 'stroke', d: 'M2 8H66', 'stroke-width': 1.4 }), svg('path', { class: 'head', d: arrowhead([{ x: 2, y: 8 }, { x: 70, y: 8 }], evidence) })));
const rows = (pairs) => html('dl', {}, ...pairs.flatMap(([term, text]) => [html('dt', {}, term), html('dd', {}, text)]));
const close = button('Close', () => byID('help').close(), { class: 'primary' });
byID('help').append(
html('div', { class: 'head' }, html('h2', { id: 'help-title' }, 'Keys and signs'), close),
html('p', {}, 'An arrow leads from a service to what it depends on: dependents stand left, dependencies right. ' +
'A double click focuses on a service or opens a group.'),
html('h3', {}, 'Keys'), rows(KEYS.map(([name, text]) => [html('kbd', {}, name), text])),
html('h3', {}, 'Lines: kinds'),
rows(Object.entries(EDGE_KINDS).map(([kind, text]) => [sample(kind, 'known'), `${kind}: ${text}`])),
html('h3', {}, 'Arrowheads: evidence'),
rows(Object.entries(EVIDENCE).map(([kind, text]) => [sample('direct', kind), `${kind}: ${text}`])),
html('h3', {}, 'Signs of a service'),
rows([['Triangle', 'the number of findings about it'], ['Thick orange line', 'part of a cycle'],
['Dashed box', 'asked for, but nothing is registered under the key'],
['Dotted stub', 'not all of its dependencies are known'], ['Full or open dot', 'built, or not built yet'],
['Bar of a group', 'the shares of the scopes of its services']]),
html('details', {}, html('summary', {}, 'Licenses'), html('pre', {}, byID('licenses').textContent)));
}
function begin() {
try {
const page = new Page(readGraph(byID('graph').textContent));
requestAnimationFrame(() => requestAnimationFrame(() => performance.mark('graph-drawn')));
return page;
} catch (error) {
byID('failure').textContent = error.message;
byID('failure').hidden = false;
byID('page-graph').hidden = true;
if (!(error instanceof GraphError)) throw error;
return null;
}
}
begin();
})();
</script>
</body>
</html>
"""#
}
