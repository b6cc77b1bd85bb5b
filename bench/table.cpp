// bench/table.cpp · runs the lines by Google Benchmark and prints them with their ratios
#include "bench/table.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <map>

namespace tfs::bench {

namespace {

// Keeps the time of every repetition instead of printing it.
class Collector : public benchmark::BenchmarkReporter {
  public:
    bool ReportContext(const Context&) override { return true; }

    void ReportRuns(const std::vector<Run>& runs) override {
        for (const Run& run : runs) {
            if (run.run_type != Run::RT_Iteration) continue;
            seconds_[run.run_name.function_name].push_back(run.real_accumulated_time /
                                                           static_cast<double>(run.iterations));
        }
    }

    std::map<std::string, Time> times() {
        std::map<std::string, Time> result;
        for (auto& [name, seconds] : seconds_) {
            std::sort(seconds.begin(), seconds.end());
            result[name] = {seconds.front(), seconds[seconds.size() / 2]};
        }
        return result;
    }

  private:
    std::map<std::string, std::vector<double>> seconds_;
};

std::string rate(const Line& line, const Time& time) {
    return fmt::format("{:.1f} {}/s", line.amount / time.best * 1e-9,
                       line.work == Work::flops ? "GFLOP" : "GB");
}

std::string ratio_text(double ratio, bool percent) {
    return percent ? fmt::format("{:.1f} %", 100.0 * ratio) : fmt::format("{:.1f} x", ratio);
}

// Whether a line is what can be reached at most: a product by OpenBLAS, or a plain read. The others are floors.
bool is_ceiling(const std::string& line) {
    return line.starts_with("sgemm") || line.starts_with(plain_read_line);
}

// What stands in the last three columns: the ratio, the goal and whether it was met. Empty where one of the two lines
// was not timed.
std::string compared(const Line& line, const Comparison& with, const std::vector<Line>& lines,
                     const std::map<std::string, Time>& times) {
    const auto baseline = std::find_if(lines.begin(), lines.end(),
                                       [&](const Line& other) { return other.name == with.baseline; });
    if (baseline == lines.end() || !times.contains(baseline->name)) return {};
    const double value =
        line.amount / times.at(line.name).best / (baseline->amount / times.at(baseline->name).best);
    const bool percent = is_ceiling(with.baseline);
    const std::string ratio = ratio_text(value, percent);
    if (with.goal <= 0.0) return fmt::format("{:>8}", ratio);
    return fmt::format("{:>8} {:>7} {}", ratio, ratio_text(with.goal, percent),
                       value >= with.goal ? "met" : "missed");
}

void print_line(const Line& line, const std::vector<Line>& lines, const std::map<std::string, Time>& times) {
    const Time& time = times.at(line.name);
    fmt::print("{:<42} {:>9.3f} {:>9.3f} {:>13} {}\n", line.name, 1e3 * time.best, 1e3 * time.median,
               rate(line, time), compared(line, {line.baseline, line.goal}, lines, times));
    for (const Comparison& with : line.also) {
        const std::string text = compared(line, with, lines, times);
        if (!text.empty()) fmt::print("{:<76} {}\n", "  against " + with.baseline, text);
    }
}

void print_help() {
    fmt::print("bench · times the hot operations, beside OpenBLAS's sgemm and plain xtensor expressions\n\n");
    benchmark::PrintDefaultHelp();
}

}  // namespace

void keep(const void* value) { benchmark::DoNotOptimize(value); }

void Table::add(Line line, std::function<void()> body) {
    entries_.push_back({std::move(line), std::move(body)});
}

bool Table::has(const std::string& name) const {
    return std::any_of(entries_.begin(), entries_.end(),
                       [&](const Entry& entry) { return entry.line.name == name; });
}

void Table::print(const std::map<std::string, Time>& times) const {
    fmt::print("{:<42} {:>9} {:>9} {:>13} {:>8} {:>7}\n", "", "best ms", "median ms", "rate", "ratio",
               "goal");
    std::vector<Line> lines;
    for (const Entry& entry : entries_) lines.push_back(entry.line);
    for (const Line& line : lines) {
        if (times.contains(line.name)) print_line(line, lines, times);
    }
    const auto disturbed = [](const auto& timed) { return timed.second.median > 1.3 * timed.second.best; };
    if (std::any_of(times.begin(), times.end(), disturbed)) {
        fmt::print(
            "\nThe machine was busy: some medians are far above the best. Measure again when it is quiet.\n");
    }
}

int Table::run(int argc, char** argv) {
    // Our defaults come first, so that the caller's flags win. On a machine that is not idle a ratio is worth something
    // only if both of its sides were measured many times, in turn.
    std::vector<std::string> arguments{argv[0], "--benchmark_enable_random_interleaving=true",
                                       "--benchmark_repetitions=30", "--benchmark_min_time=0.04"};
    arguments.insert(arguments.end(), argv + 1, argv + argc);
    std::vector<char*> pointers;
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    int count = static_cast<int>(pointers.size());
    benchmark::Initialize(&count, pointers.data(), print_help);
    if (benchmark::ReportUnrecognizedArguments(count, pointers.data())) return 2;

    for (const Entry& entry : entries_) {
        benchmark::RegisterBenchmark(entry.line.name.c_str(), [&body = entry.body](benchmark::State& state) {
            for (auto _ : state) body();
        })->UseRealTime();
    }
    fmt::print(
        "{} threads. Each line is timed many times, all in random order; this takes about a minute.\n\n",
        omp_get_max_threads());
    std::fflush(stdout);
    Collector collector;
    benchmark::RunSpecifiedBenchmarks(&collector);
    benchmark::Shutdown();

    print(collector.times());
    return 0;
}

}  // namespace tfs::bench
