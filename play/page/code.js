// page/code.js · your code: the steps with their states, and what the last check said of each
import * as ask from './ask.js';
import {addressOfFile} from './lesson.js';
import {element} from './pieces.js';
import {addressOf} from './place.js';
import {changes, chapterNamed, state} from './state.js';

const marks = {passed: '✓', failed: '✗', 'does not compile': '✗', checking: '…', seeking: '…'};

const dots = difficulty => '●'.repeat(difficulty) + '○'.repeat(3 - difficulty);

const time = step => `${step.minutes} min${step.optional ? ', optional' : ''}`;

const hints = new Map(); // what was told of each step

// A hint as the page shows it: the lines of a paragraph are one line, which ends where the page is narrow; lists
// and code keep theirs. Its button asks for one more.
function onPage(hint) {
  const [head, ...lines] = hint
    .trim()
    .replace(/\n+One more: .*$/, '')
    .split('\n');
  let text = head,
    fenced = false,
    open = false; // a paragraph goes on
  for (const line of lines) {
    const words = line.trim(),
      fence = words.startsWith('```'),
      starts = fenced || fence || words === '' || words.startsWith('- ');
    text += open && !starts ? ` ${words}` : `\n${line}`;
    if (fence) fenced = !fenced;
    open = !fenced && !fence && words !== '';
  }
  return text;
}

function rowOf(step) {
  const told = element(
    'pre',
    {class: 'said', tabindex: 0, hidden: !hints.has(step.id)},
    hints.get(step.id) ?? '',
  );
  return element(
    'section',
    {class: `step ${step.state.replaceAll(' ', '-')}`, id: step.id},
    element(
      'h3',
      {},
      `${marks[step.state] ?? '·'} ${step.id} ${step.name}`,
      element('span', {class: 'soft'}, ` ${dots(step.difficulty)} ${time(step)} · ${step.state === 'seeking' ? 'failed; the cause is sought' : step.state}`),
    ),
    element(
      'p',
      {},
      element('a', {href: addressOfFile(step.file)}, step.file),
      ' ',
      element(
        'button',
        {type: 'button', disabled: ['checking', 'seeking'].includes(step.state), onclick: () => ask.check(step.id)},
        'check it',
      ),
      ' ',
      element(
        'button',
        {
          type: 'button',
          onclick: async () => {
            const before = hints.get(step.id) ?? '',
              hint = onPage(await ask.hint(step.id));
            if (!before.includes(hint)) hints.set(step.id, before + (before ? '\n\n' : '') + hint);
            told.textContent = hints.get(step.id);
            told.hidden = false;
          },
        },
        hints.has(step.id) ? 'another hint' : 'a hint',
      ),
    ),
    told,
    step.said
      ? element('pre', {class: step.state === 'checking' ? 'said old' : 'said', tabindex: 0}, step.said)
      : null,
  );
}

// Fills `page` with the steps of a chapter, or of all. Returns what ends it.
export function showCode(page, chapter) {
  const leaving = new AbortController();
  const all = element('div', {role: 'status'});
  const draw = () => {
    const steps = state.steps.filter(one => !chapter || one.chapter === chapter);
    const drawn = JSON.stringify(steps);
    if (drawn === all.dataset.drawn) return;
    all.dataset.drawn = drawn;
    const parts = [];
    let last = '';
    for (const step of steps) {
      if (step.chapter !== last)
        parts.push(
          element(
            'h2',
            {},
            element(
              'a',
              {href: addressOf({chapter: step.chapter})},
              `${step.chapter.slice(0, 2)} ${chapterNamed(step.chapter).title}`,
            ),
          ),
        );
      last = step.chapter;
      parts.push(rowOf(step));
    }
    all.replaceChildren(...parts);
  };
  page.replaceChildren(
    element('h1', {}, 'Your code'),
    element(
      'p',
      {},
      'Save a file in your editor: its step is built and checked. ' +
        'When it passes, the live pages compute with it.',
    ),
    all,
  );
  draw();
  changes.addEventListener('change', draw, {signal: leaving.signal});
  return () => leaving.abort();
}
