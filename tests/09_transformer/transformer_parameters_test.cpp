// tests/09_transformer/transformer_parameters_test.cpp · step transformer_parameters: models that are counted, and published numbers
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "chapters/09_transformer/cost.hpp"
#include "tests/09_transformer/checklist.hpp"

namespace tfs::test {
namespace {

// Which part the parameter of this name belongs to.
std::size_t& part_of_name(TransformerParameters& count, const std::string& name) {
    const auto has = [&](const char* part) { return name.find(part) != std::string::npos; };
    if (name == "embedding.weight") return count.embedding;
    if (name.starts_with("positions.")) return count.positions;
    if (name.starts_with("segments.")) return count.segments;
    if (name.starts_with("pooler.")) return count.pooler;
    if (name.starts_with("output.")) return count.output;
    if (!has("blocks.")) return count.norms;
    return has(".norm.") ? count.block_norms : has("feed_forward.") ? count.feed_forward : count.attention;
}

TransformerParameters counted(const TransformerConfig& config) {
    TransformerParameters count;
    for (const NamedTensor& p : undrawn(config).parameters()) part_of_name(count, p.name) += p.tensor.size();
    return count;
}

// Small models of every kind. No two sizes of one of them are equal.
std::vector<std::pair<std::string, TransformerConfig>> small_models() {
    std::vector<std::pair<std::string, TransformerConfig>> all;
    TransformerConfig encoder = small_config(Architecture::encoder_only);
    encoder.block.num_heads = 4;
    encoder.block.positions = LearnedPositions{};
    encoder.num_layers = 3;
    encoder.num_segments = 5;
    encoder.pooler = true;
    all.emplace_back("an encoder with segments and pooler", encoder);
    encoder.pooler = encoder.tied_output = false;
    encoder.embedding_norm = true;
    encoder.block.norm_position = NormPosition::post;
    all.emplace_back("a post-norm encoder with a norm of the embedding, untied", encoder);
    TransformerConfig decoder = small_config();
    decoder.num_layers = 5;
    decoder.block.positions = Alibi{};
    all.emplace_back("a decoder with ALiBi", decoder);
    decoder.block = llama_block(16, 4, 28, 12);
    decoder.block.num_kv_heads = 2;
    decoder.final_norm = decoder.tied_output = false;
    all.emplace_back("a decoder of LLaMA's kind, untied, without a final norm", decoder);
    decoder.block.attention_bias = AttentionBias::qkv;
    decoder.final_norm = decoder.embedding_norm = decoder.tied_output = true;
    all.emplace_back("a decoder of Qwen's kind with a norm of the embedding", decoder);
    TransformerConfig both = small_config(Architecture::encoder_decoder);
    both.num_layers = 3;
    all.emplace_back("an encoder-decoder", both);
    both.block.positions = LearnedPositions{};
    both.block.norm = NormKind::rms_norm;
    both.block.feed_forward_bias = Bias::no;
    both.embedding_norm = true;
    both.tied_output = false;
    all.emplace_back("an encoder-decoder with RMSNorm and learned positions, untied", both);
    both.block.norm_position = NormPosition::post;
    both.final_norm = false;
    both.num_layers = 4;
    all.emplace_back("the same in post-norm, without final norms", both);
    return all;
}

// " (3 times too few: of one layer?)": what a whole ratio tells of the mistake.
std::string ratio(std::size_t count, std::size_t right, const TransformerConfig& config) {
    const std::size_t more = std::max(count, right), less = std::min(count, right);
    if (less == 0 || more % less != 0) return "";
    const bool heads = more / less == config.block.num_heads, layers = more / less == config.num_layers;
    return fmt::format(" ({} times {}{})", more / less, count > right ? "as many" : "too few",
                       heads || layers ? fmt::format(": {} {}?", count > right ? "once for each" : "of one",
                                                     layers ? "layer" : "head")
                                       : "");
}

// What was counted for each of these models.
struct Counts {
    std::vector<std::string> wrong = {};
    std::vector<std::size_t> got = {};

    void add(const std::string& model, const TransformerConfig& config, std::size_t count,
             std::size_t right) {
        got.push_back(count);
        if (count != right)
            wrong.push_back(fmt::format("{}: counted {}, there are {}{}", model, count, right,
                                        ratio(count, right, config)));
    }
    testing::AssertionResult right(const std::string& what) const {
        count_comparison();
        if (wrong.empty()) return testing::AssertionSuccess();
        return testing::AssertionFailure() << fmt::format("{} in {} of {} models. {}", what, wrong.size(),
                                                          got.size(), fmt::join(wrong, "; "))
                                           << came(fmt::format("{}", fmt::join(got, " ")));
    }
};

TEST(transformer_parameters, each_part_is_what_a_model_has) {
    const std::pair<const char*, std::size_t TransformerParameters::*> parts[] = {
        {"embedding", &TransformerParameters::embedding},
        {"positions", &TransformerParameters::positions},
        {"segments", &TransformerParameters::segments},
        {"norms", &TransformerParameters::norms},
        {"attention", &TransformerParameters::attention},
        {"feed_forward", &TransformerParameters::feed_forward},
        {"block_norms", &TransformerParameters::block_norms},
        {"pooler", &TransformerParameters::pooler},
        {"output", &TransformerParameters::output}};
    for (const auto& [name, part] : parts) {
        Counts counts;
        for (const auto& [model, config] : small_models())
            counts.add(model, config, transformer_parameters(config).*part, counted(config).*part);
        EXPECT_TRUE(counts.right(name));
    }
}

TEST(transformer_parameters, totals_are_those_that_are_published) {
    Counts totals;
    for (const auto& [name, expected] : {std::pair<const char*, std::size_t>("bert-base", 109482240),
                                         {"gpt2", 124439808},
                                         {"llama-7b", 6738415616},
                                         {"qwen-7b", 7721324544},
                                         {"llama3-8b", 8030261248},
                                         {"tinyllama-1.1b", 1100048384},
                                         {"original", 63045632}})
        totals.add(name, preset(name), transformer_parameters(preset(name)).total(), expected);
    EXPECT_TRUE(totals.right("total"));
}

}  // namespace
}  // namespace tfs::test
