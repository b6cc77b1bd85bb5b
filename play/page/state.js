// page/state.js · what the server last said of chapters and steps; `changes` tells who listens
import * as ask from './ask.js';

export const changes = new EventTarget();
export let state = {version: 0, chapters: [], steps: []};

export const chapterNamed = name => state.chapters.find(one => one.name === name);

async function next() {
  state = await ask.state(state.version);
  changes.dispatchEvent(new Event('change'));
}

// The first answer comes at once.
export async function begin() {
  await next();
  (async () => {
    for (;;)
      try {
        await next();
      } catch {
        // play has ended, or begins again
        state.version = 0;
        await new Promise(go => setTimeout(go, 2000));
      }
  })();
}
