// bench/race.cpp
#include "bench/race.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "common/base/parallel.hpp"
#include "common/measure.hpp"

// Declared here, as CBLAS fixes it, because <cblas.h> and the headers of xtensor-blas don't compile in one file and have
// different places from one system to the next. Its enumerations are ints: 101 is row-major, 111 is not transposed.
extern "C" void cblas_sgemm(int order, int transpose_a, int transpose_b, int m, int n, int k, float alpha,
                            const float* a, int lda, const float* b, int ldb, float beta, float* c, int ldc);

namespace tfs::bench {

namespace {

bool has(const Benchmarks& all, const std::string& name) {
    return std::any_of(all.begin(), all.end(), [&](const Benchmark& one) { return one.name == name; });
}

// Every row by std::memcpy to a new array, in parallel over rows.
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

}  // namespace

void add_race(Benchmarks& all, const std::string& name, double amount, const std::string& unit,
              const std::vector<Way>& ways, const std::vector<Baseline>& also) {
    std::optional<Tensor> expected;
    std::vector<Baseline> against = also;
    for (const Way& way : ways) {
        const Tensor result = way.call();
        if (!expected) expected = result;
        const double difference = largest_difference(result.array(), expected->array());
        if (!(difference < 1e-4))
            throw ValueError(fmt::format("{}, {}: the result differs by {}", name, way.name, difference));
        all.push_back({fmt::format("{}, {}", name, way.name), amount, unit, against,
                       [call = way.call] { benchmark::DoNotOptimize(call().values().data()); }});
        against.push_back({way.name, all.back().name});
    }
}

Baseline sgemm(Benchmarks& all, std::size_t m, std::size_t k, std::size_t n) {
    const std::string name =
        m == k && k == n ? fmt::format("sgemm {} x {}", m, n) : fmt::format("sgemm {} x {} x {}", m, k, n);
    if (!has(all, name)) {
        Rng rng(0);
        const Tensor a(rng.normal_array({m, k})), b(rng.normal_array({k, n}));
        const int rows = static_cast<int>(m), inner = static_cast<int>(k), columns = static_cast<int>(n);
        const auto product = [=, c = std::vector<float>(m * n)]() mutable {
            cblas_sgemm(101, 111, 111, rows, columns, inner, 1.0f, a.values().data(), inner,
                        b.values().data(), columns, 0.0f, c.data(), columns);
            benchmark::DoNotOptimize(c.data());
        };
        all.push_back({name, 2.0 * static_cast<double>(m * k * n), "FLOP", {}, product});
    }
    return {"sgemm", name};
}

Baseline copy_of(Benchmarks& all, const Tensor& x) {
    const std::string name = fmt::format("copy of {}", fmt::join(x.shape(), " x "));
    if (!has(all, name))
        all.push_back({name, bytes_read_and_written(x), "bytes", {}, [x] {
                           benchmark::DoNotOptimize(copied(x).data());
                       }});
    return {"copy", name};
}

double bytes_read_and_written(const Tensor& x) { return 2.0 * sizeof(float) * static_cast<double>(x.size()); }

}  // namespace tfs::bench
