// common/report/page.cpp · the items of a report as pieces of a page, and the page
#include <fmt/format.h>

#include <algorithm>

#include "common/figures/canvas.hpp"
#include "common/report/page_texts.hpp"
#include "common/report/sinks.hpp"
#include "common/tensor/named_axes.hpp"
#include "common/terminal/display.hpp"

namespace tfs {

namespace {

std::string with_breaks(const std::string& text) {
    std::string html;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        html += (begin > 0 ? "<br>" : "") + escaped(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return html;
}

std::string cell(const char* tag, const std::string& text, bool number) {
    return fmt::format("<{0}{1}>{2}</{0}>", tag, number ? " class=\"n\"" : "", with_breaks(text));
}

std::string html_of(const Paragraph& paragraph) {
    return fmt::format("<{0}>{1}</{0}>\n", paragraph.quoted ? "blockquote" : "p",
                       with_breaks(paragraph.text));
}

// A wide one is moved on a narrow screen.
std::string table_of(const std::string& caption, const std::string& head, const std::string& body) {
    return fmt::format(
        "<div class=\"wide\" tabindex=\"0\"><table>{}<thead>{}</thead>\n<tbody>{}</tbody></table></div>\n",
        caption, head, body);
}

std::string row_of_groups(const Table& table) {
    std::string row;
    for (std::size_t begin = 0; begin < table.columns.size();) {
        std::size_t end = begin + 1;
        while (end < table.columns.size() && table.columns[end].group == table.columns[begin].group) ++end;
        row += fmt::format("<th colspan=\"{}\">{}</th>", end - begin, escaped(table.columns[begin].group));
        begin = end;
    }
    return "<tr>" + row + "</tr>";
}

std::string html_of(const Table& table) {
    std::string head, body;
    const bool groups = std::any_of(table.columns.begin(), table.columns.end(),
                                    [](const Column& column) { return !column.group.empty(); });
    const auto is_number = [&](std::size_t i) { return table.columns[i].format.notation != Notation::text; };
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        head += cell("th", heading(table.columns[i]), is_number(i));
    for (const std::vector<Cell>& row : table.rows) {
        body += "<tr>";
        for (std::size_t i = 0; i < row.size(); ++i)
            body += cell("td", text_of(row[i], table.columns[i]), is_number(i));
        body += "</tr>\n";
    }
    return table_of(table.title.empty() ? "" : "<caption>" + escaped(table.title) + "</caption>",
                    (groups ? row_of_groups(table) : "") + "<tr>" + head + "</tr>", body);
}

std::string html_of(const ShapeTrace& trace) {
    std::string rows, checks;
    for (const auto& line : trace.lines) {
        if (const TraceStep* step = std::get_if<TraceStep>(&line)) {
            rows += "<tr>" + cell("td", step->name, false) + "<td class=\"shape\">" +
                    escaped(named_shape(step->shape, step->axes)) + "</td>";
            for (const double value : {step->minimum, step->mean, step->maximum})
                rows += cell("td", step->finite > 0 ? trace_number(value) : "-", true);
            const std::string bad = step->first_bad.empty()
                                        ? ""
                                        : fmt::format("{} NaN, {} infinite. ", step->nan, step->infinite);
            rows += cell("td", bad + step->note, false) + "</tr>\n";
        } else {
            const TraceCheck& check = std::get<TraceCheck>(line);
            checks += fmt::format("<p class=\"{}\">{}</p>\n", check.passed ? "check" : "failed",
                                  escaped(check.text + (check.remark.empty() ? "" : ". " + check.remark)));
        }
    }
    if (rows.empty()) return checks;
    return table_of("",
                    "<tr><th>name</th><th>shape</th><th class=\"n\">min</th><th class=\"n\">mean</th>"
                    "<th class=\"n\">max</th><th></th></tr>",
                    rows) +
           checks;
}

std::string html_of(const Map& map) {
    const bool negative =
        std::any_of(map.values.begin(), map.values.end(), [](float value) { return value < 0.0f; });
    HeatMapFigure figure{.name = "map",
                         .title = map.text.title.empty() ? "map" : map.text.title,
                         .row_axis = map.text.row_axis,
                         .column_axis = map.text.column_axis,
                         .panels_per_row = 1};
    figure.panels = {{.title = "",
                      .values = map.values,
                      .rows = map.text.rows,
                      .columns = map.text.columns,
                      .allowed = map.text.allowed,
                      .scale = negative ? ColourScale::diverging : ColourScale::probability}};
    return "<figure>" + svg(figure) + "</figure>\n";
}

std::string html_of(const Drawing&) { return {}; }

std::string list_of(const char* title, const std::vector<RatedToken>& tokens) {
    std::string text;
    for (const RatedToken& token : tokens)
        text += fmt::format("{} \"{}\" {:.3f}", text.empty() ? "" : ",", visible(token.text), token.share);
    return text.empty() ? "" : fmt::format(" · {}:{}", title, text);
}

// The less likely a token was, the stronger its colour: of five, since a style sheet has no numbers.
std::string html_of(const TokenText& text) {
    std::string html = with_breaks(text.prompt);
    for (const WrittenToken& token : text.tokens) {
        const double surprise = 1.0 - std::clamp(token.probability, 0.0, 1.0);
        html +=
            fmt::format("<span class=\"s{}\" title=\"{}\">{}</span>", static_cast<int>(4.99 * surprise),
                        escaped(fmt::format("\"{}\": drawn with probability {:.3f}{}{}", visible(token.text),
                                            token.probability, list_of("the likeliest", token.alternatives),
                                            list_of("it looked at", token.looked_at))),
                        with_breaks(token.text));
    }
    html = "<blockquote class=\"tokens\">" + html + "</blockquote>\n";
    if (text.tokens.empty()) return html;
    return html +
           "<p class=\"check\">The stronger the colour, the less likely the token. Point at one for its "
           "alternatives.</p>\n";
}

// --- the page

// After cells.js.
constexpr std::string_view marking = R"(
markCells(document);
if (document.querySelector('.cell')) document.querySelector('.about')?.append(
  ' · Point at a cell or a label to light its row or column; click keeps it, arrows move it, Escape ends it.');)";

std::string settings_line(const std::string& settings) {
    return "<meta name=\"settings\" content=\"" + escaped(settings) + "\">";
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

std::string html(const Item& item) {
    return std::visit([](const auto& one) { return html_of(one); }, item);
}

std::string html(const Report& report) {
    std::string text;
    for (const Item& item : report.items) {
        const Drawing* drawing = std::get_if<Drawing>(&item);
        if (!drawing) {
            text += html(item);
            continue;
        }
        PageFigure figure{name_of(drawing->views.at(0).figure), caption_of(drawing->views[0].figure), {}};
        for (const View& view : drawing->views) figure.views.push_back({view.name, svg(view.figure)});
        text += html(figure);
    }
    return text;
}

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
    std::string about, body;
    for (const std::string& one : page.about) about += "<p class=\"about\">" + escaped(one) + "</p>\n";
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
    return fmt::format(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n{3}\n<title>{0}</title>\n"
        "<style>{1}</style></head>\n<body><main>\n<h1>{0}</h1>\n{2}"
        "{4}</main>\n<script>{5}{6}\n</script>\n</body></html>\n",
        escaped(page.title), own_style, about, settings_line(page.settings), body, cells_script, marking);
}

}  // namespace tfs
