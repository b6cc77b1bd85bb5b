// tests/07_block/block_parameters_test.cpp · step block_parameters: counting, published blocks, diagnosis
#include "tests/07_block/checklist.hpp"

#include <tuple>

#include "chapters/07_block/cost.hpp"
#include "tests/support/counts.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

const std::string no_biases = "the biases are forgotten: attention_biases and network_biases give them";

std::vector<WrongCount> wrong_attention(const BlockConfig& c, std::size_t right, std::size_t norm) {
    const std::size_t d = c.d_model, heads = c.num_heads, matrix = d * d, d_kv = d / heads * c.kv_heads();
    const std::size_t none = 2 * matrix + 2 * d * d_kv, biases = right - none;  // the matrices alone
    const std::string times_heads =
        "heads multiplied into the projections: all heads share one (d_model, d_model) matrix";
    const std::string key_heads =
        "keys and values have num_kv_heads heads: w_k and w_v have as many rows as these heads together";
    return {
        {no_biases, none},
        {"w_o takes all heads side by side: it is (d_model, d_model)", right - matrix + matrix / heads},
        {"w_o is forgotten: there are four projections", right - matrix},
        {"divided by the heads: all of them together make four whole matrices", right - none + none / heads},
        {"rotary positions have no parameters: their table is not trained",
         right + (c.rotary() ? c.max_len * d / heads : 0)},
        {times_heads, right + none * (heads - 1)},
        {times_heads, right + (none - matrix) * (heads - 1)},
        {times_heads, right * heads},
        {"w_k and w_v have a row for each of the d_k numbers of each of their heads, not one for each head",
         right - 2 * d * d_kv + 2 * d * c.kv_heads()},
        {"w_k and w_v are both narrow where there are fewer heads of keys", right + d * (d - d_kv)},
        {"w_q and w_o are whole: only w_k and w_v follow the heads of keys", 4 * d * d_kv + biases},
        {"w_o is whole, as w_q: only w_k and w_v follow the heads of keys", matrix + 3 * d * d_kv + biases},
        {key_heads, 4 * matrix + biases},
        {"the norm belongs to `norm`, not to attention", right + norm}};
}

std::vector<WrongCount> wrong_network(const BlockConfig& c, std::size_t right, std::size_t norm) {
    const std::size_t d = c.d_model, f = c.d_ff, matrices = gated(c) ? 3 : 2,
                      biases = right - matrices * d * f;
    std::vector<WrongCount> wrong;
    for (const std::size_t swiglu : {right, 8 * d * d, 12 * d * d})  // SwiGLU right, or of 4 d_model
        wrong.push_back({own_d_ff, gated(c) ? swiglu : 8 * d * d + biases});
    const std::string two_thirds =
        "the 2/3 rule is applied once more: the d_ff of a config has been through swiglu_hidden_size";
    for (const std::size_t shortened : {2 * f / 3, (2 * f + 2) / 3})
        wrong.push_back({two_thirds, gated(c) ? 3 * d * shortened : right});
    const std::vector<WrongCount> others{
        {"the activation decides which network it is: feed_forward does",
         (c.activation == Activation::silu ? 3 : 2) * d * f + biases},
        {"SwiGLU has three matrices: gate, up and down", gated(c) ? 2 * d * f : right},
        {no_biases, matrices * d * f},
        {"the norm belongs to `norm`, not to feed_forward", right + norm},
        {own_d_ff, matrices * d * 4 * d + biases}};
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
