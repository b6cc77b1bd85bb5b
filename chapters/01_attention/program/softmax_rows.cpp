// chapters/01_attention/program/softmax_rows.cpp · what softmax makes of a few small matrices, to measure a faulty one
#include <fmt/format.h>

#include <cmath>

#include "chapters/01_attention/program/options.hpp"

namespace tfs {

namespace {

// "0.67 0.24 0.09, 0.33 0.33 0.33": the numbers of each row.
std::string in_words(const Tensor& x) {
    std::string words;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const float number = x.values()[i];
        if (i > 0) words += i % x.size(-1) == 0 ? ", " : " ";
        words += std::isnan(number) ? "NaN" : fmt::format("{:.2f}", number);
    }
    return words;
}

// The weights of each row, or the sentence of an error.
std::string softmax_in_words(const Tensor& x) {
    try {
        return in_words(softmax(x));
    } catch (const ShapeError& error) {
        return error.what();
    }
}

// Only the differences in a row count: all first rows must get the same weights.
Report show_softmax(const Request&) {
    Table table{.columns = {{"x"}, {"softmax(x), row by row"}}};
    for (const auto& [name, x] : {std::pair<std::string, Tensor>{"2 1 0", Tensor::from({1, 3}, {2, 1, 0})},
                                  {"2 1 0, 0 0 0", Tensor::from({2, 3}, {2, 1, 0, 0, 0, 0})},
                                  {"2 1 0, 0 0 0, 1 1 1", Tensor::from({3, 3}, {2, 1, 0, 0, 0, 0, 1, 1, 1})},
                                  {"82 81 80", Tensor::from({1, 3}, {82, 81, 80})},
                                  {"92 91 90", Tensor::from({1, 3}, {92, 91, 90})},
                                  {"-110 -111 -112", Tensor::from({1, 3}, {-110, -111, -112})}})
        table.add({name, softmax_in_words(x)});
    Report report;
    report.add(table);
    return report;
}

}  // namespace

Sections softmax_rows_sections() {
    return {{"softmax", "Softmax of a few rows", show_softmax, {}, Level::deeper}};
}

}  // namespace tfs
