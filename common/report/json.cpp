// common/report/json.cpp · reports as JSON
#include <fmt/format.h>

#include <algorithm>

#include <nlohmann/json.hpp>

#include "common/report/json_number.hpp"
#include "common/report/sinks.hpp"

namespace tfs {

namespace {

using Json = nlohmann::ordered_json;

template <class Entry>
Json json_of(const std::vector<Entry>& entries);
template <class Value>
Json json_of(const xt::xarray<Value>& map);

Json json_of(const NumberFormat& format) {
    constexpr const char* names[] = {"text",  "fixed", "scientific", "significant", "thousands",
                                     "flops", "bytes", "ratio",      "magnitude"};
    Json json{{"notation", names[static_cast<int>(format.notation)]}};
    if (format.notation != Notation::text) json["digits"] = format.digits;
    if (format.decimals) json["decimals"] = *format.decimals;
    if (!format.suffix.empty()) json["suffix"] = format.suffix;
    return json;
}

Json json_of(const Cell& cell) {
    if (const std::string* text = std::get_if<std::string>(&cell.value)) return *text;
    if (const Quartiles* spread = std::get_if<Quartiles>(&cell.value))
        return {{"low", json_number(spread->low)},
                {"median", json_number(spread->median)},
                {"high", json_number(spread->high)}};
    const double* number = std::get_if<double>(&cell.value);
    if (!number) return nullptr;
    if (!cell.format) return json_number(*number);
    return {{"value", json_number(*number)}, {"format", json_of(*cell.format)}};
}

Json json_of(const Column& column) {
    Json json{{"name", column.name}, {"format", json_of(column.format)}};
    if (!column.unit.empty()) json["unit"] = column.unit;
    if (!column.group.empty()) json["group"] = column.group;
    return json;
}

Json json_of(const TraceStep& step) {
    const auto of_finite = [&](double value) { return step.finite > 0 ? json_number(value) : Json(nullptr); };
    Json json{{"name", step.name},
              {"shape", std::vector<std::size_t>(step.shape.begin(), step.shape.end())},
              {"axes", step.axes},
              {"min", of_finite(step.minimum)},
              {"mean", of_finite(step.mean)},
              {"max", of_finite(step.maximum)},
              {"note", step.note}};
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

Json json_of(const std::variant<TraceStep, TraceCheck>& line) {
    return std::visit([](const auto& one) { return json_of(one); }, line);
}

Json json_of(const RatedToken& token) {
    Json json{{"text", token.text}, {"share", json_number(token.share)}};
    if (token.back > 0) json["back"] = token.back;
    return json;
}

Json json_of(const WrittenToken& token) {
    Json json{{"text", token.text},
              {"probability", json_number(token.probability)},
              {"alternatives", json_of(token.alternatives)},
              {"looked_at", json_of(token.looked_at)}};
    if (token.seconds > 0.0)
        json["seconds"] = {{"with_cache", token.seconds}, {"without_cache", token.seconds_without_cache}};
    return json;
}

Json json_of(const Paragraph& paragraph) {
    return {{"kind", "paragraph"}, {"text", paragraph.text}, {"quoted", paragraph.quoted}};
}

Json json_of(const Table& table) {
    return {{"kind", "table"},
            {"title", table.title},
            {"columns", json_of(table.columns)},
            {"rows", json_of(table.rows)},
            {"totals", table.totals}};
}

Json json_of(const ShapeTrace& trace) { return {{"kind", "trace"}, {"lines", json_of(trace.lines)}}; }

Json json_of(const Map& map) {
    const MapText& text = map.text;
    return {{"kind", "map"},
            {"title", text.title},
            {"axes", {text.row_axis, text.column_axis}},
            {"rows", text.rows},
            {"columns", text.columns},
            {"values", json_of(map.values)},
            {"allowed", text.allowed ? json_of(*text.allowed) : Json(nullptr)}};
}

Json json_of(const TokenText& text) {
    return {{"kind", "tokens"}, {"prompt", text.prompt}, {"tokens", json_of(text.tokens)}};
}

template <class Entry>
Json json_of(const std::vector<Entry>& entries) {
    Json json = Json::array();
    for (const Entry& entry : entries) json.push_back(json_of(entry));
    return json;
}

template <class Value>
Json json_of(const xt::xarray<Value>& map) {
    Json rows = Json::array();
    for (std::size_t i = 0; i < map.shape()[0]; ++i) {
        rows.push_back(Json::array());
        for (std::size_t j = 0; j < map.shape()[1]; ++j) {
            const Value value = map.data()[i * map.shape()[1] + j];
            if constexpr (std::is_same_v<Value, bool>)
                rows.back().push_back(value);
            else
                rows.back().push_back(json_number(value));
        }
    }
    return rows;
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

std::string text_of(const auto& item) { return dumped(json_of(item)); }

}  // namespace

std::string json(const Report& report) {
    std::string items;
    for (const Item& item : report.items)
        items += (items.empty() ? "" : ",") + std::visit([](const auto& one) { return text_of(one); }, item);
    return "[" + items + "]";
}

}  // namespace tfs
