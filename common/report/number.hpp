// common/report/number.hpp · how a number is written: digits, thousands, units, the spread of a measurement
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "common/text/units.hpp"

namespace tfs {

enum class Notation {
    text,         // no number: a column of words
    fixed,        // 0.50 with two digits, 12 with none
    scientific,   // 1.2e-07 with one digit
    significant,  // 0.001234 with four digits, 1.2e-07 with two, as printf's %g
    thousands,    // 109,482,240
    flops,        // 1.23 G
    bytes,        // 4.56 MiB
    ratio,        // of a spread: 3.9 x (3.7 to 4.2)
    magnitude,    // "below 1e-5" with five digits where it is smaller, else as fixed with three
};

// A number and how it is written: format(0.5, fixed(2)) is "0.50". An infinity is written "inf", what is no number "NaN".
struct NumberFormat {
    Notation notation = Notation::text;
    int digits = 0;
    std::string suffix = {};           // behind each number of the column: " %", " x"
    std::optional<int> decimals = {};  // of magnitude: in place of three
};

[[nodiscard]] inline NumberFormat fixed(int digits, std::string suffix = {}) {
    return {Notation::fixed, digits, std::move(suffix)};
}
[[nodiscard]] inline NumberFormat whole(std::string suffix = {}) { return fixed(0, std::move(suffix)); }
[[nodiscard]] inline NumberFormat scientific(int digits) { return {Notation::scientific, digits}; }
[[nodiscard]] inline NumberFormat significant(int digits) { return {Notation::significant, digits}; }
[[nodiscard]] inline NumberFormat thousands() { return {Notation::thousands}; }
[[nodiscard]] inline NumberFormat flops() { return {Notation::flops}; }
[[nodiscard]] inline NumberFormat bytes() { return {Notation::bytes}; }
[[nodiscard]] inline NumberFormat ratios() { return {Notation::ratio, 2, " x"}; }
// What is smaller than 1e-`power` is rounding, which differs between processors.
[[nodiscard]] inline NumberFormat magnitude(int power = 5, int decimals = 3) {
    return {Notation::magnitude, power, {}, decimals};
}

[[nodiscard]] std::string format(double value, const NumberFormat& format);

}  // namespace tfs
