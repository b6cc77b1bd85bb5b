// chapters/03_positional_encoding/program/float_angles.cpp · how far an angle computed in float is off
#include "chapters/03_positional_encoding/program/sections.hpp"

#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>

namespace tfs {

void measure_float_angles(Show& show) {
    constexpr std::size_t width = 128;
    fmt::print(show.out, "  {:>10} {:>34}\n", "position", "largest error of a sine, width 128");
    for (const std::size_t pos : {100u, 1000u, 10000u, 100000u, 1000000u}) {
        double worst = 0.0;
        for (std::size_t i = 0; i < width / 2; ++i) {
            const double exponent = -2.0 * static_cast<double>(i) / static_cast<double>(width);
            const float rounded = static_cast<float>(pos) * std::pow(10000.0f, static_cast<float>(exponent));
            const double exact = static_cast<double>(pos) * std::pow(10000.0, exponent);
            worst = std::max(worst, std::abs(std::sin(static_cast<double>(rounded)) - std::sin(exact)));
        }
        fmt::print(show.out, "  {:>10} {:>34.6f}\n", pos, worst);
    }
}

}  // namespace tfs
