// chapters/04_normalization/program/norm_cost.cpp · parameters of the norms, and their time beside that of a copy
#include "chapters/04_normalization/program/sections.hpp"

#include <fmt/ostream.h>

#include "chapters/04_normalization/normalization.hpp"

namespace tfs {

void measure_cost(Show& show) {
    constexpr std::size_t tokens = 1024, d_model = 768;
    Rng rng(show.options.seed);
    const Tensor x(rng.normal_array({tokens, d_model}));
    const LayerNorm layer(d_model);
    const RMSNorm root(d_model);
    const NoGrad no_grad;
    const Rounds rounds =
        measure_in_turns({[&] { (void)Tensor(x.array()); }, [&] { (void)layer(x); }, [&] { (void)root(x); }});
    fmt::print(show.out, "  1024 tokens, on one core\n\n");
    fmt::print(show.out, "{:>12} {:>22} {:>10} {:>24}\n", "", "parameters at d = 768", "time, us",
               "against the copy");
    const auto row = [&](const char* name, std::size_t parameters, const Seconds& seconds) {
        fmt::print(show.out, "{:>12} {:>22} {:>10} {:>24}\n", name, parameters,
                   median_text(ratio(seconds, Seconds(seconds.size(), 1e-6))),
                   ratio_text(ratio(seconds, rounds[0])));
    };
    row("a copy of x", 0, rounds[0]);
    row("LayerNorm", count_parameters(layer.parameters()), rounds[1]);
    row("RMSNorm", count_parameters(root.parameters()), rounds[2]);
}

}  // namespace tfs
