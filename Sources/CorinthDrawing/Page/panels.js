// SPDX-License-Identifier: MIT
// The texts beside the picture: the list of services, findings, details, the legend.

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

  // The list is one stop of the Tab key, where it was left; arrow keys go on from there.
  stopAt(row) {
    this.list.querySelectorAll('.service[tabindex="0"]').forEach((other) => { other.tabIndex = -1; });
    if (row !== null) row.tabIndex = 0;
  }

  // The services that all words fit, the closest first.
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

// Exact types and names come first, then those that begin with the words, then the others.
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

  // Resolves are not counted everywhere: without a single one in the graph, a zero would be wrong.
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
      // A browser may refuse the clipboard to a page from a file.
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

// The buttons of the legend bring out the services of one scope.
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
