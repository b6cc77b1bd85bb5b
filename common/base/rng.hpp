// common/base/rng.hpp · random numbers that are the same on every platform
//
// The 64-bit Mersenne Twister is fixed by the C++ standard; the standard's distributions are not. So the transforms
// to uniform and normal values are our own. (The normal one calls the C library's log and cos, which may differ in the
// last bit of a double; rounded to float that is hardly ever seen.) An Rng is always passed in: nothing draws from
// hidden global state.
#pragma once

#include <optional>
#include <random>

#include "common/base/xtensor.hpp"

namespace tfs {

// Output number index + 1 of a SplitMix64 generator whose seed is `key` (Steele, Lea and Flood 2014, "Fast Splittable
// Pseudorandom Number Generators", with Stafford's mixing constants). It needs no state but the two numbers, so an array
// of such values fills in any order, in parallel, and vectorised.
inline std::uint64_t splitmix64(std::uint64_t key, std::uint64_t index) {
    std::uint64_t z = key + (index + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

// A row of coins without end: coin i shows true with a probability of threshold / 2^53, decided by the key and i alone.
struct BernoulliSequence {
    std::uint64_t key = 0;
    std::uint64_t threshold = 0;

    bool operator()(std::uint64_t i) const { return (splitmix64(key, i) >> 11) < threshold; }
};

class Rng {
  public:
    explicit Rng(std::uint64_t seed) : engine_(seed) {}

    // An Rng that draws nothing, for building a module whose weights are then loaded or set:
    //     Rng none = Rng::zeros();
    //     Transformer model(config, none);
    //     load_weights(model, path);
    // Its uniform and normal arrays are all zeros, whatever their bounds, mean and deviation. All else that draws is a
    // ValueError: single numbers, coins and Bernoulli arrays. So a dropout in training refuses it.
    static Rng zeros() { return Rng(); }

    // Uniform in [0, 1): the 53 high bits of one draw.
    double uniform();
    // Uniform in [low, high).
    double uniform(double low, double high) { return low + (high - low) * uniform(); }
    // Normal by the Box-Muller transform: sqrt(-2 ln u1) cos(2 pi u2). Two draws a value; the second one is not kept,
    // so the state is the engine's alone.
    double normal(double mean = 0.0, double standard_deviation = 1.0);
    // Uniform in 0 … count-1. Throws ValueError if count is 0.
    std::size_t below(std::size_t count);

    Array uniform_array(const Shape& shape, double low, double high);
    Array normal_array(const Shape& shape, double mean = 0.0, double standard_deviation = 1.0);

    // BernoulliSequence that show true with this probability. One draw of the engine makes their key. Throws ValueError if the
    // probability is not in [0, 1].
    BernoulliSequence bernoulli(double probability);
    // 1 where the coin of the entry (in row-major order) shows true, else 0. Like bernoulli(), one draw for the whole array,
    // whatever its size: the result is the same for any number of threads.
    Array bernoulli_array(const Shape& shape, double probability);

    // The engine's state as text, to save and resume a run; "zeros" for Rng::zeros().
    std::string state() const;
    void set_state(const std::string& state);  // throws ValueError where the text is no state

  private:
    Rng() = default;
    std::mt19937_64& engine();  // throws ValueError where there is none

    std::optional<std::mt19937_64> engine_;  // none in Rng::zeros()
};

}  // namespace tfs
