// tests/11_generation/cached_logits.cpp · logits with a cache, beside those of the whole text
#include "tests/11_generation/cached_logits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include "chapters/02_masks/masks.hpp"
#include "chapters/11_generation/given/prompts.hpp"
#include "tests/11_generation/cache_script.hpp"

namespace tfs::test {

std::vector<NamedWriter> named_writers() {
    const std::vector<std::string> names{"no positions",     "sinusoids", "learned positions",
                                         "rotary positions", "ALiBi",     "grouped queries"};
    std::vector<NamedWriter> all;
    for (const Transformer& model : writers()) all.push_back({names.at(all.size()), model});
    return all;
}

Transformer made_translator() {
    TransformerConfig config = writer_config(Sinusoids{});
    config.architecture = Architecture::encoder_decoder;
    Rng rng(2);
    return Transformer(config, rng);
}

Tensor cached_logits(const LanguageModel& model, const std::vector<TokenIds>& rows, std::size_t begin,
                     std::size_t end, KeyValueCache& cache) {
    const Tensor logits =
        model.logits(columns(rows, begin, end), {.offset = cache.next_position(), .earlier = &cache});
    spoil_free_room(cache);
    return logits;
}

Tensor logits_in_window(const Transformer& decoder, const TokenIds& text, std::size_t window) {
    const NoGrad no_grad;
    const Stack& stack = std::get<Stack>(decoder.stack);
    Tensor x = decoder.embed(columns({text}, 0, text.size()));
    for (const TransformerBlock& block : stack.blocks)
        x = block(x, sliding_window_mask(text.size(), window)).output;
    if (stack.final_norm) x = (*stack.final_norm)(x);
    return reshape(decoder.logits(x), {text.size(), decoder.config.vocab_size});
}

testing::AssertionResult logits_agree(const std::string& where, const Tensor& found, const Tensor& expected) {
    constexpr double share = 1e-5;
    const auto a = found.values(), b = expected.values();
    const std::size_t vocab = expected.size(-1);
    if (a.size() != b.size() || found.size(-1) != vocab)
        return testing::AssertionFailure() << where << ": logits " << to_string(found.shape())
                                           << ", expected " << to_string(expected.shape());
    note_came(found.array());
    for (std::size_t row = 0; row < b.size() / vocab; ++row) {
        double largest = 0.0, difference = 0.0;
        for (std::size_t i = row * vocab; i < (row + 1) * vocab; ++i) {
            largest = std::max(largest, std::abs(static_cast<double>(b[i])));
            const double off = std::abs(static_cast<double>(a[i]) - b[i]);
            difference = std::isnan(off) || std::isnan(difference) ? NAN : std::max(difference, off);
        }
        if (difference <= share * largest) {
            note_margin(difference, share * largest);
            continue;
        }
        return testing::AssertionFailure()
               << fmt::format(
                      "{}: in row {} of these logits the largest difference from those without a cache is "
                      "{:.2g}; the largest logit is {:.2g}",
                      where, row, difference, largest)
               << likely_if(std::isnan(difference),
                            "memory that was never written, or that was dropped, is read");
    }
    return testing::AssertionSuccess();
}

}  // namespace tfs::test
