// common/text/units.cpp · thousands, units
#include "common/text/units.hpp"

#include <fmt/format.h>

#include <vector>

namespace tfs {

namespace {

// 1234.5, 1000 and {"", "k", "M"}: "1.23 k". The next unit where rounding would show a whole one of it.
std::string scaled(double number, double step, const std::vector<const char*>& units) {
    std::size_t unit = 0;
    while (unit + 1 < units.size() && number >= (unit == 0 ? step - 0.5 : step - 0.005)) {
        number /= step;
        ++unit;
    }
    const std::string text = unit == 0 ? fmt::format("{:.0f}", number) : fmt::format("{:.2f}", number);
    return *units[unit] == '\0' ? text : text + " " + units[unit];
}

}  // namespace

std::string with_separators(std::size_t number) {
    std::string digits = std::to_string(number);
    for (std::size_t end = digits.size(); end > 3; end -= 3) digits.insert(end - 3, ",");
    return digits;
}

std::string in_flops(double number) { return scaled(number, 1000.0, {"", "k", "M", "G", "T", "P", "E"}); }

std::string in_bytes(double bytes) {
    return scaled(bytes, 1024.0, {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"});
}

}  // namespace tfs
