// page/section.js · one section of a chapter's program: its heading, its answer, and how far it is
import * as ask from './ask.js';
import {element, pieceOf} from './pieces.js';

export const near = 200; // px beside the window: what is that near is computed
const quick = 3000; // ms: what never was faster follows no key, but its button

export class Section {
  constructor(chapter, section) {
    this.chapter = chapter;
    this.section = section;
    this.heading = element('h2', {id: section.id});
    this.state = element('p', {class: 'state', role: 'status'});
    this.answer = element('div', {class: 'answer'});
    this.box = element('section', {'aria-labelledby': section.id}, this.heading, this.state, this.answer);
    this.button = element(
      'button',
      {type: 'button', hidden: true, onclick: () => this.compute()},
      'compute it',
    );
    this.box.insertBefore(this.button, this.state);
    this.trains = section.level === 'experiment' || section.slow;
    if (this.trains) {
      this.button.textContent = section.slow ? 'train it (takes minutes)' : 'train it (takes up to a minute)';
      this.button.hidden = false;
    }
    this.wantsReport = false; // as numbers, for `shown`
    this.always = false; // computes without its button, however slow it is
    this.fastest = Infinity; // ms
    this.trouble = ''; // what is wrong with what was asked last
    this.inWords = sentence => sentence; // with the names of options on this page
  }

  titleWith(options, all) {
    return this.section.title.replace(/\{([\w-]+)\}/g, (whole, flag) => {
      const option = all.find(one => one.flag === `--${flag}`);
      return options[`--${flag}`] ?? option?.default ?? whole;
    });
  }

  isNear() {
    const {top, bottom} = this.box.getBoundingClientRect();
    return bottom > -near && top < innerHeight + near;
  }

  // What it is asked from now on: {flag: value}, and whose code answers (whose.js).
  set(options, all, whose) {
    const own = Object.fromEntries(
      Object.entries(options).filter(([flag]) => this.section.options.includes(flag)),
    );
    const asked = JSON.stringify([own, whose.key()]);
    if (asked !== this.asked) {
      this.stale = true;
      this.trouble = '';
    }
    if (this.stale && !this.button.hidden && this.answer.hasChildNodes()) {
      this.stale = asked !== this.answered;
      this.answer.classList.toggle('old', this.stale);
      this.say(this.stale ? 'computed with other values' : '');
    }
    this.options = own;
    this.sides = whose.sides();
    this.asked = asked;
    this.title = this.inWords(this.titleWith(options, all));
    if (!this.answer.hasChildNodes()) this.heading.textContent = this.title;
  }

  // Whether what is asked has changed, and no button waits to be pressed.
  canUpdate() {
    return this.stale && this.button.hidden;
  }

  // Resolves when it is there.
  async update() {
    if (this.canUpdate()) await this.compute();
  }

  stop() {
    this.abort?.abort();
  }

  async compute() {
    this.stop();
    this.stale = false;
    this.button.disabled = true;
    this.setComputing(true);
    const abort = (this.abort = new AbortController());
    const works = words =>
      this.say(words, ' ', element('button', {type: 'button', onclick: () => abort.abort()}, 'stop'));
    const slow = setTimeout(() => {
      works('computing …');
      this.answer.classList.add('old');
    }, 400);
    let written = '';
    const begun = performance.now(),
      asked = this.asked; // it may change before the answer comes
    const onEvent = event => {
      if (event.kind === 'progress') works(event.text);
      if (event.kind === 'token' || event.kind === 'prompt') {
        written += event.text;
        this.answer.classList.remove('old');
        this.answer.replaceChildren(element('blockquote', {class: 'tokens'}, written));
      }
    };
    try {
      const results = await Promise.all(
        this.sides.map((side, i) =>
          ask.section(this.chapter, this.section.id, this.options, {
            mine: side === 'mine',
            report: this.wantsReport && i === 0,
            signal: abort.signal,
            onEvent: i === 0 ? onEvent : undefined,
          }),
        ),
      );
      if (this.abort !== abort) return;
      this.say('');
      this.answered = asked;
      this.lost = false;
      this.heading.textContent = this.title;
      this.fastest = Math.min(this.fastest, performance.now() - begun);
      if (this.trains) this.button.textContent = 'train it again';
      else this.button.hidden = this.always || this.fastest <= quick;
      this.show(...results);
      this.told?.();
    } catch (error) {
      if (this.abort !== abort) return;
      if (abort.signal.aborted)
        this.say(
          'stopped ',
          element('button', {type: 'button', onclick: () => this.compute()}, 'start again'),
        );
      else if (asked === this.asked) this.fail(error);
      else this.say(''); // a value that stands there no longer
      abort.abort(); // the other side
    } finally {
      if (this.abort === abort) {
        this.button.disabled = false;
        this.setComputing(false);
      }
      clearTimeout(slow);
    }
  }

  // Readers of the screen wait with what is said until it is complete.
  setComputing(yes) {
    this.computing = yes;
    this.answer.setAttribute('aria-busy', yes);
  }

  say(...words) {
    this.state.replaceChildren(...words.filter(word => word !== ''));
  }

  // One result, or two: hers and that of the solutions.
  show(...results) {
    const same = results.length === 2 && results[0].html === results[1].html;
    const pieces = (same ? results.slice(0, 1) : results).map(result => {
      const piece = pieceOf(result.html);
      if (result.printed) piece.append(element('pre', {class: 'printed'}, result.printed));
      return piece;
    });
    if (same)
      pieces[0].prepend(element('p', {class: 'soft'}, 'With your steps and with the solutions: the same.'));
    if (pieces[1]) renameIn(pieces[1], 'solution-');
    const all =
      pieces.length === 1
        ? pieces[0]
        : element(
            'div',
            {class: 'pair'},
            element('div', {}, element('b', {}, 'with your steps'), pieces[0]),
            element('div', {}, element('b', {}, 'with the solutions'), pieces[1]),
          );
    keepChoices(this.answer, all);
    this.answer.classList.remove('old');
    this.answer.replaceChildren(all);
    this.shown?.(results[0]);
  }

  // What stands there stays, pale: a value that is half typed is no reason to lose the picture.
  fail(error) {
    this.answer.classList.add('old');
    this.trouble = error.message;
    this.lost = this.stale = Boolean(error.ended); // it is asked again once there is a server
    this.say(
      element('span', {class: 'failed'}, this.inWords(error.message)),
      error.printed ? element('pre', {}, error.printed) : '',
    );
    this.failed?.();
    this.told?.();
  }
}

// A name is on a page once.
function renameIn(piece, prefix) {
  for (const one of piece.querySelectorAll('[id]')) one.id = prefix + one.id;
  for (const one of piece.querySelectorAll('label[for]')) one.htmlFor = prefix + one.htmlFor;
  for (const one of piece.querySelectorAll('input[name]')) one.name = prefix + one.name;
}

// Which layer of a figure was chosen before.
function keepChoices(before, after) {
  for (const chosen of before.querySelectorAll('figure input:checked')) {
    const same = [...after.querySelectorAll('figure input')].find(one => one.id === chosen.id);
    if (same) same.checked = true;
  }
}

// The fields of a form say what is wrong with them, as long as a section says so. Sections also say it where
// they stand, except where it is said at the fields `alone`.
export function sayAtFields(form, sections, {alone = false} = {}) {
  for (const one of sections) {
    one.inWords = form.inWords;
    one.told = () => {
      form.blame(sections.map(each => each.trouble));
      if (alone && form.names(one.trouble)) one.say('');
    };
  }
}
