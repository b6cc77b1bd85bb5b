// bench/05_feed_forward_bench.cpp · activations and the gated product: fast and readable, beside plain xtensor and a copy
#include <fmt/format.h>

#include "bench/copy.hpp"
#include "bench/plain_xtensor.hpp"
#include "chapters/05_feed_forward/feed_forward.hpp"
#include "common/measure.hpp"

namespace tfs {

// The readable solutions, compiled once more under these names (bench/CMakeLists.txt).
Tensor readable_gelu(const Tensor& x);
Tensor readable_gelu_tanh(const Tensor& x);
Tensor readable_gelu_sigmoid(const Tensor& x);
Tensor readable_silu(const Tensor& x);
struct ReadableSwiGLU {  // as SwiGLU
    Linear gate, up, down;
    ReadableSwiGLU(std::size_t d_model, std::size_t d_ff, Rng& rng, Bias with_bias = Bias::no);
    Tensor hidden(const Tensor& x) const;
};

}  // namespace tfs

namespace tfs::bench {

namespace {

using Function = Tensor (*)(const Tensor&);

void add_activation(Table& table, const std::string& name, const Tensor& x, Function fast, Function readable,
                    Array (*plain)(const Array&), double readable_goal) {
    const Array expected = plain(x.array());
    for (const Function f : {fast, readable}) {
        const double difference = largest_difference(f(x).array(), expected);
        if (!(difference < 1e-5))
            throw ValueError(fmt::format("{}: the results differ by {}", name, difference));
    }
    const double bytes = bytes_read_and_written(x);
    const std::string copy = add_copy_line(table, x);
    const std::string of_plain = name + ", plain xtensor", of_readable = name + ", readable";
    table.add({of_plain, bytes, Work::bytes}, [x, plain] { keep(plain(x.array()).data()); });
    table.add({of_readable, bytes, Work::bytes, of_plain, 0.0, {{copy}}},
              [x, readable] { keep(readable(x).values().data()); });
    table.add({name + ", fast", bytes, Work::bytes, of_plain, 8.0, {{of_readable, readable_goal}, {copy}}},
              [x, fast] { keep(fast(x).values().data()); });
}

void require_equal(const std::string& name, const Tensor& fast, const Tensor& readable) {
    const double difference = largest_difference(fast.array(), readable.array());
    if (!(difference < 1e-5)) throw ValueError(fmt::format("{}: the results differ by {}", name, difference));
}

// Beside a copy, without a goal.
void add_cheap_activation(Table& table, const std::string& name, const Tensor& x, Function fast,
                          Function readable) {
    require_equal(name, fast(x), readable(x));
    const double bytes = bytes_read_and_written(x);
    const std::string copy = add_copy_line(table, x), of_readable = name + ", readable";
    table.add({of_readable, bytes, Work::bytes, copy}, [x, readable] { keep(readable(x).values().data()); });
    table.add({name + ", fast", bytes, Work::bytes, of_readable, 0.0, {{copy}}},
              [x, fast] { keep(fast(x).values().data()); });
}

// The readable form is one pass already, and there is no other.
void add_relu(Table& table, const Tensor& x) {
    const std::string copy = add_copy_line(table, x);
    table.add({"relu", bytes_read_and_written(x), Work::bytes, copy}, [x] { keep(relu(x).values().data()); });
}

// The hidden layer of a SwiGLU of LLaMA's form: two products, and the gate in one pass or in three.
void add_swiglu(Table& table, const Tensor& x, std::size_t d_ff) {
    Rng one(6), two(6);
    const SwiGLU fast(x.size(-1), d_ff, one);
    const ReadableSwiGLU readable(x.size(-1), d_ff, two);
    require_equal("swiglu", fast.hidden(x), readable.hidden(x));
    const double flops = 4.0 * static_cast<double>(x.size() * d_ff);
    table.add({"swiglu hidden, readable", flops, Work::flops, sgemm},
              [x, readable] { keep(readable.hidden(x).values().data()); });
    table.add({"swiglu hidden, fast", flops, Work::flops, "swiglu hidden, readable", 0.0, {{sgemm}}},
              [x, fast] { keep(fast.hidden(x).values().data()); });
}

}  // namespace

void add_feed_forward_lines(Table& table) {
    Rng rng(5);
    // The hidden layer of GPT-2 small, four sequences of 256 tokens.
    const Tensor x(rng.normal_array({4, 256, 3072}));
    add_activation(table, "gelu", x, gelu, readable_gelu, xtensor_gelu, 5.0);
    add_activation(table, "gelu_tanh", x, gelu_tanh, readable_gelu_tanh, xtensor_gelu_tanh, 5.0);
    // No goal against the readable one: its two vectorised passes take the time of four or five copies, so five times as fast
    // would be about as fast as a copy.
    add_activation(table, "silu", x, silu, readable_silu, xtensor_silu, 0.0);
    add_cheap_activation(table, "gelu_sigmoid", x, gelu_sigmoid, readable_gelu_sigmoid);
    add_relu(table, x);
    add_swiglu(table, Tensor(rng.normal_array({4, 256, 768})), 2048);
}

}  // namespace tfs::bench
