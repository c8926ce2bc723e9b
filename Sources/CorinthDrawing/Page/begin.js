// SPDX-License-Identifier: MIT

function begin() {
  try {
    const page = new Page(readGraph(byID('graph').textContent));
    // Two frames later the first picture has been painted.
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
