// tests/common/memory_test.cpp · training for a long time keeps the resident size flat
#include <gtest/gtest.h>

#include <cmath>

#include "common/tensor.hpp"
#include "tests/support/memory.hpp"

namespace tfs::test {
namespace {

// One forward and backward pass of attention, written in plain operations.
void attention_step(const Tensor& x, Tensor& w_q, Tensor& w_k, Tensor& w_v) {
    const Tensor q = linear(x, w_q), k = linear(x, w_k), v = linear(x, w_v);
    const Tensor scores = matmul(q, k, Transpose::b) / std::sqrt(static_cast<float>(q.size(-1)));
    const Tensor e = exp(scores - max(scores, -1, KeepDims::yes).detach());
    const Tensor weights = e / sum(e, -1, KeepDims::yes);
    const Tensor output = matmul(weights, v);
    mean(output * output).backward();
    for (Tensor* w : {&w_q, &w_k, &w_v}) w->clear_grad();
}

TEST(memory, ten_thousand_attention_steps_keep_the_resident_size_flat) {
    Rng rng(1);
    Tensor w_q(rng.normal_array({16, 16}), true), w_k(rng.normal_array({16, 16}), true);
    Tensor w_v(rng.normal_array({16, 16}), true);
    std::vector<Tensor> inputs;  // of several lengths, so that blocks of several sizes come and go
    for (std::size_t seq = 4; seq <= 12; ++seq) inputs.emplace_back(rng.normal_array({2, seq, 16}));

    const auto step = [&](std::size_t i) { attention_step(inputs[i % inputs.size()], w_q, w_k, w_v); };
    EXPECT_TRUE(resident_size_stays_flat(step, 1000, 10000));
}

}  // namespace
}  // namespace tfs::test
