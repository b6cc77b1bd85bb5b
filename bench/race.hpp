// bench/race.hpp · benchmarks, each with what it is compared with
#pragma once

#include <benchmark/benchmark.h>

#include <functional>
#include <string>
#include <vector>

#include "common/tensor.hpp"

namespace tfs::bench {

// In the line of a benchmark, label=3.1 says that it does 3.1 times as much in a second as the benchmark `name`.
struct Baseline {
    std::string label, name;
};

struct Benchmark {
    std::string name;
    // The work of a call. The unit is FLOP (an addition and a multiplication are two), or bytes that are read and written.
    double amount = 0.0;
    std::string unit = "FLOP";
    std::vector<Baseline> against = {};
    std::function<void()> call = {};  // what it computes must reach benchmark::DoNotOptimize
    bool takes_seconds =
        false;  // timed twice, and only if a filter asks for it; its line also tells how much memory its first call needed
};

using Benchmarks = std::vector<Benchmark>;

// A way to compute something.
struct Way {
    std::string name;
    std::function<Tensor()> call;
};

// Adds a benchmark "NAME, WAY" for each way, compared with the ways before it and with `also`. ValueError if the results differ: a race
// between functions that compute different things means nothing.
void add_race(Benchmarks& all, const std::string& name, double amount, const std::string& unit,
              const std::vector<Way>& ways, const std::vector<Baseline>& also = {});

// Two lines that others are compared with, each added when it is first asked for: OpenBLAS's own product of matrices, and a copy
// of x, which is the least that anything can do that reads an array and writes one of its size.
Baseline sgemm(Benchmarks& all, std::size_t m = 1024, std::size_t k = 1024, std::size_t n = 1024);
Baseline copy_of(Benchmarks& all, const Tensor& x);

// The bytes of x, read once, and of a result of its size, written once.
double bytes_read_and_written(const Tensor& x);

// Each adds the benchmarks of its file.
void add_steps(Benchmarks& all);
void add_block(Benchmarks& all);
void add_training(Benchmarks& all);
void add_generation(Benchmarks& all);

}  // namespace tfs::bench
