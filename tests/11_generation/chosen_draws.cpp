// tests/11_generation/chosen_draws.cpp · random generators whose next draws a test chooses
#include "tests/11_generation/chosen_draws.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace tfs::test {
namespace {

// The word of the Mersenne Twister's state that it gives as `drawn`: its four steps backwards.
std::uint64_t word_for(std::uint64_t drawn) {
    std::uint64_t y = drawn ^ (drawn >> 43);
    y ^= (y << 37) & 0xFFF7EEE000000000u;
    std::uint64_t x = y;
    for (int i = 0; i < 4; ++i) x = y ^ ((x << 17) & 0x71D67FFFEDA60000u);
    y = x;
    for (int i = 0; i < 3; ++i) x = y ^ ((x >> 29) & 0x5555555555555555u);
    return x;
}

}  // namespace

Rng rng_that_draws(const std::vector<double>& us) {
    constexpr std::size_t words = 312;
    std::string state;
    for (std::size_t i = 0; i < words; ++i) {
        const double u = i < us.size() ? us[i] : 0.5;
        state += fmt::format("{} ", word_for(static_cast<std::uint64_t>(u * 0x1.0p53) << 11));
    }
    Rng rng(0);
    rng.set_state(state + "0");  // the next draw is made of word 0
    Rng copy = rng;
    for (const double u : us)
        if (copy.uniform() != u)
            throw std::logic_error("rng_that_draws: this library writes the state of mt19937_64 otherwise");
    return rng;
}

std::size_t draws_between(Rng before, const Rng& after, std::size_t most) {
    const std::string wanted = after.state();
    for (std::size_t draws = 0; draws <= most; ++draws, (void)before.uniform())
        if (before.state() == wanted) return draws;
    return most + 1;
}

}  // namespace tfs::test
