// chapters/03_positional_encoding/program/float_angles.cpp · how far an angle computed in float is off
#include <algorithm>
#include <cmath>

#include "chapters/03_positional_encoding/program/options.hpp"

namespace tfs {

namespace {

Report show_float_angles(const Request&) {
    constexpr std::size_t width = 128;
    Table table{.columns = {{"position", whole()}, {"largest error of a sine, width 128", fixed(6)}}};
    for (const std::size_t pos : {100u, 1000u, 10000u, 100000u, 1000000u}) {
        double worst = 0.0;
        for (std::size_t i = 0; i < width / 2; ++i) {
            const double exponent = -2.0 * static_cast<double>(i) / static_cast<double>(width);
            const float rounded = static_cast<float>(pos) * std::pow(10000.0f, static_cast<float>(exponent));
            const double exact = static_cast<double>(pos) * frequency(i, width);
            worst = std::max(worst, std::abs(std::sin(static_cast<double>(rounded)) - std::sin(exact)));
        }
        table.add({pos, worst});
    }
    Report report;
    report.add(table);
    return report;
}

}  // namespace

Section float_angles() {
    return {.id = "float-angles",
            .title = "Angles need double",
            .level = Level::deeper,
            .run = show_float_angles};
}

}  // namespace tfs
