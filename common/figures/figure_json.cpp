// common/figures/figure_json.cpp · figures as JSON, and back: each kind lists its fields once, for both
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "common/base/array.hpp"
#include "common/base/errors.hpp"
#include "common/figures/drawing.hpp"

namespace tfs {

namespace {

using Json = nlohmann::ordered_json;

// --- numbers

constexpr double most_exact = 9007199254740992.0;  // 2^53: whole numbers up to here are doubles

// JSON has no word for what is not finite.
Json number_json(double value) {
    if (std::isnan(value)) return nullptr;
    if (std::isinf(value)) return value > 0.0 ? "inf" : "-inf";
    if (value == std::trunc(value) && std::abs(value) < most_exact) return static_cast<std::int64_t>(value);
    return value;
}

double number_from(const Json& json) {
    if (json.is_null()) return NAN;
    if (json.is_string())
        return json == "inf" ? INFINITY : json == "-inf" ? -INFINITY : throw ValueError("no number");
    return json.get<double>();
}

// --- an archive is a Writer or a Reader: archive("name", field) writes the field, or reads it

struct Writer {
    static constexpr bool writes = true;
    Json& json;
    template <class Field>
    void operator()(const char* name, const Field& field);
};

struct Reader {
    static constexpr bool writes = false;
    const Json& json;
    template <class Field>
    void operator()(const char* name, Field& field);
};

template <class Archive, class Kind, std::size_t count>
void choice(Archive& archive, const char* name, Kind& kind, const std::array<const char*, count>& names) {
    std::string chosen = Archive::writes ? names[static_cast<std::size_t>(kind)] : "";
    archive(name, chosen);
    const auto found = std::find(names.begin(), names.end(), chosen);
    if (found == names.end()) throw ValueError(fmt::format("{}: \"{}\" is not known", name, chosen));
    kind = static_cast<Kind>(found - names.begin());
}

// Two fields as one pair.
template <class Archive, class Field>
void both(Archive& archive, const char* name, Field& first, Field& second) {
    std::vector<Field> pair{first, second};
    archive(name, pair);
    first = pair.at(0), second = pair.at(1);
}

template <class Archive>
void fields(Archive& archive, HeatMapPanel& panel) {
    archive("title", panel.title);
    choice(archive, "scale", panel.scale, std::array{"probability", "diverging", "sequential", "yes or no"});
    archive("quantity", panel.quantity);
    archive("rows", panel.rows);
    archive("columns", panel.columns);
    archive("meant", panel.meant);
    archive("answers", panel.answers);
    archive("values", panel.values);
    archive("allowed", panel.allowed);
}

template <class Archive>
void fields(Archive& archive, SmallMap& panel) {
    archive("title", panel.title);
    archive("values", panel.values);
}

template <class Archive>
void hue(Archive& archive, Hue& hue) {
    choice(archive, "hue", hue,
           std::array{"other",     "ordered",   "attention", "feed-forward",    "norm",     "residual",
                      "embedding", "positions", "output",    "query",           "key",      "value",
                      "encoder",   "decoder",   "cross",     "encoder-decoder", "training", "held out",
                      "with",      "without",   "pre-norm",  "post-norm"});
}

template <class Archive>
void fields(Archive& archive, Series& series) {
    archive("name", series.name);
    hue(archive, series.hue);
    archive("name_at", series.name_at);
    archive("x", series.x);
    archive("y", series.y);
}

template <class Archive>
void fields(Archive& archive, Limit& limit) {
    archive("name", limit.name);
    archive("on_x", limit.on_x);
    archive("from", limit.from);
    archive("to", limit.to);
}

template <class Archive>
void fields(Archive& archive, LinePanel& panel) {
    archive("title", panel.title);
    both(archive, "axes", panel.x_axis, panel.y_axis);
    both(archive, "logarithmic", panel.log_x, panel.log_y);
    archive("from_zero", panel.from_zero);
    archive("limits", panel.limits);
    archive("series", panel.series);
}

template <class Archive>
void fields(Archive& archive, Bar& bar) {
    archive("label", bar.label);
    archive("values", bar.values);
}

template <class Archive>
void fields(Archive& archive, BarPart& part) {
    archive("name", part.name);
    hue(archive, part.hue);
}

template <class Archive>
void fields(Archive& archive, BarPanel& panel) {
    archive("title", panel.title);
    archive("axis", panel.value_axis);
    archive("share", panel.share);
    archive("parts", panel.parts);
    archive("bars", panel.bars);
}

template <class Archive>
void fields(Archive& archive, Arc& arc) {
    archive("from", arc.from);
    archive("to", arc.to);
    archive("weight", arc.weight);
    hue(archive, arc.hue);
}

template <class Archive>
void fields(Archive& archive, ArcPanel& panel) {
    archive("title", panel.title);
    archive("words", panel.words);
    archive("names", panel.names);
    archive("storeys", panel.storeys);
    archive("answer", panel.answer);
}

template <class Archive>
void fields(Archive& archive, PlaneShape& shape) {
    choice(archive, "kind", shape.kind,
           std::array{"point", "text", "line", "arrow", "arc", "circle", "rectangle"});
    archive("label", shape.label);
    hue(archive, shape.hue);
    both(archive, "from", shape.from_x, shape.from_y);
    both(archive, "to", shape.to_x, shape.to_y);
    archive("size", shape.size);
    archive("light", shape.light);
}

template <class Archive>
void fields(Archive& archive, PlanePanel& panel) {
    archive("title", panel.title);
    both(archive, "x", panel.low_x, panel.high_x);
    both(archive, "y", panel.low_y, panel.high_y);
    archive("shapes", panel.shapes);
}

constexpr std::array<std::string_view, 6> kinds{
    "heat maps", "lines", "bars", "arcs", "plane", "small maps"};  // in the order of Figure's alternatives

template <class Archive, class AnyFigure>
void all_fields(Archive& archive, AnyFigure& figure) {
    archive("name", figure.name);
    archive("title", figure.title);
    archive("caption", figure.caption);
    if constexpr (std::is_same_v<AnyFigure, HeatMapFigure>) {
        both(archive, "axes", figure.row_axis, figure.column_axis);
        archive("largest", figure.largest);
    }
    if constexpr (std::is_same_v<AnyFigure, LineFigure>) archive("same_y", figure.same_y);
    if constexpr (requires { figure.panels_per_row; }) archive("panels_per_row", figure.panels_per_row);
    archive("panels", figure.panels);
}

// --- a field as JSON

Json json_of(double value) { return number_json(value); }
Json json_of(std::size_t value) { return value; }
Json json_of(bool value) { return value; }
Json json_of(const std::string& text) { return text; }

template <class Struct>
Json json_of(Struct value) {  // a copy: fields() takes what a Reader could change
    Json json = Json::object();
    Writer writer{json};
    fields(writer, value);
    return json;
}

template <class Entry>
Json json_of(const std::vector<Entry>& values) {
    Json json = Json::array();
    for (const auto& value : values) json.push_back(json_of(static_cast<const Entry&>(value)));
    return json;
}

template <class Value>
Json json_of(const xt::xarray<Value>& values) {
    Json rows = Json::array();
    const std::size_t columns = values.shape()[1];
    for (std::size_t i = 0; i < values.shape()[0]; ++i) {
        const auto* row = values.data() + i * columns;
        rows.push_back(json_of(
            std::vector<std::conditional_t<std::is_same_v<Value, bool>, bool, double>>(row, row + columns)));
    }
    return rows;
}

template <class Value>
Json json_of(const std::optional<Value>& value) {
    return value ? json_of(*value) : Json(nullptr);
}

template <class Field>
void Writer::operator()(const char* name, const Field& field) {
    json[name] = json_of(field);
}

// --- and back

void read(const Json& json, double& value) { value = number_from(json); }
void read(const Json& json, std::size_t& value) { value = json.get<std::size_t>(); }
void read(const Json& json, bool& value) { value = json.get<bool>(); }
void read(const Json& json, std::string& text) { text = json.get<std::string>(); }

template <class Struct>
void read(const Json& json, Struct& value) {
    Reader reader{json};
    fields(reader, value);
}

template <class Entry>
void read(const Json& json, std::vector<Entry>& values) {
    values.clear();
    for (const Json& one : json) {
        Entry entry{};
        read(one, entry);
        values.push_back(entry);
    }
}

template <class Value>
void read(const Json& json, xt::xarray<Value>& values) {
    const std::size_t rows = json.size(), columns = rows == 0 ? 0 : json[0].size();
    values.resize(Shape{rows, columns});
    for (std::size_t i = 0; i < rows; ++i) {
        if (json[i].size() != columns) throw ValueError("rows of different lengths");
        for (std::size_t j = 0; j < columns; ++j) {
            std::conditional_t<std::is_same_v<Value, bool>, bool, double> value{};
            read(json[i][j], value);
            values(i, j) = static_cast<Value>(value);
        }
    }
}

template <class Value>
void read(const Json& json, std::optional<Value>& value) {
    value.reset();
    if (!json.is_null()) read(json, value.emplace());
}

template <class Field>
void Reader::operator()(const char* name, Field& field) {
    read(json.at(name), field);
}

// --- text: lists of plain values on one line; six digits of a number say all that a picture shows

void write(std::string& text, const Json& json, std::size_t depth) {
    if (json.is_number_float()) {
        std::array<char, 32> digits{};
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), json.get<double>(),
                                       std::chars_format::general, 6);
        text.append(digits.data(), end.ptr);
    } else if (json.is_boolean()) {  // dump() would ask for the locale of each cell
        text += json.get<bool>() ? "true" : "false";
    } else if (json.is_number_unsigned()) {
        text += std::to_string(json.get<std::uint64_t>());
    } else if (!json.is_structured()) {
        text += json.dump(-1, ' ', false, Json::error_handler_t::replace);
    } else {
        const bool lines =
            std::any_of(json.begin(), json.end(), [](const Json& one) { return one.is_structured(); }) ||
            json.is_object();
        text += json.is_object() ? "{" : "[";
        const char* between = lines ? "\n" : "";
        for (auto one = json.begin(); one != json.end(); ++one) {
            text += between;
            if (lines) text += std::string(depth + 1, ' ');
            if (json.is_object()) text += fmt::format("\"{}\": ", one.key());  // a field's name
            write(text, *one, depth + 1);
            between = lines ? ",\n" : ", ";
        }
        text += json.is_object() ? "}" : "]";
    }
}

}  // namespace

std::string json(const Figure& figure) {
    require_drawable(figure);
    Json json{{"kind", kinds[figure.index()]}};
    Writer writer{json};
    std::visit([&](auto one) { all_fields(writer, one); }, figure);
    std::string text;
    write(text, json, 0);
    return text + "\n";
}

Figure figure_from_json(const std::string& text) {
    Figure figure;
    try {
        const Json json = Json::parse(text);
        const std::string kind = json.at("kind");
        const auto found = std::find(kinds.begin(), kinds.end(), kind);
        if (found == kinds.end()) throw ValueError(fmt::format("the kind \"{}\" is not known", kind));
        figure = std::array<Figure, kinds.size()>{HeatMapFigure(), LineFigure(),  BarFigure(),
                                                  ArcFigure(),     PlaneFigure(), SmallMapsFigure()}
            [static_cast<std::size_t>(found - kinds.begin())];
        Reader reader{json};
        std::visit([&](auto& one) { all_fields(reader, one); }, figure);
    } catch (const std::exception& error) {
        throw FileError(fmt::format("a figure can't be read from JSON: {}", error.what()));
    }
    require_drawable(figure);
    return figure;
}

}  // namespace tfs
