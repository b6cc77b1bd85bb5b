// page/state.js · what the server last said of chapters and steps; `changes` tells who listens
import * as ask from './ask.js';

export const changes = new EventTarget();
export let state = {version: 0, chapters: [], steps: []};

export const chapterNamed = name => state.chapters.find(one => one.name === name);

async function next() {
  state = await ask.state(state.version);
  changes.dispatchEvent(new Event('change'));
}

// The first answer comes at once. `lost` is told why there are no others, and '' once there are.
export async function begin(lost) {
  await next();
  (async () => {
    for (;;)
      try {
        await next();
        lost('');
      } catch (error) {
        state.version = 0;
        if (error.status === 403) {
          lost(
            'The server that runs now does not know this page: open the address that ./tutorial play printed.',
          );
          await new Promise(go => addEventListener('focus', go, {once: true})); // the key comes in another tab
        } else {
          lost(
            'The server of this page has ended: run ./tutorial play again. This page then goes on, or open the address that it prints.',
          );
          await new Promise(go => setTimeout(go, 2000));
        }
      }
  })();
}
