// common/report/page.cpp · HTML
#include "common/report/page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/figures/canvas.hpp"
#include "common/report/page_texts.hpp"

namespace tfs {

namespace {

// After cells.js.
constexpr std::string_view marking = R"(
markCells(document);
if (document.querySelector('.cell')) document.querySelector('.about')?.append(
  ' · Point at a cell or a label to light its row or column; click keeps it, arrows move it, Escape ends it.');)";

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
    std::string own_style(page_style);
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
    return text + "</main>\n<script>" + std::string(cells_script) + std::string(marking) +
           "\n</script>\n</body></html>\n";
}

}  // namespace tfs
