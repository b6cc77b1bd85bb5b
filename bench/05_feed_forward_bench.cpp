// bench/05_feed_forward_bench.cpp · GELU and SiLU: fast and readable, beside
// plain xtensor expressions
#include <fmt/format.h>

#include "bench/plain_xtensor.hpp"
#include "bench/table.hpp"
#include "chapters/05_feed_forward/feed_forward.hpp"
#include "common/show/measure.hpp"

namespace tfs {

// The readable solutions, compiled once more under these names
// (bench/CMakeLists.txt).
Tensor readable_gelu(const Tensor& x);
Tensor readable_gelu_tanh(const Tensor& x);
Tensor readable_silu(const Tensor& x);

}  // namespace tfs

namespace tfs::bench {

namespace {

using Function = Tensor (*)(const Tensor&);

void add_activation(Table& table, const std::string& name, const Tensor& x, Function fast, Function readable,
                    Array (*plain)(const Array&)) {
    const Array expected = plain(x.array());
    for (const Function f : {fast, readable}) {
        const double difference = largest_difference(f(x).array(), expected);
        if (!(difference < 1e-5))
            throw ValueError(fmt::format("{}: the results differ by {}", name, difference));
    }
    const auto line = [&](const std::string& kind, const std::string& baseline, double goal) {
        const double bytes =
            2.0 * sizeof(float) * static_cast<double>(x.size());  // each entry read and written once
        return Line{name + kind, bytes, Work::bytes, baseline.empty() ? "" : name + baseline, goal};
    };
    const auto call = [x](Function f) {
        return [x, f] {
            const NoGrad no_grad;
            keep(f(x).values().data());
        };
    };
    table.add(line(", plain xtensor", "", 0.0), [x, plain] { keep(plain(x.array()).data()); });
    table.add(line(", readable", ", plain xtensor", 0.0), call(readable));
    table.add(line(", fast", ", plain xtensor", 8.0), call(fast));
    table.add(line(", fast, against readable", ", readable", 5.0), call(fast));
}

}  // namespace

void add_feed_forward_lines(Table& table) {
    Rng rng(5);
    const Tensor x(
        rng.normal_array({4, 256, 3072}));  // the hidden layer of GPT-2 small, four sequences of 256 tokens
    add_activation(table, "gelu", x, gelu, readable_gelu, xtensor_gelu);
    add_activation(table, "gelu_tanh", x, gelu_tanh, readable_gelu_tanh, xtensor_gelu_tanh);
    add_activation(table, "silu", x, silu, readable_silu, xtensor_silu);
}

}  // namespace tfs::bench
