// chapters/04_normalization/program/length_reader.cpp · the puzzle: what is read of a length after the norm
#include <string>

#include "chapters/04_normalization/program/options.hpp"

namespace tfs {

namespace {

// The reader with a part of its bias. Its readout is scaled such that a length of 1 is read as 1, where that can be done.
Series curve_with_bias(const LengthReader& reader, float part, const std::string& name, Hue hue) {
    const LengthReader other{reader.weight, reader.bias * part, reader.readout};
    const double one = read_length(other, 1.0f);
    Series curve{.name = name, .hue = hue};
    for (int length = 1; length <= static_cast<int>(longest_length); ++length)
        curve.add(length, read_length(other, static_cast<float>(length)) / (one == 0.0 ? 1.0 : one));
    return curve;
}

Report show_length_reader(const Request&) {
    const LengthReader reader = surviving_length();
    Table table{.columns = {{"length", whole()}, {"read", fixed(2)}, {"off by", fixed(2, " %")}}};
    for (const float length : {1.0f, 3.0f, 10.0f, 30.0f, longest_length}) {
        const double found = read_length(reader, length);
        table.add({length, found, 100.0 * (found / length - 1.0) + 0.0});
    }
    Report report;
    report.add(table);
    report.add(LineFigure{
        .name = "length",
        .title = "A large bias lets the length through LayerNorm",
        .panels = {{.title = "",
                    .x_axis = "length",
                    .y_axis = "read after the norm",
                    .series = {curve_with_bias(reader, 1.0f, "the bias", Hue::with),
                               curve_with_bias(reader, 0.1f, "1/10 of it", Hue::without),
                               curve_with_bias(reader, 0.01f, "1/100 of it", Hue::without)},
                    .from_zero = true}},
        .panels_per_row = 1,
        .caption =
            "What is read of each length, with the whole bias and with parts of it. The readout is scaled "
            "such that a length of 1 is read as 1."});
    return report;
}

}  // namespace

Sections length_reader_sections() {
    return {{"puzzle", "Your puzzle: a length after LayerNorm", show_length_reader},
            {"puzzle-solution", "A solution of the puzzle", show_length_reader, {}, Level::deeper}};
}

}  // namespace tfs
