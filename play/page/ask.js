// page/ask.js · all that the page asks
//
// Whoever answers in another way, such as a WebAssembly build, replaces this file alone.

const ended = () => Object.assign(new Error('the server of this page has ended'), {ended: true});

async function get(path, how) {
  const response = await fetch(path, how).catch(error => {
    throw error.name === 'AbortError' ? error : ended();
  });
  if (response.ok) return response;
  const {error} = await response.json().catch(() => ({error: `the server answers ${response.status}`}));
  throw Object.assign(new Error(error), {status: response.status});
}

// {version, chapters, steps, solutions}, as soon as something has changed since version `seen`. chapters:
// [{name: "01_attention", title: "Attention", state: "ready", mine: "…"}], with the states waiting, building,
// ready, failed; `mine` changes with the program on the learner's steps, also those of earlier chapters; with
// `solutions` there is none. steps: [{id: "1.2", name: "softmax", chapter, file, state, said, programs}].
export async function state(seen = 0) {
  return (await get(`api/state?seen=${seen}`)).json();
}

// Checks a step now.
export async function check(step) {
  await get(`api/check?step=${step}`, {method: 'POST'});
}

// One more hint for a step: the first call gives the first of three.
export async function hint(step) {
  return (await get(`api/hint?step=${step}`, {method: 'POST'})).text();
}

// Sections and options of a chapter (docs/reports.md); null while its program is not built, which is built next.
export async function list(chapter) {
  return (await get(`api/list?chapter=${chapter}`)).json();
}

// A lesson, a document or a file of code, as HTML.
export async function text(path) {
  return (await get(`api/text?path=${encodeURIComponent(path)}`)).text();
}

// The report of a section: {title, html}, with `report` its items too, and `printed`, what steps printed.
// `onEvent` is told what comes before it. Of `mine` it is computed by the learner's steps. The signal of an
// AbortController ends it.
export async function section(
  chapter,
  id,
  options,
  {mine = false, report = false, onEvent = () => {}, signal} = {},
) {
  const response = await get(`api/ask?chapter=${chapter}${mine ? '&mine=1' : ''}`, {
    method: 'POST',
    signal,
    body: JSON.stringify({section: id, options, report}),
  });
  const lines = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let unread = '';
  for (;;) {
    const {value, done} = await lines.read().catch(error => {
      throw error.name === 'AbortError' ? error : ended();
    });
    if (done) throw ended();
    unread += value;
    const complete = unread.split('\n');
    unread = complete.pop();
    for (const line of complete) {
      const answer = JSON.parse(line);
      if (answer.event) onEvent(answer.event);
      if (answer.error) throw Object.assign(new Error(answer.error), {printed: answer.printed});
      if (answer.result) return {...answer.result, printed: answer.printed};
    }
  }
}
