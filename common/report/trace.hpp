// common/report/trace.hpp · a trace as a value: one line for each step of a computation, with its named axes
//
//     name               shape                                     min     mean      max
//     scores             (batch 1, query 10, key 10)            -1.234    0.012    1.418  q kᵀ / sqrt(16)
//     check  weights: rows sum to 1 (largest deviation 1.2e-07)
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "common/tensor/mask.hpp"
#include "common/tensor/tensor.hpp"

namespace tfs {

// A tensor on its way: minimum, mean and maximum are of the finite values.
struct TraceStep {
    std::string name;
    Shape shape = {};
    std::vector<std::string> axes = {};  // their names
    double minimum = 0.0, mean = 0.0, maximum = 0.0;
    std::size_t finite = 0, nan = 0, infinite = 0;
    std::string first_bad = {};  // where the first NaN or infinity is: "batch 0, query 3, key 7"
    std::string note = {};
};

// What was checked, and whether it holds.
struct TraceCheck {
    std::string text;  // "weights: rows sum to 1 (largest deviation 1.2e-07)"
    bool passed = true;
    std::string remark = {};  // "1 row is all zero, nothing allowed there (the first: (0, 2))"
};

struct ShapeTrace {
    std::vector<std::variant<TraceStep, TraceCheck>> lines = {};
};

// Throws ShapeError if axes.size() is not the rank.
[[nodiscard]] TraceStep trace_step(std::string name, const Tensor& x, std::vector<std::string> axes,
                                   std::string note = {});

// Whether the rows (along the last axis) sum to 1. A row of all zeros belongs to a query that may attend to nothing: counted
// apart and named. Throws ShapeError for a scalar.
[[nodiscard]] TraceCheck rows_sum_to_one(const std::string& name, const Tensor& weights);

// "scores: 45 of 100 cells masked": how many cells the mask forbids, written out over `shape`.
[[nodiscard]] TraceCheck masked_cells(const std::string& name, const Mask& mask, const Shape& shape);

// A minimum, mean or maximum, everywhere the same: three decimals, or an exponent where they would show nothing or not fit. Below
// 1e-6 it is taken for rounding noise: "0.000", never "-0.000".
[[nodiscard]] std::string trace_number(double value);

// Lines aligned by display width, at most 110 columns wide; a shape or a note that is too long gets lines of its own. NaN and
// infinities get a loud line of their own.
void print_trace_heading(std::ostream& out);
void print(std::ostream& out, const TraceStep& step);
void print(std::ostream& out, const TraceCheck& check);

}  // namespace tfs
