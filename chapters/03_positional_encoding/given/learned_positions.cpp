// chapters/03_positional_encoding/given/learned_positions.cpp · a learned row for each position, given
#include <numeric>

#include "chapters/03_positional_encoding/given/position_checks.hpp"
#include "chapters/03_positional_encoding/positional_encoding.hpp"

namespace tfs {

LearnedPositionalEmbedding::LearnedPositionalEmbedding(std::size_t d_model, std::size_t max_len, Rng& rng)
    : embedding(max_len, d_model, rng) {}

Tensor LearnedPositionalEmbedding::operator()(const Tensor& x, std::size_t offset) const {
    require_width("LearnedPositionalEmbedding", x, embedding.weight.size(-1));
    require_positions("LearnedPositionalEmbedding", offset, x.size(-2), embedding.weight.size(0));
    Ids positions = Ids::from_shape({x.size(-2)});
    std::iota(positions.begin(), positions.end(), static_cast<std::int64_t>(offset));
    return x + embedding(positions);  // (…, seq, d_model) + (seq, d_model)
}

Parameters LearnedPositionalEmbedding::parameters() const {
    Parameters all;
    append(all, "embedding", embedding.parameters());
    return all;
}

}  // namespace tfs
