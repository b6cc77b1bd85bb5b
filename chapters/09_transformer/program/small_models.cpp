// chapters/09_transformer/program/small_models.cpp · small untrained models, and texts of random tokens for them
#include "chapters/09_transformer/program/options.hpp"

namespace tfs {

Transformer small_model(TransformerConfig config, std::uint64_t seed) {
    config.vocab_size = small_vocab;
    Rng rng(seed);
    return Transformer(config, rng);
}

Ids random_ids(std::uint64_t seed, std::size_t length, std::size_t first, std::size_t end) {
    Rng rng(seed);
    Ids ids = Ids::from_shape({1, length});
    for (std::int64_t& id : ids) id = static_cast<std::int64_t>(first + rng.below(end - first));
    return ids;
}

Ids small_text(std::uint64_t seed, std::size_t length) { return random_ids(seed, length, 3, small_vocab); }

}  // namespace tfs
