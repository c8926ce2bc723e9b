// SPDX-License-Identifier: MIT
// Mouse and keys: each leads to one of the page's commands.

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

// A picture is laid out for the shape of its window: another shape, as of a device that is turned, gets another picture.
Page.prototype.followSize = function followSize() {
  let { width, height } = this.viewport.size;
  let pending;
  new ResizeObserver(() => {
    clearTimeout(pending);
    pending = setTimeout(() => {
      const now = this.viewport.size;
      // A page that is hidden has no size; a bar that a browser shows or hides changes little.
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

// Goes into an item: the focus on a service, the services of a group.
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

// The nearest item in the direction of an arrow key; what lies aside counts twice.
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
