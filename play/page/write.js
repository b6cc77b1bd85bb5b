// page/write.js · a trained model writes: sliders, and each token with what else it could have been
import {controls} from './controls.js';
import {element} from './pieces.js';
import {keep} from './place.js';
import {whenBuilt} from './program.js';
import {Section} from './section.js';
import {tokenLine} from './tokens.js';

const chapter = '11_generation';
const most = 240;  // characters to go on from: the model reads 256
const shown = ['--prompt', '--temperature', '--top-k', '--top-p', '--min-p', '--tokens', '--seed', '--without-cache'];
const manners = {
  '--prompt': {lines: 3, name: 'the model goes on from this text'},
  '--temperature': {slider: [0, 2, 0.05]},
  '--top-k': {slider: [0, 65, 1], name: 'top-k (0: all)'},
  '--top-p': {slider: [0.05, 1, 0.05], name: 'top-p'},
  '--min-p': {slider: [0, 1, 0.02], name: 'min-p'},
  '--without-cache': {name: 'times with and without the cache'},
};

const inWords = text => text === ' ' ? 'a space' : text === '\n' ? 'the end of the line' : `“${text}”`;
const percent = share => share < 0.001 ? 'below 0.1 %' : `${(100 * share).toFixed(1)} %`;
const milliseconds = seconds => `${(1000 * seconds).toPrecision(3)} ms`;

class Writing extends Section {
  constructor(section, goOn) {
    super(chapter, section);
    this.goOn = goOn;
    this.wantsReport = true;
    this.about = element('div', {class: 'about-token', 'aria-live': 'polite'});
  }

  titleWith() { return 'Its text'; }

  show(...results) {
    super.show(...results);
    const item = results[0].report.find(one => one.kind === 'tokens');
    if (!item || item.tokens.length === 0) return;
    const {prompt, tokens} = item;
    this.told?.(prompt);
    const line = tokenLine(tokens.map(one => one.text), {name: 'The text that the model wrote', before: prompt,
      point: i => this.tell(line, item, i, false), choose: i => this.tell(line, item, i, true)});
    this.answer.querySelector('.tokens').replaceWith(line);
    this.answer.querySelector('.check')?.remove();
    line.after(this.about);
    this.about.replaceChildren(element('p', {class: 'soft'},
      'Point at a character: what it looked at is coloured, and here stands what else could have come. A click keeps it.'));
    this.kept = -1;
  }

  // Where one is kept, others are only told of when they are chosen, too.
  tell(line, {prompt, tokens}, i, chosen) {
    if (this.kept >= 0 && !chosen) return;
    if (chosen) this.kept = i;
    const token = tokens[i], shares = Array([...prompt].length + tokens.length).fill(0);
    for (const one of token.looked_at) shares[[...prompt].length + i - one.back] = one.share;
    line.shade(shares);
    const before = prompt + tokens.slice(0, i).map(one => one.text).join('');
    this.about.replaceChildren(
      element('p', {}, `Token ${i + 1} is ${inWords(token.text)}: it was drawn with probability ${percent(token.probability)}.`,
        token.seconds ? ` Its pass took ${milliseconds(token.seconds.with_cache)} with the cache, ${milliseconds(token.seconds.without_cache)} without it.` : ''),
      element('p', {}, 'Go on with: ', ...token.alternatives.flatMap(one => [
        element('button', {type: 'button', onclick: () => this.goOn(before + one.text)},
          `${inWords(one.text)} ${percent(one.share)}`), ' '])),
      element('p', {class: 'soft'}, 'In the last layer its query looked most at ' +
        `${token.looked_at.map(one => `${inWords(one.text)} (${one.back} before, ${percent(one.share)})`).join(', ')}.`));
  }
}

// Fills `page`. Returns what ends it.
export function showWrite(page) {
  return whenBuilt(page, chapter, ({program, typed, whose, leaving}) => {
    const options = shown.map(flag => program.options.find(one => one.flag === flag));
    let values = typed;
    const writing = new Writing(program.sections.find(one => one.id === 'write'), text =>
      form.put({'--prompt': [...text].slice(-most).join('')}));
    const set = () => {
      writing.set({...values, '--slide': true}, program.options, whose);
      writing.update();
    };
    const form = controls(options, values, now => {
      values = now;
      keep(values);
      set();
    }, manners);
    const prompt = form.querySelector('textarea');
    writing.told = text => { prompt.placeholder = text; };
    const again = element('button', {type: 'button', onclick: () => form.put({'--seed': (values['--seed'] ?? 1) + 1})},
      'write another text');
    leaving.addEventListener('abort', () => writing.stop());
    page.replaceChildren(element('h1', {}, 'The model writes'),
      element('p', {}, 'The decoder of characters that chapter 10 trains goes on with a text, character by character. ' +
        'Chapter 11 explains the sliders.'),
      whose.box, form, element('p', {}, again), writing.box);
    set();
    return set;
  });
}
