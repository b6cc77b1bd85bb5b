// page/cells.js · pointing at a cell or a label lights its row or column in all maps of the figure; a click keeps it, the arrow
// keys move it, Escape ends it. As on the page of a run (common/report/page.cpp).

const marks = '.cell,.row-label,.column-label';
let kept = null;

function light(place) {
  for (const figure of document.querySelectorAll('figure')) {
    const here = Boolean(place) && place.figure === figure;
    figure.classList.toggle('lit', here);
    for (const one of figure.querySelectorAll(marks))
      one.classList.toggle('on', here && one.dataset[place.axis] === String(place.index));
  }
}

function placeOf(target) {
  const one = target.closest?.(marks);
  if (!one) return null;
  const axis = one.classList.contains('column-label') ? 'c' : 'r';
  return {figure: one.closest('figure'), axis, index: Number(one.dataset[axis])};
}

const same = (a, b) => a && b && a.figure === b.figure && a.axis === b.axis && a.index === b.index;

export function listen() {
  addEventListener('pointerover', event => { if (!kept) light(placeOf(event.target)); });
  addEventListener('click', event => {
    if (event.target.closest('label,input,button,a,select,textarea')) return;
    const place = placeOf(event.target);
    kept = same(place, kept) ? null : place;
    light(kept);
  });
  addEventListener('keydown', event => {
    const step = {ArrowUp: ['r', -1], ArrowDown: ['r', 1], ArrowLeft: ['c', -1], ArrowRight: ['c', 1]}[event.key];
    if (event.key === 'Escape') light(kept = null);
    if (!kept || !step || event.target.closest('input,select,textarea')) return;
    event.preventDefault();
    const [axis, by] = step;
    const all = [...kept.figure.querySelectorAll('.cell')].map(one => Number(one.dataset[axis]));
    const from = kept.axis === axis ? kept.index + by : 0;
    kept = {figure: kept.figure, axis, index: Math.min(Math.max(from, 0), Math.max(...all))};
    light(kept);
  });
}
