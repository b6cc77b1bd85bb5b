// tests/07_block/block_parameters_test.cpp · step block_parameters: counting, published blocks, diagnosis
#include "tests/07_block/checklist.hpp"

#include <tuple>

#include "chapters/07_block/cost.hpp"
#include "tests/support/counts.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

std::vector<WrongCount> wrong_attention(const BlockConfig& c, std::size_t right, std::size_t norm) {
    const std::size_t d = c.d_model, heads = c.num_heads, matrix = d * d, d_kv = d / heads * c.kv_heads();
    const std::size_t none = 2 * matrix + 2 * d * d_kv;  // the matrices alone
    const bool all = c.attention_bias == AttentionBias::all, qkv = c.attention_bias == AttentionBias::qkv;
    const std::size_t of_three = d + 2 * d_kv, of_four = of_three + d;  // entries of biases
    const std::string times_heads =
        "heads multiplied into the projections: all heads share one (d_model, d_model) matrix";
    const std::string of_qkv = "the biases of q, k and v are forgotten",
                      wide = "each bias has as many entries as its projection has results",
                      key_heads =
                          "keys and values have num_kv_heads heads: w_k and w_v have as many rows as "
                          "these heads together";
    const std::size_t too_wide = all || qkv ? 2 * (d - d_kv) : 0;  // biases of k and v
    return {
        {"the biases are forgotten", none},
        {"biases are counted where attention_bias is none", all || qkv ? right : none + of_three},
        {"biases are counted where attention_bias is none", all || qkv ? right : none + of_four},
        {of_qkv, none + (all ? d : 0)},
        {of_qkv + " where attention_bias is qkv", all ? right : none},
        {wide + ", one for each projection that has one", none + (all || qkv ? d : 0)},
        {wide, none + (all   ? 4
                       : qkv ? 3
                             : 0)},
        {"q, k and v have a bias each", all ? right : none + (qkv ? d : 0)},
        {"q, k and v have a bias each", none + (all   ? 2 * d
                                                : qkv ? d
                                                      : 0)},
        {"the biases of attention are those that attention_bias asks for, not feed_forward_bias",
         none + (c.feed_forward_bias == Bias::yes ? of_four : 0)},
        {"w_o takes all heads side by side: it is (d_model, d_model)", right - matrix + matrix / heads},
        {"w_o is forgotten: there are four projections", right - matrix},
        {"divided by the heads: all of them together make four whole matrices", right - none + none / heads},
        {"rotary positions have no parameters: their table is not trained",
         right + (c.rotary() ? c.max_len * d / heads : 0)},
        {times_heads, right + none * (heads - 1)},
        {times_heads, right + (none - matrix) * (heads - 1)},
        {times_heads, right * heads},
        {"w_o has a bias only where attention_bias is all", all || qkv ? none + of_four : right},
        {"w_o has a bias only where attention_bias is all", none + of_four},
        {"w_o has a bias where attention_bias is all", all || qkv ? none + of_three : right},
        {key_heads, 4 * matrix + (all   ? 4 * d
                                  : qkv ? 3 * d
                                        : 0)},
        {key_heads, right + 2 * d * (d - d_kv)},
        {"the biases of k and v have as many entries as there are rows in w_k", right + too_wide},
        {"the norm belongs to `norm`, not to attention", right + norm}};
}

std::vector<WrongCount> wrong_network(const BlockConfig& c, std::size_t right, std::size_t norm) {
    const std::size_t d = c.d_model, f = c.d_ff, matrices = gated(c) ? 3 : 2;
    const bool biases = c.feed_forward_bias == Bias::yes;
    const std::string
        none = "SwiGLU has no biases, whatever feed_forward_bias says",
        sizes = "up has a bias of d_ff entries, down one of d_model",
        unasked = "these biases don't exist: SwiGLU has none, FeedForward only where the config says so";
    const auto plain = [&](std::size_t of_biases) {  // a mistake in FeedForward's biases alone
        return gated(c) || !biases ? right : 2 * d * f + of_biases;
    };
    std::vector<WrongCount> wrong;
    // FeedForward of 4 d_model with each way to count its biases; SwiGLU right, or of the same number.
    for (const std::size_t swiglu : {right, 8 * d * d, 12 * d * d})
        for (const std::size_t of_biases :
             {std::size_t{0}, f + d, 4 * d + d, biases ? f + d : 0, biases ? 4 * d + d : 0})
            wrong.push_back({own_d_ff, gated(c) ? swiglu : 8 * d * d + of_biases});
    const std::string two_thirds =
        "the 2/3 rule is applied once more: the d_ff of a config has been through swiglu_hidden_size";
    for (const std::size_t shortened : {2 * f / 3, (2 * f + 2) / 3})
        wrong.push_back({two_thirds, gated(c) ? 3 * d * shortened : right});
    const std::vector<WrongCount> others{
        {"the activation decides which network it is: feed_forward does",
         c.activation == Activation::silu ? 3 * d * f : 2 * d * f + (biases ? f + d : 0)},
        {"the biases of the network are those that feed_forward_bias asks for, not attention_bias",
         gated(c) || c.attention_bias == AttentionBias::none ? matrices * d * f : 2 * d * f + f + d},
        {"the biases of the network are those that feed_forward_bias asks for, not attention_bias",
         gated(c) || c.attention_bias != AttentionBias::all ? matrices * d * f : 2 * d * f + f + d},
        {"SwiGLU has three matrices: gate, up and down", gated(c) ? 2 * d * f : right},
        {"SwiGLU has three matrices: gate, up and down", 2 * d * f + (biases ? f + d : 0)},
        {"the biases are forgotten", matrices * d * f},
        {"the norm belongs to `norm`, not to feed_forward", right + norm},
        {sizes, plain(d)},
        {sizes, plain(f)},
        {sizes, plain(2 * d)},
        {sizes, plain(2 * f)},
        {none, gated(c) && biases ? right + f + d : right},
        {none, gated(c) && biases ? right + 2 * f + d : right},
        {none, gated(c) ? right + f + d : right},
        {none, gated(c) ? right + 2 * f + d : right},
        {unasked, matrices * d * f + f + d},
        {unasked, gated(c) ? right : 2 * d * f + f + d},
        {own_d_ff, right + matrices * d * (4 * d - f) + (!gated(c) && biases ? 4 * d - f : 0)}};
    wrong.insert(wrong.end(), others.begin(), others.end());
    return wrong;
}

TEST(block_parameters, equals_counting_in_every_configuration) {
    Counts in_attention, in_network, in_norm;
    for (const BlockConfig& c : all_configs()) {
        Rng none = Rng::zeros();
        const TransformerBlock block(c, none);
        const BlockParameters formula = block_parameters(c);
        const std::size_t norm = count_parameters(block.attention.norm.parameters());
        const std::size_t attention = count_parameters(block.attention.attention.parameters());
        const std::size_t network = count_parameters(block.feed_forward.network.parameters());
        in_attention.add(described(c) + ": attention", formula.attention, attention,
                         wrong_attention(c, attention, norm));
        in_network.add(described(c) + ": feed_forward", formula.feed_forward, network,
                       wrong_network(c, network, norm));
        in_norm.add(described(c) + ": norm", formula.norm, norm,
                    {{"RMSNorm has no beta", 2 * c.d_model},
                     {"LayerNorm has a beta beside gamma", c.d_model},
                     {"LayerNorm has a beta, whatever biases the linear layers have",
                      c.feed_forward_bias == Bias::no ? c.d_model : norm},
                     {"LayerNorm has a beta, whatever biases the linear layers have",
                      c.attention_bias == AttentionBias::none ? c.d_model : norm},
                     {"the norms are exchanged: LayerNorm has gamma and beta, RMSNorm gamma alone",
                      3 * c.d_model - norm},
                     {"`norm` is that of one norm; total() counts it twice", 2 * norm},
                     {"norms have vectors of d_model entries, whatever the heads", norm / c.num_heads}});
    }
    for (const Counts* counts : {&in_attention, &in_network, &in_norm}) EXPECT_TRUE(counts->right());
}

TEST(block_parameters, gives_the_published_blocks_and_one_that_no_memory_holds) {
    const std::size_t d = 20000003, d_ff = 60000001;  // odd: the low 32 bits of a wrong formula differ, too
    Counts counts;
    for (const auto& [name, config, published] :
         std::vector<std::tuple<const char*, BlockConfig, std::size_t>>{
             {"BERT-base", bert_block(), 7087872},
             {"GPT-2", gpt2_block(), 7087872},
             {"LLaMA-7B", llama_block(), 202383360},
             {"Qwen-7B", qwen_block(), 202395648},
             {"Llama 3 8B", llama3_block(), 218112000},
             {"TinyLlama-1.1B", tinyllama_block(), 44044288},
             {"Vaswani et al. (biases in the network alone)", original_block(),
              4 * 512 * 512 + 2 * 512 * 2048 + 2048 + 512 + 4 * 512},
             {"d_model 20,000,003, d_ff 60,000,001",
              {.d_model = d, .num_heads = 1, .d_ff = d_ff},
              4 * d * d + 4 * d + 2 * d * d_ff + d_ff + d + 4 * d}}) {
        try {
            counts.add(name, block_parameters(config).total(), published);
        } catch (const ShapeError& error) {  // of an array that no memory holds
            ADD_FAILURE() << name << ": " << error.what()
                          << likely_if(true,
                                       "a block is made to be counted: count from the sizes, without one");
        }
    }
    EXPECT_TRUE(counts.right());
}

TEST(block_parameters, the_lines_of_the_summary_add_up_to_it) {
    Counts counts;
    for (const BlockConfig& c : all_configs())
        counts.add(described(c), block_parameters(c).total(), total(block_costs(c, "", 1, 3)).parameters);
    EXPECT_TRUE(counts.right());
}

TEST(block_parameters, refuses_a_config_that_does_not_fit) {
    ASSERT_NO_THROW(block_parameters(small()));
    BlockConfig config = small();
    config.num_heads = 3;
    EXPECT_TRUE(refuses<ValueError>([&] { block_parameters(config); }, {"3", "8"}, "3 heads of 8"));
}

}  // namespace
}  // namespace tfs::test
