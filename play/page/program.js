// page/program.js · a page that asks the program of a chapter: it waits for its build, and follows changes
import * as ask from './ask.js';
import {element} from './pieces.js';
import {place} from './place.js';
import {changes, chapterNamed} from './state.js';
import {Whose} from './whose.js';

// Once the program is there, `fill` draws the page. It is given the program's sections and options, what the
// address holds, whose code computes, and a signal that the page is left; it returns {set, form}: what
// computes anew, and the controls, which follow the browser's way back and forward. The result of this
// function leaves the page.
export function whenBuilt(page, chapter, fill) {
  const left = new AbortController(),
    leaving = left.signal;
  const waits = element('p', {class: 'state', role: 'status'}, 'Asking the program of this chapter …');
  page.replaceChildren(waits);
  const onWait = () => {
    const one = chapterNamed(chapter);
    waits.textContent =
      one?.state === 'failed'
        ? one.said
        : one?.state === 'building'
          ? `The program of chapter ${chapter.slice(0, 2)} is being built; the first time takes a minute …`
          : 'Its program waits until another one is built …';
  };
  const begin = program => {
    let set = () => {};
    const here = `${place().chapter}/${place().page}`,
      typed = () => typedOf(program.options, place().options);
    const whose = new Whose(chapter, () => set());
    changes.addEventListener(
      'change',
      () => {
        whose.draw();
        set();
      },
      {signal: leaving},
    );
    const filled = fill({program, typed: typed(), whose, leaving});
    set = filled.set;
    addEventListener(
      'popstate',
      () => {
        if (`${place().chapter}/${place().page}` === here) filled.form.reset(typed());
      },
      {signal: leaving},
    );
  };
  ask
    .list(chapter, {signal: leaving, onWait})
    .then(program => {
      if (!leaving.aborted) begin(program);
    })
    .catch(error => {
      if (!leaving.aborted) waits.textContent = error.message;
    });
  return () => left.abort();
}

// The address holds texts.
function typedOf(options, typed) {
  const values = {};
  for (const option of options) {
    const text = typed[option.flag];
    if (text === undefined) continue;
    values[option.flag] =
      option.type === 'flag'
        ? text === 'true'
        : option.type === 'count' || option.type === 'real'
          ? Number(text)
          : text;
  }
  return values;
}
