// Step 3.1 · absolute_positions · ●●○ · 25 min
// exercises/03_positional_encoding/absolute_positions.cpp · check yours with ./tutorial check 3.1
#include <fmt/format.h>

#include <cmath>
#include <numeric>
#include <utility>

#include "chapters/03_positional_encoding/given/position_checks.hpp"
#include "chapters/03_positional_encoding/positional_encoding.hpp"

namespace tfs {

SinusoidalPositionalEncoding::SinusoidalPositionalEncoding(std::size_t d_model, std::size_t max_len) {
    if (d_model == 0 || max_len == 0) {
        throw ValueError(fmt::format("SinusoidalPositionalEncoding({}, {}): both sizes must be at least 1",
                                     d_model, max_len));
    }
    require_addressable({max_len, d_model});
    // TODO 3.1: Refuse an odd d_model with a ValueError that names it. Then fill `table` by the contract's formula.
    throw NotImplemented("3.1 absolute_positions");
}

Tensor SinusoidalPositionalEncoding::operator()(const Tensor& x, std::size_t offset) const {
    require_width("SinusoidalPositionalEncoding", x, table.size(-1));
    const std::size_t seq = x.size(-2);
    require_positions("SinusoidalPositionalEncoding", offset, seq, table.size(0));
    // TODO 3.1: Return x plus the rows of its positions.
    throw NotImplemented("3.1 absolute_positions");
}

LearnedPositionalEmbedding::LearnedPositionalEmbedding(std::size_t d_model, std::size_t max_len, Rng& rng)
    : embedding(max_len, d_model, rng) {}

Tensor LearnedPositionalEmbedding::operator()(const Tensor& x, std::size_t offset) const {
    require_width("LearnedPositionalEmbedding", x, embedding.weight.size(-1));
    require_positions("LearnedPositionalEmbedding", offset, x.size(-2), embedding.weight.size(0));
    // TODO 3.1: Return x plus the learned rows of its positions.
    throw NotImplemented("3.1 absolute_positions");
}

Parameters LearnedPositionalEmbedding::parameters() const {
    Parameters all;
    append(all, "embedding", embedding.parameters());
    return all;
}

}  // namespace tfs
