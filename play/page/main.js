// page/main.js · which page stands there, and the list of chapters beside it
import {passed, showBuilt, stepsOf} from './built.js';
import {showCode} from './code.js';
import {fileOf, showText} from './lesson.js';
import {showLive} from './live.js';
import {element} from './pieces.js';
import {addressOf, lastAddress, place} from './place.js';
import {begin, changes, chapterNamed, state} from './state.js';
import {showWay} from './way.js';
import {showWrite} from './write.js';

const [page, list, menu, lost] = ['page', 'chapters', 'menu', 'lost'].map(id => document.getElementById(id));
let shown = '',
  leave = () => {},
  clicked = false; // a link, and not the browser's way back
const left = new Map(); // how far down each address was left

const others = [
  ['way', 'One token’s way'],
  ['write', 'The model writes'],
  ['code', 'Your code'],
  ['built', 'What you built'],
];
const pages = [
  ['lesson', 'lesson'],
  ['deeper', 'deeper'],
  ['live', 'live'],
];

const linkTo = (href, words, current) => element('a', {href, 'aria-current': current}, words);

// " · 3/6", or a mark where all steps of the chapter pass.
function progressOf(chapter) {
  const [steps, count] = [stepsOf(chapter), passed(stepsOf(chapter)).length];
  return count === 0 ? '' : count === steps.length ? ' ✓' : ` · ${count}/${steps.length}`;
}

function drawList() {
  const here = place(),
    drawn = JSON.stringify([location.hash, state.chapters.map(one => [one.state, progressOf(one.name)])]);
  if (list.dataset.drawn === drawn) return;
  list.dataset.drawn = drawn;
  const pagesOf = chapter =>
    pages.map(([name, words]) =>
      linkTo(lastAddress({chapter, page: name}), words, here.page === name ? 'page' : undefined),
    );
  const current = name => (here.chapter === name ? 'true' : undefined);
  list.replaceChildren(
    ...state.chapters.map(({name, title, state}) =>
      element(
        'li',
        {class: state},
        linkTo(addressOf({chapter: name}), `${name.slice(0, 2)} ${title}${progressOf(name)}`, current(name)),
        here.chapter === name ? element('span', {class: 'pages'}, ...pagesOf(name)) : null,
      ),
    ),
    ...others.map(([name, words], i) =>
      element(
        'li',
        {class: i === 0 ? 'own' : undefined},
        linkTo(lastAddress({chapter: name, page: 'all'}), words, current(name)),
      ),
    ),
  );
}

// Whether there is such a page. "#way" alone is one, too.
function isThere({chapter, page}) {
  if (chapter === 'text') return page === 'file';
  if (chapter === 'code') return page === 'all' || page === 'lesson' || Boolean(chapterNamed(page));
  if (others.some(([name]) => name === chapter)) return page === 'all' || page === 'lesson';
  return Boolean(chapterNamed(chapter)) && pages.some(([name]) => name === page);
}

async function show() {
  const here = place(),
    down = clicked ? 0 : (left.get(location.hash) ?? 0);
  clicked = false;
  if (here.chapter === '') {
    location.replace(addressOf({chapter: state.chapters[0].name}));
    return;
  }
  drawList();
  menu.setAttribute('aria-expanded', 'false');
  const where = `${here.chapter}/${here.page}${here.page === 'file' ? here.options.path : ''}`;
  if (where === shown) {
    document.getElementById(here.mark)?.scrollIntoView();
    return;
  }
  shown = where;
  leave();
  const leaving = new AbortController(),
    {signal} = leaving;
  leave = () => leaving.abort();
  const chapter = chapterNamed(here.chapter);
  const other = others.find(([name]) => name === here.chapter);
  document.title = chapter
    ? `${chapter.name.slice(0, 2)} ${chapter.title}`
    : other
      ? other[1]
      : 'The Transformer, step by step, in C++';
  try {
    if (!isThere(here))
      throw new Error(`There is no such place as ${location.hash}: choose one in the list.`);
    else if (here.chapter === 'text')
      await showText(page, here.options.path ?? '', {mark: here.mark, signal});
    else if (here.chapter === 'way') leave = showWay(page);
    else if (here.chapter === 'built') leave = showBuilt(page);
    else if (here.chapter === 'write') leave = showWrite(page);
    else if (here.chapter === 'code') leave = showCode(page, chapterNamed(here.page)?.name);
    else if (here.page === 'live') leave = showLive(page, chapter.name);
    else
      await showText(page, fileOf(chapter.name, here.page), {
        chapter: chapter.name,
        mark: here.mark,
        signal,
      });
  } catch (error) {
    if (!signal.aborted) {
      page.replaceChildren(element('p', {class: 'failed'}, error.message));
      if (error.ended) shown = '';
    }
  }
  if (!here.mark && !signal.aborted) scrollTo(0, down);
}

history.scrollRestoration = 'manual';
addEventListener('click', event => (clicked = Boolean(event.target.closest('a[href^="#"]'))), true);
addEventListener('scroll', () => left.set(location.hash, scrollY), {passive: true});
document.querySelector('.skip').addEventListener('click', event => {
  event.preventDefault(); // the address says which page stands there
  page.focus();
});

changes.addEventListener('change', drawList);
menu.addEventListener('click', () => menu.setAttribute('aria-expanded', menu.ariaExpanded !== 'true'));
try {
  await begin(why => {
    if (lost.textContent === why) return;
    lost.textContent = why;
    if (!why && !shown) show(); // what could not be asked before
  });
  addEventListener('hashchange', show); // not before it is known what there is
  await show();
} catch (error) {
  page.replaceChildren(element('p', {class: 'failed'}, error.message));
}
