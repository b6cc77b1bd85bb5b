// page/pages.js · pages of ./tutorial pages: the search, and recorded answers. A classic script: a file:// page takes no module
(() => {
  const [menu, search, found, count, state] = ['menu', 'search', 'found', 'count', 'state'].map(id =>
    document.getElementById(id),
  );
  finish(document.body);
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

  // --- the search: [address, title of the page, heading, words below it] for each heading

  let index = null;
  const matching = words => {
    const hits = [];
    for (const [address, title, heading, below] of index) {
      const above = ` ${title} ${heading}`.toLowerCase(),
        begins = (text, word) => text.includes(` ${word}`);
      if (words.every(word => begins(above, word) || begins(` ${below}`, word)))
        hits.push({address, title, heading, rank: words.filter(word => begins(above, word)).length});
    }
    return hits.sort((a, b) => b.rank - a.rank); // else in the order of the pages
  };
  async function find() {
    index ??= unpacked('index');
    index = await index;
    const words = search.value.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
    const hits = words.length > 0 ? matching(words) : [];
    count.textContent = words.length === 0 ? '' : `${hits.length} place${hits.length === 1 ? '' : 's'}`;
    found.replaceChildren(
      ...hits.slice(0, 40).map(({address, title, heading}) => {
        const item = document.createElement('li'),
          link = document.createElement('a'),
          page = document.createElement('small');
        link.href = address;
        page.textContent = title;
        link.append(heading, page);
        item.append(link);
        return item;
      }),
    );
  }
  search.addEventListener('input', find);
  // The arrow keys go through what was found; Escape ends it.
  search.parentNode.addEventListener('keydown', event => {
    const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
    if (event.key === 'Escape') {
      search.value = '';
      search.focus();
      find();
    }
    if (!step) return;
    const all = [search, ...found.querySelectorAll('a')];
    event.preventDefault();
    all[all.indexOf(document.activeElement) + step]?.focus();
  });

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
        finish(place);
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
