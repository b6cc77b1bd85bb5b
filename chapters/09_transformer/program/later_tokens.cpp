// chapters/09_transformer/program/later_tokens.cpp · whether logits depend on later tokens, measured
#include "chapters/09_transformer/program/sections.hpp"

#include <fmt/ostream.h>

#include <algorithm>

#include "chapters/09_transformer/given/ids_and_masks.hpp"
#include "chapters/09_transformer/program/small_models.hpp"

namespace tfs {

namespace {

// How many of the positions before a changed token give other logits, summed over all changed tokens.
std::size_t changed_before(const Transformer& model, const Ids& ids) {
    std::size_t count = 0;
    const Tensor before = model(ids).logits;
    for (std::size_t j = 1; j < ids.size(); ++j) {
        Ids other = ids;
        other.data()[j] = ids.data()[j] == 3 ? 4 : 3;
        const Tensor after = model(other).logits;
        for (std::size_t t = 0; t < j; ++t) {
            const auto a = before.values().subspan(t * small_vocab, small_vocab),
                       b = after.values().subspan(t * small_vocab, small_vocab);
            count += std::equal(a.begin(), a.end(), b.begin()) ? 0 : 1;
        }
    }
    return count;
}

}  // namespace

void measure_later_tokens(Show& show) {
    const NoGrad no_grad;
    std::ostream& out = show.out;
    const std::uint64_t seed = show.options.seed;
    const Ids ids = small_text(seed + 4, 10);
    for (const char* const name : {"tiny-decoder", "tiny-llama", "tiny-encoder"}) {
        const Transformer model = small_model(preset(name), seed);
        fmt::print(out, "  {:<13} each token changed in turn: {:>2} of {} logits rows before it change\n",
                   name, changed_before(model, ids), ids.size() * (ids.size() - 1) / 2);
    }
    const Transformer model = small_model(preset("tiny-decoder"), seed);
    const Tensor padded = slice(model(appended(appended(ids, 0), 0)).logits, 1, 0, 10);
    const double difference = largest_difference(padded.array(), model(ids).logits.array());
    fmt::print(out,
               "  a decoder, two tokens of padding behind the text, no padding mask: the same logits: {}\n",
               difference < 1e-5 ? "yes" : fmt::format("NO, {:.1e}", difference));
}

}  // namespace tfs
