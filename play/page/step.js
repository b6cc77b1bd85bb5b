// page/step.js · a step of the learner: its state, its file, its check, its hints, and what the last check said
import * as ask from './ask.js';
import {element} from './pieces.js';
import {addressOfFile} from './place.js';
import {state} from './state.js';

export const marks = {passed: '✓', failed: '✗', 'does not compile': '✗', checking: '…', seeking: '…'};

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

// The first failure of a report, with its likely cause.
function firstOf(said) {
  const lines = said.split('\n'),
    from = lines.findIndex(line => line.includes('✗'));
  if (from < 0) return said;
  const next = lines.findIndex((line, i) => i > from && (line.includes('✗') || line.startsWith('    also'))),
    end = next < 0 ? lines.length : next;
  const cause = lines.slice(end).filter(line => line.includes('Likely cause'));
  return [...lines.slice(from, end), ...cause].join('\n').trimEnd();
}

// VS Code opens the file; other editors take its path.
function fileLinks(step) {
  const path = `${state.root}/${step.file}`;
  return [
    element('a', {href: addressOfFile(step.file)}, step.file),
    ' ',
    element('a', {href: `vscode://file${encodeURI(path)}`}, 'open in VS Code'),
    ' ',
    element('button', {type: 'button', onclick: () => navigator.clipboard.writeText(path)}, 'copy its path'),
  ];
}

// In a lesson its heading has the name, and of a report the first failure is enough.
export function rowOf(step, inLesson = false) {
  const told = element(
    'pre',
    {class: 'said', tabindex: 0, hidden: !hints.has(step.id)},
    hints.get(step.id) ?? '',
  );
  return element(
    'section',
    {class: `step ${step.state.replaceAll(' ', '-')}`, id: inLesson ? `step-${step.id}` : step.id},
    element(
      inLesson ? 'p' : 'h3',
      {},
      inLesson ? `${marks[step.state] ?? '·'} Your step` : `${marks[step.state] ?? '·'} ${step.id} ${step.name}`,
      element(
        'span',
        {class: 'soft'},
        `${inLesson ? '' : ` ${dots(step.difficulty)} ${time(step)}`} · ${step.state === 'seeking' ? 'failed; the cause is sought' : step.state}`,
      ),
    ),
    element(
      'p',
      {},
      ...fileLinks(step),
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
    step.said && !(inLesson && step.state === 'passed')
      ? element('pre', {class: step.state === 'checking' ? 'said old' : 'said', tabindex: 0}, inLesson ? firstOf(step.said) : step.said)
      : null,
  );
}
