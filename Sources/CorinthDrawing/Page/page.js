// SPDX-License-Identifier: MIT
// Joins the parts: what is shown stands in the fragment of the address, so that back and forward work.

const byID = (id) => document.getElementById(id);

// Below these scales a view begins with a part of its picture, since texts would be too small to read.
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

  // Where a click, a key or a link leads.
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

  // Reads the fragment; one that fits no service of this graph shows the overview.
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

  // What had the focus is gone with the view that it stood in: its place in the new one gets it.
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

  // The controls that fit the view.
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

  // More services than a view draws one by one are drawn at the second click.
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

  // Titles need not be unique; the fields hold one that is, by the implementation if that tells them apart.
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
    // Elsewhere the view shows what was searched for, with neighbors that no word fits.
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
