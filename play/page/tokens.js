// page/tokens.js · a text as a line of tokens
//
// One is pointed at, by the pointer or by the arrow keys, and one is chosen by a click or Enter.
import {element} from './pieces.js';

// Shades 0 … 4, as classes of the style sheet.
export const shadeOf = share => `s${Math.min(4, Math.floor(4.99 * Math.sqrt(Math.max(0, share))))}`;

const spoken = token =>
  ({' ': 'space', '\n': 'end of the line', '␣': 'space', '¶': 'end of the line'})[token] ?? token;

// `before`: a text in front of them that can't be pointed at. `point(i)` is told of each token under the
// pointer, and of the chosen one when the pointer leaves; `choose(i)` of one that is chosen.
// line.shade([share of each token]) colours all tokens.
export function tokenLine(tokens, {name, before = '', chosen = -1, point = () => {}, choose = () => {}}) {
  let current = Math.max(chosen, 0);
  const marks = tokens.map((token, i) =>
    element(
      'span',
      {
        role: 'button',
        class: 'token',
        'aria-pressed': String(i === chosen),
        'aria-label': spoken(token),
        tabindex: i === current ? 0 : -1,
        'data-i': i,
      },
      token,
    ),
  );
  const front = [...before].map(letter => element('span', {class: 'before'}, letter));
  const line = element('div', {class: 'tokens line', role: 'group', 'aria-label': name}, ...front, ...marks);
  const indexOf = target => {
    const one = target.closest?.('.token');
    return one ? Number(one.dataset.i) : -1;
  };
  const reach = i => {
    marks[current].tabIndex = -1;
    current = i;
    marks[current].tabIndex = 0;
  };
  const pointAt = i => {
    line.querySelector('.pointed')?.classList.remove('pointed');
    marks[i]?.classList.add('pointed');
    if (i >= 0) point(i);
  };
  line.addEventListener('pointerover', event => {
    if (indexOf(event.target) >= 0) pointAt(indexOf(event.target));
  });
  line.addEventListener('pointerleave', () => pointAt(chosen));
  line.addEventListener('focusin', event => {
    if (indexOf(event.target) >= 0) pointAt(indexOf(event.target));
  });
  line.addEventListener('click', event => {
    const i = indexOf(event.target);
    if (i < 0) return;
    line.choose(i);
    choose(i);
  });
  line.addEventListener('keydown', event => {
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      event.target.click();
      return;
    }
    const by = {ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity}[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    reach(Math.min(Math.max(current + by, 0), marks.length - 1));
    marks[current].focus();
  });
  line.choose = i => {
    marks[chosen]?.setAttribute('aria-pressed', 'false');
    chosen = i;
    marks[i].setAttribute('aria-pressed', 'true');
    reach(i);
  };
  // The shares may begin before the first token.
  line.shade = shares => {
    const all = [...front, ...marks],
      first = all.length - shares.length;
    all.forEach((one, i) => {
      one.classList.remove('s1', 's2', 's3', 's4');
      const share = shares[i - first] ?? 0;
      if (share > 0) one.classList.add(shadeOf(share));
    });
  };
  return line;
}
