// bench/main.cpp · the benchmarks: ./tutorial bench
//
// The table is Google Benchmark's own, with the best repetition of each benchmark: what else runs on a machine only adds time. Behind
// the time of a line stands how often it is as fast as others, such as copy=0.93, and spread: the median repetition over the
// best one. Where that is far above 1, the machine was busy: measure again.
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <map>
#include <optional>
#include <string_view>

#include "bench/race.hpp"
#include "common/measure.hpp"

namespace tfs::bench {

namespace {

class BestOfEach : public benchmark::ConsoleReporter {
  public:
    explicit BestOfEach(const Benchmarks& all) : ConsoleReporter(OO_None), all_(all) {}

    // All repetitions of one benchmark, then their mean and the like.
    void ReportRuns(const std::vector<Run>& runs) override {
        if (runs.front().run_type == Run::RT_Iteration) runs_[runs.front().run_name.function_name] = runs;
    }

    void Finalize() override {
        for (auto& [name, runs] : runs_)
            std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) {
                return a.GetAdjustedRealTime() < b.GetAdjustedRealTime();
            });
        std::vector<Run> table;
        for (const Benchmark& one : all_)
            if (runs_.contains(one.name)) table.push_back(line_of(one));
        ConsoleReporter::ReportRuns(table);
    }

  private:
    Run line_of(const Benchmark& one) const {
        const std::vector<Run>& runs = runs_.at(one.name);
        Run line = runs.front();
        line.run_name = {};
        line.run_name.function_name = one.name;
        const double rate = line.counters.at(one.unit);
        const auto note = [&](const std::string& label, double value) {
            line.counters[label] = std::round(100.0 * value) / 100.0;
        };
        note("spread", runs[runs.size() / 2].GetAdjustedRealTime() / line.GetAdjustedRealTime());
        for (const auto& [label, name] : one.against)
            if (const auto other = runs_.find(name); other != runs_.end())
                note(label, rate / other->second.front().counters.at(one.unit));
        return line;
    }

    const Benchmarks& all_;
    std::map<std::string, std::vector<Run>> runs_;
};

void register_one(const Benchmark& one) {
    const auto timed = [&one, memory = std::optional<double>()](benchmark::State& state) mutable {
        if (one.takes_seconds) {
            if (!memory) memory = peak_memory(one.call).value_or(std::nan(""));
            state.counters["GB"] = std::round(1e-8 * *memory) / 10.0;
        }
        for (auto _ : state) one.call();
        state.counters[one.unit] =
            benchmark::Counter(one.amount, benchmark::Counter::kIsIterationInvariantRate);
    };
    auto* const made =
        benchmark::RegisterBenchmark(one.name.c_str(), timed)->Unit(benchmark::kMillisecond)->UseRealTime();
    if (one.takes_seconds) made->Iterations(1)->Repetitions(2);
}

int run(const std::vector<std::string>& words) {
    // Ours come first, so that the caller's win. On a machine that is not idle a ratio is worth something only if both of its
    // sides were measured many times, in turn.
    std::vector<std::string> arguments{"bench", "--benchmark_enable_random_interleaving=true",
                                       "--benchmark_repetitions=30", "--benchmark_min_time=0.04"};
    arguments.insert(arguments.end(), words.begin(), words.end());
    std::vector<char*> pointers;
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    int count = static_cast<int>(pointers.size());
    benchmark::Initialize(&count, pointers.data());
    if (benchmark::ReportUnrecognizedArguments(count, pointers.data())) return 2;

    Benchmarks all;
    for (const auto add : {add_steps, add_block, add_training, add_generation}) add(all);
    const bool filtered = std::any_of(words.begin(), words.end(), [](std::string_view word) {
        return word.starts_with("--benchmark_filter");
    });
    if (!filtered) std::erase_if(all, [](const Benchmark& one) { return one.takes_seconds; });
    for (const Benchmark& one : all) register_one(one);
    const bool other_format = std::any_of(words.begin(), words.end(), [](std::string_view word) {
        return word.starts_with("--benchmark_format");
    });
    if (!other_format)
        fmt::print("{} threads. Each line is timed many times, all in random order; this takes a minute.\n",
                   omp_get_max_threads());
    std::fflush(stdout);
    BestOfEach table(all);
    benchmark::RunSpecifiedBenchmarks(other_format ? nullptr : &table);
    return 0;
}

}  // namespace

}  // namespace tfs::bench

int main(int argc, char** argv) {
    try {
        return tfs::bench::run({argv + 1, argv + argc});
    } catch (const std::exception& error) {
        fmt::print(stderr, "bench: {}\n", error.what());
        return 1;
    }
}
