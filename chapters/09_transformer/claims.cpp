// chapters/09_transformer/claims.cpp · the final norm, leaks, and the encoder run once, measured
#include "chapters/09_transformer/claims.hpp"

#include <fmt/ostream.h>

#include <algorithm>

#include "chapters/09_transformer/given/parts.hpp"
#include "common/show/measure.hpp"
#include "common/show/summary.hpp"

namespace tfs {

namespace {

constexpr std::size_t vocab = 100;

Transformer small_model(TransformerConfig config, std::uint64_t seed) {
    config.vocab_size = vocab;
    Rng rng(seed);
    return Transformer(config, rng);
}

Ids random_ids(std::uint64_t seed, std::size_t length) {
    Rng rng(seed);
    Ids ids = Ids::from_shape({1, length});
    for (std::int64_t& id : ids) id = 3 + static_cast<std::int64_t>(rng.below(vocab - 3));
    return ids;
}

// The stack of a decoder without its last norm.
Tensor before_final_norm(const Transformer& model, const Ids& ids) {
    Tensor x = model.embed(ids);
    for (const DecoderBlock& block : std::get<Decoder>(model.stack).blocks) x = block(x).output;
    return x;
}

}  // namespace

void measure_final_norm(std::ostream& out, std::uint64_t seed) {
    const NoGrad no_grad;
    const Ids ids = random_ids(seed + 3, 32);
    fmt::print(
        out, "  size of the last hidden states, and spread of the logits, without and with the final norm\n");
    fmt::print(out, "{:>6} {:>7} | {:>9} {:>9} | {:>9} {:>9} | {:>24}\n", "", "layers", "hidden", "normed",
               "logits", "normed", "the norm changes logits by");
    for (const auto& [name, position] :
         {std::pair("pre", NormPosition::pre), std::pair("post", NormPosition::post)}) {
        for (const std::size_t layers : {2u, 6u, 24u}) {
            TransformerConfig config = preset("tiny-decoder");
            config.num_layers = layers;
            config.block.norm_position = position;
            const Transformer model = small_model(config, seed);
            const Tensor raw = before_final_norm(model, ids);
            const TransformerOutput run = model(ids);
            const Tensor raw_logits = model.logits(raw);
            fmt::print(out, "{:>6} {:>7} | {:>9.3f} {:>9.3f} | {:>9.3f} {:>9.3f} | {:>24.1e}\n", name, layers,
                       root_mean_square(raw.values()), root_mean_square(run.hidden.values()),
                       root_mean_square(raw_logits.values()), root_mean_square(run.logits.values()),
                       largest_difference(raw_logits.array(), run.logits.array()));
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
    const Ids ids = random_ids(seed + 4, 10);
    for (const char* const name : {"tiny-decoder", "tiny-llama", "tiny-encoder"}) {
        const Transformer model = small_model(preset(name), seed);
        fmt::print(out, "  {:<13} each token changed in turn: {:>2} of 45 logits rows before it change\n",
                   name, changed_before(model, ids));
    }
    const Transformer model = small_model(preset("tiny-decoder"), seed);
    const Tensor padded = slice(model(appended(appended(ids, 0), 0)).logits, 1, 0, 10);
    const double difference = largest_difference(padded.array(), model(ids).logits.array());
    fmt::print(out,
               "  a decoder, two tokens of padding behind the text, no padding mask: the same logits: {}\n",
               difference < 1e-5 ? "yes" : fmt::format("NO, {:.1e}", difference));
}

namespace {

// The FLOPs of one pass: of the encoder and the source's embedding, and of all the rest.
struct PassFlops {
    double encoder = 0.0, decoder = 0.0;
};
PassFlops pass_flops(const TransformerConfig& config, std::size_t source, std::size_t target) {
    PassFlops flops;
    for (const PartCost& part : transformer_costs(config, 1, source, target)) {
        const bool first = part.part.rfind("encoder", 0) == 0 || part.part.rfind("source", 0) == 0;
        (first ? flops.encoder : flops.decoder) += static_cast<double>(part.repeated * part.flops);
    }
    return flops;
}

// translate_greedy with an encoder that runs at every token.
Ids translate_anew(const Transformer& model, const Ids& source, std::size_t new_tokens) {
    Ids target = one_token(1);
    for (std::size_t i = 0; i < new_tokens; ++i)
        target = appended(target, greedy_token(model(source, target).logits));
    return target;
}

}  // namespace

void measure_encoder_once(std::ostream& out, std::uint64_t seed) {
    const TransformerConfig original = preset("original");
    fmt::print(out, "  `original`, a source of 30 tokens, n new ones\n");
    fmt::print(out, "{:>5} | {:>10} {:>10} | {:>10} {:>10} {:>8}\n", "n", "encoder", "decoder", "once",
               "anew", "saved");
    for (const std::size_t n : {1u, 5u, 10u, 30u, 100u}) {
        double decoder = 0.0;
        for (std::size_t target = 1; target <= n; ++target)
            decoder += pass_flops(original, 30, target).decoder;
        const double encoder = pass_flops(original, 30, 1).encoder;
        const double once = encoder + decoder, anew = static_cast<double>(n) * encoder + decoder;
        fmt::print(out, "{:>5} | {:>10} {:>10} | {:>10} {:>10} {:>6.1f} %\n", n, in_flops(encoder),
                   in_flops(decoder), in_flops(once), in_flops(anew), 100.0 * (anew - once) / anew);
    }
    const NoGrad no_grad;
    const Transformer model = small_model(preset("tiny-encoder-decoder"), seed);
    const Ids source = random_ids(seed + 5, 12);
    fmt::print(out, "  check tiny-encoder-decoder, 20 tokens: the same either way: {}\n",
               translate_greedy(model, source, 1, 20) == translate_anew(model, source, 20) ? "yes" : "NO");
}

}  // namespace tfs
