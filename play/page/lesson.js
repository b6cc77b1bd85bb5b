// page/lesson.js · lessons, documents and code as pages
import * as ask from './ask.js';
import {element, pieceOf} from './pieces.js';
import {addressOf} from './place.js';
import {changes, state} from './state.js';
import {rowOf} from './step.js';

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
  if (chapter) liveButtons(piece, chapter);
  if (chapter && !state.solutions) stepBoxes(piece, signal);
  page.replaceChildren(piece);
  document.getElementById(mark)?.scrollIntoView();
}
