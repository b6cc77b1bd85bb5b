// page/words.js · the words that a trained model knows, as buttons, and those of a text that it doesn't know
import {element} from './pieces.js';

const shown = 4; // of each kind

// Of an option with `words` by kinds; those of a kind without a name have no buttons. A word takes the place of the last
// one of its kind in the text, else that of the last word if it has a kind, else it is appended. box.show(text) marks what is
// not known.
export function wordButtons({flag, default: first, words}, form) {
  const kinds = Object.entries(words).filter(([kind]) => kind),
    known = new Set(Object.values(words).flat()),
    kindOf = word => kinds.find(([, all]) => all.includes(word.toLowerCase()))?.[0];
  const wordsOf = text => text.split(/\s+/).filter(Boolean);
  const choose = word => {
    const text = wordsOf(form.values()[flag] ?? first),
      same = text.findLastIndex(one => kindOf(one) === kindOf(word)),
      at = same >= 0 ? same : kindOf(text.at(-1) ?? '') ? text.length - 1 : text.length;
    form.put({[flag]: text.toSpliced(at, 1, word).join(' ')});
  };
  const buttons = some => some.map(word => element('button', {type: 'button', onclick: () => choose(word)}, word));
  const unknown = element('p', {role: 'status'});
  const box = element(
    'div',
    {class: 'words'},
    element('p', {}, 'The trained model knows these words, and some more. Choose one: it takes its place in the text.'),
    ...kinds.map(([kind, all]) =>
      element(
        'div',
        {role: 'group', 'aria-label': kind},
        element('b', {}, kind),
        ...buttons(all.slice(0, shown)),
        element('details', {}, element('summary', {}, 'more'), ...buttons(all.slice(shown))),
      ),
    ),
    unknown,
  );
  box.show = now => {
    const text = wordsOf(now),
      isKnown = word => known.has(word.toLowerCase());
    if (box.dataset.shown === now) return;
    box.dataset.shown = now;
    unknown.replaceChildren(
      ...(text.every(isKnown)
        ? []
        : ['It does not know the marked words: ', ...text.flatMap(word => [isKnown(word) ? word : element('mark', {}, word), ' '])]),
    );
  };
  return box;
}
