// tests/11_generation/quoted_texts_test.cpp · texts that the lesson quotes are the same on every machine
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "chapters/08_encoder_decoder/models/model_kinds.hpp"
#include "chapters/09_transformer/models/text_transformer.hpp"
#include "chapters/11_generation/generation.hpp"
#include "common/io/weights.hpp"

namespace tfs::test {
namespace {

// Rounding moves the borders between the pieces of the line from 0 to 1 by much less than 1e-4. A draw that is farther from all
// borders falls on the same token everywhere.
constexpr double safe_distance = 1e-4;

struct Quoted {
    std::string prompt;
    std::uint64_t seed;
    std::size_t tokens;
};

// How near a draw of this text comes to a border between two tokens.
double nearest_border(const TextTransformer& writer, const Quoted& quoted) {
    const Ids ids = writer.tokenizer.encode(quoted.prompt);
    const Sampling sampling{.temperature = 0.8};
    GenerationOptions options{.new_tokens = quoted.tokens, .sampling = sampling};
    Rng same(quoted.seed);  // draws what `generate` draws
    double nearest = 1.0;
    options.rules.emplace_back([&](std::span<const std::int64_t>, std::span<float> logits) {
        const std::vector<double> p = token_probabilities(logits, sampling);
        const double u = same.uniform();
        double sum = 0.0;
        for (std::size_t i = 0; i + 1 < p.size(); ++i) {
            sum += p[i];
            if (p[i] > 0.0 && sum < 1.0 - 1e-9) nearest = std::min(nearest, std::abs(u - sum));
        }
    });
    std::vector<Rng> rngs{Rng(quoted.seed)};
    (void)generate(language_model(writer.model), {{ids.begin(), ids.end()}}, options, rngs);
    return nearest;
}

TEST(quoted_texts, have_no_draw_that_rounding_decides) {
    const auto writer = load_network<TextTransformer>(weights_file("characters"), character_kind());
    for (const Quoted& quoted : {Quoted{"First Citizen:\nW", 1, 200}, Quoted{"First Citizen:", 1, 40},
                                 Quoted{"O", 2, 40}, Quoted{"My lord, ", 3, 40}}) {
        EXPECT_GE(nearest_border(writer, quoted), safe_distance) << quoted.prompt << ", seed " << quoted.seed;
    }
}

}  // namespace
}  // namespace tfs::test
