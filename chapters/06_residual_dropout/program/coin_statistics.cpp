// chapters/06_residual_dropout/program/coin_statistics.cpp · mean and variance of dropout over many coins
#include "chapters/06_residual_dropout/program/sections.hpp"

#include <fmt/ostream.h>

#include "chapters/06_residual_dropout/program/moments.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

void measure_mean_and_variance(Show& show) {
    constexpr std::size_t count = 1000000;
    const Tensor x = Tensor::full({count}, 2.0f);
    const NoGrad no_grad;
    Rng rng(show.options.seed);
    fmt::print(show.out, "  x = 2, {} coins for each p.\n", count);
    fmt::print(show.out, "  {:<5} {:>10} {:>20} {:>10} {:>18}\n", "p", "mean", "mean without factor",
               "variance", "x^2 p / (1-p)");
    for (const double p : {0.1, 0.2, 0.5, 0.9}) {
        const Tensor y = dropout(x, p, &rng);
        const Moments measured = moments(y.values());
        fmt::print(show.out, "  {:<5.1f} {:>10.3f} {:>20.3f} {:>10.3f} {:>18.3f}\n", p, measured.mean,
                   measured.mean * (1.0 - p), measured.deviation * measured.deviation, 4.0 * p / (1.0 - p));
    }
}

}  // namespace tfs
