// Step 3.1 · absolute_positions · ●●○ · 25 min
// solutions/03_positional_encoding/absolute_positions.cpp
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
    // begin: Refuse an odd d_model with a ValueError that names it. Then fill `table` by the contract's formula.
    if (d_model % 2 != 0) {
        throw ValueError(fmt::format(
            "SinusoidalPositionalEncoding: d_model = {} is odd; sines and cosines come in pairs", d_model));
    }
    Array values = Array::from_shape({max_len, d_model});
    for (std::size_t pair = 0; pair < d_model / 2; ++pair) {
        const double exponent = static_cast<double>(2 * pair) / static_cast<double>(d_model);
        const double frequency = std::pow(10000.0, -exponent);
        for (std::size_t pos = 0; pos < max_len; ++pos) {
            const double angle = static_cast<double>(pos) * frequency;
            values(pos, 2 * pair) = static_cast<float>(std::sin(angle));
            values(pos, 2 * pair + 1) = static_cast<float>(std::cos(angle));
        }
    }
    table = Tensor(std::move(values));  // (max_len, d_model)
    // end
}

Tensor SinusoidalPositionalEncoding::operator()(const Tensor& x, std::size_t offset) const {
    require_width("SinusoidalPositionalEncoding", x, table.size(-1));
    const std::size_t seq = x.size(-2);
    require_positions("SinusoidalPositionalEncoding", offset, seq, table.size(0));
    // begin: Return x plus the rows of its positions.
    return x + slice(table, 0, offset, offset + seq);  // (…, seq, d_model) + (seq, d_model)
    // end
}

LearnedPositionalEmbedding::LearnedPositionalEmbedding(std::size_t d_model, std::size_t max_len, Rng& rng)
    : embedding(max_len, d_model, rng) {}

Tensor LearnedPositionalEmbedding::operator()(const Tensor& x, std::size_t offset) const {
    require_width("LearnedPositionalEmbedding", x, embedding.weight.size(-1));
    require_positions("LearnedPositionalEmbedding", offset, x.size(-2), embedding.weight.size(0));
    // begin: Return x plus the learned rows of its positions.
    Ids positions = Ids::from_shape({x.size(-2)});
    std::iota(positions.begin(), positions.end(), static_cast<std::int64_t>(offset));
    return x + embedding(positions);  // (…, seq, d_model) + (seq, d_model)
    // end
}

Parameters LearnedPositionalEmbedding::parameters() const {
    Parameters all;
    append(all, "embedding", embedding.parameters());
    return all;
}

}  // namespace tfs
