// common/report/cells.js · pointing at a cell or a label lights its row ("r") or column ("c") in all maps of its figure; a click
// keeps it, the arrow keys move it, Escape ends it. The page of a run has this script in itself; play serves it as a file.
globalThis.markCells = (() => {
  const marks = '.cell,.row-label,.column-label', typed = 'label,input,button,a,select,textarea';
  const large = '.cells[data-values]';  // a map of thousands of cells: one picture, with what they say as lines
  let kept = null, lit = null;  // one place is lit at a time

  const same = (a, b) => a && b && a.figure === b.figure && a.axis === b.axis && a.index === b.index;

  function light(place) {
    if (place === lit || same(place, lit)) return;
    lit = place;
    for (const figure of document.querySelectorAll('figure')) {
      const here = Boolean(place) && place.figure === figure;
      figure.classList.toggle('lit', here);
      for (const one of figure.querySelectorAll(marks))
        one.classList.toggle('on', here && one.dataset[place.axis] === String(place.index));
      for (const map of figure.querySelectorAll(large)) shade(map, here ? place : null);
    }
  }

  // --- large maps, whose units are cells

  function rectangle(map, name, {x = 0, y = 0, width = 1, height = 1}) {
    const one = document.createElementNS(map.namespaceURI, 'rect');
    for (const [key, value] of Object.entries({class: name, x, y, width, height})) one.setAttribute(key, value);
    map.append(one);
    return one;
  }

  const sizeOf = map => ({r: map.viewBox.baseVal.height, c: map.viewBox.baseVal.width});

  // All but the row or the column of this place is pale.
  function shade(map, place) {
    for (const one of map.querySelectorAll('.shade')) one.remove();
    if (!place) return;
    const {r: height, c: width} = sizeOf(map), count = place.axis === 'r' ? height : width;
    const from = Math.min(place.index, count), to = Math.min(place.index + 1, count);  // another map may have more
    if (place.axis === 'r') {
      rectangle(map, 'shade', {width, height: from});
      rectangle(map, 'shade', {width, y: to, height: height - to});
    } else {
      rectangle(map, 'shade', {height, width: from});
      rectangle(map, 'shade', {height, x: to, width: width - to});
    }
  }

  // The element of a cell below `box`; a large map makes one.
  function cellIn(box, r, c) {
    const made = box.querySelector(`.cell[data-r="${r}"][data-c="${c}"]`), map = box.querySelector(large);
    if (made || !map || r >= sizeOf(map).r || c >= sizeOf(map).c) return made;
    const lines = name => map.dataset[name].split('\n'), [row, column] = lines('axes');
    const cell = rectangle(map, 'cell', {x: c, y: r});
    Object.assign(cell.dataset, {r, c});
    cell.append(document.createElementNS(map.namespaceURI, 'title'));
    cell.firstChild.textContent = `${row} ${lines('rows')[r]} → ${column} ${lines('columns')[c]}: ` +
      (lines('values')[r].split(',')[c] || 'masked');
    return cell;
  }

  // The cell at which an event points.
  function cellAt(event) {
    const map = event.target.closest(large);
    if (!map) return event.target.closest('.cell');
    const {left, top, width, height} = map.getBoundingClientRect(), {r, c} = sizeOf(map);
    const place = (from, extent, count) => Math.min(Math.max(Math.floor(from / extent * count), 0), count - 1);
    return cellIn(map.parentNode, place(event.clientY - top, height, r), place(event.clientX - left, width, c));
  }

  // --- what people do

  function placeOf(event) {
    const one = cellAt(event) ?? event.target.closest(marks);
    if (!one) return null;
    const axis = one.classList.contains('column-label') ? 'c' : 'r';
    return {figure: one.closest('figure'), axis, index: Number(one.dataset[axis])};
  }

  // What is kept, unless its figure has gone.
  const stillKept = () => kept = kept?.figure.isConnected ? kept : null;

  addEventListener('pointerover', event => { if (!stillKept()) light(placeOf(event)); });
  addEventListener('pointermove', event => {
    const map = event.target.closest(large), cell = map && cellAt(event);
    if (!map || cell === event.target) return;
    const place = placeOf(event);
    for (const one of map.querySelectorAll('.cell:not(.chosen)')) if (one !== cell) one.remove();
    if (!stillKept()) light(place);
  });
  addEventListener('click', event => {
    if (event.target.closest(typed)) return;
    const place = placeOf(event);
    kept = same(place, kept) ? null : place;
    light(kept);
  });
  addEventListener('keydown', event => {
    const step = {ArrowUp: ['r', -1], ArrowDown: ['r', 1], ArrowLeft: ['c', -1], ArrowRight: ['c', 1]}[event.key];
    if (event.key === 'Escape') light(kept = null);
    if (!step || event.target.closest('input,select,textarea')) return;
    const focused = event.target.closest('figure svg');  // of a page that lets it have the focus
    if (!stillKept() && focused?.querySelector(`.cell,${large}`)) kept = {figure: focused.closest('figure'), axis: '', index: 0};
    if (!kept) return;
    event.preventDefault();
    const [axis, by] = step;
    const ends = [...kept.figure.querySelectorAll(`.cell,${large}`)].map(one => one.dataset[axis] ?? sizeOf(one)[axis] - 1);
    const from = kept.axis === axis ? kept.index + by : 0;
    kept = {figure: kept.figure, axis, index: Math.min(Math.max(from, 0), Math.max(...ends))};
    light(kept);
  });

  // The cells of maps below this element get their rows and columns.
  const mark = below => below.querySelectorAll('g.cells').forEach(row => {
    [...row.querySelectorAll('rect')].forEach((cell, column) => {
      cell.classList.add('cell');
      cell.dataset.r = row.dataset.r;
      cell.dataset.c = column;
    });
  });
  return Object.assign(mark, {cellIn, cellAt});
})();
