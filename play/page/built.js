// page/built.js · what the learner built: of a chapter that is done, and of all
import {element} from './pieces.js';
import {addressOf} from './place.js';
import {whenBuilt} from './program.js';
import {Section} from './section.js';
import {changes, chapterNamed, state} from './state.js';

const asked = steps => steps.filter(one => !one.optional || one.state === 'passed');
export const passed = steps => steps.filter(one => one.state === 'passed');
export const stepsOf = chapter => asked(state.steps.filter(one => one.chapter === chapter));
const isDone = steps => steps.length > 0 && passed(steps).length === steps.length;

// Where the steps of a lesson pass, its page says so below its heading.
export function sayDone(piece, chapter, signal) {
  const promise = piece.querySelector('em')?.textContent.match(/^At the end of this chapter you can (.+)$/s)?.[1];
  const box = element('div', {role: 'status'});
  piece.querySelector('h1').after(box);
  const draw = () => {
    const steps = stepsOf(chapter),
      next = state.chapters[state.chapters.findIndex(one => one.name === chapter) + 1];
    const open = steps.find(one => one.state !== 'passed'),
      drawn = open && passed(steps).length > 0 ? `${open.id} ${open.name}` : String(isDone(steps));
    if (box.dataset.drawn === drawn) return;
    box.dataset.drawn = drawn;
    if (!isDone(steps)) {
      const goOn = () => element('a', {href: addressOf({chapter, mark: `step-${open.id}`})}, `Go on with ${drawn}`);
      return box.replaceChildren(...(drawn === 'false' ? [] : [element('p', {}, goOn())]));
    }
    box.replaceChildren(
      element(
        'section',
        {class: 'step passed'},
        element('p', {}, `✓ All ${steps.length} steps of this chapter pass. ${promise ? `Now you can ${promise}` : ''}`),
        element('p', {}, `You built ${steps.map(one => one.name).join(', ')}.`),
        element(
          'p',
          {},
          element('a', {href: addressOf({chapter, page: 'live'})}, 'See it run with your steps'),
          ' · ',
          next
            ? element('a', {href: addressOf({chapter: next.name})}, `Go on: ${next.name.slice(0, 2)} ${next.title}`)
            : element('a', {href: addressOf({chapter: 'built', page: 'all'})}, 'All that you built'),
        ),
      ),
    );
  };
  draw();
  changes.addEventListener('change', draw, {signal});
}

// Of what is computed with her steps: [title, chapter, section, options].
const shown = [
  ['A head whose weights you wrote', '01_attention', 'puzzle', {}],
  ['A model that you train', '10_training', 'training', {}],
  ['The trained decoder writes with your code', '11_generation', 'write', {'--slide': true}],
];

// Fills `page`. Returns what ends it.
export function showBuilt(page) {
  const leaving = new AbortController();
  const list = element('div');
  const draw = () => {
    const drawn = JSON.stringify(state.steps.map(one => one.state));
    if (list.dataset.drawn === drawn) return;
    list.dataset.drawn = drawn;
    const all = asked(state.steps),
      left = all.length - passed(all).length,
      hours = Math.round(passed(all).reduce((sum, one) => sum + one.minutes, 0) / 60);
    list.replaceChildren(
      element(
        'p',
        {},
        element('progress', {max: Math.max(1, all.length), value: passed(all).length, 'aria-label': 'steps that pass'}),
        left === 0
          ? ` All ${all.length} steps pass, about ${hours} hours of work. You wrote a Transformer, from the first tensor to its last token.`
          : ` ${passed(all).length} of ${all.length} steps pass. Where a step is missing, its solution computes.`,
      ),
      element(
        'ul',
        {},
        ...state.chapters
          .filter(({name}) => passed(stepsOf(name)).length > 0)
          .map(({name, title}) =>
            element(
              'li',
              {},
              isDone(stepsOf(name)) ? '✓ ' : '',
              element('a', {href: addressOf({chapter: name})}, `${name.slice(0, 2)} ${title}`),
              `: ${passed(stepsOf(name)).map(one => one.name).join(', ')}`,
            ),
          ),
      ),
    );
  };
  draw();
  changes.addEventListener('change', draw, {signal: leaving.signal});
  const parts = shown.map(([title, chapter, id, options]) => {
    const box = element('section');
    const end = whenBuilt(box, chapter, {title, heading: 'h2', still: () => null}, ({program, whose, leaving: left}) => {
      const one = new Section(chapter, program.sections.find(each => each.id === id));
      const set = () => {
        one.set(options, program.options, whose);
        one.update();
      };
      left.addEventListener('abort', () => one.stop());
      one.heading.remove();
      one.box.setAttribute('aria-label', title);
      box.replaceChildren(element('h2', {}, title), whose.box, one.box);
      set();
      return {set, form: {reset() {}}};
    });
    return {box, end};
  });
  page.replaceChildren(element('h1', {}, 'What you built'), list, ...parts.map(one => one.box));
  return () => {
    leaving.abort();
    parts.forEach(one => one.end());
  };
}
