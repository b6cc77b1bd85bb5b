// common/report/number.cpp · numbers as text
#include "common/report/number.hpp"

#include <fmt/format.h>

#include <cmath>

namespace tfs {

namespace {

// A rounding to zero has no sign.
std::string without_minus_zero(std::string text) {
    const bool zero = text.find_first_not_of("-0.") == std::string::npos;
    return zero && text.starts_with('-') ? text.substr(1) : text;
}

std::string digits_of(double value, const NumberFormat& format) {
    switch (format.notation) {
        case Notation::text:
            return fmt::format("{:g}", value);
        case Notation::ratio:
        case Notation::fixed:
            return without_minus_zero(fmt::format("{:.{}f}", value, format.digits));
        case Notation::scientific:
            return fmt::format("{:.{}e}", value, format.digits);
        case Notation::significant:
            return fmt::format("{:.{}g}", value, format.digits);
        case Notation::thousands:
            return without_minus_zero((value < 0.0 ? "-" : "") +
                                      with_separators(static_cast<std::size_t>(std::round(std::abs(value)))));
        case Notation::flops:
            return in_flops(value);
        case Notation::bytes:
            return in_bytes(value);
        case Notation::magnitude:
            return std::abs(value) < std::pow(10.0, -format.digits)
                       ? fmt::format("below 1e-{}", format.digits)
                       : fmt::format("{:.{}f}", value, format.decimals.value_or(3));
    }
    return {};
}

}  // namespace

std::string format(double value, const NumberFormat& format) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0.0 ? "inf" : "-inf";
    return digits_of(value, format) + format.suffix;
}

}  // namespace tfs
