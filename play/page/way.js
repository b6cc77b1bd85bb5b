// page/way.js · one token's way: a picture from the text to the probabilities, whose parts open with their numbers
import {controls} from './controls.js';
import {element} from './pieces.js';
import {addressOf, keep} from './place.js';
import {whenBuilt} from './program.js';
import {sayAtFields, Section} from './section.js';
import {tokenLine} from './tokens.js';

const chapter = '09_transformer';
const middle = 252; // the height of the residual stream, in units of the picture
const [inRow, cell] = [8, 5]; // a vector is drawn, and written, as rows of 8 numbers
const [map, gap] = [68, 6]; // of a head
const blockAt = block => 152 + (block - 1) * 196; // its left edge; blocks count from 1

function drawn(tag, attributes = {}, ...children) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}
const words = (x, y, text, more = {}) => drawn('text', {x, y, 'text-anchor': 'middle', ...more}, text);
const line = (d, kind = 'flow') => drawn('path', {d, class: kind});
const fixed = (number, digits = 2) => number.toFixed(digits).replace('-', '−');

// New children; the token that can be reached keeps the focus where one of the old ones had it.
function replace(box, ...children) {
  const had = box.contains(document.activeElement);
  box.replaceChildren(...children);
  if (had) box.querySelector('[tabindex="0"]')?.focus({preventScroll: true});
}

// The numbers of a vector as cells, from blue over paper to brown: one path for each shade, of its own scale.
function vectorAt(x, y, numbers) {
  const largest = Math.max(...numbers.map(Math.abs)) || 1,
    shades = new Map();
  numbers.forEach((number, i) => {
    const shade = Math.round((6 * number) / largest),
      at = `M${i % inRow} ${Math.floor(i / inRow)}h1v1h-1z`;
    shades.set(shade, (shades.get(shade) ?? '') + at);
  });
  const [width, height] = [inRow * cell, Math.ceil(numbers.length / inRow) * cell];
  return drawn(
    'g',
    {class: 'cells', transform: `translate(${x - width / 2} ${y - height / 2}) scale(${cell})`},
    drawn('rect', {class: 'paper', width: width / cell, height: height / cell}),
    ...[...shades].map(([shade, d]) =>
      drawn('path', {d, class: shade < 0 ? 'minus' : 'plus', 'fill-opacity': Math.abs(shade) / 6}),
    ),
  );
}

// What the section's answer says, under the names of this page.
function wayOf(report) {
  const [token, lengths, figure, guesses] = report;
  const [name, place, id, vocabulary] = token.rows[0];
  return {
    name,
    place,
    id,
    vocabulary,
    lengths: lengths.rows.map(([, length, added]) => ({length, added})),
    vectors: figure.views[0].figure.panels[0].values,
    guesses: guesses.rows,
  };
}

const lessonOf = (name, text) => element('a', {href: addressOf({chapter: name})}, text);

function numbersOf(vector) {
  const rows = [];
  for (let i = 0; i < vector.length; i += inRow)
    rows.push(element('tr', {}, ...vector.slice(i, i + inRow).map(one => element('td', {}, fixed(one)))));
  return element('div', {class: 'wide', tabindex: 0}, element('table', {class: 'numbers'}, ...rows));
}

// The parts of the picture: where each stands, what it is, and what is said and shown when it is opened.
function partsOf(way, layers, heads) {
  const token = `“${way.name}”`,
    last = way.vectors.length - 1,
    size = way.vectors[0].length,
    parts = [];
  const difference = stage => way.vectors[stage].map((one, i) => one - way.vectors[stage - 1][i]); // what was added
  const vector = (stage, x, name, said) =>
    parts.push({name, vector: [x, middle, way.vectors[stage]], length: way.lengths[stage].length, said, shown: () => numbersOf(way.vectors[stage])});
  parts.push({
    name: 'its id',
    id: true,
    said: [`The model knows ${way.vocabulary} tokens, here characters. ${token} is number ${way.id}. `, lessonOf(chapter, 'Lesson 09')],
  });
  vector(0, 112, 'its vector from the table', [
    `Row ${way.id} of the embedding table: ${size} learned numbers, the same wherever ${token} stands. `,
    lessonOf(chapter, 'Lesson 09'),
  ]);
  for (let block = 1; block <= layers; ++block) {
    const x = blockAt(block),
      [reads, feeds] = [2 * block - 1, 2 * block];
    for (let head = 1; head <= heads; ++head)
      parts.push({
        name: `block ${block}, head ${head}`,
        head: [block, head],
        map: [x + 21 + ((head - 1) % 2) * (map + gap), 54 + Math.floor((head - 1) / 2) * (map + gap)],
        said: [
          `The head compares a query, made of the vector of ${token}, with a key of each token up to it. The shares are in the row of ${token}; grey tokens come later, so they are masked. With these shares the head takes a mean of values. A last matrix makes one vector of the means of all ${heads} heads, which is added: it stands below the map, and its length is ${fixed(way.lengths[reads].added)}. `,
          lessonOf('01_attention', 'Lesson 01'),
          ', ',
          lessonOf('02_masks', 'masks: 02'),
          ', ',
          lessonOf('03_positional_encoding', 'how queries and keys know their positions: 03'),
        ],
        shown: () => numbersOf(difference(reads)),
      });
    const added = difference(feeds);
    parts.push({
      name: `the feed-forward network of block ${block}`,
      vector: [x + 104, 366, added],
      added: way.lengths[feeds].added,
      said: [
        `It reads the vector of ${token} alone: a norm, a matrix to more numbers, an activation, a matrix back. The result is added. Its length is ${fixed(way.lengths[feeds].added)}. `,
        lessonOf('05_feed_forward', 'Lesson 05'),
        ', ',
        lessonOf('04_normalization', 'norms: 04'),
      ],
      shown: () => numbersOf(added),
    });
    vector(feeds, x + 158, `its vector after block ${block}`, [
      `The sum of the vector from the table and all that the blocks have added so far. Its length is ${fixed(way.lengths[feeds].length)}. `,
      lessonOf('06_residual_dropout', 'Lesson 06'),
      ', ',
      lessonOf('07_block', 'the whole block: 07'),
    ]);
  }
  const end = blockAt(layers + 1);
  vector(last, end + 28, 'its vector after the final norm', [
    `The final norm brings all vectors to about the same size, whatever the blocks added. `,
    lessonOf('04_normalization', 'Lesson 04'),
  ]);
  parts.push({
    name: 'what comes next',
    guesses: end + 74,
    said: [
      `The last vector is multiplied with each row of the embedding table: ${way.vocabulary} logits. Softmax makes probabilities of them. One token is chosen and appended to the text, and all begins again. `,
      lessonOf(chapter, 'Lesson 09'),
      ', ',
      lessonOf('11_generation', 'how one of them is chosen: 11'),
    ],
  });
  return parts;
}

// Fills `page`. Returns what ends it.
export function showWay(page) {
  const title = 'One token’s way',
    still = lesson => lesson.querySelector('[data-figure=overview]');
  return whenBuilt(page, chapter, {title, still}, ({program, typed, whose, leaving}) => {
    const [way, head, guesses] = ['way', 'head', 'guesses'].map(
      id => new Section(chapter, program.sections.find(one => one.id === `look-${id}`)),
    );
    const sections = [way, head, guesses];
    const options = program.options.filter(one => way.section.options.includes(one.flag));
    let values = typed;
    const nameOf = ({'--layer': layer = 1, '--head': head}) => (head ? `block ${layer}, head ${head}` : 'what comes next');
    let opened = nameOf(typed);
    way.wantsReport = head.wantsReport = true;
    for (const one of sections) one.always = true;
    const text = element('div', {class: 'lines'}),
      looking = element('div', {class: 'lines'}), // who looks at the token
      picture = element('figure', {class: 'way', id: 'way'}),
      zoom = element('section', {class: 'zoom'});
    let letters;
    const set = () => {
      way.set(values, program.options, whose);
      return way.update();
    };
    const openPart = (part, {chosen = false} = {}) => {
      opened = part.name;
      for (const one of picture.querySelectorAll('.part')) one.setAttribute('aria-pressed', one.dataset.name === opened);
      const section = part.head ? head : part.guesses ? guesses : null;
      zoom.replaceChildren(
        element('h2', {}, part.name[0].toUpperCase() + part.name.slice(1)),
        element('p', {}, ...part.said, '.'),
        section ? section.state : '',
        part.head ? looking : '',
        section ? section.answer : '',
        part.shown?.() ?? '',
      );
      letters?.shade([]);
      if (section) {
        const place = part.head ? {'--layer': part.head[0], '--head': part.head[1]} : {};
        section.set({...values, ...place}, program.options, whose);
        if (!section.stale) section.shown?.(section.last);
        section.update();
      }
      if (!chosen) return;
      const {'--layer': layer, '--head': one, ...others} = values;
      values = part.head ? {...others, '--layer': part.head[0], '--head': part.head[1]} : others;
      keep(values, {step: true});
      zoom.firstChild.scrollIntoView({block: 'nearest'}); // the picture stays
    };
    const draw = () => {
      const cells = [...(way.answer.querySelector('.pair > div') ?? way.answer).querySelectorAll('.small-map')],
        it = wayOf(way.report);
      const layers = (it.vectors.length - 2) / 2,
        heads = cells.length / layers,
        parts = partsOf(it, layers, heads);
      picture.replaceChildren(
        pictureOf(it, parts, {cells, layers, heads, open: part => openPart(part, {chosen: true})}),
        element(
          'figcaption',
          {},
          `From left to right; (05) is chapter 05. Each coloured rectangle is the vector of “${it.name}”: its ${it.vectors[0].length} numbers, ` +
            'blue below 0 and brown above, each vector in a scale of its own. The number below it is its length. The line is the residual stream: ' +
            `both halves of a block add to it. In the maps of the heads the row of “${it.name}” is framed.`,
        ),
      );
      openPart(parts.find(one => one.name === opened) ?? parts.at(-1));
    };
    way.shown = ({report}) => {
      way.report = report.some(one => one.kind === 'figure') ? report : null;
      if (way.report) draw();
      else picture.replaceChildren(way.answer); // why there is no model
    };
    head.shown = result => {
      head.last = result ?? head.last;
      if (!head.last) return;
      const {values: weights, rows} = head.last.report.find(one => one.kind === 'figure').views[0].figure.panels[0],
        at = wayOf(way.report).place - 1;
      if (at >= rows.length) return; // of another text
      letters.shade(weights[at]);
      const line = tokenLine(rows, {name: 'Who looks at it', chosen: at, choose: i => form.put({'--query': i + 1})});
      line.shade(weights.map(row => row[at]));
      replace(looking, element('p', {}, `In the text at the top the tokens are coloured that “${rows[at]}” reads. Who reads “${rows[at]}”:`), line);
    };
    // The row of a cell is a token, too.
    head.answer.addEventListener('click', event => {
      const {r} = globalThis.markCells.cellAt(event)?.dataset ?? {};
      if (r !== undefined) form.put({'--query': Number(r) + 1});
    });
    way.failed = () => picture.classList.add('old');
    const form = controls(options, values, (now, {step}) => {
      const moved = (now['--read'] ?? '') !== (values['--read'] ?? '');
      if (moved && !step && now['--query']) {
        form.put({'--query': 0});
        return;
      }
      for (const flag of ['--layer', '--head']) if (values[flag]) now[flag] = values[flag];
      values = now;
      keep(values, {step: step && !moved});
      set();
    });
    sayAtFields(form, sections, {alone: true});
    leaving.addEventListener('abort', () => sections.forEach(one => one.stop()));
    page.replaceChildren(
      element('h1', {}, title),
      element(
        'p',
        {},
        'The decoder that chapter 10 trains reads a text; its tokens are characters. The picture follows one of them ' +
          'from its number to the probabilities of what comes next; the others go the same way at the same time. Click a character of the text, or a vector, a map or the probabilities in the picture.',
      ),
      whose.box,
      form,
      way.state,
      text,
      picture,
      zoom,
    );
    set();
    const reset = some => {
      values = some;
      opened = nameOf(some);
      form.reset(some);
    };
    return {set, form: {reset}};

    function pictureOf(it, parts, {cells, layers, heads, open}) {
      picture.classList.remove('old');
      const shownAs = {' ': '␣', '\n': '¶'},
        all = [...(JSON.parse(way.answered)[0]['--read'] || options.find(one => one.flag === '--read').default)].map(one => shownAs[one] ?? one);
      it.count = all.length;
      letters = tokenLine(all, {
        name: 'The text: choose the token to follow',
        chosen: it.place - 1,
        choose: i => form.put({'--query': i + 1}),
      });
      replace(text, letters);
      const end = blockAt(layers + 1),
        width = end + 214;
      const head = drawn('marker', {id: 'way-head', viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto'}, drawn('path', {d: 'M0 0L8 4L0 8z', class: 'head'}));
      const svg = drawn('svg', {class: 'tfs', viewBox: `0 0 ${width} 456`, role: 'group', 'aria-label': `The way of “${it.name}”`});
      svg.append(
        head,
        line(`M60 ${middle}H${end + 70}`, 'stream'),
        ...[
          [36, 'token'],
          [112, 'table (09)'],
          [end + 28, 'norm (04)'],
          [end + 142, 'what comes next'],
        ].map(([x, name]) => words(x, 128, name, {class: 'small'})),
      );
      for (let block = 1; block <= layers; ++block) {
        const x = blockAt(block);
        svg.append(
          drawn('rect', {class: 'block', x, y: 8, width: 184, height: 442, rx: 8}),
          words(x + 92, 29, `block ${block}`, {class: 'panel'}),
          words(x + 92, 46, 'attention (01)', {class: 'small'}),
          line(`M${x + 24} ${middle}V198`),
          line(`M${x + 70} 198V${middle - 12}`, 'flow to'),
          line(`M${x + 86} ${middle}V322`),
          line(`M${x + 122} 322V${middle + 12}`, 'flow to'),
          ...[[x + 24, 212], [x + 86, 282]].flatMap(([at, y]) => [
            drawn('rect', {class: 'norm', x: at - 21, y, width: 42, height: 20, rx: 4}),
            words(at, y + 15, 'norm', {class: 'small'}),
          ]),
          ...[70, 122].flatMap(at => [
            drawn('circle', {class: 'sum', cx: x + at, cy: middle, r: 9}),
            words(x + at, middle + 5, '+'),
          ]),
          words(x + 104, 440, 'feed-forward (05)', {class: 'small'}),
        );
      }
      for (const part of parts) svg.append(partOf(part, it, {cells, heads, open}));
      return svg;
    }
  });
}

const frame = (x, y, width, height) => drawn('rect', {class: 'frame', x, y, width, height, rx: 4});

// A part as a button of the picture.
function partOf(part, it, {cells, heads, open}) {
  const group = drawn('g', {class: 'part', role: 'button', tabindex: 0, 'aria-label': part.name, 'data-name': part.name});
  group.append(drawn('title', {}, part.name));
  if (part.id)
    group.append(
      frame(4, middle - 38, 64, 76),
      drawn('rect', {class: 'token-box', x: 8, y: middle - 34, width: 56, height: 68, rx: 8}),
      words(36, middle, it.name, {class: 'large'}),
      words(36, middle + 22, `id ${it.id}`, {class: 'small'}),
    );
  if (part.vector) {
    const [x, y] = part.vector;
    group.append(frame(x - 24, y - 44, 48, 106), vectorAt(...part.vector), words(x, y + 56, fixed(part.length ?? part.added, 1), {class: 'small'}));
  }
  if (part.map) {
    const [x, y] = part.map,
      [block, head] = part.head,
      own = cells[(block - 1) * heads + head - 1].querySelector('.cells').cloneNode(true),
      row = map / it.count;
    for (const [name, value] of Object.entries({x, y, width: map, height: map})) own.setAttribute(name, value);
    group.append(
      frame(x - 3, y - 3, map + 6, map + 6),
      drawn('rect', {class: 'under', x, y, width: map, height: map}),
      own,
      drawn('rect', {class: 'row', x: x - 1, y: y + (it.place - 1) * row - 1, width: map + 2, height: row + 2}),
    );
  }
  if (part.guesses) {
    group.append(frame(part.guesses - 2, middle - 114, 138, 222));
    it.guesses.forEach(([name, , chance], i) => {
      const y = middle - 96 + i * 26;
      group.append(
        words(part.guesses + 10, y + 5, name, {class: 'panel'}),
        drawn('rect', {class: 'chance', x: part.guesses + 24, y: y - 9, width: Math.max(1, 76 * chance), height: 18}),
        words(part.guesses + 30 + 76 * chance, y + 5, fixed(chance), {'text-anchor': 'start', class: 'small'}),
      );
    });
  }
  group.addEventListener('click', () => open(part));
  group.addEventListener('keydown', event => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    open(part);
  });
  return group;
}
