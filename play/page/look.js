// page/look.js · one text through a trained model: all heads, one head, the guesses of each block
import {controls} from './controls.js';
import {element} from './pieces.js';
import {keep} from './place.js';
import {whenBuilt} from './program.js';
import {sayAtFields, Section} from './section.js';
import {tokenLine} from './tokens.js';

const chapter = '09_transformer';

// Resolves once the page shows what was changed before.
const painted = () => new Promise(go => requestAnimationFrame(() => setTimeout(go)));

// What one head makes of the text: whom the pointed token looks at, and who looks at it.
class HeadLines {
  constructor(choose) {
    this.choose = choose;
    this.box = element('div', {class: 'lines'});
  }

  show({rows, values}, query) {
    Object.assign(this, {rows, values});
    this.box.classList.remove('old');
    const names = [element('h3'), element('h3')];
    this.point = i => {
      names[0].textContent = `“${rows[i]}” (${i + 1}) looks at`;
      names[1].textContent = `Who looks at “${rows[i]}” (${i + 1})`;
      this.lines[0].shade(values[i]);
      this.lines[1].shade(values.map(row => row[i]));
    };
    this.lines = ['What it looks at', 'Who looks at it'].map(name =>
      tokenLine(rows, {name, point: this.point, choose: this.choose}),
    );
    this.box.replaceChildren(names[0], this.lines[0], names[1], this.lines[1]);
    this.follow(query);
  }

  // The place of a query, from 0; null where the text has none such. 0 is the last one.
  placeOf(query) {
    if (!this.lines) return null;
    const at = query > 0 ? query - 1 : this.rows.length - 1;
    return at < this.rows.length ? at : null;
  }

  // The cell of a query and a key, 0 for that with the largest weight, and what it says.
  cellOf(query, key) {
    const i = this.placeOf(query);
    if (i === null) return null;
    const row = this.values[i],
      j = key > 0 ? key - 1 : row.indexOf(Math.max(...row));
    if (j > i) return null;
    return {
      query: i,
      key: j,
      words:
        `“${this.rows[i]}” (${i + 1}) looks at “${this.rows[j]}” (${j + 1}) ` +
        `with the weight ${row[j].toFixed(4)}.`,
    };
  }

  follow(query) {
    const at = this.placeOf(query);
    if (at === null) return;
    this.lines.forEach(one => one.choose(at));
    this.point(at);
  }
}

// The maps of all heads are buttons.
function choosable(box, chosen, choose) {
  box.querySelector('figure svg')?.setAttribute('role', 'group'); // no longer one picture
  for (const map of box.querySelectorAll('.small-map')) {
    const [layer, head] = map.querySelector('title').textContent.match(/\d+/g).map(Number);
    map.setAttribute('role', 'button');
    map.setAttribute('tabindex', '0');
    map.setAttribute('aria-label', `block ${layer}, head ${head}`);
    map.addEventListener('click', () => choose(layer, head));
    map.addEventListener('keydown', event => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      choose(layer, head);
    });
    map.dataset.place = `${layer} ${head}`;
  }
  markChosen(box, chosen);
}

function markChosen(box, [layer, head]) {
  for (const map of box.querySelectorAll('.small-map'))
    map.setAttribute('aria-pressed', String(map.dataset.place === `${layer} ${head}`));
}

// Fills `page`. Returns what ends it.
export function showLook(page) {
  const title = 'Look into a trained model',
    still = lesson => lesson.querySelector('[data-figure=maps]');
  return whenBuilt(page, chapter, {title, of: 'deeper', still}, ({program, typed, whose, leaving}) => {
    const sections = program.sections
      .filter(one => one.id.startsWith('look-'))
      .map(one => new Section(chapter, one));
    const named = id => sections.find(one => one.section.id === `look-${id}`);
    const [heads, head, guesses] = ['heads', 'head', 'guesses'].map(named);
    const used = new Set(sections.flatMap(one => one.section.options));
    const options = program.options.filter(one => used.has(one.flag));
    let values = typed;
    const value = flag => values[flag] ?? options.find(one => one.flag === flag).default;
    const chosen = () => [value('--layer'), value('--head')];
    // The map that one looks at comes first: two cores compute one picture sooner than four.
    const set = async () => {
      sections.forEach(one => one.set(values, options, whose));
      await head.update();
      await painted();
      sections.forEach(one => one.update());
    };
    const form = controls(options, values, (now, {step}) => {
      // A place in the text that was means nothing in another one that is typed.
      const moved = (now['--read'] ?? '') !== (values['--read'] ?? '');
      if (moved && !step && now['--query']) {
        form.put({'--query': 0});
        return;
      }
      values = now;
      set(); // it computes while the page marks what is chosen
      keep(values, {step: step && !moved});
      markChosen(heads.box, chosen());
      lines.follow(value('--query'));
      markCell();
    });
    // A cell that was chosen, until a character or a head is; both count from 1.
    let cell = null;
    const choose = (some, chosenCell = null) => {
      cell = chosenCell;
      form.put(some);
    };
    const lines = new HeadLines(i => choose({'--query': i + 1}));
    heads.shown = () =>
      choosable(heads.box, chosen(), (layer, one) => choose({'--layer': layer, '--head': one}));
    const note = element('p', {class: 'state', role: 'status'});
    head.answer.after(note);
    const markCell = () => {
      for (const one of head.box.querySelectorAll('.chosen')) one.classList.remove('chosen');
      const query = value('--query'),
        at = lines.cellOf(query, cell?.query === query ? cell.key : 0);
      note.textContent = at?.words ?? '';
      if (!at) return;
      markCells.cellIn(head.box, at.query, at.key)?.classList.add('chosen');
      head.box.querySelector(`.row-label[data-r="${at.query}"]`)?.classList.add('chosen');
    };
    head.wantsReport = true;
    head.shown = ({report}) => {
      const drawing = report.find(one => one.kind === 'figure');
      if (!drawing) return;
      lines.show(drawing.views[0].figure.panels[0], value('--query'));
      markCell();
    };
    head.failed = () => lines.box.classList.add('old');
    head.box.addEventListener('click', event => {
      const {r, c} = markCells.cellAt(event)?.dataset ?? {};
      if (r === undefined) return;
      const [query, key] = [Number(r) + 1, Number(c) + 1];
      if (key <= query) choose({'--query': query}, {query, key});
      else note.textContent = 'This character comes later: it is masked.';
    });
    // All sections read the same text: what is wrong with it is said once.
    sayAtFields(form, sections, {alone: true});
    leaving.addEventListener('abort', () => sections.forEach(one => one.stop()));
    page.replaceChildren(
      element('h1', {}, title),
      element(
        'p',
        {},
        'The decoder of characters that chapter 10 trains reads your text. ' +
          'Choose a head among the small maps, ' +
          'then a character in the text, or a cell of the large map: all else follows.',
      ),
      whose.box,
      form,
      lines.box,
      element('div', {class: 'two'}, heads.box, head.box),
      guesses.box,
    );
    set();
    return {set, form};
  });
}
