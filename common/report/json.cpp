// common/report/json.cpp · reports as JSON
#include <fmt/format.h>

#include <algorithm>

#include <nlohmann/json.hpp>

#include "common/report/json_number.hpp"
#include "common/report/sinks.hpp"

namespace tfs {

namespace {

using Json = nlohmann::ordered_json;

const char* name_of(Notation notation) {
    switch (notation) {
        case Notation::text:
            return "text";
        case Notation::fixed:
            return "fixed";
        case Notation::scientific:
            return "scientific";
        case Notation::significant:
            return "significant";
        case Notation::thousands:
            return "thousands";
        case Notation::flops:
            return "flops";
        case Notation::bytes:
            return "bytes";
        case Notation::ratio:
            return "ratio";
        case Notation::magnitude:
            return "magnitude";
    }
    return "";
}

Json json_of(const NumberFormat& format) {
    Json json{{"notation", name_of(format.notation)}};
    if (format.notation != Notation::text) json["digits"] = format.digits;
    if (format.decimals) json["decimals"] = *format.decimals;
    if (!format.suffix.empty()) json["suffix"] = format.suffix;
    return json;
}

Json json_of(const Cell& cell) {
    Json value = nullptr;
    if (const double* one = std::get_if<double>(&cell.value)) value = json_number(*one);
    if (const std::string* text = std::get_if<std::string>(&cell.value)) value = *text;
    if (const Quartiles* spread = std::get_if<Quartiles>(&cell.value))
        value = {{"low", json_number(spread->low)},
                 {"median", json_number(spread->median)},
                 {"high", json_number(spread->high)}};
    if (cell.format && std::holds_alternative<double>(cell.value))
        return {{"value", value}, {"format", json_of(*cell.format)}};
    return value;
}

Json json_of(const Paragraph& paragraph) {
    return {{"kind", "paragraph"}, {"text", paragraph.text}, {"quoted", paragraph.quoted}};
}

Json json_of(const Table& table) {
    Json columns = Json::array(), rows = Json::array();
    for (const Column& column : table.columns) {
        Json one{{"name", column.name}, {"format", json_of(column.format)}};
        if (!column.unit.empty()) one["unit"] = column.unit;
        if (!column.group.empty()) one["group"] = column.group;
        columns.push_back(one);
    }
    for (const std::vector<Cell>& row : table.rows) {
        Json cells = Json::array();
        for (const Cell& cell : row) cells.push_back(json_of(cell));
        rows.push_back(cells);
    }
    return {{"kind", "table"},
            {"title", table.title},
            {"columns", columns},
            {"rows", rows},
            {"totals", table.totals}};
}

Json json_of(const TraceStep& step) {
    Json json{{"name", step.name}, {"shape", std::vector<std::size_t>(step.shape.begin(), step.shape.end())},
              {"axes", step.axes}, {"min", nullptr},
              {"mean", nullptr},   {"max", nullptr},
              {"note", step.note}};
    if (step.finite > 0)
        json["min"] = json_number(step.minimum), json["mean"] = json_number(step.mean),
        json["max"] = json_number(step.maximum);
    if (!step.first_bad.empty()) {
        json["nan"] = step.nan;
        json["infinite"] = step.infinite;
        json["first_bad"] = step.first_bad;
    }
    return json;
}

Json json_of(const TraceCheck& check) {
    return {{"check", check.text}, {"passed", check.passed}, {"remark", check.remark}};
}

Json json_of(const ShapeTrace& trace) {
    Json lines = Json::array();
    for (const auto& line : trace.lines)
        lines.push_back(std::visit([](const auto& one) { return json_of(one); }, line));
    return {{"kind", "trace"}, {"lines", lines}};
}

Json json_of(const Map& map) {
    const MapText& text = map.text;
    const std::size_t columns = map.values.shape()[1];
    Json values = Json::array(), allowed = nullptr;
    for (std::size_t i = 0; i < map.values.shape()[0]; ++i) {
        Json row = Json::array();
        for (std::size_t j = 0; j < columns; ++j)
            row.push_back(json_number(map.values.data()[i * columns + j]));
        values.push_back(row);
    }
    if (text.allowed) {
        allowed = Json::array();
        for (std::size_t i = 0; i < map.values.shape()[0]; ++i)
            allowed.push_back(std::vector<bool>(text.allowed->data() + i * columns,
                                                text.allowed->data() + (i + 1) * columns));
    }
    return {{"kind", "map"},     {"title", text.title},     {"axes", {text.row_axis, text.column_axis}},
            {"rows", text.rows}, {"columns", text.columns}, {"values", values},
            {"allowed", allowed}};
}

Json json_of(const std::vector<RatedToken>& tokens) {
    Json all = Json::array();
    for (const RatedToken& token : tokens) {
        all.push_back({{"text", token.text}, {"share", json_number(token.share)}});
        if (token.back > 0) all.back()["back"] = token.back;
    }
    return all;
}

Json json_of(const TokenText& text) {
    Json tokens = Json::array();
    for (const WrittenToken& token : text.tokens) {
        tokens.push_back({{"text", token.text},
                          {"probability", json_number(token.probability)},
                          {"alternatives", json_of(token.alternatives)},
                          {"looked_at", json_of(token.looked_at)}});
        if (token.seconds > 0.0)
            tokens.back()["seconds"] = {{"with_cache", token.seconds},
                                        {"without_cache", token.seconds_without_cache}};
    }
    return {{"kind", "tokens"}, {"prompt", text.prompt}, {"tokens", tokens}};
}

std::string dumped(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

// JSON on several lines as one line: a text in it has no line's end.
std::string in_one_line(const std::string& json) {
    std::string line;
    for (std::size_t begin = 0; begin < json.size();) {
        const std::size_t end = std::min(json.find('\n', begin), json.size());
        line.append(json, begin, end - begin);
        begin = std::min(json.find_first_not_of(' ', end + 1), json.size());
    }
    return line;
}

// The numbers of a figure are text already; they are many.
std::string text_of(const Drawing& drawing) {
    std::string views;
    for (const View& view : drawing.views)
        views += fmt::format("{}{{\"name\":{},\"figure\":{}}}", views.empty() ? "" : ",", dumped(view.name),
                             in_one_line(json(view.figure)));
    return "{\"kind\":\"figure\",\"views\":[" + views + "]}";
}

template <class AnyItem>
std::string text_of(const AnyItem& item) {
    return dumped(json_of(item));
}

}  // namespace

std::string json(const Report& report) {
    std::string items;
    for (const Item& item : report.items)
        items += (items.empty() ? "" : ",") + std::visit([](const auto& one) { return text_of(one); }, item);
    return "[" + items + "]";
}

}  // namespace tfs
