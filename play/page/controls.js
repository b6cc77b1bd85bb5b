// page/controls.js · the options of a chapter as controls, one for each type
import {element} from './pieces.js';

const pause = 20; // ms from one change that is told to the next

// Options of sections that look into a model (chapter 09): their flags alone are too like others.
const usual = {
  '--read': {name: 'text to read'},
  '--layer': {name: 'block'},
  '--query': {name: 'character', empty: 'last'},
};

const nameOf = option => option.flag.replace(/^--/, '').replaceAll('-', ' ');

// What stands in the field for a value.
const shownAs = (value, manner) => (value !== 0 ? value : (manner.zero ?? (manner.empty ? '' : value)));

// `manner`: {slider: [low, high, step]} for a number, with {zero: 65} where the slider stands at this for 0;
// {lines: 3} for a text of several lines; {empty: "last"} for a number whose 0 is an empty field with this in
// it; {name: "its label"}; {moves: "Softmax of a few rows"}, what it changes.
function input(option, value, manner) {
  const id = `option${option.flag}`,
    {low, high} = option;
  if (manner.slider) {
    const [min, max, step] = manner.slider;
    return element('input', {
      id,
      type: 'range',
      min,
      max,
      step,
      value: shownAs(value, manner),
    });
  }
  if (manner.lines)
    return Object.assign(element('textarea', {id, rows: manner.lines, cols: 60, spellcheck: 'false'}), {
      value,
    });
  switch (option.type) {
    case 'flag':
      return element('input', {id, type: 'checkbox', checked: value === true || value === 'true'});
    case 'count':
    case 'real': {
      const field = element('input', {
        id,
        type: 'number',
        step: option.type === 'count' ? 1 : 'any',
        min: low,
        max: high,
        placeholder: manner.empty,
        value: shownAs(value, manner),
      });
      if (manner.empty?.length > 6) field.style.width = `${manner.empty.length + 3}ch`;
      return field;
    }
    case 'choice': {
      const select = element('select', {id});
      for (const choice of new Set([option.default, ...option.choices]))
        select.append(
          element('option', {value: choice, selected: choice === value}, choice === '' ? '(none)' : choice),
        );
      return select;
    }
    default:
      return element('input', {id, type: 'text', value, size: 48, spellcheck: 'false'});
  }
}

function put(option, control, value, manner) {
  if (option.type === 'flag') control.checked = value;
  else control.value = shownAs(value, manner);
  control.dispatchEvent(new Event('put'));
}

// A value as its type wants it; undefined where it can't be one, or is the default.
function valueOf(option, control, manner) {
  if (manner.zero && control.valueAsNumber === manner.zero) return option.default === 0 ? undefined : 0;
  if (option.type === 'flag') return control.checked === option.default ? undefined : control.checked;
  if (option.type === 'count' || option.type === 'real') {
    if (control.value === '' || !Number.isFinite(control.valueAsNumber)) return undefined;
    return control.valueAsNumber === option.default ? undefined : control.valueAsNumber;
  }
  return control.value === option.default ? undefined : control.value;
}

const flagsIn = sentence => sentence.match(/--[a-z][\w-]*/g) ?? [];

// What each option is, for those who have no pointer, too; it speaks of the others by their names here.
function helpOf(fields, {inWords, mannerOf}) {
  return element(
    'details',
    {class: 'help'},
    element('summary', {}, 'What are these?'),
    element(
      'dl',
      {},
      ...[...fields.keys()].flatMap(one => [
        element('dt', {}, inWords(one.flag)),
        element('dd', {}, inWords(one.help), mannerOf(one).moves ? `. It moves: ${mannerOf(one).moves}` : ''),
      ]),
    ),
  );
}

// Below a field, over what stands there: the form does not move. Not beyond the right end of the page.
function say(control, words) {
  const wrong = control.closest('.field').lastChild;
  if (wrong.textContent === words) return;
  wrong.textContent = words;
  wrong.style.left = 0;
  const over =
    wrong.getBoundingClientRect().right - document.getElementById('page').getBoundingClientRect().right;
  if (over > 0) wrong.style.left = `${-over}px`;
}

// A number whose 0 means something else, as its help says at its end ("…; 0: its own"), is empty in its place.
function usualManner(option) {
  const [, words] = (option.default === 0 && option.help.match(/\b0(?:: | is | keeps )(.+)$/)) || [];
  return {empty: words?.replaceAll('--', '').replaceAll('-', ' '), ...usual[option.flag]};
}

// A form of these options; `changed` is told {flag: value} of all that are not the defaults. form.put({flag:
// value}) changes some, form.reset(values) all; both tell `changed` of a step that was chosen, not typed.
export function controls(options, values, changed, manners = {}) {
  const fields = new Map(),
    mannerOf = option => ({...usualManner(option), ...manners[option.flag]});
  let waiting = 0,
    told = -Infinity;
  const form = element('form', {
    class: 'controls',
    'aria-label': 'Options',
    onsubmit: event => event.preventDefault(),
  });
  const tell = step => {
    clearTimeout(waiting);
    waiting = setTimeout(
      () => {
        told = performance.now();
        changed(form.values(), {step});
      },
      Math.max(0, told + pause - performance.now()),
    );
  };
  form.values = () => {
    const all = {};
    for (const [option, control] of fields) {
      const value = valueOf(option, control, mannerOf(option));
      if (value !== undefined) all[option.flag] = value;
    }
    return all;
  };
  form.put = some => {
    for (const [option, control] of fields)
      if (option.flag in some) put(option, control, some[option.flag], mannerOf(option));
    tell(true);
  };
  form.reset = values =>
    form.put({...Object.fromEntries([...fields.keys()].map(one => [one.flag, one.default])), ...values});
  const named = new Map(),
    boxes = new Map();
  form.boxOf = flag => boxes.get(flag); // with its label, for a place elsewhere on the page
  // A sentence with the names of options on this page, "heads 5 don't divide d model 32".
  form.inWords = sentence => sentence.replace(/--[a-z][\w-]*/g, flag => named.get(flag) ?? flag);
  // Whether it names a field.
  form.names = sentence => flagsIn(sentence).some(flag => named.has(flag));
  // Marks the fields that these sentences name; the first one of a sentence says it.
  form.blame = sentences => {
    for (const [{flag}, control] of fields) {
      const said = sentences.filter(one => flagsIn(one).includes(flag)),
        own = said.find(one => flagsIn(one).find(each => named.has(each)) === flag) ?? '';
      if (said.length > 0) control.setAttribute('aria-invalid', 'true');
      else control.removeAttribute('aria-invalid');
      say(control, form.inWords(own.startsWith(`${flag}: `) ? own.slice(flag.length + 2) : own));
    }
  };
  for (const option of options.filter(one => one.type !== 'file')) {
    const manner = mannerOf(option);
    const control = input(option, values[option.flag] ?? option.default, manner);
    control.addEventListener('input', () => tell(false));
    fields.set(option, control);
    named.set(option.flag, manner.name ?? nameOf(option));
    const label = element('label', {for: control.id, title: option.help}, named.get(option.flag), control);
    if (manner.slider) {
      const inWords = () => (control.valueAsNumber === manner.zero ? 'all' : control.value);
      const number = element('output', {for: control.id}, inWords());
      const draw = () => {
        number.textContent = inWords();
      };
      for (const event of ['input', 'put']) control.addEventListener(event, draw);
      label.append(number);
    }
    const wrong = element('p', {class: 'failed wrong', role: 'alert', id: `wrong${option.flag}`});
    control.setAttribute('aria-describedby', wrong.id);
    const field = element('div', {class: 'field'}, label, wrong);
    boxes.set(option.flag, field);
    form.append(field);
  }
  if (fields.size > 0)
    form.append(
      element('button', {type: 'button', onclick: () => form.reset({})}, 'as at first'),
      helpOf(fields, {inWords: form.inWords, mannerOf}),
    );
  return form;
}
