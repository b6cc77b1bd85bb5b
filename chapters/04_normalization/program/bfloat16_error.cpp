// chapters/04_normalization/program/bfloat16_error.cpp · LayerNorm with intermediate results rounded to bfloat16
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "chapters/04_normalization/program/options.hpp"

namespace tfs {

namespace {

// Sum over the last axis, one entry after the other, rounded after each addition.
Tensor sum_in_bfloat16(const Tensor& x) {
    Tensor total = Tensor::zeros({x.size(0), 1});
    for (std::size_t j = 0; j < x.size(-1); ++j) total = round_to_bfloat16(total + slice(x, -1, j, j + 1));
    return total;
}

enum class Accumulate { in_float32, in_bfloat16 };

// layer_norm with every intermediate result rounded; the sums as `how` says.
Tensor rounded_layer_norm(const Tensor& x, Accumulate how) {
    const auto mean_over = [how](const Tensor& t) {
        const Tensor total = how == Accumulate::in_float32 ? sum(t, -1, KeepDims::yes) : sum_in_bfloat16(t);
        return round_to_bfloat16(total / static_cast<float>(t.size(-1)));
    };
    const Tensor centred = round_to_bfloat16(x - mean_over(x));
    const Tensor spread = mean_over(round_to_bfloat16(centred * centred));
    const Tensor deviation = round_to_bfloat16(sqrt(round_to_bfloat16(spread + 1e-5f)));
    return round_to_bfloat16(centred / deviation);
}

// The formula in double.
Tensor exact_layer_norm(const Tensor& x) {
    const std::size_t size = x.size(-1);
    Array y = Array::from_shape(x.shape());
    for (std::size_t row = 0; row < x.size() / size; ++row) {
        const float* in = x.values().data() + row * size;
        double mean = 0.0, variance = 0.0;
        for (std::size_t i = 0; i < size; ++i) mean += in[i] / static_cast<double>(size);
        for (std::size_t i = 0; i < size; ++i)
            variance += std::pow(in[i] - mean, 2.0) / static_cast<double>(size);
        for (std::size_t i = 0; i < size; ++i)
            y.data()[row * size + i] = static_cast<float>((in[i] - mean) / std::sqrt(variance + 1e-5));
    }
    return Tensor(std::move(y));
}

// LayerNorm of x in four precisions, each row from wider to narrower.
std::array<Tensor, 4> in_each_precision(const Tensor& x) {
    const Tensor rounded = round_to_bfloat16(x);
    return {plain_layer_norm(x), plain_layer_norm(rounded),
            rounded_layer_norm(rounded, Accumulate::in_float32),
            rounded_layer_norm(rounded, Accumulate::in_bfloat16)};
}

Report show_bfloat16_error(const Request& request) {
    constexpr std::size_t rows = 32, d_model = 768;
    // What float32 rounds differs from one processor to another: the report only says how small it is.
    constexpr double smallest_drawn = 1e-6;
    Rng rng(request[options::seed]);
    const Tensor noise(rng.normal_array({rows, d_model}));
    // Means around the ratio, because a mean of exactly 64 would be a bfloat16 by chance.
    const Tensor around_one(rng.uniform_array({rows, 1}, 0.8, 1.2));
    Table table{.columns = {{"ratio", significant(4)},
                            {"float32", fixed(4)},
                            {"input in bfloat16", fixed(4)},
                            {"results in bfloat16", fixed(4)},
                            {"sums in bfloat16 too", fixed(4)}}};
    for (const double ratio : {0.1, 1.0, 4.0, 16.0, 64.0, 256.0, 1024.0}) {
        const Tensor x = noise + around_one * static_cast<float>(ratio), exact = exact_layer_norm(x);
        std::vector<Cell> row{ratio};
        for (const Tensor& result : in_each_precision(x))
            row.emplace_back(std::max(smallest_drawn, root_mean_square((result - exact).values())));
        table.add(row);
    }
    const auto curve = [&](const std::string& column, const std::string& name) {
        return series(table, "ratio", column, name);
    };
    Series sums = curve("sums in bfloat16 too", "+ sums");
    sums.name_at = 64.0;  // away from the ends of the others
    Report report;
    report.note(fmt::format(
        "Rows of N(m, 1), m within 20 % of the ratio, d = {}. Error: root mean square, against double.",
        d_model));
    report.add(table);
    report.add(LineFigure{.name = "precision",
                          .title = "In bfloat16, LayerNorm of a row with a large mean is mostly error",
                          .panels = {{.title = "",
                                      .x_axis = "mean / deviation of the row (768 features)",
                                      .y_axis = "error, root mean square",
                                      .log_x = true,
                                      .log_y = true,
                                      .series = {curve("input in bfloat16", "bfloat16 input"),
                                                 curve("results in bfloat16", "+ results"), sums},
                                      .limits = {{1.0, {}, "error as large as the result"}}}},
                          .panels_per_row = 1,
                          .caption = "The larger the mean against the deviation, the more bfloat16 costs, "
                                     "even where only the input is rounded. Sums in bfloat16 are worst: they "
                                     "hurt rows with a small mean, too. Both axes are logarithmic."});
    return report;
}

}  // namespace

Sections bfloat16_error_sections() {
    return {{"bfloat16",
             "bfloat16 is too coarse for a row whose mean is large",
             show_bfloat16_error,
             {options::seed},
             Level::deeper}};
}

}  // namespace tfs
