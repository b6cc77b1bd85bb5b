// page/whose.js · whose code computes: the learner's steps that pass, the solutions, or both side by side
import {element} from './pieces.js';
import {addressOf} from './place.js';
import {chapterNamed, state} from './state.js';
import {firstOf} from './step.js';

const choices = [
  ['mine', 'my steps'],
  ['solutions', 'the solutions'],
  ['both', 'both, side by side'],
];

// "0.1, 1.2"; of more than three the first, the last, and how many there are.
const inWords = ids => (ids.length > 3 ? `${ids[0]} … ${ids.at(-1)} (${ids.length})` : ids.join(', '));

// Its box says it, and has a choice. What she saves shows at once.
export class Whose {
  constructor(chapter, changed) {
    this.chapter = chapter;
    this.box = element('div', {class: 'whose', role: 'status'});
    this.choice = 'mine';
    this.changed = changed;
    this.draw();
  }

  get mine() {
    return chapterNamed(this.chapter)?.mine ?? '';
  }

  // Changes with all that decides what is computed.
  key() {
    return this.mine && this.choice !== 'solutions' ? `${this.choice} ${this.mine}` : '';
  }

  sides() {
    if (!this.key()) return ['solutions'];
    return this.choice === 'both' ? ['mine', 'solutions'] : ['mine'];
  }

  words(passed, soon, steps) {
    if (state.solutions) return 'Computed with the solutions, as --solutions says.';
    if (soon.length > 0)
      return `${inWords(soon)} passed: the program with ${soon.length > 1 ? 'them' : 'it'} is being built …`;
    if (passed.length === 0)
      return 'Computed with the solutions. A step of yours is used as soon as it passes.';
    if (this.choice === 'solutions') return 'Computed with the solutions.';
    return (
      `Computed with your ${passed.length > 1 ? 'steps' : 'step'} ${inWords(passed)}` +
      (steps.every(one => passed.includes(one.id)) ? '' : ', and the solutions of the others') +
      (this.choice === 'both' ? '; beside it, with the solutions alone.' : '.')
    );
  }

  draw() {
    // A chapter calls steps of earlier ones, too, and its program perhaps those of 13.
    const here = this.chapter,
      steps = state.steps.filter(one => one.chapter <= here || one.programs.includes(here)),
      passed = this.mine
        .split('\n')
        .filter(Boolean)
        .map(line => line.split(' ')[0]),
      soon = steps.filter(one => one.state === 'passed' && !passed.includes(one.id)).map(one => one.id),
      checked = steps.filter(one => ['checking', 'seeking'].includes(one.state)).map(one => one.id),
      broken = steps.filter(one => one.state === 'failed' || one.state === 'does not compile');
    const drawn = JSON.stringify([passed, soon, checked, broken, this.choice]);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    const select = () =>
      element(
        'select',
        {
          'aria-label': 'Whose code computes',
          onchange: event => {
            this.choice = event.target.value;
            this.draw();
            this.box.querySelector('select')?.focus();
            this.changed();
          },
        },
        ...choices.map(([value, words]) =>
          element('option', {value, selected: value === this.choice}, words),
        ),
      );
    this.box.replaceChildren(
      this.words(passed, soon, steps),
      ' ',
      ...(passed.length > 0 ? [select(), ' '] : []),
      ...broken.flatMap(one => [
        element(
          'span',
          {class: 'failed'},
          `${one.id} ${one.name} ${one.state === 'failed' ? 'fails' : one.state}, so its solution is used. `,
        ),
        one.said && one.chapter === this.chapter ? element('pre', {class: 'said', tabindex: 0}, firstOf(one.said)) : '',
      ]),
      checked.length > 0 ? `${checked.join(', ')} is being checked … ` : '',
      element('a', {href: addressOf({chapter: 'code', page: this.chapter})}, 'Your code'),
    );
  }
}
