// chapters/09_transformer/program/claims.cpp · the final norm, leaks, and the encoder run once, measured
#include "chapters/09_transformer/program/claims.hpp"

#include <fmt/ostream.h>

#include <algorithm>

#include "chapters/09_transformer/given/parts.hpp"
#include "common/show/measure.hpp"

namespace tfs {

namespace {

constexpr std::size_t vocab = 100;

Transformer small_model(TransformerConfig config, std::uint64_t seed) {
    config.vocab_size = vocab;
    Rng rng(seed);
    return Transformer(config, rng);
}

Ids text_of(std::uint64_t seed, std::size_t length) { return random_ids(seed, length, 3, vocab); }

// The stack of a decoder without its last norm.
Tensor before_final_norm(const Transformer& model, const Ids& ids) {
    Stack stack = std::get<Stack>(model.stack);
    stack.final_norm.reset();
    return stack(model.embed(ids)).output;
}

}  // namespace

Ids random_ids(std::uint64_t seed, std::size_t length, std::size_t first, std::size_t end) {
    Rng rng(seed);
    Ids ids = Ids::from_shape({1, length});
    for (std::int64_t& id : ids) id = static_cast<std::int64_t>(first + rng.below(end - first));
    return ids;
}

void measure_final_norm(std::ostream& out, std::uint64_t seed) {
    const NoGrad no_grad;
    const Ids ids = text_of(seed + 3, 32);
    fmt::print(out, "  size of the logits, without and with the final norm\n");
    fmt::print(out, "{:>6} {:>7} | {:>9} {:>9} | {:>24}\n", "", "layers", "without", "with",
               "the norm changes logits by");
    for (const auto& [name, position] :
         {std::pair("pre", NormPosition::pre), std::pair("post", NormPosition::post)}) {
        for (const std::size_t layers : {2u, 6u, 24u}) {
            TransformerConfig config = preset("tiny-decoder");
            config.num_layers = layers;
            config.block.norm_position = position;
            const Transformer model = small_model(config, seed);
            const Tensor without = model.logits(before_final_norm(model, ids)), with = model(ids).logits;
            const double change = largest_difference(without.array(), with.array());
            fmt::print(out, "{:>6} {:>7} | {:>9.3f} {:>9.3f} | {:>24}\n", name, layers,
                       root_mean_square(without.values()), root_mean_square(with.values()),
                       change < 2e-5 ? "below 2e-5" : fmt::format("{:.1f}", change));
        }
    }
}

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
            const auto a = before.values().subspan(t * vocab, vocab),
                       b = after.values().subspan(t * vocab, vocab);
            count += std::equal(a.begin(), a.end(), b.begin()) ? 0 : 1;
        }
    }
    return count;
}

}  // namespace

void measure_leaks(std::ostream& out, std::uint64_t seed) {
    const NoGrad no_grad;
    const Ids ids = text_of(seed + 4, 10);
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

namespace {

// translate_greedy with an encoder that runs at every token.
Ids translate_anew(const Transformer& model, const Ids& source, std::size_t new_tokens) {
    Ids target = one_token(1);
    for (std::size_t i = 0; i < new_tokens; ++i)
        target = appended(target, greedy_token(model(source, target).logits));
    return target;
}

}  // namespace

void measure_encoder_once(std::ostream& out, std::uint64_t seed) {
    const NoGrad no_grad;
    const Transformer model = small_model(preset("tiny-encoder-decoder"), seed);
    const Ids source = text_of(seed + 5, 12);
    fmt::print(out, "  tiny-encoder-decoder, 20 tokens, encoded once or anew for each: the same: {}\n",
               translate_greedy(model, source, 1, 20) == translate_anew(model, source, 20) ? "yes" : "NO");
}

}  // namespace tfs
