// page/lesson.js · lessons, documents and code as pages
import * as ask from './ask.js';
import {element, pieceOf} from './pieces.js';
import {addressOf, addressOfFile} from './place.js';
import {changes, state} from './state.js';
import {rowOf} from './step.js';

// "1.2 `softmax` · ●●○ · 10 min" → "12-softmax---10-min", as the lessons' links have it
function anchorOf(heading) {
  return heading
    .toLowerCase()
    .trim()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

function drawFormulas(piece) {
  for (const formula of piece.querySelectorAll('x-equation')) {
    const text = formula.textContent,
      display = formula.getAttribute('type') === 'display';
    if (!globalThis.katex) {
      formula.replaceWith(element('code', {}, text));
      continue;
    }
    const drawn = display ? element('span', {class: 'formula', tabindex: 0}) : element('span');
    globalThis.katex.render(text, drawn, {displayMode: display, throwOnError: false});
    formula.replaceWith(drawn);
  }
}

// A path from the root of the repository, of a link in the file `from`.
function resolved(link, from) {
  const parts = from.split('/').slice(0, -1);
  for (const part of link.split('/'))
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  return parts.join('/');
}

// The place on this page of what a link leads to.
function leadLinks(piece, from) {
  for (const link of piece.querySelectorAll('a[href]')) {
    const href = link.getAttribute('href');
    if (/^[a-z]+:/.test(href)) {
      link.target = '_blank';
      link.rel = 'noopener noreferrer';
      continue;
    }
    const [path, mark = ''] = href.split('#');
    const file = path ? resolved(path, from) : from;
    link.setAttribute('href', addressOfFile(file, mark));
  }
}

function liveButtons(piece, chapter) {
  for (const figure of piece.querySelectorAll('figure[data-figure]'))
    figure.append(
      element(
        'a',
        {class: 'live', href: addressOf({chapter, page: 'live', mark: figure.dataset.figure})},
        'open it live',
      ),
    );
}

// Below the heading of each step, "1.2 softmax · …": how it is with hers.
function stepBoxes(piece, signal) {
  const boxes = new Map();
  for (const heading of piece.querySelectorAll('h3')) {
    const id = heading.textContent.match(/^(\d+\.\d+) /)?.[1];
    if (!id) continue;
    const box = element('div', {role: 'status'});
    heading.after(box);
    boxes.set(id, box);
  }
  const draw = () => {
    for (const step of state.steps) {
      const box = boxes.get(step.id),
        drawn = JSON.stringify(step);
      if (!box || box.dataset.drawn === drawn) continue;
      box.dataset.drawn = drawn;
      box.replaceChildren(rowOf(step, true));
    }
  };
  draw();
  changes.addEventListener('change', draw, {signal});
}

// The file of a chapter's lesson, or of its deeper part.
export const fileOf = (chapter, page) => `chapters/${chapter}/${page === 'deeper' ? 'deeper' : 'README'}.md`;

// Fills `page` with a file; of a lesson with buttons at its figures.
export async function showText(page, file, {chapter, mark, signal} = {}) {
  page.replaceChildren(element('p', {class: 'state'}, 'Loading …'));
  const html = await ask.text(file);
  if (signal?.aborted) return; // another page was chosen meanwhile
  const piece = pieceOf(html);
  piece.className = 'text';
  if (!piece.querySelector('h1')) piece.prepend(element('h1', {}, file)); // code
  drawFormulas(piece);
  leadLinks(piece, file);
  for (const heading of piece.querySelectorAll('h1,h2,h3,h4')) heading.id = anchorOf(heading.textContent);
  if (chapter) liveButtons(piece, chapter);
  if (chapter && !state.solutions) stepBoxes(piece, signal);
  page.replaceChildren(piece);
  document.getElementById(mark)?.scrollIntoView();
}
