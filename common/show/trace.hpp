// common/show/trace.hpp · Trace: one line for each step of a computation, with its named axes
//
//     name               shape                                     min     mean      max
//     scores             (batch 1, query 10, key 10)            -1.234    0.012    1.418  q kᵀ / sqrt(16)
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "common/tensor/mask.hpp"
#include "common/tensor/tensor.hpp"

namespace tfs {

// Lines are aligned in columns by display width and at most 110 columns wide; a note that is too long goes on
// below.
class Trace {
  public:
    explicit Trace(std::ostream& out) : out_(&out) {}

    // A section: the text, underlined. The next step() repeats the names of the columns.
    void heading(std::string_view text);

    // A heading and what belongs below it. Where a step that the body needs is not written yet, says so and returns.
    void section(std::string_view title, const std::function<void()>& body);

    // One line: name, shape with named axes, minimum, mean, maximum (of the finite values), note. NaN and
    // infinities get a loud line of their own with their number, the first index and its axes. Throws
    // ShapeError if axes.size() is not the rank.
    void step(std::string_view name, const Tensor& x, const std::vector<std::string>& axes,
              std::string_view note = "");

    // "check  weights: rows sum to 1 (largest deviation 1.2e-07)", or a loud failure with the first row that
    // doesn't. A row (along the last axis) of all zeros belongs to a query that may attend to nothing:
    // counted apart and named. Returns whether the check passed. Throws ShapeError for a scalar.
    bool check_rows_sum_to_one(std::string_view name, const Tensor& weights);

    // "check  scores: 45 of 100 cells masked": how many cells the mask forbids, written out over `shape`.
    void masked_cells(std::string_view name, const Mask& mask, const Shape& shape);

    // A plain line, wrapped at 110 columns.
    void note(std::string_view text);

  private:
    std::ostream* out_;
    bool column_names_due_ = true;
};

}  // namespace tfs
