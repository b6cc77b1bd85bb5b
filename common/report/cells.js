// common/report/cells.js · pointing at a cell or a label lights its row ("r") or column ("c") in all maps of its figure; a click
// keeps it, the arrow keys move it, Escape ends it. The page of a run has this script in itself; play serves it as a file.
globalThis.markCells = (() => {
  const marks = '.cell,.row-label,.column-label', typed = 'label,input,button,a,select,textarea';
  let kept = null;  // one place is lit at a time

  function light(place) {
    for (const figure of document.querySelectorAll('figure')) {
      const here = Boolean(place) && place.figure === figure;
      figure.classList.toggle('lit', here);
      for (const one of figure.querySelectorAll(marks))
        one.classList.toggle('on', here && one.dataset[place.axis] === String(place.index));
    }
  }

  function placeOf(target) {
    const one = target.closest(marks);
    if (!one) return null;
    const axis = one.classList.contains('column-label') ? 'c' : 'r';
    return {figure: one.closest('figure'), axis, index: Number(one.dataset[axis])};
  }

  const same = (a, b) => a && b && a.figure === b.figure && a.axis === b.axis && a.index === b.index;

  addEventListener('pointerover', event => { if (!kept) light(placeOf(event.target)); });
  addEventListener('click', event => {
    if (event.target.closest(typed)) return;
    const place = placeOf(event.target);
    kept = same(place, kept) ? null : place;
    light(kept);
  });
  addEventListener('keydown', event => {
    const step = {ArrowUp: ['r', -1], ArrowDown: ['r', 1], ArrowLeft: ['c', -1], ArrowRight: ['c', 1]}[event.key];
    if (event.key === 'Escape') light(kept = null);
    if (!step || event.target.closest('input,select,textarea')) return;
    const focused = event.target.closest('figure svg');  // of a page that lets it have the focus
    if (!kept && focused?.querySelector('.cell')) kept = {figure: focused.closest('figure'), axis: '', index: 0};
    if (!kept) return;
    event.preventDefault();
    const [axis, by] = step;
    const all = [...kept.figure.querySelectorAll('.cell')].map(one => Number(one.dataset[axis]));
    const from = kept.axis === axis ? kept.index + by : 0;
    kept = {figure: kept.figure, axis, index: Math.min(Math.max(from, 0), Math.max(...all))};
    light(kept);
  });

  // The cells of maps below this element get their rows and columns.
  return below => below.querySelectorAll('.cells').forEach(row => {
    let column = -1;
    for (const cell of row.querySelectorAll('rect')) {
      column = Number(cell.dataset.c ?? column + 1);
      cell.classList.add('cell');
      cell.dataset.r = row.dataset.r;
      cell.dataset.c = column;
    }
  });
})();
