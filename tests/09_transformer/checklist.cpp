// tests/09_transformer/checklist.cpp · what the checks of several steps of chapter 09 share
#include "tests/09_transformer/checklist.hpp"

#include <algorithm>
#include <cmath>

#include "tests/support/golden.hpp"
#include "tests/support/gradients_reach.hpp"

namespace tfs::test {

TransformerConfig golden_config(const std::string& name) {
    TransformerConfig c{.vocab_size = 11, .num_layers = 2};
    c.block = {.d_model = 8, .num_heads = 2, .d_ff = 12, .positions = LearnedPositions{}, .max_len = 10};
    c.scale_embedding = false;
    if (name == "gpt2") c.block.activation = Activation::gelu_tanh;
    if (name == "bert") {
        c.architecture = Architecture::encoder_only;
        c.block.norm_position = NormPosition::post;
        c.block.norm_eps = 1e-12f;
        c.final_norm = false;
        c.embedding_norm = c.pooler = true;
        c.num_segments = 2;
        c.pad_id = 0;
    }
    if (name == "original") {
        c.architecture = Architecture::encoder_decoder;
        c.block.norm_position = NormPosition::post;
        c.block.activation = Activation::relu;
        c.block.positions = Sinusoids{};
        c.scale_embedding = true;
        c.pad_id = 0;
    }
    if (name == "llama") {
        c.block = llama_block(8, 2, 12, 10);
        c.tied_output = false;
    }
    return c;
}

Transformer made(const TransformerConfig& config, std::uint64_t seed) {
    Rng rng(seed);
    return Transformer(config, rng);
}

Transformer undrawn(const TransformerConfig& config) {
    Rng none = Rng::zeros();
    return Transformer(config, none);
}

Transformer golden_model(const std::string& name, double dropout) {
    TransformerConfig config = golden_config(name);
    config.block.dropout = dropout;
    Transformer model = undrawn(config);
    for (NamedTensor p : model.parameters())
        p.tensor.mutable_array() = golden()[name + ".w." + p.name].array();
    return model;
}

TransformerConfig small_config(Architecture architecture) {
    TransformerConfig c{.architecture = architecture, .vocab_size = 13, .num_layers = 2};
    c.block = {.d_model = 16, .num_heads = 2, .d_ff = 24, .positions = Sinusoids{}, .max_len = 12};
    return c;
}

Ids all_ones(std::size_t batch, std::size_t seq) {
    Ids ids = Ids::from_shape({batch, seq});
    std::fill(ids.begin(), ids.end(), 1);
    return ids;
}

Ids part_of(const Ids& ids, std::size_t begin, std::size_t end) {
    Ids part = Ids::from_shape({ids.shape()[0], end - begin});
    for (std::size_t row = 0; row < ids.shape()[0]; ++row)
        for (std::size_t t = begin; t < end; ++t) part(row, t - begin) = ids(row, t);
    return part;
}

std::vector<std::int64_t> part_of(const std::vector<std::int64_t>& tokens, std::size_t begin,
                                  std::size_t end) {
    return {tokens.begin() + static_cast<std::ptrdiff_t>(begin),
            tokens.begin() + static_cast<std::ptrdiff_t>(end)};
}

testing::AssertionResult logits_of_hidden(const Transformer& m, const TransformerOutput& result,
                                          const TransformerOutput& plain) {
    Shape of_hidden = result.logits.shape();
    of_hidden.back() = m.config.block.d_model;
    const testing::AssertionResult fits = has_shape(result.hidden, of_hidden);
    if (!fits) return fits;
    testing::AssertionResult found =
        close_named("logits in training", result.logits, reference_logits(m, result.hidden), whole_model);
    return found << likely_if(!found && close(plain.logits, reference_logits(m, plain.hidden), whole_model),
                              "the hidden states are dropped once more before the logits");
}

void expect_golden_gradients(const std::string& name, const Transformer& m,
                             const std::vector<Tensor>& results) {
    std::vector<Tensor> flat;
    for (const Tensor& result : results) flat.push_back(reshape(result, {result.size()}));
    ASSERT_TRUE(send_back(concat(flat, 0), golden()[name + ".grad_weights"])) << name;
    ASSERT_TRUE(gradients_reach(m.parameters())) << name;
    for (const NamedTensor& p : m.parameters())
        EXPECT_TRUE(
            gradient_close(name + " " + p.name, p.tensor, golden()[name + ".grad_" + p.name], {1e-4, 2e-5}));
}

testing::AssertionResult generates(const std::function<void()>& call) {
    try {
        call();
    } catch (const ValueError& error) {
        const std::string sentence = error.what();
        const bool behind = sentence.find(" behind ") != std::string::npos;
        const bool one = sentence.find("sequence of 1 ") != std::string::npos;
        return testing::AssertionFailure()
               << sentence
               << likely_if(
                      behind && !one,
                      "the pass has an offset, but all tokens so far are given: the first of them is at "
                      "position 0, as it is without a pass");
    }
    return testing::AssertionSuccess();
}

testing::AssertionResult padding_misfits(const std::string& error) {
    const std::size_t of_all = error.find("1, 1, 5)"), of_this_part = error.find("1, 1, 3)");
    const bool shapes = std::max(of_all, of_this_part) != std::string::npos;
    return testing::AssertionFailure()
           << error << likely_if(shapes && of_all < of_this_part, padding_not_of_the_pass)
           << likely_if(shapes && of_this_part < of_all,
                        "the padding is that of all keys, but the stack is not given the pass and does not "
                        "know the earlier ones");
}

std::vector<std::int64_t> list(const Ids& ids) { return {ids.begin(), ids.end()}; }

double largest_entry(const Tensor& x) {
    float largest = 0.0f;
    for (const float value : x.values()) largest = std::max(largest, std::abs(value));
    return largest;
}

}  // namespace tfs::test
