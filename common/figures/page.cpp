// common/figures/page.cpp · HTML, its style sheet and its script
#include "common/figures/page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/figures/canvas.hpp"

namespace tfs {

namespace {

constexpr std::string_view style = R"(
:root{--ink:#1c2733;--soft:#5b6b7b;--paper:#fff;--line:#e3e9ef}
@media (prefers-color-scheme:dark){:root{--ink:#e6edf3;--soft:#9fb0c0;--paper:#10151b;--line:#26303a}}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,"Segoe UI","Noto Sans","Noto Sans KR",sans-serif}
main{max-width:1000px;margin:0 auto;padding:32px 20px 64px}
h1{font-size:26px;margin:0 0 4px}
.about,summary{color:var(--soft)}
.about{font-size:14px;margin:0 0 24px}
figure{margin:0 0 28px;border:1px solid var(--line);border-radius:12px;padding:12px;background:#fff;color:#33414f}
figure svg{display:block;max-width:100%;height:auto}
@media screen and (max-width:700px){figure{overflow-x:auto}figure svg{min-width:640px}}
figcaption{font-size:15px;max-width:76ch;padding:4px 8px}
.lit .cell{opacity:.25}
.lit .cell.on{opacity:1}
.tfs .on text{font-weight:700;fill:#b3491f}
.cell,.row-label,.column-label{cursor:pointer}
details{border-top:1px solid var(--line);padding:10px 0}
pre{overflow-x:auto;font-size:13px;line-height:1.35}
@media print{figure{break-inside:avoid}details{display:none}})";

// One place is lit at a time: a row ("r") or a column ("c") of the maps of one figure.
constexpr std::string_view script = R"(
let kept = null;
const marks = '.cell,.row-label,.column-label';
function light(place) {
  document.querySelectorAll('figure svg').forEach(svg => {
    const here = place && place.svg === svg;
    svg.classList.toggle('lit', Boolean(here));
    svg.querySelectorAll(marks).forEach(x =>
      x.classList.toggle('on', Boolean(here) && x.dataset[place.axis] === String(place.index)));
  });
}
function placeOf(target) {
  const x = target.closest(marks);
  if (!x) return null;
  const axis = x.classList.contains('column-label') ? 'c' : 'r';
  return {svg: x.closest('svg'), axis, index: Number(x.dataset[axis])};
}
const same = (a, b) => a && b && a.svg === b.svg && a.axis === b.axis && a.index === b.index;
addEventListener('pointerover', e => { if (!kept) light(placeOf(e.target)); });
addEventListener('click', e => {
  const place = placeOf(e.target);
  kept = same(place, kept) ? null : place;
  light(kept);
});
addEventListener('keydown', e => {
  const step = {ArrowUp: ['r', -1], ArrowDown: ['r', 1], ArrowLeft: ['c', -1], ArrowRight: ['c', 1]}[e.key];
  if (e.key === 'Escape') light(kept = null);
  if (!kept || !step) return;
  e.preventDefault();
  const all = [...kept.svg.querySelectorAll('.cell')].map(x => Number(x.dataset[step[0]]));
  const from = kept.axis === step[0] ? kept.index + step[1] : 0;
  kept = {svg: kept.svg, axis: step[0], index: Math.min(Math.max(from, 0), Math.max(...all))};
  light(kept);
});)";

}  // namespace

std::string without_colours(const std::string& text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text.compare(i, 2, "\x1b[") == 0) {
            const std::size_t end = text.find_first_not_of("0123456789;", i + 2);
            if (end != std::string::npos && text[end] == 'm') {
                i = end;
                continue;
            }
        }
        plain += text[i];
    }
    return plain;
}

std::string html(const Page& page) {
    std::string text = fmt::format(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{0}</title>\n"
        "<style>{1}</style></head>\n<body><main>\n<h1>{0}</h1>\n<p class=\"about\">{2}</p>\n",
        escaped(page.title), style, escaped(page.about));
    for (const PageFigure& figure : page.figures) {
        text += "<figure>\n" + figure.svg;
        if (!figure.caption.empty()) text += "<figcaption>" + escaped(figure.caption) + "</figcaption>\n";
        text += "</figure>\n";
    }
    std::string lines;  // escaped() would show a line's end as a picture
    const std::string plain = without_colours(page.transcript);
    for (std::size_t begin = 0; begin < plain.size();) {
        const std::size_t end = std::min(plain.find('\n', begin), plain.size());
        lines += escaped(plain.substr(begin, end - begin)) + "\n";
        begin = end + 1;
    }
    return text + "<details><summary>What the program printed</summary>\n<pre>" + lines +
           "</pre></details>\n</main>\n<script>" + std::string(script) + "\n</script>\n</body></html>\n";
}

}  // namespace tfs
