// page/main.js · which page stands there, and the list of chapters beside it
import * as ask from './ask.js';
import {listen} from './cells.js';
import {showText} from './lesson.js';
import {showLive} from './live.js';
import {element} from './pieces.js';
import {addressOf, place} from './place.js';

const page = document.getElementById('page'), list = document.getElementById('chapters');
let chapters = [], shown = '', leave = () => {};

const pages = [['lesson', 'lesson'], ['deeper', 'deeper'], ['live', 'live']];

function drawList() {
  const here = place();
  list.replaceChildren(...chapters.map(chapter => element('li', {class: chapter.state},
    element('a', {href: addressOf({chapter: chapter.name}),
      'aria-current': here.chapter === chapter.name ? 'true' : undefined},
      `${chapter.name.slice(0, 2)} ${chapter.title}`),
    here.chapter === chapter.name ? element('span', {class: 'pages'}, ...pages.map(([name, words]) =>
      element('a', {href: addressOf({chapter: chapter.name, page: name}),
        'aria-current': here.page === name ? 'page' : undefined}, words))) : null)));
}

async function show() {
  const here = place();
  if (!here.chapter) {
    location.replace(addressOf({chapter: chapters[0].name}));
    return;
  }
  drawList();
  const where = `${here.chapter}/${here.page}${here.page === 'file' ? here.options.path : ''}`;
  if (where === shown) {
    document.getElementById(here.mark)?.scrollIntoView();
    return;
  }
  shown = where;
  leave();
  leave = () => {};
  const chapter = chapters.find(one => one.name === here.chapter);
  document.title = chapter ? `${chapter.name.slice(0, 2)} ${chapter.title}` : 'Transformer from scratch';
  try {
    if (here.page === 'file') await showText(page, here.options.path ?? '', {mark: here.mark});
    else if (!chapter) throw new Error(`there is no chapter ${here.chapter}`);
    else if (here.page === 'live') leave = await showLive(page, chapter.name);
    else await showText(page, `chapters/${chapter.name}/${here.page === 'deeper' ? 'deeper' : 'README'}.md`,
                        {chapter: chapter.name, mark: here.mark});
  } catch (error) {
    page.replaceChildren(element('p', {class: 'failed'}, error.message));
  }
}

// Until all is built, the list shows how far it is.
async function watchBuilds() {
  for (;;) {
    await new Promise(go => setTimeout(go, 1500));
    try {
      chapters = await ask.chapters();
    } catch {
      continue;  // play has ended, or begins again
    }
    drawList();
    if (chapters.every(one => one.state === 'ready' || one.state === 'failed')) return;
  }
}

listen();
addEventListener('hashchange', show);
try {
  chapters = await ask.chapters();
  await show();
  watchBuilds();
} catch (error) {
  page.replaceChildren(element('p', {class: 'failed'}, error.message));
}
