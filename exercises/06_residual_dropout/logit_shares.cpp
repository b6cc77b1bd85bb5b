// Step 6.3 · logit_shares · ●●○ · 20 min
// exercises/06_residual_dropout/logit_shares.cpp · check yours with ./tutorial check 6.3
#include <vector>

#include "chapters/06_residual_dropout/given/residual_dropout.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"
#include "common/base/array.hpp"

namespace tfs {

Tensor logit_shares(const Tensor& parts, const FinalNorm& norm, const Tensor& table) {
    require_stream(parts, norm, table);
    // TODO 6.3: The share of each part in each logit, and in the last row that of beta. Their sum over the rows is
    // table · (gamma (x - mean of x) / deviation + beta), where x is the sum of the parts.
    throw NotImplemented("6.3 logit_shares");
}

std::size_t deciding_part(const Tensor& shares) {
    require_shares(shares);
    // TODO 6.3: The row, that of beta among them, that gave most to the lead of the likeliest character over the second one. largest_of
    // (common/base/array.hpp) finds the places of the largest numbers of a span, and .values() gives those of a tensor.
    throw NotImplemented("6.3 logit_shares");
}

}  // namespace tfs
