// page/live.js · a chapter, live: its sections in reading order, computed anew whenever an option changes
import {controls} from './controls.js';
import {element} from './pieces.js';
import {keep, place} from './place.js';
import {whenBuilt} from './program.js';
import {near, Section, troubleOf} from './section.js';
import {chapterNamed} from './state.js';

// Fills `page`. Returns what ends it.
export function showLive(page, chapter) {
  return whenBuilt(page, chapter, ({program, typed, whose, leaving}) => {
    const sections = program.sections.map(one => new Section(chapter, one));
    let options = typed;
    // What is in view, or nearly: two cores compute one picture sooner than ten. The others follow when they
    // come near.
    const set = () => {
      sections.forEach(one => one.set(options, program.options, whose));
      sections.filter(one => one.isNear()).forEach(one => one.update());
    };
    const seen = new IntersectionObserver(
      entries =>
        entries
          .filter(one => one.isIntersecting)
          .forEach(entry => sections.find(one => one.box === entry.target).update()),
      {rootMargin: `${near}px`},
    );
    leaving.addEventListener('abort', () => {
      seen.disconnect();
      sections.forEach(one => one.stop());
    });
    const form = controls(program.options, options, (now, {step}) => {
      options = now;
      keep(options, {step});
      trouble.textContent = '';
      set();
      // A wrong value is told of at once, even where no section in view reads it.
      if (!sections.some(one => one.isNear() && one.computing))
        sections.find(one => one.canUpdate())?.update();
    });
    const trouble = troubleOf(sections);
    form.append(trouble);
    const of = level => sections.filter(one => one.section.level === level).map(one => one.box);
    page.replaceChildren(
      element('h1', {}, `${chapter.slice(0, 2)} ${chapterNamed(chapter).title}, live`),
      whose.box,
      form,
      ...of('always'),
    );
    for (const [words, level] of [
      ['Deeper', 'deeper'],
      ['Experiments: small trainings', 'experiment'],
    ])
      if (of(level).length > 0) page.append(element('h2', {class: 'part'}, words), ...of(level));
    set();
    sections.forEach(one => seen.observe(one.box));
    const {mark} = place();
    // It may be a figure of one of them.
    if (mark && !document.getElementById(mark)) sections.forEach(one => one.update());
    followTo(mark, page, leaving);
    return {set, form};
  });
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
  const watcher = new MutationObserver(() => {
    if (go()) watcher.disconnect();
  });
  watcher.observe(page, {childList: true, subtree: true});
  signal.addEventListener('abort', () => watcher.disconnect());
  setTimeout(() => watcher.disconnect(), 10000);
}
