// common/figures/figure_difference.cpp · whether two figures mean the same: their JSON, field by field
#include "common/figures/figure_difference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include <nlohmann/json.hpp>

#include "common/base/errors.hpp"

namespace tfs {

namespace {

using Json = nlohmann::ordered_json;

// The largest number by size of a series, or of all series or bars of a panel.
double largest_of(const Json& json) {
    if (json.is_number()) return std::abs(json.get<double>());
    double largest = 0.0;
    if (json.is_structured())
        for (const auto& [key, one] : json.items())
            if (key != "x") largest = std::max(largest, largest_of(one));
    return largest;
}

struct Comparison {
    const FigureTolerance& tolerance;

    bool same_number(double kept, double drawn, double largest, bool logarithmic) const {
        const double smaller = std::min(std::abs(kept), std::abs(drawn)),
                     larger = std::max(std::abs(kept), std::abs(drawn));
        const double factor =
            larger < tolerance.rounding ? std::max(10.0, tolerance.factor) : tolerance.factor;
        if (kept * drawn > 0.0 && larger <= factor * smaller) return true;
        return std::abs(kept - drawn) <= tolerance.share * (logarithmic ? 3.0 * larger : largest);
    }

    // Numbers of one series. `where` is their place in the figure.
    std::string of_series(const Json& kept, const Json& drawn, const std::string& where, double largest,
                          bool logarithmic) const {
        if (kept.is_number() && drawn.is_number()) {
            const bool same = same_number(kept, drawn, largest, logarithmic);
            return same ? "" : fmt::format("{}: {} is now {}", where, kept.dump(), drawn.dump());
        }
        if (!kept.is_array() || !drawn.is_array() || kept.size() != drawn.size())
            return kept == drawn ? "" : fmt::format("{}: {} is now {}", where, kept.dump(), drawn.dump());
        for (std::size_t i = 0; i < kept.size(); ++i) {
            std::string found =
                of_series(kept[i], drawn[i], fmt::format("{}[{}]", where, i), largest, logarithmic);
            if (!found.empty()) return found;
        }
        return {};
    }

    // Of the panel that a series belongs to.
    struct Panel {
        bool log_x = false, log_y = false;
        double largest = 0.0;  // of all its series: a millionth of it can't be seen
    };

    static Panel panel_of(const Json& json, const Panel& around) {
        if (json.contains("series"))
            return {json["logarithmic"][0], json["logarithmic"][1], largest_of(json["series"])};
        if (json.contains("bars")) return {false, false, largest_of(json["bars"])};
        if (json.contains("storeys")) return {false, false, 1.0};  // weights
        if (json.contains("shapes"))
            return {false, false, std::max(largest_of(Json(json["x"])), largest_of(json["y"]))};
        return around;
    }

    // Fields whose numbers are drawn, and so depend on rounding.
    static bool is_drawn(const std::string& key) {
        constexpr std::array keys{"x", "y", "values", "weight", "from", "to", "size", "name_at", "largest"};
        return std::find(keys.begin(), keys.end(), key) != keys.end();
    }

    std::string of_fields(const Json& kept, const Json& drawn, const std::string& where,
                          const Panel& around) const {
        if (kept.is_string() && drawn.is_string() && tolerance.same_text(kept, drawn)) return {};
        if (!kept.is_structured() || kept.type() != drawn.type() || kept.size() != drawn.size())
            return kept == drawn ? "" : fmt::format("{}: {} is now {}", where, kept.dump(), drawn.dump());
        const Panel panel = panel_of(kept, around);
        for (auto one = kept.items().begin(), other = drawn.items().begin(); one != kept.items().end();
             ++one, ++other) {
            const std::string& key = one.key();
            const std::string place = kept.is_array() ? fmt::format("{}[{}]", where, key)
                                      : where.empty() ? key
                                                      : where + "." + key;
            if (key != other.key()) return fmt::format("{} is now {}", place, other.key());
            const bool logarithmic = (key == "x" && panel.log_x) || (key == "y" && panel.log_y);
            const double seen = key == "x" ? 0.0 : 1e-6 * panel.largest / tolerance.share;
            const bool is_series = is_drawn(key);
            if (is_series && !tolerance.numbers) continue;
            std::string found = is_series ? of_series(one.value(), other.value(), place,
                                                      std::max(largest_of(one.value()), seen), logarithmic)
                                          : of_fields(one.value(), other.value(), place, panel);
            if (!found.empty()) return found;
        }
        return {};
    }
};

}  // namespace

std::string figure_difference(const std::string& kept, const std::string& drawn,
                              const FigureTolerance& tolerance) {
    try {
        return Comparison{tolerance}.of_fields(Json::parse(kept), Json::parse(drawn), "", {});
    } catch (const Json::exception& error) {
        throw FileError(fmt::format("figures can't be compared: {}", error.what()));
    }
}

}  // namespace tfs
