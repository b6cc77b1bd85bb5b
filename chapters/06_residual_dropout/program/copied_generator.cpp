// chapters/06_residual_dropout/program/copied_generator.cpp · a generator that is copied draws the same mask at every call
#include "chapters/06_residual_dropout/program/sections.hpp"

#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>

#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

namespace {

// The mean of all calls so far, as a sum, for each entry of x.
struct Average {
    std::vector<double> totals;
    double calls = 0.0;

    void add(const Tensor& y) {
        ++calls;
        for (std::size_t i = 0; i < totals.size(); ++i) totals[i] += static_cast<double>(y.values()[i]);
    }
    double error(const Tensor& x) const {  // as a root mean square
        double squares = 0.0;
        for (std::size_t i = 0; i < totals.size(); ++i)
            squares += std::pow(totals[i] / calls - static_cast<double>(x.values()[i]), 2.0);
        return std::sqrt(squares / static_cast<double>(totals.size()));
    }
    std::ptrdiff_t never_kept() const { return std::count(totals.begin(), totals.end(), 0.0); }
};

}  // namespace

void measure_copied_generator(Show& show) {
    constexpr std::size_t size = 4096;
    constexpr double p = 0.2;
    const Tensor x(Rng(show.options.seed).normal_array({size}));
    fmt::print(
        show.out,
        "  {} entries, p = {}. Error: of the mean of all calls so far against x, as a root mean square.\n",
        size, p);
    fmt::print(show.out, "{:>6} | {:>11} {:>18} | {:>11} {:>18}\n", "calls", "error, new", "never kept, new",
               "error, same", "never kept, same");
    Rng moving(show.options.seed + 1);
    const Rng original(show.options.seed + 1);
    Average fresh{std::vector<double>(size)}, same{std::vector<double>(size)};
    for (std::size_t call = 1, shown = 1; call <= 1024; ++call) {
        Rng copy = original;  // the mistake: it begins where it began at the last call
        fresh.add(dropout(x, p, &moving));
        same.add(dropout(x, p, &copy));
        if (call != shown) continue;
        shown *= 4;
        fmt::print(show.out, "{:>6} | {:>11.4f} {:>18} | {:>11.4f} {:>18}\n", call, fresh.error(x),
                   fresh.never_kept(), same.error(x), same.never_kept());
    }
}

}  // namespace tfs
