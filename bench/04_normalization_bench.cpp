// bench/04_normalization_bench.cpp · LayerNorm and RMSNorm: fast and readable, beside plain xtensor and a copy
#include <fmt/format.h>

#include "bench/copy.hpp"
#include "bench/plain_xtensor.hpp"
#include "chapters/04_normalization/normalization.hpp"
#include "common/measure.hpp"

namespace tfs {

// The readable solutions, compiled once more under these names (bench/CMakeLists.txt).
Tensor readable_layer_norm(const Tensor& x, const Tensor& gamma, const Tensor& beta, float eps);
Tensor readable_rms_norm(const Tensor& x, const Tensor& gamma, float eps);

}  // namespace tfs

namespace tfs::bench {

namespace {

constexpr float eps = 1e-5f;

// One norm three times.
struct Race {
    std::string name;
    std::function<Array()> plain;
    std::function<Tensor()> readable, fast;
    double readable_goal;
};

void require_equal_results(const Race& race) {
    const Array expected = race.plain();
    for (const auto& call : {race.readable, race.fast}) {
        const double difference = largest_difference(call().array(), expected);
        if (!(difference < 1e-4))
            throw ValueError(fmt::format("{}: the results differ by {}", race.name, difference));
    }
}

void add_race(Table& table, const Race& race, const Tensor& x) {
    require_equal_results(race);
    const double bytes = bytes_read_and_written(x);
    const std::string copy = add_copy_line(table, x);
    const std::string plain = race.name + ", plain xtensor", readable = race.name + ", readable";
    table.add({plain, bytes, Work::bytes}, [call = race.plain] { keep(call().data()); });
    table.add({readable, bytes, Work::bytes, plain, 0.0, {{copy}}},
              [call = race.readable] { keep(call().values().data()); });
    table.add({race.name + ", fast",
               bytes,
               Work::bytes,
               plain,
               8.0,
               {{readable, race.readable_goal}, {copy, 1.0 / 3.0}}},
              [call = race.fast] { keep(call().values().data()); });
}

void add_norms_of(Table& table, const Shape& shape, const std::string& suffix) {
    Rng rng(4);
    const Tensor x(rng.normal_array(shape)), gamma(rng.normal_array({shape.back()})),
        beta(rng.normal_array({shape.back()}));
    add_race(table,
             {"layer_norm" + suffix,
              [=] { return xtensor_layer_norm(x.array(), gamma.array(), beta.array(), eps); },
              [=] { return readable_layer_norm(x, gamma, beta, eps); },
              [=] { return layer_norm(x, gamma, beta, eps); }, 5.0},
             x);
    // No goal against the readable one: that takes the time of four or five copies, so five times as fast would be about as
    // fast as a copy.
    add_race(table,
             {"rms_norm" + suffix, [=] { return xtensor_rms_norm(x.array(), gamma.array(), eps); },
              [=] { return readable_rms_norm(x, gamma, eps); }, [=] { return rms_norm(x, gamma, eps); }, 0.0},
             x);
}

}  // namespace

void add_normalization_lines(Table& table) {
    add_norms_of(table, {4, 256, 768}, "");
    add_norms_of(table, {16, 256, 768}, ", batch 16");
}

}  // namespace tfs::bench
