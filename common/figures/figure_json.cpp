// common/figures/figure_json.cpp · figures as JSON: written, read, compared
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>

#include <nlohmann/json.hpp>

#include "common/base/array.hpp"
#include "common/base/errors.hpp"
#include "common/figures/drawing.hpp"

namespace tfs {

namespace {

using Json = nlohmann::ordered_json;

// --- what each kind has, listed once: on("name", field) writes a field or reads it; two fields are one pair

template <class Some, class Kind>
concept Like = std::same_as<std::remove_const_t<Some>, Kind>;

void fields(auto& on, Like<HeatMapPanel> auto& panel) {
    on("title", panel.title)("scale", panel.scale)("quantity", panel.quantity)("rows", panel.rows);
    on("columns", panel.columns)("meant", panel.meant)("answers", panel.answers);
    on("values", panel.values)("allowed", panel.allowed);
}

void fields(auto& on, Like<SmallMap> auto& map) { on("title", map.title)("values", map.values); }

void fields(auto& on, Like<Series> auto& series) {
    on("name", series.name)("hue", series.hue)("name_at", series.name_at)("x", series.x)("y", series.y);
}

void fields(auto& on, Like<Limit> auto& limit) {
    on("name", limit.name)("on_x", limit.on_x)("from", limit.from)("to", limit.to);
}

void fields(auto& on, Like<LinePanel> auto& panel) {
    on("title", panel.title)("axes", panel.x_axis, panel.y_axis)("logarithmic", panel.log_x, panel.log_y);
    on("from_zero", panel.from_zero)("limits", panel.limits)("series", panel.series);
}

void fields(auto& on, Like<Bar> auto& bar) { on("label", bar.label)("values", bar.values); }

void fields(auto& on, Like<BarPart> auto& part) { on("name", part.name)("hue", part.hue); }

void fields(auto& on, Like<BarPanel> auto& panel) {
    on("title", panel.title)("axis", panel.value_axis)("share", panel.share);
    on("parts", panel.parts)("bars", panel.bars);
}

void fields(auto& on, Like<Arc> auto& arc) {
    on("from", arc.from)("to", arc.to)("weight", arc.weight)("hue", arc.hue);
}

void fields(auto& on, Like<ArcPanel> auto& panel) {
    on("title", panel.title)("words", panel.words)("names", panel.names)("storeys", panel.storeys);
    on("answer", panel.answer);
}

void fields(auto& on, Like<PlaneShape> auto& shape) {
    on("kind", shape.kind)("label", shape.label)("hue", shape.hue)("from", shape.from_x, shape.from_y);
    on("to", shape.to_x, shape.to_y)("size", shape.size)("light", shape.light);
}

void fields(auto& on, Like<PlanePanel> auto& panel) {
    on("title", panel.title)("x", panel.low_x, panel.high_x)("y", panel.low_y, panel.high_y);
    on("shapes", panel.shapes);
}

void fields_of_figure(auto& on, auto& figure) {
    on("name", figure.name)("title", figure.title)("caption", figure.caption);
    if constexpr (requires { figure.largest; })
        on("axes", figure.row_axis, figure.column_axis)("largest", figure.largest);
    if constexpr (requires { figure.same_y; }) on("same_y", figure.same_y);
    if constexpr (requires { figure.panels_per_row; }) on("panels_per_row", figure.panels_per_row);
    on("panels", figure.panels);
}

// Names in the order of the values, of kinds in that of Figure's alternatives.
using EnumNames = std::vector<std::string>;

const EnumNames& names_of(ColourScale) {
    static const EnumNames names{"probability", "diverging", "sequential", "yes or no"};
    return names;
}

const EnumNames& names_of(Hue) {
    static const EnumNames names{
        "other",           "attention", "feed-forward", "norm",  "residual", "embedding", "positions",
        "output",          "query",     "key",          "value", "encoder",  "decoder",   "cross",
        "encoder-decoder", "training",  "held out",     "with",  "without",  "pre-norm",  "post-norm"};
    return names;
}

const EnumNames& names_of(PlaneShape::Kind) {
    static const EnumNames names{"point", "text", "line", "arrow", "arc", "circle", "rectangle"};
    return names;
}

const EnumNames kinds{"heat maps", "lines", "bars", "arcs", "plane", "small maps"};

std::size_t place_in(const EnumNames& names, const std::string& name) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) throw ValueError(fmt::format("\"{}\" is not known", name));
    return static_cast<std::size_t>(found - names.begin());
}

// --- written: lists of plain values on one line; six digits of a number say all that a picture shows

class Writer {
  public:
    std::string text = "{";

    Writer& operator()(const char* name, const auto& field) {
        text += fmt::format("{}\n{}\"{}\": ", text.back() == '{' ? "" : ",", std::string(depth_, ' '), name);
        ++depth_;
        value(field);
        --depth_;
        return *this;
    }
    template <class Field>
    Writer& operator()(const char* name, const Field& first, const Field& second) {
        return (*this)(name, std::vector<Field>{first, second});
    }

  private:
    std::size_t depth_ = 1;

    void value(const std::string& words) {
        text += Json(words).dump(-1, ' ', false, Json::error_handler_t::replace);
    }
    void value(bool yes) { text += yes ? "true" : "false"; }
    void value(std::size_t count) { text += std::to_string(count); }

    void value(double number) { text += number_in_json(number); }
    void value(const std::vector<float>& row) { text += '[' + numbers_in_json(row) + ']'; }  // of a map

    template <class Value>
    requires std::is_enum_v<Value>
    void value(Value one) { value(names_of(one)[static_cast<std::size_t>(one)]); }

    template <class Value>
    void value(const std::optional<Value>& one) {
        if (one)
            value(*one);
        else
            text += "null";
    }

    template <class Entry>
    void value(const std::vector<Entry>& list) {
        constexpr bool plain = !std::is_class_v<Entry> || std::is_same_v<Entry, std::string>;
        text += '[';
        for (std::size_t i = 0; i < list.size(); ++i) {
            text += i == 0 ? "" : plain ? ", " : ",";
            if (!plain) text += "\n" + std::string(depth_, ' ');
            ++depth_;
            value(static_cast<const Entry&>(list[i]));
            --depth_;
        }
        text += ']';
    }

    template <class Value>
    void value(const xt::xarray<Value>& map) {
        std::vector<std::vector<Value>> rows(map.shape()[0]);
        for (std::size_t i = 0; i < rows.size(); ++i)
            rows[i].assign(map.data() + i * map.shape()[1], map.data() + (i + 1) * map.shape()[1]);
        value(rows);
    }

    template <class Struct>
    requires std::is_class_v<Struct>
    void value(const Struct& one) {
        text += '{';
        fields(*this, one);
        text += '}';
    }
};

// --- read

class Reader {
  public:
    explicit Reader(const Json& json) : json_(json) {}

    Reader& operator()(const char* name, auto& field) {
        read(json_.at(name), field);
        return *this;
    }
    template <class Field>
    Reader& operator()(const char* name, Field& first, Field& second) {
        std::vector<Field> pair;
        (*this)(name, pair);
        first = pair.at(0), second = pair.at(1);
        return *this;
    }

  private:
    const Json& json_;

    template <class Plain>
    static void read(const Json& json, Plain& value) {
        if constexpr (std::is_enum_v<Plain>)
            value = static_cast<Plain>(place_in(names_of(value), json.get<std::string>()));
        else if constexpr (std::is_class_v<Plain> && !std::is_same_v<Plain, std::string>)
            read_struct(json, value);
        else
            json.get_to(value);
    }

    static void read_struct(const Json& json, auto& value) {
        Reader reader(json);
        fields(reader, value);
    }

    static void read(const Json& json, double& number) {
        if (json.is_string())
            number = json == "inf" ? INFINITY : json == "-inf" ? -INFINITY : throw ValueError("no number");
        else
            number = json.is_null() ? NAN : json.get<double>();
    }

    template <class Value>
    static void read(const Json& json, std::optional<Value>& value) {
        value.reset();
        if (!json.is_null()) read(json, value.emplace());
    }

    template <class Entry>
    static void read(const Json& json, std::vector<Entry>& values) {
        values.clear();
        for (const Json& one : json) {
            Entry entry{};
            read(one, entry);
            values.push_back(std::move(entry));
        }
    }

    template <class Value>
    static void read(const Json& json, xt::xarray<Value>& values) {
        std::vector<std::vector<std::conditional_t<std::is_same_v<Value, bool>, bool, double>>> rows;
        read(json, rows);
        values.resize(Shape{rows.size(), rows.empty() ? 0 : rows[0].size()});
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (rows[i].size() != rows[0].size()) throw ValueError("rows of different lengths");
            for (std::size_t j = 0; j < rows[i].size(); ++j) values(i, j) = static_cast<Value>(rows[i][j]);
        }
    }
};

// --- compared

// The largest number by size of a series, or of all series or bars of a panel.
double largest_of(const Json& json) {
    if (json.is_number()) return std::abs(json.get<double>());
    double largest = 0.0;
    if (json.is_structured())
        for (const auto& [key, one] : json.items())
            if (key != "x") largest = std::max(largest, largest_of(one));
    return largest;
}

// Where a value belongs to.
struct Around {
    bool log_x = false, log_y = false;  // of its panel
    double panel = 0.0;                 // the largest number of all series: a millionth of it can't be seen
    bool drawn = false;    // it is one of a series of numbers that are drawn, and so depend on rounding
    double largest = 0.0;  // of that series
    bool logarithmic = false;
};

Around panel_of(const Json& json, const Around& around) {
    if (json.contains("series"))
        return {json["logarithmic"][0], json["logarithmic"][1], largest_of(json["series"])};
    if (json.contains("bars")) return {.panel = largest_of(json["bars"])};
    if (json.contains("storeys")) return {.panel = 1.0};  // weights
    if (json.contains("shapes")) return {.panel = std::max(largest_of(json["x"]), largest_of(json["y"]))};
    return around;
}

bool is_drawn(const std::string& key) {
    constexpr std::array keys{"x", "y", "values", "weight", "from", "to", "size", "name_at", "largest"};
    return std::find(keys.begin(), keys.end(), key) != keys.end();
}

bool same_number(double kept, double drawn, const Around& around, const FigureTolerance& tolerance) {
    const double smaller = std::min(std::abs(kept), std::abs(drawn)),
                 larger = std::max(std::abs(kept), std::abs(drawn));
    const double factor = larger < tolerance.rounding ? std::max(10.0, tolerance.factor) : tolerance.factor;
    if (kept * drawn > 0.0 && larger <= factor * smaller) return true;
    return std::abs(kept - drawn) <= tolerance.share * (around.logarithmic ? 3.0 * larger : around.largest);
}

bool same_plain(const Json& kept, const Json& drawn, const Around& around, const FigureTolerance& tolerance) {
    if (around.drawn && kept.is_number() && drawn.is_number())
        return same_number(kept, drawn, around, tolerance);
    return kept == drawn ||
           (!around.drawn && kept.is_string() && drawn.is_string() && tolerance.same_text(kept, drawn));
}

// `where` is the place of both in the figure.
std::string difference(const Json& kept, const Json& drawn, const std::string& where, Around around,
                       const FigureTolerance& tolerance) {
    if (!kept.is_structured() || kept.type() != drawn.type() || kept.size() != drawn.size())
        return same_plain(kept, drawn, around, tolerance)
                   ? ""
                   : fmt::format("{}: {} is now {}", where, kept.dump(), drawn.dump());
    around = panel_of(kept, around);
    for (auto one = kept.items().begin(), other = drawn.items().begin(); one != kept.items().end();
         ++one, ++other) {
        const std::string& key = one.key();
        const std::string place = kept.is_array() ? fmt::format("{}[{}]", where, key)
                                  : where.empty() ? key
                                                  : where + "." + key;
        if (key != other.key()) return fmt::format("{} is now {}", place, other.key());
        Around inner = around;
        if (is_drawn(key)) {
            if (!tolerance.numbers) continue;
            inner.drawn = true;
            inner.largest = largest_of(one.value());
            if (key != "x") inner.largest = std::max(inner.largest, 1e-6 * around.panel / tolerance.share);
            inner.logarithmic = (key == "x" && around.log_x) || (key == "y" && around.log_y);
        }
        std::string found = difference(one.value(), other.value(), place, inner, tolerance);
        if (!found.empty()) return found;
    }
    return {};
}

}  // namespace

std::string json(const Figure& figure) {
    require_drawable(figure);
    Writer writer;
    writer("kind", kinds[figure.index()]);
    std::visit([&](const auto& one) { fields_of_figure(writer, one); }, figure);
    return writer.text + "}\n";
}

Figure figure_from_json(const std::string& text) {
    Figure figure;
    try {
        const Json json = Json::parse(text);
        figure = std::array<Figure, 6>{HeatMapFigure(), LineFigure(),  BarFigure(),
                                       ArcFigure(),     PlaneFigure(), SmallMapsFigure()}[place_in(
            kinds, json.at("kind"))];
        Reader reader(json);
        std::visit([&](auto& one) { fields_of_figure(reader, one); }, figure);
    } catch (const std::exception& error) {
        throw FileError(fmt::format("a figure can't be read from JSON: {}", error.what()));
    }
    require_drawable(figure);
    return figure;
}

std::string figure_difference(const std::string& kept, const std::string& drawn,
                              const FigureTolerance& tolerance) {
    try {
        return difference(Json::parse(kept), Json::parse(drawn), "", {}, tolerance);
    } catch (const Json::exception& error) {
        throw FileError(fmt::format("figures can't be compared: {}", error.what()));
    }
}

}  // namespace tfs
