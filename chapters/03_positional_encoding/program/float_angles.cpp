// chapters/03_positional_encoding/program/float_angles.cpp · how far an angle computed in float is off
#include <algorithm>
#include <cmath>

#include "chapters/03_positional_encoding/program/options.hpp"

namespace tfs {

namespace {

Report show_float_angles(const Request&) {
    constexpr std::size_t width = 128;
    constexpr std::size_t in_table = 10000;
    const Tensor sinusoids = SinusoidalPositionalEncoding(width, in_table + 1).table;
    Table table{
        .title = "largest error of a sine, width 128",
        .columns = {
            {"position", whole()}, {"angle in float", fixed(6)}, {"the table of sinusoids", fixed(6)}}};
    for (const std::size_t pos : {100u, 1000u, 10000u, 100000u, 1000000u}) {
        double worst = 0.0, worst_in_table = 0.0;
        for (std::size_t i = 0; i < width / 2; ++i) {
            const double exponent = -2.0 * static_cast<double>(i) / static_cast<double>(width);
            const float rounded = static_cast<float>(pos) * std::pow(10000.0f, static_cast<float>(exponent));
            const double exact = static_cast<double>(pos) * frequency(i, width);
            if (pos <= in_table)
                worst_in_table =
                    std::max(worst_in_table, std::abs(sinusoids.at({pos, 2 * i}) - std::sin(exact)));
            worst = std::max(worst, std::abs(std::sin(static_cast<double>(rounded)) - std::sin(exact)));
        }
        table.add({pos, worst, pos <= in_table ? Cell(worst_in_table) : Cell("-")});
    }
    Report report;
    report.add(table);
    return report;
}

}  // namespace

Sections float_angles_sections() {
    return {{"float-angles", "Angles need double", show_float_angles, {}, Level::deeper}};
}

}  // namespace tfs
