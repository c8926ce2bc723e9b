// SPDX-License-Identifier: MIT
// The constructions in the order of their starts, as a waterfall.

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
