// Step 3.2 · learned_positional_embedding · ●○○ · 5 min
// exercises/03_positional_encoding/learned_positional_embedding.cpp · check yours with ./tutorial check 3.2
#include <numeric>

#include "chapters/03_positional_encoding/given/checks.hpp"
#include "chapters/03_positional_encoding/positional_encoding.hpp"

namespace tfs {

LearnedPositionalEmbedding::LearnedPositionalEmbedding(std::size_t d_model, std::size_t max_len, Rng& rng)
    : embedding(max_len, d_model, rng) {}

Tensor LearnedPositionalEmbedding::operator()(const Tensor& x, std::size_t offset) const {
    require_width("LearnedPositionalEmbedding", x, embedding.weight.size(-1));
    require_positions("LearnedPositionalEmbedding", offset, x.size(-2), embedding.weight.size(0));
    // TODO 3.2: Return x plus the learned rows of its positions.
    throw NotImplemented("3.2 learned_positional_embedding");
}

Parameters LearnedPositionalEmbedding::parameters() const {
    Parameters all;
    append(all, "embedding", embedding.parameters());
    return all;
}

}  // namespace tfs
