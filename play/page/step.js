// page/step.js · a step of the learner: its state, its file, its check, its hints, and what the last check said
import * as ask from './ask.js';
import {element} from './pieces.js';
import {addressOf} from './place.js';
import {state} from './state.js';

export const marks = {passed: '✓', failed: '✗', 'does not compile': '✗', checking: '…', seeking: '…'};

const dots = difficulty => '●'.repeat(difficulty) + '○'.repeat(3 - difficulty);

const time = step => `${step.minutes} min${step.optional ? ', optional' : ''}`;

const hints = new Map(); // what was told of each step

// The first failure of a report, with its likely cause, which goes on in lines that are indented more.
export function firstOf(said) {
  const lines = said.split('\n'),
    from = lines.findIndex(line => line.includes('✗'));
  if (from < 0) return said;
  const next = lines.findIndex((line, i) => i > from && (line.includes('✗') || line.startsWith('    also'))),
    end = next < 0 ? lines.length : next;
  const indent = line => line.search(/\S/);
  let cause = Infinity; // the indentation of one that is read
  const causes = lines.slice(end).filter(line => {
    if (line.includes('Likely cause')) cause = indent(line);
    else if (indent(line) <= cause) cause = Infinity;
    return cause < Infinity;
  });
  return [...lines.slice(from, end), ...causes].join('\n').trimEnd();
}

// With `code` as code, and *words* stressed.
const inline = text =>
  text
    .split(/(`[^`\n]+`|\*\w[^*\n]*\*)/)
    .map((piece, i) => (i % 2 ? element(piece[0] === '*' ? 'em' : 'code', {}, piece.slice(1, -1)) : piece));

// The step that comes after this one; none after the last.
const nextOf = step => state.steps.slice(state.steps.indexOf(step) + 1).find(one => one.state !== 'passed' && !one.optional);

// What to do now.
function advice(step) {
  if (step.state !== 'passed') return 'Save the file: it is checked, and what the check finds stands here.';
  const next = nextOf(step);
  if (!next) return '';
  const mark = `step-${next.id}`,
    go = () => document.getElementById(mark)?.scrollIntoView(); // also where the address stays the same
  return element('a', {href: addressOf({chapter: next.chapter, mark}), onclick: go}, `Next: ${next.id} ${next.name}`);
}

// VS Code opens the file; other editors take its path.
function fileLinks(step) {
  const path = `${state.root}/${step.file}`;
  return [
    element('a', {href: addressOf({chapter: 'text', page: 'file', options: {path: step.file}})}, step.file),
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
    ...inline(hints.get(step.id) ?? ''),
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
        `${inLesson ? '' : ` ${dots(step.difficulty)} ${time(step)}`} · ${step.state === 'seeking' ? 'failed; the cause is sought' : step.state}${step.progress ? `; first what it needs is built: ${step.progress}` : ''}`,
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
          onclick: async ({currentTarget: button}) => {
            const before = hints.get(step.id) ?? '',
              hint = (await ask.hint(step.id)).trim().replace(/\n+One more: .*$/, '');
            const all = before !== '' && hint.startsWith('You have seen all');
            if (!all && !before.includes(hint)) hints.set(step.id, before + (before ? '\n\n' : '') + hint);
            button.textContent = all ? 'no more hints' : 'another hint';
            button.disabled = all;
            told.replaceChildren(...inline(hints.get(step.id)));
            told.hidden = false;
          },
        },
        hints.has(step.id) ? 'another hint' : 'a hint',
      ),
    ),
    inLesson ? element('p', {class: 'soft'}, advice(step)) : null,
    step.state === 'passed' ? null : told,
    step.said && !(inLesson && step.state === 'passed')
      ? element('pre', {class: step.state === 'checking' ? 'said old' : 'said', tabindex: 0}, inLesson ? firstOf(step.said) : step.said)
      : null,
  );
}
