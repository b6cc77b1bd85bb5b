// chapters/02_masks/program/padding.cpp · a padded batch against each of its sentences alone
#include "chapters/02_masks/program/sections.hpp"

#include <fmt/ostream.h>

namespace tfs {

void measure_padding(Show& show, const Example& e) {
    const Mask mask = padding_mask(e.ids, pad_id);
    const Tensor masked = e.attention(e.batch_x, e.batch_x, e.batch_x, mask).output;
    const Tensor unmasked = e.attention(e.batch_x, e.batch_x, e.batch_x).output;
    fmt::print(show.out, "  {:>9} {:>8} {:>9} {:>22} {:>22}\n", "sentence", "tokens", "padding",
               "difference, masked", "difference, unmasked");
    for (std::size_t b = 0; b < e.sentences.size(); ++b) {
        const auto sentence = [&](const Tensor& t) {
            return slice(slice(t, 0, b, b + 1), 1, 0, e.lengths[b]);
        };
        const Tensor x = sentence(e.batch_x), alone = e.attention(x, x, x).output;
        const double difference = largest_difference(sentence(masked).array(), alone.array());
        fmt::print(show.out, "  {:>9} {:>8} {:>9} {:>22} {:>22.3f}\n", b + 1, e.lengths[b],
                   e.sentences[b].size() - e.lengths[b], small_or_number(difference, 2),
                   largest_difference(sentence(unmasked).array(), alone.array()));
    }
}

}  // namespace tfs
