// tests/common/memory_test.cpp · training for a long time keeps the resident size flat
#include <gtest/gtest.h>

#ifdef __linux__
#include <unistd.h>
#endif

#include <cmath>
#include <fstream>

#include "common/tensor.hpp"

#if defined(__SANITIZE_ADDRESS__)
#define TFS_ADDRESS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TFS_ADDRESS_SANITIZER
#endif
#endif

namespace tfs::test {
namespace {

// The resident size in bytes, or 0 where the system doesn't tell.
long resident_bytes() {
#ifdef __linux__
    long total = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> total >> resident;
    return resident * sysconf(_SC_PAGESIZE);
#else
    return 0;
#endif
}

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

TEST(Memory, TenThousandAttentionStepsKeepTheResidentSizeFlat) {
#ifdef TFS_ADDRESS_SANITIZER
    GTEST_SKIP() << "the address sanitizer keeps freed memory; it finds leaks by itself";
#endif
    if (resident_bytes() == 0) GTEST_SKIP() << "this system has no /proc/self/statm";
    Rng rng(1);
    Tensor w_q(rng.normal_array({16, 16}), true), w_k(rng.normal_array({16, 16}), true);
    Tensor w_v(rng.normal_array({16, 16}), true);
    std::vector<Tensor> inputs;  // of several lengths, so that blocks of several sizes come and go
    for (std::size_t seq = 4; seq <= 12; ++seq) inputs.emplace_back(rng.normal_array({2, seq, 16}));

    const auto run = [&](std::size_t steps) {
        for (std::size_t i = 0; i < steps; ++i) attention_step(inputs[i % inputs.size()], w_q, w_k, w_v);
    };
    run(1000);  // warm-up: threads start, the allocator takes what it will need
    const long before = resident_bytes();
    run(10000);
    const long grown = resident_bytes() - before;
    EXPECT_LT(grown, 2L << 20) << "the resident size grew by " << grown << " bytes";
}

}  // namespace
}  // namespace tfs::test
