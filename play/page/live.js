// page/live.js · a chapter, live: its sections in reading order, computed anew whenever an option changes
import * as ask from './ask.js';
import {controls} from './controls.js';
import {element, pieceOf} from './pieces.js';
import {addressOf, keep, place} from './place.js';
import {changes, chapterNamed, state} from './state.js';

const pause = 20;  // ms without a key until it is computed
const near = 200;  // px beside the window: what is that near is computed

// A section: its heading, what it says, and how far it is.
class Section {
  constructor(chapter, section) {
    this.chapter = chapter;
    this.section = section;
    this.heading = element('h2', {id: section.id});
    this.state = element('p', {class: 'state', role: 'status'});
    this.answer = element('div', {class: 'answer'});
    this.box = element('section', {'aria-labelledby': section.id}, this.heading, this.state, this.answer);
    this.button = section.level === 'experiment' || section.slow
      ? element('button', {type: 'button', onclick: () => this.compute()}, 'train it') : null;
    if (this.button) this.box.insertBefore(this.button, this.state);
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

  // What it is asked from now on.
  set(options, all, mine) {
    const own = Object.fromEntries(Object.entries(options).filter(([flag]) => this.section.options.includes(flag)));
    const asked = JSON.stringify([own, mine]);
    if (asked !== this.asked) this.stale = true;
    if (this.stale && this.button && this.answer.hasChildNodes()) {  // of other values
      this.answer.classList.add('old');
      this.say('computed with other values');
    }
    this.options = own;
    this.mine = mine !== '';
    this.asked = asked;
    this.heading.textContent = this.titleWith(options, all);
  }

  // Computes it, where what is asked has changed.
  update() {
    if (!this.stale || this.button) return;
    this.compute();
  }

  stop() { this.abort?.abort(); }

  async compute() {
    this.stop();
    this.stale = false;
    const abort = this.abort = new AbortController();
    const works = words => this.say(words, ' ', element('button', {type: 'button', onclick: () => abort.abort()}, 'stop'));
    const slow = setTimeout(() => {
      works('computing …');
      this.answer.classList.add('old');
    }, 400);
    let written = '';
    try {
      const result = await ask.section(this.chapter, this.section.id, this.options, {
        mine: this.mine,
        signal: abort.signal,
        onEvent: event => {
          if (event.kind === 'progress') works(event.text);
          if (event.kind === 'token' || event.kind === 'prompt') {
            written += event.text;
            this.answer.classList.remove('old');
            this.answer.replaceChildren(element('blockquote', {class: 'tokens'}, written));
          }
        }});
      if (this.abort !== abort) return;
      this.say('');
      this.show(result);
    } catch (error) {
      if (this.abort !== abort) return;
      if (abort.signal.aborted) this.say('stopped');
      else this.fail(error);
    } finally {
      clearTimeout(slow);
    }
  }

  say(...words) { this.state.replaceChildren(...words.filter(word => word !== '')); }

  show(result) {
    const piece = pieceOf(result.html);
    if (result.printed) piece.append(element('pre', {class: 'printed'}, result.printed));
    keepChoices(this.answer, piece);
    this.answer.classList.remove('old');
    this.answer.replaceChildren(piece);
  }

  // What stands there stays, pale: a value that is half typed is no reason to lose the picture.
  fail(error) {
    this.answer.classList.add('old');
    this.say(element('span', {class: 'failed'}, error.message), error.printed ? element('pre', {}, error.printed) : '');
  }
}

// Which layer of a figure was chosen before.
function keepChoices(before, after) {
  for (const chosen of before.querySelectorAll('figure input:checked')) {
    const same = [...after.querySelectorAll('figure input')].find(one => one.id === chosen.id);
    if (same) same.checked = true;
  }
}

// Whose code computes: the learner's steps that pass, or the solutions. What she saves shows at once.
class Whose {
  constructor(chapter, changed) {
    this.chapter = chapter;
    this.box = element('p', {class: 'whose', role: 'status'});
    this.solutions = false;
    this.changed = changed;
    this.draw();
  }

  // What decides it; empty: the solutions.
  key() { return this.solutions ? '' : chapterNamed(this.chapter)?.mine ?? ''; }

  draw() {
    const mine = chapterNamed(this.chapter)?.mine ?? '',
          steps = state.steps.filter(one => one.chapter === this.chapter),
          passed = mine.split('\n').filter(Boolean).map(line => line.split(' ')[0]),
          broken = steps.filter(one => one.state === 'failed' || one.state === 'does not compile');
    const soon = steps.filter(one => one.state === 'passed' && !passed.includes(one.id)).map(one => one.id);
    const words = soon.length > 0 ? `${soon.join(', ')} passed: the program with ${soon.length > 1 ? 'them' : 'it'} is being built …`
      : passed.length === 0 ? 'Computed with the solutions. A step of yours is used as soon as it passes.'
      : this.solutions ? 'Computed with the solutions.'
      : `Computed with your ${passed.length > 1 ? 'steps' : 'step'} ${passed.join(', ')}` +
        (passed.length < steps.length ? ', and the solutions of the others.' : '.');
    const choice = passed.length > 0 ? element('button', {type: 'button', onclick: () => {
      this.solutions = !this.solutions;
      this.draw();
      this.changed();
    }}, this.solutions ? 'use my steps' : 'use the solutions only') : null;
    this.box.replaceChildren(words, ' ', ...(choice ? [choice, ' '] : []),
      ...broken.map(one => element('span', {class: 'failed'}, `${one.id} ${one.name} ${one.state === 'failed' ? 'fails' : one.state}, so its solution is used. `)),
      element('a', {href: addressOf({chapter: 'code', page: this.chapter})}, 'your code'));
  }
}

// Fills `page`. Returns what ends it.
export async function showLive(page, chapter) {
  const leaving = new AbortController();
  const waits = element('p', {class: 'state', role: 'status'}, 'Asking the program of this chapter …');
  page.replaceChildren(waits);
  let sections = [];
  const leave = () => { leaving.abort(); sections.forEach(one => one.stop()); };
  const fill = program => {
    const {options: typed, mark} = place();
    sections = program.sections.map(one => new Section(chapter, one));
    let waiting = 0, options = typedOf(program.options, typed);
    // What is in view, or nearly: two cores compute one picture sooner than ten. The others follow when they come near.
    const set = () => {
      sections.forEach(one => one.set(options, program.options, whose.key()));
      sections.filter(one => one.isNear()).forEach(one => one.update());
    };
    const seen = new IntersectionObserver(entries => entries.filter(one => one.isIntersecting).forEach(entry =>
      sections.find(one => one.box === entry.target).update()), {rootMargin: `${near}px`});
    leaving.signal.addEventListener('abort', () => seen.disconnect());
    const whose = new Whose(chapter, set);
    changes.addEventListener('change', () => { whose.draw(); set(); }, {signal: leaving.signal});
    const form = controls(program.options, options, now => {
      options = now;
      keep(options);
      clearTimeout(waiting);
      waiting = setTimeout(set, pause);
    });
    const of = level => sections.filter(one => one.section.level === level).map(one => one.box);
    page.replaceChildren(element('h1', {}, `${chapter.slice(0, 2)} ${chapterNamed(chapter).title}, live`), whose.box,
                         form, ...of('always'));
    for (const [words, level] of [['Deeper', 'deeper'], ['Experiments: small trainings', 'experiment']])
      if (of(level).length > 0) page.append(element('h2', {class: 'part'}, words), ...of(level));
    set();
    sections.forEach(one => seen.observe(one.box));
    if (mark && !document.getElementById(mark)) sections.forEach(one => one.update());  // a figure of one of them
    followTo(mark, page, leaving.signal);
  };
  ask.list(chapter, {signal: leaving.signal, onWait: () => {
    const one = chapterNamed(chapter);
    waits.textContent = one?.state === 'failed' ? one.said
      : one?.state === 'building' ? 'Its program is being built; this takes a minute the first time …'
      : 'Its program waits until another one is built …';
  }}).then(program => { if (!leaving.signal.aborted) fill(program); })
    .catch(error => { if (!leaving.signal.aborted) waits.textContent = error.message; });
  return leave;
}

// A figure of this name may not be there yet: its section is being computed.
function followTo(mark, page, signal) {
  if (!mark) return;
  const go = () => {
    const found = document.getElementById(mark);
    if (found) found.scrollIntoView();
    return Boolean(found);
  };
  if (go()) return;
  const watcher = new MutationObserver(() => { if (go()) watcher.disconnect(); });
  watcher.observe(page, {childList: true, subtree: true});
  signal.addEventListener('abort', () => watcher.disconnect());
  setTimeout(() => watcher.disconnect(), 10000);
}

// The address holds texts.
function typedOf(options, typed) {
  const values = {};
  for (const option of options) {
    const text = typed[option.flag];
    if (text === undefined) continue;
    values[option.flag] = option.type === 'flag' ? text === 'true'
      : option.type === 'count' || option.type === 'real' ? Number(text) : text;
  }
  return values;
}
