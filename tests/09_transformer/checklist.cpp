// tests/09_transformer/checklist.cpp · what the checks of several steps of chapter 09 share
#include "tests/09_transformer/checklist.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <new>
#include <variant>

#include "common/base/xtensor_math.hpp"
#include "tests/common/environment.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/gradient.hpp"

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

Transformer filled(const TransformerConfig& config) {
    Transformer model = undrawn(config);
    std::uint64_t seed = 1;
    for (NamedTensor& p : model.parameters())
        p.tensor.mutable_array() = normal(p.tensor.shape(), seed++, 0.1, 0.5).array();
    return model;
}

TransformerConfig small_config(Architecture architecture) {
    TransformerConfig c{.architecture = architecture, .vocab_size = 13, .num_layers = 2};
    c.block = {.d_model = 16, .num_heads = 2, .d_ff = 24, .positions = Sinusoids{}, .max_len = 12};
    return c;
}

std::vector<Transformer> decoders() {
    std::vector<Transformer> all;
    for (const PositionChoice& positions :
         std::vector<PositionChoice>{NoPositions{}, Sinusoids{}, LearnedPositions{}, Rotary{}, Alibi{}}) {
        TransformerConfig c = small_config();
        c.block.positions = positions;
        all.push_back(made(c));
    }
    TransformerConfig grouped = small_config();
    grouped.block = llama_block(16, 4, 24, 12);
    grouped.block.num_kv_heads = 2;
    all.push_back(made(grouped));
    return all;
}

Ids all_ones(std::size_t batch, std::size_t seq) { return xt::ones<std::int64_t>({batch, seq}); }

Ids part_of(const Ids& ids, std::size_t begin, std::size_t end) {
    return xt::view(ids, xt::all(), xt::range(begin, end));
}

Ids part_of_row(const Ids& ids, std::size_t row, std::size_t begin, std::size_t end) {
    return xt::view(ids, xt::range(row, row + 1), xt::range(begin, end));
}

std::vector<std::int64_t> list(const Ids& ids) { return {ids.begin(), ids.end()}; }

Tensor embedded(const Transformer& m, const Ids& ids, const std::optional<Ids>& kinds, const Offset& offset) {
    const std::size_t batch = ids.shape()[0], seq = ids.shape()[1], d_model = m.config.block.d_model;
    Tensor x = embedding(m.embedding.weight, ids);
    if (m.config.scale_embedding) x = x * std::sqrt(static_cast<float>(d_model));
    if (m.sinusoids || m.learned_positions) {
        const Tensor table = m.sinusoids ? m.sinusoids->table : m.learned_positions->embedding.weight;
        std::vector<Tensor> rows;  // of each text
        for (std::size_t row = 0; row < batch; ++row)
            rows.push_back(slice(table, 0, offset[row], offset[row] + seq));
        x = x + reshape(concat(rows, 0), {batch, seq, d_model});
    }
    if (m.segments) x = x + embedding(m.segments->weight, kinds ? *kinds : all_in_segment_0(ids));
    return m.embedding_norm ? (*m.embedding_norm)(x) : x;
}

Tensor reference_hidden(const Transformer& m, const Ids& ids, const std::optional<Ids>& kinds) {
    return std::get<Stack>(m.stack)(embedded(m, ids, kinds), padding_of(m.config, ids)).output;
}

Tensor reference_logits(const Transformer& m, const Tensor& hidden) {
    return matmul(hidden, m.output ? m.output->weight : m.embedding.weight, Transpose::b);
}

const Shipped& shipped() {
    static const Shipped once;
    return once;
}

std::vector<Tensor> stages_of(const Transformer& model, const Ids& ids) {
    const NoGrad no_grad;
    std::vector<Tensor> stages = read_through(model, ids, Weights::none).streams;
    stages.push_back(lens(model, stages.back()));
    return stages;
}

testing::AssertionResult same_stage(const std::string& what, const Tensor& got, const Tensor& right) {
    float largest = 0.0f;
    for (const float value : right.values()) largest = std::max(largest, std::abs(value));
    return close_named(what, got, right, {0.0, 2e-5 * static_cast<double>(largest)});
}

void expect_same_stages(const std::vector<Tensor>& stages, const std::vector<Tensor>& right) {
    EXPECT_EQ(stages.size(), right.size()) << "stages: rows, each block, logits";
    for (std::size_t i = 0; i < right.size() && i < stages.size(); ++i) {
        const std::string name = i == 0                  ? "rows"
                                 : i + 1 == right.size() ? "logits"
                                                         : fmt::format("block {}", i - 1);
        ASSERT_TRUE(same_stage("stage " + name + ", the first that differs", stages[i], right[i]));
    }
}

Gpt as_gpt(const Transformer& model) {
    const ScratchFolder folder;
    save_weights(model, folder / "model");
    return Gpt(model.config, folder / "model");
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

}  // namespace tfs::test

// `operator new` of the whole program, with a counter.
namespace {

constexpr std::size_t nothing_is_large = std::numeric_limits<std::size_t>::max();
std::atomic<std::size_t> large{nothing_is_large};
std::atomic<std::size_t> count{0};

}  // namespace

std::size_t tfs::test::large_arrays_made(std::size_t bytes, const std::function<void()>& call) {
    count = 0, large = bytes;
    call();
    large = nothing_is_large;
    return count;
}

// The linker takes these instead of the standard library's. All of them that a delete below may meet are here: the address
// sanitizer would bring its own for the others, and these must not be mixed.
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    if (bytes >= large) ++count;
    return std::malloc(bytes > 0 ? bytes : 1);
}
void* operator new(std::size_t bytes) {
    if (void* const memory = operator new(bytes, std::nothrow)) return memory;
    throw std::bad_alloc();
}
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
    return operator new(bytes, std::nothrow);
}
void* operator new[](std::size_t bytes) { return operator new(bytes); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
