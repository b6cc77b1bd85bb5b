// common/measure.hpp · what programs measure: differences, sizes, angles, entropies; memory; times
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/tensor/tensor.hpp"

namespace tfs {

// The largest |a - b| over all entries. Infinite where the shapes differ or an entry is NaN in one of them: a check that
// asks for a small difference then fails.
double largest_difference(const Array& a, const Array& b);

// The root of the mean square over all entries.
double root_mean_square(std::span<const float> x);

// The sum of a_i b_i over vectors of one length, and the cosine of the angle between them (NaN where one is all zeros).
double dot(std::span<const float> a, std::span<const float> b);
double cosine(std::span<const float> a, std::span<const float> b);

// The entropy -sum p ln p of each row along the last axis, in nats, averaged over the rows.
double mean_entropy(const Tensor& weights);

// What the process has in memory, in bytes; 0 where that can't be had: the system is not Linux, or the address sanitizer keeps what is
// freed.
double resident_bytes();
// The most that it had at once while this ran, beyond what it had before. None where that can't be had.
std::optional<double> peak_memory(const std::function<void()>& work);

// ---- times ----------------------------------------------------------------------------------------------------------
//
// Other work on a machine comes and goes within seconds. Things that are timed one after the other meet different
// conditions, so here they take turns: a round times each of them, and a ratio compares times of one round. The spread
// of the ratios over the rounds says how far they can be trusted.
//
//     const Rounds rounds = measure_in_turns({[&] { copy(x); }, [&] { norm(x); }});
//     fmt::print("the norm takes {} of the copy\n", ratio_text(ratio(rounds[1], rounds[0])));   3.9 x (3.7 to 4.2)

// The middle of some numbers: half of them lie between low and high.
struct Quartiles {
    double low = 0.0, median = 0.0, high = 0.0;
};

// Interpolated between neighbours, as numpy.percentile does. Throws ValueError if there is no number.
Quartiles quartiles(std::vector<double> values);

using Clock = std::function<double()>;  // seconds since some moment
double steady_seconds();

// How things are timed. On one core, loops of OpenMP and products of OpenBLAS's OpenMP build have no other thread to wait for,
// whose times say little. (Another build of OpenBLAS keeps its own threads.)
struct Turns {
    std::size_t rounds = 9;
    double seconds = 0.01;  // in a round, a thing is called again and again until so much time has passed
    bool one_core = true;
};

// These turns; one call of each thing if the environment has TFS_TIMES=once, for tests that look at no times.
Turns usual_turns(const Turns& turns = {});

// The seconds of one call, a number for each round: of the calls in a round the shortest, because whatever else the
// machine does only makes a call longer. Each thing is called once before the first round, if turns take time.
using Seconds = std::vector<double>;
using Rounds = std::vector<Seconds>;  // for each thing
Rounds measure_in_turns(const std::vector<std::function<void()>>& things, const Turns& turns = usual_turns(),
                        const Clock& clock = steady_seconds);

// The ratio of two things in each round: how many times as long `thing` takes as `other`. Throws ValueError if they
// have not the same number of rounds.
Quartiles ratio(const Seconds& thing, const Seconds& other);

// work / seconds in each round, for example in GFLOP/s where work is in 1e9 operations.
Quartiles rate(double work, const Seconds& seconds);

// The rule: numbers say nothing where the upper quartile is more than 1.5 times the lower one.
bool too_noisy(const Quartiles& spread);

// "3.9 x (3.7 to 4.2)", or "too noisy to tell (1.9 to 4.2)": the median and the quartiles.
std::string ratio_text(const Quartiles& spread);

// The median with three significant digits and no exponent, or "noisy": for a column of a table.
std::string median_text(const Quartiles& spread);

}  // namespace tfs
