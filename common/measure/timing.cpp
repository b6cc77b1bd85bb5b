// common/measure/timing.cpp · timing in turns, quartiles, and what they are worth
#include "common/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string_view>

#include "common/base/errors.hpp"
#include "common/base/parallel.hpp"

namespace tfs {

namespace {

// The shortest call of a turn, which lasts `least` seconds or one call.
double shortest_call(const std::function<void()>& thing, double least, const Clock& clock) {
    const double begin = clock();
    double before = begin, shortest = std::numeric_limits<double>::infinity();
    do {
        thing();
        const double after = clock();
        shortest = std::min(shortest, after - before);
        before = after;
    } while (before - begin < least);
    return shortest;
}

// Three significant digits where there is a decimal point: 0.0331, 3.31, 33.1, 331, 3310.
std::string three_digits(double value) {
    const double size = value > 0.0 ? std::floor(std::log10(value)) : 0.0;
    return fmt::format("{:.{}f}", value, static_cast<int>(std::clamp(2.0 - size, 0.0, 6.0)));
}

}  // namespace

Quartiles quartiles(std::vector<double> values) {
    if (values.empty()) throw ValueError("quartiles: there is no number");
    std::sort(values.begin(), values.end());
    const auto at = [&values](double share) {
        const double position = share * static_cast<double>(values.size() - 1);
        const auto below = static_cast<std::size_t>(position);
        const std::size_t above = std::min(below + 1, values.size() - 1);
        const double part = position - static_cast<double>(below);
        return values[below] + part * (values[above] - values[below]);
    };
    return {at(0.25), at(0.5), at(0.75)};
}

double steady_seconds() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(now).count();
}

Turns usual_turns(const Turns& turns) {
    const char* times = std::getenv("TFS_TIMES");
    if (!times || std::string_view(times) != "once") return turns;
    return {.rounds = 1, .seconds = 0.0, .one_core = turns.one_core};
}

Rounds measure_in_turns(const std::vector<std::function<void()>>& things, const Turns& turns,
                        const Clock& clock) {
    const Threads threads(turns.one_core ? 1 : omp_get_max_threads());
    if (turns.seconds > 0.0)  // else each thing is called once
        for (const std::function<void()>& thing : things) thing();
    Rounds rounds(things.size());
    for (std::size_t round = 0; round < turns.rounds; ++round) {
        for (std::size_t i = 0; i < things.size(); ++i)
            rounds[i].push_back(shortest_call(things[i], turns.seconds, clock));
    }
    return rounds;
}

Quartiles ratio(const Seconds& thing, const Seconds& other) {
    if (thing.size() != other.size()) {
        throw ValueError(fmt::format("ratio: {} rounds against {}", thing.size(), other.size()));
    }
    std::vector<double> ratios;
    for (std::size_t i = 0; i < thing.size(); ++i) ratios.push_back(thing[i] / other[i]);
    return quartiles(std::move(ratios));
}

Quartiles rate(double work, const Seconds& seconds) {
    std::vector<double> rates;
    for (const double each : seconds) rates.push_back(work / each);
    return quartiles(std::move(rates));
}

bool too_noisy(const Quartiles& spread) { return !(spread.high <= 1.5 * spread.low); }

std::string ratio_text(const Quartiles& spread) {
    const int decimals = spread.median < 2.0 ? 2 : spread.median < 10.0 ? 1 : 0;
    const std::string range =
        fmt::format("({:.{}f} to {:.{}f})", spread.low, decimals, spread.high, decimals);
    if (too_noisy(spread)) return "too noisy to tell " + range;
    return fmt::format("{:.{}f} x {}", spread.median, decimals, range);
}

std::string median_text(const Quartiles& spread) {
    return too_noisy(spread) ? "noisy" : three_digits(spread.median);
}

}  // namespace tfs
