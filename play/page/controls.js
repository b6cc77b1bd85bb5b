// page/controls.js · the options of a chapter as controls, one for each type
import {element} from './pieces.js';

const name = option => option.flag.replace(/^--/, '').replaceAll('-', ' ');

function input(option, value) {
  const id = `option${option.flag}`;
  switch (option.type) {
    case 'flag': return element('input', {id, type: 'checkbox', checked: value === true || value === 'true'});
    case 'count': return element('input', {id, type: 'number', step: 1, min: option.low, max: option.high, value});
    case 'real': return element('input', {id, type: 'number', step: 'any', min: option.low, max: option.high, value});
    case 'choice': {
      const select = element('select', {id});
      for (const choice of new Set([option.default, ...option.choices]))
        select.append(element('option', {value: choice, selected: choice === value}, choice === '' ? '(none)' : choice));
      return select;
    }
    default: return element('input', {id, type: 'text', value, size: 48, spellcheck: 'false'});
  }
}

// A value as its type wants it; undefined where it can't be one, or is the default.
export function valueOf(option, control) {
  if (option.type === 'flag') return control.checked === option.default ? undefined : control.checked;
  if (option.type === 'count' || option.type === 'real') {
    if (control.value === '' || !Number.isFinite(control.valueAsNumber)) return undefined;
    return control.valueAsNumber === option.default ? undefined : control.valueAsNumber;
  }
  return control.value === option.default ? undefined : control.value;
}

// A form of these options; `changed` is told {flag: value} of all that are not the defaults.
export function controls(options, values, changed) {
  const shown = options.filter(option => option.type !== 'file');
  const fields = new Map();
  const form = element('form', {class: 'controls', 'aria-label': 'Options', onsubmit: event => event.preventDefault()});
  const tell = () => {
    const all = {};
    for (const [option, control] of fields) {
      const value = valueOf(option, control);
      if (value !== undefined) all[option.flag] = value;
    }
    changed(all);
  };
  for (const option of shown) {
    const control = input(option, values[option.flag] ?? option.default);
    control.addEventListener('input', tell);
    fields.set(option, control);
    form.append(element('label', {for: control.id, title: option.help}, name(option), control));
  }
  if (shown.length > 0) form.append(element('button', {type: 'button', onclick: () => {
    for (const [option, control] of fields)
      if (option.type === 'flag') control.checked = option.default;
      else control.value = option.default;
    tell();
  }}, 'as at first'));
  return form;
}
