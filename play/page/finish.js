// page/finish.js · what HTML of the tutorial gets in the browser; a classic script, for static pages too
globalThis.finish = piece => {
  markCells(piece);
  // What may be wider than the page can be reached and moved by keys.
  for (const table of piece.querySelectorAll('table:not(.wide > *)')) {
    const box = document.createElement('div');
    box.className = 'wide';
    table.replaceWith(box);
    box.append(table);
  }
  for (const formula of piece.querySelectorAll('x-equation')) {
    const displayMode = formula.getAttribute('type') === 'display';
    const drawn = document.createElement(globalThis.katex ? 'span' : 'code');
    drawn.textContent = formula.textContent;
    if (displayMode) drawn.className = 'formula';
    globalThis.katex?.render(formula.textContent, drawn, {displayMode, throwOnError: false});
    formula.replaceWith(drawn);
  }
  for (const wide of piece.querySelectorAll('pre,.wide,.formula,svg:has(.cell,[data-values])')) wide.tabIndex = 0;
};
