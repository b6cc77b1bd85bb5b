// page/pages.js · pages of ./tutorial pages: the search, and recorded answers. A classic script: a file:// page takes no module
(() => {
  const [menu, search, found, count, state] = ['menu', 'search', 'found', 'count', 'state'].map(id =>
    document.getElementById(id),
  );
  const complete = piece => {
    finish(piece);
    for (const one of piece.querySelectorAll('figure:not(:has(a,input,[tabindex]))')) one.tabIndex = 0; // it may be wide
  };
  complete(document.body);
  menu.addEventListener('click', () => menu.setAttribute('aria-expanded', menu.ariaExpanded !== 'true'));

  // --- what is compressed: JSON, gzip, base64, as the only call of a script

  const arrived = {};
  globalThis.packed = (name, text) => (arrived[name] = text);
  async function unpacked(name) {
    const script = document.createElement('script');
    script.src = `files/${name}.js`;
    await new Promise((go, fail) => {
      Object.assign(script, {onload: go, onerror: () => fail(new Error(`${script.src} is missing.`))});
      document.head.append(script);
    });
    const bytes = Uint8Array.from(atob(arrived[name]), one => one.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).json();
  }

  // --- the search: [address, title of the page, heading, text below it] for each heading

  let index = null;
  // Where each word begins a word of the heading or of the text; first where more are in headings.
  const matching = words => {
    const begins = words.map(word => new RegExp(`(?<![\\p{L}\\p{N}_])${word}`, 'iu'));
    return index
      .map(([address, title, heading, below]) => {
        const above = begins.filter(one => one.test(`${title} ${heading}`)).length;
        const all = begins.every(one => one.test(`${title} ${heading} ${below}`));
        return {address, title, heading, rank: all ? 1 + above : 0};
      })
      .filter(one => one.rank > 0)
      .sort((a, b) => b.rank - a.rank); // else in the order of the pages
  };
  async function find() {
    index ??= unpacked('index');
    index = await index;
    const words = search.value.match(/[\p{L}\p{N}_]+/gu) ?? [];
    const hits = words.length > 0 ? matching(words) : [];
    count.textContent = words.length === 0 ? '' : `${hits.length} place${hits.length === 1 ? '' : 's'}`;
    found.replaceChildren(
      ...hits.slice(0, 40).map(({address, title, heading}) => {
        const item = document.createElement('li'),
          link = document.createElement('a'),
          page = document.createElement('small');
        link.href = address;
        page.innerHTML = title;
        link.innerHTML = heading; // of our own pages
        link.append(page);
        item.append(link);
        return item;
      }),
    );
  }
  search.addEventListener('input', () => find().catch(error => (count.textContent = error.message)));
  // --- recorded answers

  async function showAnswers() {
    const choice = document.getElementById('choice'),
      answers = await unpacked(`${state.dataset.answers}_answers`);
    const show = () => {
      for (const place of document.querySelectorAll('[data-section]')) {
        const all = answers[place.dataset.section];
        if (place.hasChildNodes() && all.length === 1) continue;
        const views = [...place.querySelectorAll('figure input:checked')].map(one => one.id);
        place.innerHTML = all[all.length === 1 ? 0 : choice.selectedIndex];
        for (const id of views) if (document.getElementById(id)) document.getElementById(id).checked = true;
        complete(place);
      }
    };
    choice?.addEventListener('change', () => {
      show();
      state.textContent = `The answers to “${choice.value}”`;
    });
    show();
    state.textContent = '';
    document.getElementById(decodeURI(location.hash.slice(1)))?.scrollIntoView();
  }
  if (state) showAnswers().catch(error => (state.textContent = error.message));
})();
