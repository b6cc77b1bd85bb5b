// page/write.js · a trained model writes: sliders, and each token with what else it could have been
import {controls} from './controls.js';
import {element} from './pieces.js';
import {addressOf, keep} from './place.js';
import {whenBuilt} from './program.js';
import {sayAtFields, Section} from './section.js';
import {tokenLine} from './tokens.js';

const chapter = '11_generation';
const most = 240; // characters to go on from: the model reads 256
const shown = [
  '--prompt',
  '--temperature',
  '--top-k',
  '--top-p',
  '--min-p',
  '--tokens',
  '--seed',
  '--without-cache',
];
const manners = {
  '--prompt': {lines: 3, name: 'the model goes on from this text'},
  '--temperature': {slider: [0, 2, 0.05]},
  '--top-k': {slider: [1, 65, 1], zero: 65, name: 'top-k'},
  '--top-p': {slider: [0.05, 1, 0.05], name: 'top-p'},
  '--min-p': {slider: [0, 1, 0.02], name: 'min-p'},
  '--without-cache': {name: 'times with and without the cache'},
};

const inWords = text => (text === ' ' ? 'a space' : text === '\n' ? 'the end of the line' : `“${text}”`);
const percent = share => (share < 0.001 ? 'below 0.1 %' : `${(100 * share).toFixed(1)} %`);
const lookedAt = one => `${inWords(one.text)} (${one.back} before, ${percent(one.share)})`;
const milliseconds = seconds => `${(1000 * seconds).toPrecision(3)} ms`;

class Writing extends Section {
  constructor(section, goOn) {
    super(chapter, section);
    this.goOn = goOn;
    this.wantsReport = true;
    this.about = element('div', {class: 'about-token', 'aria-live': 'polite'});
  }

  titleWith() {
    return 'Its text';
  }

  show(...results) {
    super.show(...results);
    const item = results[0].report.find(one => one.kind === 'tokens');
    if (!item || item.tokens.length === 0) return;
    const {prompt, tokens} = item;
    this.began?.(prompt);
    const line = tokenLine(
      tokens.map(one => one.text),
      {
        name: 'The text that the model wrote',
        before: prompt,
        point: i => this.tell(line, item, i, false),
        choose: i => this.tell(line, item, i, true),
      },
    );
    this.answer.querySelector('.tokens').replaceWith(line);
    this.answer.querySelector('.check')?.remove();
    line.after(this.about);
    if (this.refocus) line.querySelector('[tabindex="0"]').focus({preventScroll: true});
    this.refocus = false;
    this.about.replaceChildren(
      element(
        'p',
        {class: 'soft'},
        'Point at a character: what it looked at is coloured, and here stands what else could have come. ' +
          'A click keeps it.',
      ),
    );
    this.kept = -1;
  }

  // Where one is kept, others are only told of when they are chosen, too.
  tell(line, {prompt, tokens}, i, chosen) {
    if (this.kept >= 0 && !chosen) return;
    if (chosen) this.kept = i;
    const token = tokens[i],
      shares = Array([...prompt].length + tokens.length).fill(0);
    for (const one of token.looked_at) shares[[...prompt].length + i - one.back] = one.share;
    line.shade(shares);
    const before =
      prompt +
      tokens
        .slice(0, i)
        .map(one => one.text)
        .join('');
    this.about.replaceChildren(
      element(
        'p',
        {},
        `New token ${i + 1} is ${inWords(token.text)}: ` +
          `it was drawn with probability ${percent(token.probability)}.`,
        token.seconds
          ? ` Its pass took ${milliseconds(token.seconds.with_cache)} with the cache, ` +
              `${milliseconds(token.seconds.without_cache)} without it.`
          : '',
      ),
      element(
        'p',
        {},
        'The model alone, before temperature and filters, would say (click to go on with it): ',
        ...token.alternatives.flatMap(one => [
          element(
            'button',
            {
              type: 'button',
              onclick: () => {
                this.refocus = true;
                this.goOn(before + one.text);
              },
            },
            `${inWords(one.text)} ${percent(one.share)}`,
          ),
          ' ',
        ]),
      ),
      element(
        'p',
        {class: 'soft'},
        'When it was written, the last block looked most at ' +
          `${token.looked_at.map(lookedAt).join(', ')} (mean of its heads).`,
      ),
    );
  }
}

// Fills `page`. Returns what ends it.
export function showWrite(page) {
  const title = 'The model writes',
    still = lesson =>
      [...lesson.querySelectorAll('pre')].find(one => one.textContent.includes('First Citizen:'));
  return whenBuilt(page, chapter, {title, still}, ({program, typed, whose, leaving}) => {
    const options = shown.map(flag => program.options.find(one => one.flag === flag));
    let values = typed;
    const cut = element('p', {class: 'state', role: 'status'});
    const writing = new Writing(
      program.sections.find(one => one.id === 'write'),
      text => {
        const letters = [...text],
          last = letters.slice(-most).join('');
        form.put({'--prompt': last});
        cut.dataset.prompt = last;
        cut.textContent =
          letters.length > most
            ? `Of the ${letters.length} characters before it the model is given the last ${most}: ` +
              'it reads at most 256 (Back returns to the earlier text).'
            : '';
      },
    );
    const set = () => {
      writing.set({...values, '--slide': true}, program.options, whose);
      writing.update();
    };
    const form = controls(
      options,
      values,
      (now, {step}) => {
        values = now;
        keep(values, {step});
        if (values['--prompt'] !== cut.dataset.prompt) cut.textContent = '';
        again.disabled = values['--temperature'] === 0; // it would be the same
        set();
      },
      manners,
    );
    const prompt = form.querySelector('textarea');
    writing.began = text => {
      if (prompt.value === '' && document.activeElement !== prompt) prompt.value = text;
    };
    const again = element(
      'button',
      {type: 'button', onclick: () => form.put({'--seed': (values['--seed'] ?? 1) + 1})},
      'write another text',
    );
    sayAtFields(form, [writing], {alone: true});
    leaving.addEventListener('abort', () => writing.stop());
    page.replaceChildren(
      element('h1', {}, title),
      element(
        'p',
        {},
        'The decoder of characters that chapter 10 trains goes on with a text, character by character. ',
        element('a', {href: addressOf({chapter})}, 'Chapter 11'),
        ' explains the sliders.',
      ),
      whose.box,
      form,
      element('p', {}, again),
      cut,
      writing.box,
    );
    set();
    return {set, form};
  });
}
