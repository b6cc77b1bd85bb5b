// tests/11_generation/checklist.hpp · what the tests of chapters 11 and 12 share: models that write, and their texts without a cache
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "chapters/11_generation/given/generation.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {

// A small decoder with this choice of positions.
inline TransformerConfig writer_config(const PositionChoice& positions) {
    return {.vocab_size = 11,
            .num_layers = 2,
            .block = {.d_model = 16, .num_heads = 4, .d_ff = 32, .positions = positions, .max_len = 24}};
}

inline Transformer made(const TransformerConfig& config) {
    Rng rng(1);
    Transformer model(config, rng);
    for (float& weight : model.embedding.weight.mutable_array()) weight *= 2.0f;
    return model;
}

using Seen = std::vector<std::pair<std::int64_t, std::size_t>>;  // tokens with their positions, oldest first

// What a row sees that reads the last `seq` of these.
inline std::string in_words(const Seen& seen, std::size_t seq) {
    std::string own, before;
    for (std::size_t i = 0; i < seen.size(); ++i)
        (i + seq < seen.size() ? before : own) += fmt::format(" {}@{}", seen[i].first, seen[i].second);
    return own + (before.empty() ? "" : " behind" + before);
}

inline std::string line_of(const std::vector<std::string>& rows) {
    return fmt::format("the model reads{}", fmt::join(rows, " |"));
}

// One with each choice of positions, and LLaMA's kind with 2 heads of keys for 4 of queries. Their weights are large enough that their
// choices differ.
inline std::vector<Transformer> writers() {
    std::vector<Transformer> all;
    for (const PositionChoice& positions :
         std::vector<PositionChoice>{NoPositions{}, Sinusoids{}, LearnedPositions{}, Rotary{}, Alibi{}})
        all.push_back(made(writer_config(positions)));
    TransformerConfig grouped = writer_config(Rotary{});
    grouped.block.num_kv_heads = 2;
    all.push_back(made(grouped));
    return all;
}

// An encoder-decoder of the same sizes.
inline Transformer translator() {
    TransformerConfig config = writer_config(Sinusoids{});
    config.architecture = Architecture::encoder_decoder;
    return made(config);
}

// Both, the translator after it has read a source.
inline std::vector<LanguageModel> language_models() {
    static const std::vector<Transformer> decoders = writers();
    static const Transformer two = translator();
    std::vector<LanguageModel> all{language_model(two, Ids{{7, 2, 5, 9, 4}})};
    for (const Transformer& decoder : decoders) all.push_back(language_model(decoder));
    return all;
}

// The logits of the whole text, computed anew: (seq, vocab).
inline Tensor logits_of(const LanguageModel& model, const TokenIds& text) {
    const NoGrad no_grad;
    return reshape(model.logits(one_row(text), {}), {text.size(), model.vocab_size});
}

// The text that must be written, each token from a pass over all that stands before it.
inline TokenIds written_without_cache(const LanguageModel& model, const TokenIds& prompt,
                                      const GenerationOptions& options, Rng rng) {
    TokenIds text = prompt, written;
    while (written.size() < options.new_tokens && text.size() < model.max_len) {
        const Tensor logits = logits_of(model, text);
        const auto last = logits.values().last(model.vocab_size);
        std::vector<float> scores(last.begin(), last.end());
        for (const LogitsRule& rule : options.rules) rule(text, scores);
        const std::int64_t token = sample(token_probabilities(scores, options.sampling), rng);
        if (token == options.end_id) break;
        written.push_back(token);
        text.push_back(token);
    }
    return written;
}

// The logits of the token after a text.
using LogitsAfter = std::function<std::vector<float>(std::span<const std::int64_t> text)>;

// After each text others, between 0 and `largest`, as if drawn.
inline LogitsAfter scattered_logits(std::size_t vocab, std::uint64_t key = 1, float largest = 3.0f) {
    return [=](std::span<const std::int64_t> text) {
        std::uint64_t number = key;
        for (const std::int64_t id : text) number = splitmix64(number, static_cast<std::uint64_t>(id));
        std::vector<float> logits(vocab);
        for (std::size_t i = 0; i < vocab; ++i)
            logits[i] = largest * static_cast<float>(splitmix64(number, i) >> 40) * 0x1.0p-24f;
        return logits;
    };
}

// What happens, line by line.
using Story = std::vector<std::string>;
// "ended by new_tokens"
inline std::string in_words(Ended ended) {
    constexpr std::array by{"end_id", "new_tokens", "max_len", "on_token"};
    return fmt::format("ended by {}", by.at(static_cast<std::size_t>(ended)));
}

// A model with these logits. It knows the earlier tokens and their positions only from the keys of the pass: where a cache keeps wrong
// rows, or there is a gap between positions, it gives other logits. Each pass adds its line to `story`, if there is one.
inline LanguageModel small_model(std::size_t vocab, std::size_t max_len, const LogitsAfter& logits_after,
                                 Story* story = nullptr) {
    const auto logits = [=](const Ids& tokens, const Pass& pass) {
        const std::size_t batch = tokens.shape()[0], seq = tokens.shape()[1];
        std::vector<float> own, result;
        for (std::size_t row = 0; row < batch; ++row)
            for (std::size_t t = 0; t < seq; ++t) {
                own.push_back(static_cast<float>(tokens(row, t)));
                own.push_back(static_cast<float>(pass.offset[row] + t));
            }
        const Tensor x = Tensor::from({batch, 1, seq, 2}, own);
        const KeysValues all = pass.all({x, x});
        const Tensor keys = all.keys;  // (batch, 1, longest, 2): a shorter row stands at the end
        const Offset lengths = all.keys.lengths();
        std::vector<std::string> lines;
        for (std::size_t row = 0; row < batch; ++row) {
            const std::size_t length = lengths[row];
            const auto kept = keys.values().subspan(((row + 1) * keys.size(2) - length) * 2, length * 2);
            Seen seen;
            TokenIds text;
            bool gap = false;
            for (std::size_t i = 0; i < length; ++i) {
                text.push_back(static_cast<std::int64_t>(kept[2 * i]));
                seen.emplace_back(text.back(), static_cast<std::size_t>(kept[2 * i + 1]));
                gap = gap || seen[i].second != seen[0].second + i;
                if (i + seq < length) continue;
                std::vector<float> after = logits_after(text);
                if (gap) std::reverse(after.begin(), after.end());
                result.insert(result.end(), after.begin(), after.end());
            }
            if (story != nullptr) lines.push_back(in_words(seen, seq));
        }
        if (story != nullptr) story->push_back(line_of(lines));
        return Tensor::from({batch, seq, vocab}, result);
    };
    return {.vocab_size = vocab, .max_len = max_len, .logits = logits};
}

// The line of a pass that reads `seq` tokens of each text from `begin` on, or the last one of each. A position sees the newest `window`.
//     the model reads 4@2 behind 3@0 1@1 | 6@2 behind 9@0 2@1      two texts; 4@2 is token 4 at position 2
inline std::string pass_line(const std::vector<TokenIds>& texts, std::optional<std::size_t> begin,
                             std::size_t seq, std::size_t window = std::numeric_limits<std::size_t>::max()) {
    std::vector<std::string> lines;
    for (const TokenIds& text : texts) {
        const std::size_t first = begin.value_or(text.size() - 1);
        Seen seen;
        for (std::size_t t = first - std::min(first, window - 1); t < first + seq; ++t)
            seen.emplace_back(t < text.size() ? text[t] : 0, t);
        lines.push_back(in_words(seen, seq));
    }
    return line_of(lines);
}

// Whether the story is as it must be. A failure tells the first line that differs, after those before it.
inline testing::AssertionResult is_told(Story story, Story expected) {
    const std::string all = fmt::format("{}", fmt::join(story, "\n"));
    if (story == expected) return testing::AssertionSuccess();
    story.resize(std::max(story.size(), expected.size()), "nothing more");
    expected.resize(story.size(), "nothing more");
    const auto [is, must] = std::mismatch(story.begin(), story.end(), expected.begin());
    auto failure = testing::AssertionFailure() << "came:     " << *is << "\nexpected: " << *must;
    if (is != story.begin()) failure << "\nafter:    " << *std::prev(is);
    // The first that differs stands in front, so that stories are soon told apart.
    return failure << came(fmt::format("{} {}\n{}", is - story.begin(), *is, all));
}

}  // namespace tfs::test
