// page/lesson.js · lessons, documents and code as pages
import * as ask from './ask.js';
import {sayDone} from './built.js';
import {element, pieceOf} from './pieces.js';
import {addressOf} from './place.js';
import {changes, chapterNamed, state} from './state.js';
import {rowOf} from './step.js';

function liveButtons(piece, chapter) {
  for (const figure of piece.querySelectorAll('figure[data-figure]')) {
    const {figure: mark} = figure.dataset,
      live = mark === 'overview' ? {chapter: 'way', page: 'all'} : {chapter, page: 'live', mark};
    figure.append(element('a', {class: 'live', href: addressOf(live)}, 'open it live'));
  }
}

// A command that runs a program with options leads to its live page, with these options.
function liveCommands(piece) {
  for (const code of piece.querySelectorAll(':not(pre) > code')) {
    const [, number, words] = code.textContent.match(/^\.\/tutorial run (\d+) -- (.+)$/) ?? [];
    const chapter = state.chapters.find(one => Number(one.name.slice(0, 2)) === Number(number))?.name;
    if (!words || !chapter) continue;
    const options = Object.fromEntries(
      [...words.matchAll(/(--[\w-]+)(?:[ =](?:"([^"]*)"|(?!--)(\S+)))?/g)].map(([, flag, quoted, word]) => [flag, quoted ?? word ?? 'true']),
    );
    const {'--section': section, '--experiment': experiment, '--deeper': deeper, ...own} = options;
    const link = element('a', {href: addressOf({chapter, page: 'live', options: own, mark: section ?? experiment ?? ''})});
    code.replaceWith(link);
    link.append(code);
  }
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
  if (chapter && !state.solutions) {
    stepBoxes(piece, signal);
    if (file.endsWith('README.md')) sayDone(piece, chapter, signal);
  }
  if (chapter) {
    liveCommands(piece);
    const next = state.chapters[state.chapters.indexOf(chapterNamed(chapter)) + 1];
    if (next) piece.append(element('p', {}, element('a', {href: addressOf({chapter: next.name})}, `Next chapter: ${next.name.slice(0, 2)} ${next.title}`)));
  }
  page.replaceChildren(piece);
  document.getElementById(mark)?.scrollIntoView();
}
