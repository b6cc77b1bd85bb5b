// page/program.js · a page that asks the program of a chapter: it waits for its build, and follows changes
import * as ask from './ask.js';
import {fileOf} from './lesson.js';
import {element, pieceOf} from './pieces.js';
import {addressOf, place} from './place.js';
import {changes, chapterNamed, state} from './state.js';
import {Whose} from './whose.js';

// Once the program is there, `fill` draws the page. It is given the program's sections and options, what the
// address holds, whose code computes, and a signal that the page is left; it returns {set, form}: what
// computes anew, and the controls, which follow the browser's way back and forward. Before that the page has its
// title, what is being built, and a still: `still` finds it in the lesson. The result of this function leaves the page.
export function whenBuilt(page, chapter, {title, heading = 'h1', still}, fill) {
  const left = new AbortController(),
    leaving = left.signal;
  const waits = element('p', {class: 'state', role: 'status'}, 'Asking the program of this chapter …');
  page.replaceChildren(element(heading, {}, title), waits);
  const ready = () => chapterNamed(chapter)?.state === 'ready';
  const number = name => name.slice(0, 2);
  const sayWhatIsBuilt = () => {
    const one = chapterNamed(chapter),
      other = state.chapters.find(each => each.state === 'building');
    waits.textContent =
      one.state === 'failed'
        ? one.said
        : one.state === 'building'
          ? `The program of chapter ${number(chapter)} is being built: ${one.said ?? 'the first time takes a minute or two'}.`
          : !other
            ? `The program of chapter ${number(chapter)} is next.`
            : `The program of chapter ${number(other.name)} is being built${other.said ? ` (${other.said})` : ''}; that of chapter ${number(chapter)} is next.`;
    if (!page.querySelector('.still')) showStill(page, chapter, still, leaving).catch(() => {});
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
        if (ready()) set();
        else ask.list(chapter).catch(() => {}); // of a server that began again: it builds this one next
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
  untilBuilt(chapter, sayWhatIsBuilt, leaving)
    .then(program => {
      if (!leaving.aborted) begin(program);
    })
    .catch(error => {
      if (!leaving.aborted) waits.textContent = error.message;
    });
  return () => left.abort();
}

// A picture or a printed text of the lesson, for the time of the build.
async function showStill(page, chapter, still, signal) {
  const box = element('div', {class: 'still'});
  page.append(box);
  const text = pieceOf(await ask.text(fileOf(chapter, 'lesson'))),
    found = still(text);
  if (signal.aborted) return;
  box.append(
    element(
      'p',
      {},
      'Meanwhile you can read ',
      element('a', {href: addressOf({chapter})}, 'the lesson'),
      found ? '. A still of what will be here, where it answers you:' : '.',
    ),
    found ?? '',
  );
}

// The list of a program, once it is built. A build that failed is tried again each half minute.
async function untilBuilt(chapter, onWait, signal) {
  for (;;) {
    const program = await ask.list(chapter).catch(error => {
      if (!error.ended) throw error; // there may be a server again
    });
    if (program || signal.aborted) return program;
    onWait();
    await new Promise(go => {
      const once = {once: true, signal: AbortSignal.any([signal, AbortSignal.timeout(31000)])};
      changes.addEventListener('change', go, once);
      once.signal.addEventListener('abort', go);
    });
  }
}

// The address holds texts.
function typedOf(options, typed) {
  const values = {};
  for (const option of options) {
    const text = typed[option.flag];
    const number = option.type === 'count' || option.type === 'real';
    if (text === undefined || (number && Number.isNaN(Number(text)))) continue;
    values[option.flag] = option.type === 'flag' ? text === 'true' : number ? Number(text) : text;
  }
  return values;
}
