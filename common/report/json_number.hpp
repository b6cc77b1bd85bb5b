// common/report/json_number.hpp · a number in the JSON of reports and events
#pragma once

#include <cmath>
#include <cstdint>

#include <nlohmann/json.hpp>

namespace tfs {

// JSON has no word for what is not finite: "NaN", "inf", "-inf". Whole numbers are written without a point.
inline nlohmann::ordered_json json_number(double value) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0.0 ? "inf" : "-inf";
    if (value == std::trunc(value) && std::abs(value) < 9007199254740992.0)
        return static_cast<std::int64_t>(value);
    return value;
}

}  // namespace tfs
