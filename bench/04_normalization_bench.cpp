// bench/04_normalization_bench.cpp · LayerNorm and RMSNorm: fast and readable, beside plain xtensor and a copy
#include <fmt/format.h>

#include <cstring>

#include "bench/plain_xtensor.hpp"
#include "bench/table.hpp"
#include "chapters/04_normalization/normalization.hpp"
#include "common/base/parallel.hpp"
#include "common/show/measure.hpp"

namespace tfs {

// The readable solutions, compiled once more under these names (bench/CMakeLists.txt).
Tensor readable_layer_norm(const Tensor& x, const Tensor& gamma, const Tensor& beta, float eps);
Tensor readable_rms_norm(const Tensor& x, const Tensor& gamma, float eps);

}  // namespace tfs

namespace tfs::bench {

namespace {

constexpr float eps = 1e-5f;

// The least that any of them must do: read each row and write it to a new array, by std::memcpy, in parallel over rows.
Array copied(const Tensor& x) {
    const std::size_t size = x.size(-1);
    const float* from = x.values().data();
    Array y = Array::from_shape(x.shape());
    float* to = y.data();
    parallel_rows(x.size() / size, size, [=](std::size_t row) {
        std::memcpy(to + row * size, from + row * size, size * sizeof(float));
    });
    return y;
}

// A race between functions that compute different things means nothing.
void require_equal(const char* name, const Tensor& a, const Array& b) {
    const double difference = largest_difference(a.array(), b);
    if (!(difference < 1e-4)) throw ValueError(fmt::format("{}: the results differ by {}", name, difference));
}

// One norm three times. A line has one baseline, so the fast one has a line for each of its goals.
struct Race {
    std::string name;
    std::function<Array()> plain;  // empty: not raced
    std::function<Tensor()> readable, fast;
};

void add_race(Table& table, const Race& race, double bytes, const std::string& copy = "") {
    const auto add = [&](const std::string& who, const std::string& baseline, double goal, const auto& call) {
        table.add({race.name + ", " + who, bytes, Work::bytes, baseline, goal}, call);
    };
    const auto fast = [call = race.fast] { keep(call().values().data()); };
    require_equal("readable and fast", race.readable(), race.fast().array());
    if (race.plain) {
        require_equal("readable and plain xtensor", race.readable(), race.plain());
        add("plain xtensor", "", 0.0, [call = race.plain] { keep(call().data()); });
        add("fast", race.name + ", plain xtensor", 8.0, fast);
    }
    add("readable", "", 0.0, [call = race.readable] { keep(call().values().data()); });
    add("fast against readable", race.name + ", readable", 5.0, fast);
    if (!copy.empty()) add("fast against a copy", copy, 1.0 / 3.0, fast);
}

struct Inputs {
    Tensor x, gamma, beta;
    double bytes;  // each entry of x read, and one written

    Inputs(std::size_t batch, Rng& rng)
        : x(rng.normal_array({batch, 256, 768})),
          gamma(rng.normal_array({768})),
          beta(rng.normal_array({768})),
          bytes(2.0 * sizeof(float) * static_cast<double>(x.size())) {}
};

Race layer_norm_race(const std::string& name, const Inputs& in) {
    return {name, nullptr, [in] { return readable_layer_norm(in.x, in.gamma, in.beta, eps); },
            [in] { return layer_norm(in.x, in.gamma, in.beta, eps); }};
}

Race rms_norm_race(const std::string& name, const Inputs& in) {
    return {name, nullptr, [in] { return readable_rms_norm(in.x, in.gamma, eps); },
            [in] { return rms_norm(in.x, in.gamma, eps); }};
}

}  // namespace

void add_normalization_lines(Table& table) {
    Rng rng(4);
    const Inputs in(4, rng), large(16, rng);  // the large one fits no cache
    const std::string copy = "copy of 4 x 256 x 768, memcpy";
    table.add({.name = copy, .amount = in.bytes, .work = Work::bytes}, [in] { keep(copied(in.x).data()); });
    Race layer = layer_norm_race("layer_norm", in), root = rms_norm_race("rms_norm", in);
    layer.plain = [in] { return xtensor_layer_norm(in.x.array(), in.gamma.array(), in.beta.array(), eps); };
    root.plain = [in] { return xtensor_rms_norm(in.x.array(), in.gamma.array(), eps); };
    add_race(table, layer, in.bytes, copy);
    add_race(table, root, in.bytes);
    add_race(table, layer_norm_race("layer_norm x 4", large), large.bytes);
    add_race(table, rms_norm_race("rms_norm x 4", large), large.bytes);
}

}  // namespace tfs::bench
