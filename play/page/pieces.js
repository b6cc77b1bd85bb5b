// page/pieces.js · pieces of HTML that the server wrote, and elements made here

// element('p', {class: 'soft', onclick: f}, 'words', child …)
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, '');
    else if (value !== false && value !== undefined) made.setAttribute(name, value);
  made.append(...children.filter(child => child !== undefined && child !== null));
  return made;
}

// The policy of this page allows no style in HTML. A figure brings the same style each time: we add it once.
// Of what stands in a tag only the name changes, until it can be set; in a text the quotes are escaped.
const known = new Set();
function withoutStyles(html) {
  return html
    .replace(/<style>([^<]*)<\/style>/g, (whole, style) => {
      if (!known.has(style)) {
        known.add(style);
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(style);
        document.adoptedStyleSheets.push(sheet);
      }
      return '';
    })
    .replaceAll(' style="', ' data-style="');
}

// Of HTML that the server made. It escapes all that is typed or written by a model.
export function pieceOf(html) {
  const parsed = new DOMParser().parseFromString(withoutStyles(html), 'text/html');
  const piece = document.createElement('div');
  piece.append(...parsed.body.childNodes);
  for (const one of piece.querySelectorAll('[data-style]')) one.style.cssText = one.dataset.style;
  finish(piece);
  for (const figure of piece.querySelectorAll('figure')) figure.append(saveButton(figure));
  return piece;
}

function saveButton(figure) {
  const save = () => {
    const svg = [...figure.querySelectorAll('svg')]
      .find(one => one.getClientRects().length > 0)
      .cloneNode(true);
    for (const pointed of svg.querySelectorAll('[data-values] > rect')) pointed.remove(); // not of the picture
    svg.prepend(element('style', {}, [...known].join('\n')));
    const file = new Blob([new XMLSerializer().serializeToString(svg)], {type: 'image/svg+xml'});
    const link = element('a', {
      href: URL.createObjectURL(file),
      download: `${figure.id || figure.dataset.figure}.svg`,
    });
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return element('button', {type: 'button', class: 'save', onclick: save}, 'save the picture');
}
