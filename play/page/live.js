// page/live.js · a chapter, live: its sections in reading order, computed anew whenever an option changes
import * as ask from './ask.js';
import {controls} from './controls.js';
import {element, pieceOf} from './pieces.js';
import {keep, place} from './place.js';

const pause = 60;  // ms without a key until it is computed

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

  set(options, all) {
    const own = Object.fromEntries(Object.entries(options).filter(([flag]) => this.section.options.includes(flag)));
    const same = this.asked !== undefined && JSON.stringify(own) === JSON.stringify(this.options);
    this.options = own;
    this.heading.textContent = this.titleWith(options, all);
    if (!same && !this.button) this.compute();
  }

  stop() { this.abort?.abort(); }

  async compute() {
    this.stop();
    const abort = this.abort = new AbortController();
    this.asked = true;
    const slow = setTimeout(() => {
      this.say('computing …', element('button', {type: 'button', onclick: () => abort.abort()}, 'stop'));
    }, 400);
    let written = '';
    try {
      const result = await ask.section(this.chapter, this.section.id, this.options, {
        signal: abort.signal,
        onEvent: event => {
          if (event.kind === 'progress') this.say(event.text, element('button', {type: 'button', onclick: () => abort.abort()}, 'stop'));
          if (event.kind === 'token' || event.kind === 'prompt') {
            written += event.text;
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

// Fills `page`. Returns what ends it.
export async function showLive(page, chapter) {
  const leaving = new AbortController();
  const state = element('p', {class: 'state', role: 'status'}, 'Asking the program of this chapter …');
  page.replaceChildren(state);
  let sections = [];
  const leave = () => { leaving.abort(); sections.forEach(one => one.stop()); };
  ask.list(chapter, {signal: leaving.signal, onWait: one => {
    state.textContent = one?.state === 'failed' ? one.said
      : one?.state === 'building' ? 'Its program is being built; this takes a minute the first time …'
      : 'Its program waits until another one is built …';
  }}).then(program => {
    if (leaving.signal.aborted) return;
    const {options: typed, mark} = place();
    sections = program.sections.map(one => new Section(chapter, one));
    let waiting = 0;
    const set = options => sections.forEach(one => one.set(options, program.options));
    const form = controls(program.options, typed, options => {
      keep(options);
      clearTimeout(waiting);
      waiting = setTimeout(() => set(options), pause);
    });
    const deeper = sections.filter(one => one.section.level === 'deeper'),
          experiments = sections.filter(one => one.section.level === 'experiment'),
          always = sections.filter(one => one.section.level === 'always');
    page.replaceChildren(form, ...always.map(one => one.box));
    for (const [words, some] of [['Deeper', deeper], ['Experiments: small trainings', experiments]])
      if (some.length > 0) page.append(element('h2', {class: 'part'}, words), ...some.map(one => one.box));
    set(typedOf(program.options, typed));
    document.getElementById(mark)?.scrollIntoView();
  }).catch(error => { if (!leaving.signal.aborted) state.textContent = error.message; });
  return leave;
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
