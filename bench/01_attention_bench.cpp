// bench/01_attention_bench.cpp · softmax and attention: fast and readable, beside plain xtensor expressions
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/plain_xtensor.hpp"
#include "bench/table.hpp"
#include "chapters/01_attention/attention.hpp"

namespace tfs {

// The readable solutions, compiled once more under these names (bench/CMakeLists.txt).
Tensor readable_softmax(const Tensor& x, int axis);
AttentionOutput readable_scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                                      const std::optional<Mask>& mask,
                                                      const std::optional<Tensor>& bias, Weights keep);

}  // namespace tfs

namespace tfs::bench {

namespace {

// A race between functions that compute different things means nothing.
void require_equal(const char* name, const Tensor& a, const Array& b) {
    float difference = a.size() == b.size() ? 0.0f : INFINITY;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        difference = std::max(difference, std::abs(a.values()[i] - b.data()[i]));
    }
    if (!(difference < 1e-5f))
        throw ValueError(fmt::format("{}: the results differ by {}", name, difference));
}

}  // namespace

void add_attention_lines(Table& table) {
    Rng rng(1);
    const Tensor x(rng.normal_array({4, 8, 256, 256}));
    require_equal("softmax", softmax(x), xtensor_softmax(x.array()));
    require_equal("readable softmax", readable_softmax(x, -1), xtensor_softmax(x.array()));
    const double bytes =
        2.0 * sizeof(float) * static_cast<double>(x.size());  // each entry read and written once
    table.add({.name = "softmax, plain xtensor", .amount = bytes, .work = Work::bytes},
              [x] { keep(xtensor_softmax(x.array()).data()); });
    table.add({.name = "softmax, readable",
               .amount = bytes,
               .work = Work::bytes,
               .baseline = "softmax, plain xtensor"},
              [x] { keep(readable_softmax(x, -1).values().data()); });
    table.add({.name = "softmax, fast",
               .amount = bytes,
               .work = Work::bytes,
               .baseline = "softmax, plain xtensor",
               .goal = 8.0},
              [x] { keep(softmax(x).values().data()); });

    const Tensor q(rng.normal_array({4, 8, 256, 64})), k(rng.normal_array({4, 8, 256, 64})),
        v(rng.normal_array({4, 8, 256, 64}));
    const Array expected = xtensor_attention(q.array(), k.array(), v.array());
    require_equal("attention", scaled_dot_product_attention(q, k, v).output, expected);
    require_equal(
        "readable attention",
        readable_scaled_dot_product_attention(q, k, v, std::nullopt, std::nullopt, Weights::keep).output,
        expected);
    const double flops = 4 * 8 * 2.0 * (2.0 * 256 * 256 * 64);  // the two products
    table.add({.name = "attention, plain xtensor", .amount = flops},
              [q, k, v] { keep(xtensor_attention(q.array(), k.array(), v.array()).data()); });
    table.add(
        {.name = "attention, readable", .amount = flops, .baseline = "attention, plain xtensor"}, [q, k, v] {
            keep(readable_scaled_dot_product_attention(q, k, v, std::nullopt, std::nullopt, Weights::keep)
                     .output.values()
                     .data());
        });
    table.add(
        {.name = "attention, fast", .amount = flops, .baseline = "attention, plain xtensor", .goal = 7.0},
        [q, k, v] { keep(scaled_dot_product_attention(q, k, v).output.values().data()); });
}

}  // namespace tfs::bench
