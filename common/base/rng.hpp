// common/base/rng.hpp · random numbers that are the same on every platform
//
// The 64-bit Mersenne Twister is fixed by the C++ standard; the standard's distributions are not. So the transforms
// to uniform and normal values are our own. (The normal one calls the C library's log and cos, which may differ in the
// last bit of a double; rounded to float that is hardly ever seen.) An Rng is always passed in: nothing draws from
// hidden global state.
#pragma once

#include <random>

#include "common/base/xtensor.hpp"

namespace tfs {

class Rng {
  public:
    explicit Rng(std::uint64_t seed) : engine_(seed) {}

    // Uniform in [0, 1): the 53 high bits of one draw.
    double uniform();
    // Uniform in [low, high).
    double uniform(double low, double high) { return low + (high - low) * uniform(); }
    // Normal by the Box-Muller transform: sqrt(-2 ln u1) cos(2 pi u2). Two draws a value; the second one is not kept,
    // so the state is the engine's alone.
    double normal(double mean = 0.0, double standard_deviation = 1.0);
    // Uniform in 0 … count-1. Throws ValueError where count is 0.
    std::size_t below(std::size_t count);

    Array uniform_array(const Shape& shape, double low, double high);
    Array normal_array(const Shape& shape, double mean = 0.0, double standard_deviation = 1.0);

    // The engine's state as text, to save and resume a run.
    std::string state() const;
    void set_state(const std::string& state);  // throws ValueError where the text is no state

  private:
    std::mt19937_64 engine_;
};

}  // namespace tfs
