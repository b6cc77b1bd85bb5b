// page/place.js · where the reader is, held in the address: #01_attention/live?--text=the+dog#heads
//
// Chapter, page ("lesson", "deeper", "live", "text"), what is typed, and an element of the page.

export function place() {
  let address = '';
  try {
    address = decodeURI(location.hash.slice(1));
  } catch {
    return {chapter: null, page: '', options: {}, mark: ''}; // such as "?%ff"
  }
  const [path, mark = ''] = address.split('#');
  const [words, typed = ''] = path.split('?');
  const [chapter = '', page = 'lesson'] = words.split('/').filter(Boolean);
  return {chapter, page, options: Object.fromEntries(new URLSearchParams(typed)), mark};
}

export function addressOf({chapter, page = 'lesson', options = {}, mark = ''}) {
  const typed = new URLSearchParams(options).toString();
  return `#${chapter}/${page}${typed ? `?${typed}` : ''}${mark ? `#${mark}` : ''}`;
}

const last = new Map(); // by chapter and page: what was typed there last

// What is typed stays in the address without a new entry in the history; what is chosen (`step`) with one.
export function keep(options, {step = false} = {}) {
  const here = place(),
    address = addressOf({...here, options, mark: ''});
  last.set(`${here.chapter}/${here.page}`, options);
  if (address === location.hash) return;
  if (step) history.pushState(null, '', address);
  else history.replaceState(null, '', address);
}

// The address of a page as it was left.
export function lastAddress({chapter, page}) {
  return addressOf({chapter, page, options: last.get(`${chapter}/${page}`)});
}
