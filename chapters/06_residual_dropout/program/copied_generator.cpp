// chapters/06_residual_dropout/program/copied_generator.cpp · a generator that is copied draws the same mask at every call
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "chapters/06_residual_dropout/program/options.hpp"

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

Report show_copied_generator(const Request& request) {
    constexpr std::size_t size = 4096;
    constexpr double p = 0.2;
    const Tensor x(Rng(request[options::seed]).normal_array({size}));
    Table table{.columns = {{"calls", whole()},
                            {"error, new", fixed(4)},
                            {"never kept, new", whole()},
                            {"error, same", fixed(4)},
                            {"never kept, same", whole()}}};
    Rng moving(request[options::seed] + 1);
    const Rng original(request[options::seed] + 1);
    Average fresh{std::vector<double>(size)}, same{std::vector<double>(size)};
    for (std::size_t call = 1, shown = 1; call <= 1024; ++call) {
        Rng copy = original;  // the mistake: it begins where it began at the last call
        fresh.add(dropout(x, p, &moving));
        same.add(dropout(x, p, &copy));
        if (call != shown) continue;
        shown *= 4;
        table.add({call, fresh.error(x), fresh.never_kept(), same.error(x), same.never_kept()});
    }
    Report report;
    report.note(fmt::format(
        "{} entries, p = {}. Error: of the mean of all calls so far against x, as a root mean square.", size,
        p));
    report.add(table);
    return report;
}

}  // namespace

Sections copied_generator_sections() {
    return {{"copied-generator",
             "A copied generator drops the same entries for ever",
             show_copied_generator,
             {options::seed},
             Level::deeper}};
}

}  // namespace tfs
