// page/controls.js · the options of a chapter as controls, one for each type
import {element} from './pieces.js';

const pause = 20; // ms from one change that is told to the next

const nameOf = option => option.flag.replace(/^--/, '').replaceAll('-', ' ');

// What stands in the field for a value.
const shownAs = (value, manner) => (value !== 0 ? value : manner.empty ? '' : (manner.zero ?? value));

// `manner`: {slider: [low, high, step]} for a number, with {zero: 65} where the slider stands at this for 0;
// {lines: 3} for a text of several lines; {empty: "last"} for a number whose 0 is an empty field with this in
// it; {name: "its label"}.
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
      return element('input', {
        id,
        type: 'number',
        step: 1,
        min: low,
        max: high,
        placeholder: manner.empty,
        value: shownAs(value, manner),
      });
    case 'real':
      return element('input', {id, type: 'number', step: 'any', min: low, max: high, value});
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

// What each option is, for those who have no pointer, too; it speaks of the others by their names here.
function helpOf(fields, manners) {
  const named = new Map([...fields.keys()].map(one => [one.flag, manners[one.flag]?.name ?? nameOf(one)]));
  const inWords = help => help.replace(/--[\w-]+/g, flag => named.get(flag) ?? flag);
  return element(
    'details',
    {class: 'help'},
    element('summary', {}, 'What are these?'),
    element(
      'dl',
      {},
      ...[...fields.keys()].flatMap(one => [
        element('dt', {}, named.get(one.flag)),
        element('dd', {}, inWords(one.help)),
      ]),
    ),
  );
}

// A number whose 0 means something else, as its help says ("…; 0: its own"), is empty in its place.
const usualManner = option =>
  option.type === 'count' && option.default === 0 && /\b0: /.test(option.help) ? {empty: 'auto'} : {};

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
  for (const option of options.filter(one => one.type !== 'file')) {
    const manner = mannerOf(option);
    const control = input(option, values[option.flag] ?? option.default, manner);
    control.addEventListener('input', () => tell(false));
    fields.set(option, control);
    const label = element(
      'label',
      {for: control.id, title: option.help},
      manner.name ?? nameOf(option),
      control,
    );
    if (manner.slider) {
      const inWords = () => (control.valueAsNumber === manner.zero ? 'all' : control.value);
      const number = element('output', {for: control.id}, inWords());
      const draw = () => {
        number.textContent = inWords();
      };
      for (const event of ['input', 'put']) control.addEventListener(event, draw);
      label.append(number);
    }
    form.append(label);
  }
  if (fields.size > 0)
    form.append(
      element('button', {type: 'button', onclick: () => form.reset({})}, 'as at first'),
      helpOf(fields, manners),
    );
  return form;
}
