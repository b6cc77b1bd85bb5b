// page/code.js · your code: the steps with their states, and what the last check said of each
import {element} from './pieces.js';
import {addressOf} from './place.js';
import {changes, chapterNamed, state} from './state.js';
import {rowOf} from './step.js';

const kinds = {
  'all steps': () => true,
  'those that fail': step => ['failed', 'does not compile', 'unfinished', 'seeking'].includes(step.state),
  'those not started': step => step.state === 'not started',
};
const opened = new Map(); // of each chapter, whether the learner opened or closed it

// Fills `page` with the steps of a chapter, or of all. Returns what ends it.
export function showCode(page, chapter) {
  const leaving = new AbortController();
  const all = element('div', {role: 'status'});
  const bar = element('progress', {'aria-label': 'steps that pass'}),
    count = element('span', {class: 'soft'});
  const kind = element(
    'select',
    {'aria-label': 'which steps', onchange: () => draw()},
    ...Object.keys(kinds).map(words => element('option', {}, words)),
  );
  const draw = () => {
    const passed = state.steps.filter(one => one.state === 'passed').length;
    bar.max = Math.max(1, state.steps.length);
    bar.value = passed;
    count.textContent = ` ${passed} of ${state.steps.length} steps pass `;
    const steps = state.steps.filter(one => (!chapter || one.chapter === chapter) && kinds[kind.value](one));
    const drawn = JSON.stringify([kind.value, steps]);
    if (drawn === all.dataset.drawn) return;
    all.dataset.drawn = drawn;
    const names = [...new Set(steps.map(one => one.chapter))];
    const last = state.steps.findLastIndex(one => one.state !== 'not started'),
      next = state.steps.find((one, i) => i >= last && one.state !== 'passed')?.chapter;
    const parts = names.map(name => {
      const own = steps.filter(one => one.chapter === name),
        whole = state.steps.filter(one => one.chapter === name),
        done = whole.filter(one => one.state === 'passed');
      const open = opened.get(name) ?? (Boolean(chapter) || name === next || own.some(kinds['those that fail']));
      return element(
        'details',
        {open, ontoggle: event => opened.set(name, event.target.open)},
        element('summary', {}, element('h2', {}, `${name.slice(0, 2)} ${chapterNamed(name).title}`), ` ${done.length} of ${whole.length}`),
        element('p', {}, element('a', {href: addressOf({chapter: name})}, 'its lesson')),
        ...own.map(one => rowOf(one)),
      );
    });
    if (parts.length === 0) parts.push(element('p', {}, 'There are none of these.'));
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
    element('p', {}, bar, count, kind),
    all,
  );
  draw();
  changes.addEventListener('change', draw, {signal: leaving.signal});
  return () => leaving.abort();
}
