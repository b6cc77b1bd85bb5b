// Step 6.3 · logit_shares · ●●○ · 20 min
// solutions/06_residual_dropout/logit_shares.cpp
#include <vector>

#include "chapters/06_residual_dropout/given/residual_dropout.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"
#include "common/base/array.hpp"

namespace tfs {

Tensor logit_shares(const Tensor& parts, const FinalNorm& norm, const Tensor& table) {
    require_stream(parts, norm, table);
    // begin: The share of each part in each logit, and in the last row that of beta. Their sum over the rows is
    // table · (gamma (x - mean of x) / deviation + beta), where x is the sum of the parts.
    const Tensor centred = parts - mean(parts, -1, KeepDims::yes);  // (parts, d_model)
    const Tensor scaled = centred / norm.deviation * norm.gamma;    // (parts, d_model)
    const Tensor beta = reshape(norm.beta, {1, norm.beta.size()});  // (1, d_model)
    return matmul(concat({scaled, beta}, 0), table, Transpose::b);  // (parts + 1, vocab)
    // end
}

std::size_t deciding_part(const Tensor& shares) {
    require_shares(shares);
    // begin: The row, that of beta among them, that gave most to the lead of the likeliest character over the second one. largest_of
    // (common/base/array.hpp) finds the places of the largest numbers of a span, and .values() gives those of a tensor.
    const std::vector<std::size_t> best = largest_of(sum(shares, 0).values(), 2);
    const Tensor lead = slice(shares, 1, best[0], best[0] + 1) - slice(shares, 1, best[1], best[1] + 1);
    return largest_of(lead.values(), 1)[0];  // lead (parts + 1, 1)
    // end
}

}  // namespace tfs
