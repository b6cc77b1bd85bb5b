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
    this.fastest = Infinity; // ms
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
    if (asked !== this.asked) this.stale = true;
    if (this.stale && !this.button.hidden && this.answer.hasChildNodes()) {
      // of other values
      this.answer.classList.add('old');
      this.say('computed with other values');
    }
    this.options = own;
    this.sides = whose.sides();
    this.asked = asked;
    this.title = this.titleWith(options, all);
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
    const begun = performance.now();
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
      this.markFields('');
      this.heading.textContent = this.title;
      this.fastest = Math.min(this.fastest, performance.now() - begun);
      if (this.trains) this.button.textContent = 'train it again';
      else this.button.hidden = this.fastest <= quick;
      this.show(...results);
    } catch (error) {
      if (this.abort !== abort) return;
      if (abort.signal.aborted)
        this.say(
          'stopped ',
          element('button', {type: 'button', onclick: () => this.compute()}, 'start again'),
        );
      else this.fail(error);
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
    const sentence = this.markFields(error.message);
    this.say(
      element('span', {class: 'failed'}, sentence),
      error.printed ? element('pre', {}, error.printed) : '',
    );
    this.failed?.(sentence);
  }

  // Marks the fields of the options that a sentence names, "--heads 5 and --d-model 32 don't divide"; the
  // sentence with their names on this page.
  markFields(sentence) {
    for (const flag of this.section.options) {
      const field = document.getElementById(`option${flag}`);
      if (!field) continue;
      const parts = sentence.split(new RegExp(`${flag}(?![\\w-])`));
      if (parts.length > 1) field.setAttribute('aria-invalid', 'true');
      else field.removeAttribute('aria-invalid');
      sentence = parts.join(field.labels[0].firstChild.textContent);
    }
    return sentence;
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

// A line that says what is wrong with the options, for a place near them. Sections also say it where they
// stand, except where the line is `alone`.
export function troubleOf(sections, {alone = false} = {}) {
  const line = element('p', {class: 'failed trouble', role: 'alert'});
  for (const one of sections) {
    const before = one.failed;
    one.failed = sentence => {
      before?.(sentence);
      line.textContent = sentence;
      if (alone) one.say('');
    };
  }
  return line;
}
