// common/report/page.cpp · HTML, its style sheet and its script
#include "common/report/page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/figures/canvas.hpp"

namespace tfs {

namespace {

constexpr std::string_view style = R"(
:root{--ink:#1c2733;--soft:#5b6b7b;--paper:#fff;--line:#e3e9ef}
@media (prefers-color-scheme:dark){:root{--ink:#e6edf3;--soft:#9fb0c0;--paper:#131a22;--line:#26303a}}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,"Segoe UI","Noto Sans","Noto Sans KR",sans-serif}
main{max-width:1000px;margin:0 auto;padding:32px 20px 64px}
h1{font-size:26px;margin:0 0 4px}
h2{font-size:20px;margin:36px 0 10px;padding-top:14px;border-top:1px solid var(--line)}
p,blockquote,table{font-size:15px}
blockquote{margin:8px 0 8px 20px;padding-left:12px;border-left:3px solid var(--line);color:var(--soft)}
.tokens{color:var(--ink);white-space:pre-wrap}
.tokens span{border-radius:3px}
.tokens .s1{background:#d9730d22}
.tokens .s2{background:#d9730d44}
.tokens .s3{background:#d9730d66}
.tokens .s4{background:#d9730d88}
.wide{overflow-x:auto;margin:10px 0}
table{border-collapse:collapse}
caption{text-align:left;color:var(--soft);padding-bottom:4px}
th,td{padding:3px 12px 3px 0;text-align:left;vertical-align:bottom;border-bottom:1px solid var(--line)}
td{vertical-align:top}
th{font-weight:600}
.n{text-align:right;font-variant-numeric:tabular-nums}
.check{color:var(--soft)}
.failed{color:#b3261e;font-weight:700}
.about,summary{color:var(--soft)}
.about{font-size:14px;margin:0 0 24px}
figure{margin:0 0 28px;border:1px solid var(--line);border-radius:12px;padding:12px;width:fit-content;max-width:100%;box-sizing:border-box}
figure svg{display:block;max-width:100%;height:auto}
@media screen and (max-width:700px){main{padding:20px 12px 40px}section{overflow-x:auto;box-shadow:inset -14px 0 12px -12px #8fa0b0}section svg{max-width:max(100%,640px)}}
figcaption{font-size:15px;max-width:76ch;padding:4px 8px}
figure input{position:absolute;opacity:0}
figure label{display:inline-block;padding:2px 10px;margin:0 6px 8px 0;border:1px solid var(--line);border-radius:14px;font-size:14px;cursor:pointer}
figure input:checked+label{background:#33414f;color:#fff}
figure input:focus-visible+label{outline:2px solid #2b6cb0}
.choice section{display:none}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:12px}
.pair b,.same{font-size:14px;color:var(--soft)}
@media (max-width:1100px){.pair{grid-template-columns:1fr}}
.lit .cell{opacity:.25}
.lit .cell.on{opacity:1}
.lit .cell:not(.on)+text{fill:#5b6b7b}
.tfs .on text{font-weight:700;fill:#b3491f}
.cell,.row-label,.column-label{cursor:pointer}
details{border-top:1px solid var(--line);padding:10px 0}
pre{overflow-x:auto;font-size:13px;line-height:1.35}
@media print{figure{break-inside:avoid}details,figure input,figure label{display:none}.choice section{display:block!important}})";

// One place is lit at a time: a row ("r") or a column ("c") of the maps of one figure.
constexpr std::string_view script = R"(
let kept = null;
document.querySelectorAll('.cells').forEach(row => row.querySelectorAll('rect').forEach((cell, column) => {
  cell.classList.add('cell');
  cell.dataset.r = row.dataset.r;
  cell.dataset.c = column;
}));
if (document.querySelector('.cell')) document.querySelector('.about')?.append(
  ' · Point at a cell or a label to light its row or column; click keeps it, arrows move it, Escape ends it.');
const marks = '.cell,.row-label,.column-label';
function light(place) {
  document.querySelectorAll('figure').forEach(figure => {
    const here = place && place.figure === figure;
    figure.classList.toggle('lit', Boolean(here));
    figure.querySelectorAll(marks).forEach(x =>
      x.classList.toggle('on', Boolean(here) && x.dataset[place.axis] === String(place.index)));
  });
}
function placeOf(target) {
  const x = target.closest(marks);
  if (!x) return null;
  const axis = x.classList.contains('column-label') ? 'c' : 'r';
  return {figure: x.closest('figure'), axis, index: Number(x.dataset[axis])};
}
const same = (a, b) => a && b && a.figure === b.figure && a.axis === b.axis && a.index === b.index;
addEventListener('pointerover', e => { if (!kept) light(placeOf(e.target)); });
addEventListener('click', e => {
  if (e.target.closest('label,input')) return;
  const place = placeOf(e.target);
  kept = same(place, kept) ? null : place;
  light(kept);
});
addEventListener('keydown', e => {
  const step = {ArrowUp: ['r', -1], ArrowDown: ['r', 1], ArrowLeft: ['c', -1], ArrowRight: ['c', 1]}[e.key];
  if (e.key === 'Escape') light(kept = null);
  if (!kept || !step || e.target.closest('input')) return;
  e.preventDefault();
  const all = [...kept.figure.querySelectorAll('.cell')].map(x => Number(x.dataset[step[0]]));
  const from = kept.axis === step[0] ? kept.index + step[1] : 0;
  kept = {figure: kept.figure, axis: step[0], index: Math.min(Math.max(from, 0), Math.max(...all))};
  light(kept);
});)";

std::string settings_line(const std::string& settings) {
    return "<meta name=\"settings\" content=\"" + escaped(settings) + "\">";
}

std::string paragraphs(const std::vector<std::string>& texts) {
    std::string text;
    for (const std::string& one : texts) text += "<p class=\"about\">" + escaped(one) + "</p>\n";
    return text;
}

bool differs(const PageView& view) { return !view.solution.empty() && view.solution != view.svg; }

std::string html_of(const PageView& view) {
    if (differs(view))
        return "<section class=\"pair\"><div><b>yours</b>\n" + view.svg + "</div><div><b>solution</b>\n" +
               view.solution + "</div></section>\n";
    const char* same =
        view.solution.empty() ? "" : "<p class=\"same\">Yours; the solution's is the same.</p>";
    return "<section>" + view.svg + same + "</section>\n";
}

}  // namespace

std::string html(const PageFigure& figure) {
    const bool choice = figure.views.size() > 1;
    std::string text =
        fmt::format("<figure id=\"{}\"{}>\n", escaped(figure.name), choice ? " class=\"choice\"" : "");
    for (std::size_t i = 0; choice && i < figure.views.size(); ++i)
        text += fmt::format(
            "<input type=\"radio\" name=\"{0}\" id=\"{0}.{1}\"{2}><label for=\"{0}.{1}\">{3}</label>\n",
            escaped(figure.name), i + 1, i == 0 ? " checked" : "", escaped(figure.views[i].name));
    for (const PageView& view : figure.views) text += html_of(view);
    if (!figure.caption.empty()) text += "<figcaption>" + escaped(figure.caption) + "</figcaption>\n";
    return text + "</figure>\n";
}

bool has_settings(const std::string& html, const std::string& settings) {
    return html.find(settings_line(settings)) != std::string::npos;
}

std::string html(const Page& page) {
    std::string body;
    bool pairs = false;
    std::size_t most_views = 1;
    for (const PagePart& part : page.parts) {
        if (const std::string* piece = std::get_if<std::string>(&part)) {
            body += *piece;
            continue;
        }
        const PageFigure& figure = std::get<PageFigure>(part);
        body += html(figure);
        most_views = std::max(most_views, figure.views.size());
        pairs = pairs || std::any_of(figure.views.begin(), figure.views.end(), differs);
    }
    std::string own_style(style);
    for (std::size_t i = 1; i <= most_views; ++i)
        own_style += fmt::format(
            "\n.choice input:nth-of-type({0}):checked~section:nth-of-type({0}){{display:block}}", i);
    if (pairs) own_style += "\nmain{max-width:1900px}";
    std::string text = fmt::format(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n{3}\n<title>{0}</title>\n"
        "<style>{1}</style></head>\n<body><main>\n<h1>{0}</h1>\n{2}",
        escaped(page.title), own_style, paragraphs(page.about), settings_line(page.settings));
    text += body;
    return text + "</main>\n<script>" + std::string(script) + "\n</script>\n</body></html>\n";
}

}  // namespace tfs
