// page/controls.js · the options of a chapter as controls, one for each type
import {element} from './pieces.js';

const pause = 20;  // ms without a key until it is told

const nameOf = option => option.flag.replace(/^--/, '').replaceAll('-', ' ');

// `manner`: {slider: [low, high, step]} for a number, {lines: 3} for a text of several lines, {name: "its label"}.
function input(option, value, manner) {
  const id = `option${option.flag}`, {low, high} = option;
  if (manner.slider) {
    const [min, max, step] = manner.slider;
    return element('input', {id, type: 'range', min, max, step, value});
  }
  if (manner.lines) return Object.assign(element('textarea', {id, rows: manner.lines, cols: 60, spellcheck: 'false'}), {value});
  switch (option.type) {
    case 'flag': return element('input', {id, type: 'checkbox', checked: value === true || value === 'true'});
    case 'count': return element('input', {id, type: 'number', step: 1, min: low, max: high, value});
    case 'real': return element('input', {id, type: 'number', step: 'any', min: low, max: high, value});
    case 'choice': {
      const select = element('select', {id});
      for (const choice of new Set([option.default, ...option.choices]))
        select.append(element('option', {value: choice, selected: choice === value}, choice === '' ? '(none)' : choice));
      return select;
    }
    default: return element('input', {id, type: 'text', value, size: 48, spellcheck: 'false'});
  }
}

function put(option, control, value) {
  if (option.type === 'flag') control.checked = value;
  else control.value = value;
  control.dispatchEvent(new Event('put'));
}

// A value as its type wants it; undefined where it can't be one, or is the default.
function valueOf(option, control) {
  if (option.type === 'flag') return control.checked === option.default ? undefined : control.checked;
  if (option.type === 'count' || option.type === 'real') {
    if (control.value === '' || !Number.isFinite(control.valueAsNumber)) return undefined;
    return control.valueAsNumber === option.default ? undefined : control.valueAsNumber;
  }
  return control.value === option.default ? undefined : control.value;
}

// What each option is, for those who have no pointer, too.
function helpOf(fields, manners) {
  return element('details', {class: 'help'}, element('summary', {}, 'What are these?'),
    element('dl', {}, ...[...fields.keys()].flatMap(one =>
      [element('dt', {}, manners[one.flag]?.name ?? nameOf(one)), element('dd', {}, one.help)])));
}

// A form of these options; `changed` is told {flag: value} of all that are not the defaults. form.put({flag: value}) changes some.
export function controls(options, values, changed, manners = {}) {
  const fields = new Map();
  let waiting = 0;
  const form = element('form', {class: 'controls', 'aria-label': 'Options', onsubmit: event => event.preventDefault()});
  const tell = () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => changed(form.values()), pause);
  };
  form.values = () => {
    const all = {};
    for (const [option, control] of fields) {
      const value = valueOf(option, control);
      if (value !== undefined) all[option.flag] = value;
    }
    return all;
  };
  form.put = some => {
    for (const [option, control] of fields)
      if (option.flag in some) put(option, control, some[option.flag]);
    tell();
  };
  for (const option of options.filter(one => one.type !== 'file')) {
    const manner = manners[option.flag] ?? {};
    const control = input(option, values[option.flag] ?? option.default, manner);
    control.addEventListener('input', tell);
    fields.set(option, control);
    const label = element('label', {for: control.id, title: option.help}, manner.name ?? nameOf(option), control);
    if (manner.slider) {
      const number = element('output', {for: control.id}, control.value);
      const draw = () => { number.textContent = control.value; };
      for (const event of ['input', 'put']) control.addEventListener(event, draw);
      label.append(number);
    }
    form.append(label);
  }
  if (fields.size > 0)
    form.append(element('button', {type: 'button', onclick: () =>
      form.put(Object.fromEntries([...fields.keys()].map(one => [one.flag, one.default])))}, 'as at first'), helpOf(fields, manners));
  return form;
}
