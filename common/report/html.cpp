// common/report/html.cpp · the items of a report as pieces of a page
#include <fmt/format.h>

#include <algorithm>

#include "common/figures/canvas.hpp"
#include "common/report/page.hpp"
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
    if (!paragraph.quoted) return "<p>" + with_breaks(paragraph.text) + "</p>\n";
    return "<blockquote>" + with_breaks(paragraph.text) + "</blockquote>\n";
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
    return fmt::format(
        "<div class=\"wide\" "
        "tabindex=\"0\"><table>{}<thead>{}<tr>{}</tr></thead>\n<tbody>{}</tbody></table></div>\n",
        table.title.empty() ? "" : "<caption>" + escaped(table.title) + "</caption>",
        groups ? row_of_groups(table) : "", head, body);
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
    return "<div class=\"wide\" tabindex=\"0\"><table><thead><tr><th>name</th><th>shape</th><th "
           "class=\"n\">min</th>"
           "<th class=\"n\">mean</th><th class=\"n\">max</th><th></th></tr></thead>\n<tbody>" +
           rows + "</tbody></table></div>\n" + checks;
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

}  // namespace tfs
