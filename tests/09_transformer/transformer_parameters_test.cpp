// tests/09_transformer/transformer_parameters_test.cpp · step transformer_parameters: published models, counting, diagnosis
#include <fmt/format.h>

#include "tests/09_transformer/checklist.hpp"
#include "tests/09_transformer/counted_parts.hpp"

namespace tfs::test {
namespace {

TEST(transformer_parameters, models_to_the_unit) {
    CountsOfParts parts;
    add_parts(parts, "bert-base", preset("bert-base"),
              {.embedding = 23440896,
               .positions = 393216,
               .segments = 1536,
               .norms = 1536,
               .attention = 28348416,
               .feed_forward = 56669184,
               .block_norms = 36864,
               .pooler = 590592});
    add_parts(parts, "gpt2", preset("gpt2"),
              {.embedding = 38597376,
               .positions = 786432,
               .norms = 1536,
               .attention = 28348416,
               .feed_forward = 56669184,
               .block_norms = 36864});
    add_parts(parts, "llama-7b", preset("llama-7b"),
              {.embedding = 131072000,
               .norms = 4096,
               .attention = 2147483648,
               .feed_forward = 4328521728,
               .block_norms = 262144,
               .output = 131072000});
    TransformerConfig both = preset("original");
    both.final_norm = true;      // as torch.nn.Transformer has on both sides
    both.embedding_norm = true;  // of the one embedding
    add_parts(parts, "original with more norms", both,
              {.embedding = 18944000,
               .norms = 3072,
               .attention = 18874368,
               .feed_forward = 25196544,
               .block_norms = 30720});
    TransformerConfig encoder = small_config(Architecture::encoder_only);  // of d_model = 16, d_ff = 24
    encoder.num_segments = 3;
    add_parts(parts, "an encoder with segments, without pooler", encoder,
              {.embedding = 208,
               .segments = 48,
               .norms = 32,
               .attention = 2176,
               .feed_forward = 1616,
               .block_norms = 128});
    TransformerConfig rms = small_config(Architecture::encoder_decoder);
    rms.block.norm = NormKind::rms_norm;
    rms.block.positions = LearnedPositions{};
    rms.embedding_norm = true;
    rms.tied_output = false;
    add_parts(parts, "an encoder-decoder of RMSNorm, untied, with learned positions", rms,
              {.embedding = 208,
               .positions = 192,
               .norms = 48,
               .attention = 6528,
               .feed_forward = 3232,
               .block_norms = 160,
               .output = 208});
    for (const auto& [part, counts] : parts) EXPECT_TRUE(counts.right());
}

TEST(transformer_parameters, totals_are_those_that_are_published) {
    Counts totals;
    const std::vector<std::pair<std::string, std::size_t>> published{
        {"bert-base", 109482240}, {"gpt2", 124439808},       {"llama-7b", 6738415616},
        {"qwen-7b", 7721324544},  {"llama3-8b", 8030261248}, {"tinyllama-1.1b", 1100048384}};
    for (const auto& [name, expected] : published)
        totals.add(name + ": total", transformer_parameters(preset(name)).total(), expected);
    EXPECT_TRUE(totals.right());
}

TEST(transformer_parameters, equals_counting_for_every_kind_of_model) {
    std::vector<TransformerConfig> configs;
    for (const char* name : {"gpt2", "bert", "original", "llama"}) configs.push_back(golden_config(name));
    for (const char* name :
         {"tiny-encoder", "tiny-decoder", "tiny-llama", "tiny-encoder-decoder", "textbook"})
        configs.push_back(preset(name));
    for (const Architecture architecture : {Architecture::decoder_only, Architecture::encoder_decoder}) {
        TransformerConfig c = small_config(architecture);
        c.final_norm = c.tied_output = false;
        configs.push_back(c);
    }
    Counts totals;
    for (std::size_t i = 0; i < configs.size(); ++i) {
        const std::size_t in_the_model = count_parameters(undrawn(configs[i]).parameters());
        totals.add(fmt::format("config {}: total", i), transformer_parameters(configs[i]).total(),
                   in_the_model);
        EXPECT_EQ(total(transformer_costs(configs[i], 3, 6, 5)).parameters, in_the_model)
            << "the summary of config " << i;
    }
    EXPECT_TRUE(totals.right());
}

}  // namespace
}  // namespace tfs::test
