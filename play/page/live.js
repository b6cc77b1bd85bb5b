// page/live.js · a chapter, live: its sections, those that follow the fields at the top first, computed anew whenever an option changes
import {controls} from './controls.js';
import {element} from './pieces.js';
import {keep, place} from './place.js';
import {whenBuilt} from './program.js';
import {near, sayAtFields, Section} from './section.js';
import {chapterNamed} from './state.js';
import {wordButtons} from './words.js';

// Fills `page`. Returns what ends it.
export function showLive(page, chapter) {
  const title = `${chapter.slice(0, 2)} ${chapterNamed(chapter).title}, live`,
    still = lesson => lesson.querySelector('figure');
  return whenBuilt(page, chapter, {title, still}, ({program, typed, whose, leaving}) => {
    const sections = program.sections.map(one => new Section(chapter, one));
    let options = typed;
    const legends = [];
    // What is in view, or nearly: two cores compute one picture sooner than ten. The others follow when they
    // come near.
    const set = () => {
      legends.forEach(draw => draw());
      if (words) words.show(options[spoken.flag] ?? spoken.default);
      sections.forEach(one => one.set(options, program.options, whose));
      sections.filter(one => one.isNear() || one.lost).forEach(one => one.update());
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
    const {groups, own, movedBy} = movedTogether(program);
    const titles = some =>
      sections
        .filter(one => some.includes(one.section))
        .map(one => one.titleWith(options, program.options))
        .join(' · ');
    const manners = Object.fromEntries(
      program.options.map(({flag}) => [flag, {moves: titles(movedBy(flag))}]),
    );
    const read = program.options.filter(({flag}) => movedBy(flag).length > 0);
    const form = controls(
      read,
      options,
      (now, {step}) => {
        options = now;
        keep(options, {step});
        set();
        // A wrong value is told of at once, even where no section in view reads it.
        if (!sections.some(one => one.isNear() && one.computing))
          sections.find(one => one.canUpdate())?.update();
        if (!sections.some(one => one.computing)) sections[0].told(); // nothing else tells that the fields are right
      },
      manners,
    );
    sayAtFields(form, sections);
    const spoken = read.find(one => one.words),
      words = spoken && wordButtons(spoken, form);
    const follows = one => Number(groups[0]?.moved.includes(one.section) ?? false);
    // Its picture stands before its numbers: it is what moves while one types.
    for (const one of sections.filter(follows))
      one.shown = () => {
        for (const figure of one.answer.querySelectorAll('figure:first-of-type')) {
          const {firstChild} = figure.parentElement;
          firstChild.className === 'soft' ? firstChild.after(figure) : figure.parentElement.prepend(figure);
        }
      };
    const of = level =>
      sections
        .filter(one => one.section.level === level)
        .sort((a, b) => follows(b) - follows(a))
        .map(one => one.box);
    page.replaceChildren(element('h1', {}, title), whose.box, form, words ?? '', ...of('always'));
    for (const [heading, level] of [
      ['Deeper', 'deeper'],
      ['Experiments: small trainings', 'experiment'],
    ])
      if (of(level).length > 0) page.append(element('h2', {class: 'part'}, heading), ...of(level));
    if (spoken) {
      const fixed = [...page.querySelectorAll(':scope > section')].find(
        box => !sections.find(one => one.box === box).section.options.includes(spoken.flag),
      );
      fixed?.before(element('p', {class: 'soft'}, 'From here on the examples are fixed; few of them read your text.'));
    }
    // The largest group of fields stands at the top; others stand at what they move.
    for (const {flags, moved} of groups.slice(1)) {
      const legend = element('legend');
      legends.push(() => (legend.textContent = `These fields move: ${titles(moved)}`));
      const fields = element('fieldset', {class: 'controls fields'}, legend, ...flags.map(form.boxOf));
      sections.find(one => one.section === moved[0]).box.before(fields);
    }
    for (const [section, flags] of own) {
      const one = sections.find(each => each.section === section);
      one.heading.after(
        element(
          'div',
          {class: 'controls fields', role: 'group', 'aria-labelledby': one.heading.id},
          ...flags.map(form.boxOf),
        ),
      );
    }
    set();
    sections.forEach(one => seen.observe(one.box));
    const {mark} = place();
    // It may be a figure of one of them.
    if (mark && !document.getElementById(mark)) sections.forEach(one => one.update());
    followTo(mark, page, leaving);
    return {set, form};
  });
}

// Which fields move which sections: `groups` of flags whose sections meet, the largest first, and the `own` flags
// of single sections. Of the seed, which moves sections of all groups, there is a field at the top.
function movedTogether({options, sections}) {
  const movedBy = flag => sections.filter(one => one.options.includes(flag));
  let groups = [];
  const own = new Map();
  for (const {flag} of options.filter(one => one.flag !== '--seed' && one.type !== 'file')) {
    const moved = movedBy(flag);
    if (moved.length === 1) own.set(moved[0], [...(own.get(moved[0]) ?? []), flag]);
    if (moved.length < 2) continue;
    const met = groups.filter(one => one.moved.some(each => moved.includes(each)));
    const all = [...met, {flags: [flag], moved}];
    groups = groups.filter(one => !met.includes(one));
    groups.push({
      flags: all.flatMap(one => one.flags),
      moved: sections.filter(one => all.some(each => each.moved.includes(one))),
    });
  }
  return {groups: groups.sort((a, b) => b.flags.length - a.flags.length), own, movedBy};
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
