// bench/steps_bench.cpp · products, and the hot steps: readable and fast, some beside plain xtensor expressions
#include "bench/race.hpp"
#include "chapters/01_attention/attention.hpp"
#include "chapters/03_positional_encoding/positional_encoding.hpp"
#include "chapters/04_normalization/normalization.hpp"
#include "chapters/05_feed_forward/feed_forward.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"
#include "common/base/xtensor_math.hpp"

namespace tfs {

// The readable solutions, compiled once more under these names (bench/CMakeLists.txt).
Tensor readable_softmax(const Tensor& x, int axis);
AttentionOutput readable_scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                                      const std::optional<Mask>& mask,
                                                      const std::optional<Tensor>& bias, Weights keep);
Tensor readable_apply_rotary(const Tensor& x, const RotaryEmbedding& rotary, RotaryLayout layout,
                             std::size_t offset);
Tensor readable_layer_norm(const Tensor& x, const Tensor& gamma, const Tensor& beta, float eps);
Tensor readable_rms_norm(const Tensor& x, const Tensor& gamma, float eps);
Tensor readable_gelu(const Tensor& x);
Tensor readable_gelu_tanh(const Tensor& x);
Tensor readable_gelu_sigmoid(const Tensor& x);
Tensor readable_silu(const Tensor& x);
Tensor readable_dropout(const Tensor& x, double p, Rng* rng);

}  // namespace tfs

namespace tfs::bench {

namespace {

constexpr float eps = 1e-5f;

Array xtensor_softmax(const Array& x) {
    // The reductions are evaluated first: inside a larger expression a lazy one with keep_dims gives wrong numbers.
    const std::size_t last = x.dimension() - 1;
    const Array largest = xt::amax(x, {last}, xt::keep_dims);
    const Array exponentials = xt::exp(x - largest);
    const Array total = xt::sum(exponentials, {last}, xt::keep_dims);
    return exponentials / total;
}

Array xtensor_layer_norm(const Array& x, const Array& gamma, const Array& beta) {
    const std::size_t last = x.dimension() - 1;
    const Array mean = xt::mean(x, {last}, xt::keep_dims);
    const Array centred = x - mean;
    const Array variance = xt::mean(centred * centred, {last}, xt::keep_dims);
    return gamma * (centred / xt::sqrt(variance + eps)) + beta;
}

void add_matmul(Benchmarks& all, const std::string& name, const Shape& left, const Shape& right) {
    Rng rng(0);
    const Tensor a(rng.normal_array(left)), b(rng.normal_array(right));
    all.push_back({name, 2.0 * static_cast<double>(a.size() * right.back()), "FLOP", {sgemm(all)}, [a, b] {
                       benchmark::DoNotOptimize(matmul(a, b).values().data());
                   }});
}

void add_attention(Benchmarks& all) {
    Rng rng(1);
    const Tensor x(rng.normal_array({4, 8, 256, 256}));
    add_race(all, "softmax", bytes_read_and_written(x), "bytes",
             {{"xtensor", [=] { return Tensor(xtensor_softmax(x.array())); }},
              {"readable", [=] { return readable_softmax(x, -1); }},
              {"fast", [=] { return softmax(x); }}});
    const Tensor q(rng.normal_array({4, 8, 256, 64})), k(rng.normal_array({4, 8, 256, 64})),
        v(rng.normal_array({4, 8, 256, 64}));
    const double flops = 4 * 8 * 2.0 * (2.0 * 256 * 256 * 64);  // the two products
    add_race(
        all, "attention", flops, "FLOP",
        {{"readable",
          [=] {
              return readable_scaled_dot_product_attention(q, k, v, std::nullopt, std::nullopt, Weights::keep)
                  .output;
          }},
         {"fast", [=] {
              return scaled_dot_product_attention(q, k, v, std::nullopt, std::nullopt, Weights::none).output;
          }}});
}

void add_norms(Benchmarks& all) {
    Rng rng(4);
    const Tensor x(rng.normal_array({4, 256, 768})), gamma(rng.normal_array({768})),
        beta(rng.normal_array({768}));
    const double bytes = bytes_read_and_written(x);
    const Baseline copy = copy_of(all, x);
    add_race(all, "layer_norm", bytes, "bytes",
             {{"xtensor", [=] { return Tensor(xtensor_layer_norm(x.array(), gamma.array(), beta.array())); }},
              {"readable", [=] { return readable_layer_norm(x, gamma, beta, eps); }},
              {"fast", [=] { return layer_norm(x, gamma, beta, eps); }}},
             {copy});
    add_race(all, "rms_norm", bytes, "bytes",
             {{"readable", [=] { return readable_rms_norm(x, gamma, eps); }},
              {"fast", [=] { return rms_norm(x, gamma, eps); }}},
             {copy});
}

// The hidden layer of GPT-2 small, four sequences of 256 tokens. The readable relu is one pass already: it has no other form.
void add_activations(Benchmarks& all) {
    Rng rng(5);
    const Tensor x(rng.normal_array({4, 256, 3072}));
    using Function = Tensor (*)(const Tensor&);
    const auto add = [&](const std::string& name, Function readable, Function fast) {
        add_race(all, name, bytes_read_and_written(x), "bytes",
                 {{"readable", [=] { return readable(x); }}, {"fast", [=] { return fast(x); }}},
                 {copy_of(all, x)});
    };
    add("gelu", readable_gelu, gelu);
    add("gelu_tanh", readable_gelu_tanh, gelu_tanh);
    add("gelu_sigmoid", readable_gelu_sigmoid, gelu_sigmoid);
    add("silu", readable_silu, silu);
}

void add_rotary(Benchmarks& all, const std::string& name, RotaryLayout layout) {
    Rng rng(3);
    const Tensor x(rng.normal_array({4, 8, 256, 64}));
    const RotaryEmbedding rotary(64, 256);
    add_race(all, name, bytes_read_and_written(x), "bytes",
             {{"readable", [=] { return readable_apply_rotary(x, rotary, layout, 0); }},
              {"fast", [=] { return apply_rotary(x, rotary, layout, 0); }}},
             {copy_of(all, x)});
}

void add_dropout(Benchmarks& all) {
    Rng rng(6);
    const Tensor x(rng.normal_array({8, 256, 768}));
    add_race(all, "dropout", bytes_read_and_written(x), "bytes",
             {{"readable", [x, rng]() mutable { return readable_dropout(x, 0.1, &rng); }},
              {"fast", [x, rng]() mutable { return dropout(x, 0.1, &rng); }}},
             {copy_of(all, x)});
}

}  // namespace

void add_steps(Benchmarks& all) {
    add_matmul(all, "matmul 1024 x 1024", {1024, 1024}, {1024, 1024});
    add_matmul(all, "matmul 32 of 256 x 64 x 256", {32, 256, 64}, {32, 64, 256});
    add_attention(all);
    add_rotary(all, "rotary interleaved", RotaryLayout::interleaved);
    add_rotary(all, "rotary half split", RotaryLayout::half_split);
    add_norms(all);
    add_activations(all);
    add_dropout(all);
}

}  // namespace tfs::bench
