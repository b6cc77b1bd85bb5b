// chapters/06_residual_dropout/given/stream_checks.cpp · the checks of the step logit_shares, given
#include "chapters/06_residual_dropout/given/stream_checks.hpp"

#include <fmt/format.h>

namespace tfs {

void require_stream(const Tensor& parts, const FinalNorm& norm, const Tensor& table) {
    const bool fits = parts.rank() == 2 && table.rank() == 2 && parts.size(1) == table.size(1) &&
                      norm.gamma.shape() == Shape{table.size(1)} && norm.beta.shape() == norm.gamma.shape();
    if (!fits)
        throw ShapeError(
            fmt::format("logit_shares: parts {}, gamma {}, beta {} and table {} must have the same d_model "
                        "as their last axis",
                        to_string(parts.shape()), to_string(norm.gamma.shape()), to_string(norm.beta.shape()),
                        to_string(table.shape())));
}

void require_shares(const Tensor& shares) {
    if (shares.rank() != 2)
        throw ShapeError(
            fmt::format("deciding_part: shares are {}, not (parts, vocab)", to_string(shares.shape())));
    if (shares.size(0) == 0 || shares.size(1) < 2)
        throw ValueError(fmt::format("deciding_part: {} has no part, or fewer than two characters",
                                     to_string(shares.shape())));
}

}  // namespace tfs
