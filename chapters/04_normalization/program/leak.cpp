// chapters/04_normalization/program/leak.cpp · BatchNorm over positions tells earlier words about later ones
#include "chapters/04_normalization/program/sections.hpp"

#include <fmt/ostream.h>

#include "chapters/04_normalization/program/normalise.hpp"

namespace tfs {

namespace {

// The largest change among the words before the last one, when the last word is another one.
double change_before(const Normalise& norm, const Tensor& x, const Tensor& other) {
    const auto earlier = [&](const Tensor& y) { return slice(y, 1, 0, x.size(1) - 1).array(); };
    return largest_difference(earlier(norm(x)), earlier(norm(other)));
}

}  // namespace

void measure_leak(Show& show, const Tensor& x) {
    const std::size_t seq = x.size(1), d_model = x.size(2);
    if (seq < 2) {
        show.trace.note("A text of one word has no earlier words. Give a longer --text.");
        return;
    }
    Rng rng(show.options.seed + 1);
    const Tensor other =
        concat({slice(x, 1, 0, seq - 1), Tensor(rng.normal_array({1, 1, d_model}, 0.0, 2.0))}, 1);
    fmt::print(show.out,
               "  The last word is replaced. The results of the {} words before it change by at most:\n\n",
               seq - 1);
    const auto line = [&](const char* name, const Normalise& norm) {
        const double change = change_before(norm, x, other);
        fmt::print(show.out, "{:>24}  {}\n", name, change == 0.0 ? "0" : fmt::format("{:.2f}", change));
    };
    line("BatchNorm, training", batch_norm(d_model, NormMode::training));
    line("BatchNorm, evaluation", batch_norm(d_model, NormMode::evaluation));
    line("LayerNorm", LayerNorm(d_model));
    line("RMSNorm", RMSNorm(d_model));
}

}  // namespace tfs
