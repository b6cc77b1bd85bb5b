// tests/09_transformer/transformer_parameters_test.cpp · step transformer_parameters: published models, counting, diagnosis
#include "chapters/09_transformer/cost.hpp"
#include "tests/09_transformer/checklist.hpp"

#include <map>

#include "tests/support/counts.hpp"

namespace tfs::test {
namespace {

using CountsOfParts = std::map<std::string, Counts>;

// Each part against what it is, and against what is often counted in its place.
void add_parts(CountsOfParts& parts, const std::string& name, const TransformerConfig& c,
               const TransformerParameters& expected) {
    const TransformerParameters counted = transformer_parameters(c);
    const BlockParameters one = block_parameters(c.block);
    const bool both = c.architecture == Architecture::encoder_decoder;
    const std::size_t sides = both ? 2 : 1, layers = c.num_layers, d_model = c.block.d_model;
    const std::size_t table = c.vocab_size * d_model, last = c.final_norm ? 1 : 0;
    const std::size_t first = c.embedding_norm ? 1 : 0, attentions = both ? 3 : 1, norms = both ? 5 : 2;
    const std::string no_layers = "the layers are forgotten: this is one block",
                      one_side = "only one of the two sides is counted",
                      layer_norms =
                          "a norm counted as 2 d_model: RMSNorm has no beta (BlockParameters::norm)";
    const auto add = [&](const std::string& part, std::size_t TransformerParameters::*count,
                         const std::vector<WrongCount>& wrong) {
        parts[part].add(name + ": " + part, counted.*count, expected.*count, wrong);
    };
    using P = TransformerParameters;
    add("embedding", &P::embedding, {{"source and target share one table", sides * table}});
    add("positions", &P::positions,
        {{"only learned positions are parameters; sinusoids and rotations are computed",
          c.max_len * d_model}});
    add("segments", &P::segments, {{"the segments are forgotten: a row for each of num_segments", 0}});
    add("norms", &P::norms,
        {{"the norms outside of the blocks are forgotten: of the embedding, and the final one", 0},
         {"both sides have a final norm", one.norm * (last + first)},
         {"the norm of the embedding is one, as its table: both sides share it",
          one.norm * sides * (last + first)},
         {"final_norm is not looked at: not every model has one", one.norm * (sides + first)},
         {"embedding_norm is not looked at: only some models have one", one.norm * (sides * last + 1)},
         {"the norm of the embedding is forgotten", one.norm * sides * last},
         {layer_norms, 2 * d_model * (sides * last + first)}});
    add("attention", &P::attention,
        {{no_layers, one.attention * attentions},
         {one_side, one.attention * layers},
         {"cross-attention is not counted: a block of the decoder has two attentions",
          one.attention * layers * sides},
         {"the biases are forgotten: BlockParameters::attention has those of the config",
          4 * d_model * d_model * layers * attentions}});
    add("feed_forward", &P::feed_forward,
        {{no_layers, one.feed_forward * sides},
         {one_side, one.feed_forward * layers},
         {"a block of the decoder has two attentions, but one feed-forward network",
          one.feed_forward * layers * attentions}});
    add("block_norms", &P::block_norms,
        {{"one norm for each block: BlockParameters::norm is ONE norm, a block has two",
          one.norm * layers * sides},
         {no_layers, one.norm * norms},
         {one_side, one.norm * layers * 2},
         {"the third norm of the decoder's blocks is not counted", one.norm * layers * 2 * sides},
         {layer_norms, 2 * d_model * layers * norms}});
    add("pooler", &P::pooler,
        {{"the pooler is not counted", 0},
         {"the pooler has a bias", c.pooler ? d_model * d_model : 0},
         {"the pooler is counted though the config has none", d_model * d_model + d_model}});
    add("output", &P::output,
        {{"a tied output is counted twice: it has no weights of its own", table},
         {"an untied output has a table of its own", 0},
         {"the output has no bias", c.tied_output ? 0 : table + c.vocab_size}});
}

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
    for (const auto& [part, counts] : parts) EXPECT_TRUE(counts.right());
    const std::vector<std::pair<std::string, std::size_t>> totals{
        {"bert-base", 109482240}, {"gpt2", 124439808}, {"llama-7b", 6738415616}, {"qwen-7b", 7721324544}};
    for (const auto& [name, expected] : totals)
        EXPECT_EQ(transformer_parameters(preset(name)).total(), expected) << name;
}

TEST(transformer_parameters, equals_counting_for_every_kind_of_model) {
    std::vector<TransformerConfig> configs;
    for (const char* name : {"gpt2", "bert", "original", "llama"}) configs.push_back(golden_config(name));
    for (const char* name : {"tiny-encoder", "tiny-decoder", "tiny-llama", "tiny-encoder-decoder"})
        configs.push_back(preset(name));
    for (const Architecture architecture : {Architecture::decoder_only, Architecture::encoder_decoder}) {
        TransformerConfig c = notes_config(architecture);
        c.final_norm = c.tied_output = false;
        configs.push_back(c);
    }
    for (std::size_t i = 0; i < configs.size(); ++i) {
        const std::size_t formula = transformer_parameters(configs[i]).total();
        EXPECT_EQ(formula, count_parameters(undrawn(configs[i]).parameters())) << "config " << i;
        const TransformerConfig& c = configs[i];
        EXPECT_EQ(total(transformer_costs(c, 2, 5, 4)).parameters, formula) << "the summary of config " << i;
    }
}

}  // namespace
}  // namespace tfs::test
