// chapters/09_transformer/program/parameter_counts.cpp · how the parameters of published models are shared among their parts
#include "chapters/09_transformer/program/sections.hpp"

#include <fmt/ostream.h>

#include "chapters/09_transformer/cost.hpp"

namespace tfs {

namespace {

void print_shares(std::ostream& out, const std::vector<std::string>& models) {
    fmt::print(out, "  {:<12} {:>14} {:>13} {:>12} {:>15}\n", "", "parameters", "all tables", "attention",
               "feed-forward");
    for (const std::string& name : models) {
        const TransformerParameters p = transformer_parameters(preset(name));
        const auto share = [&](std::size_t part) {
            return 100.0 * static_cast<double>(part) / static_cast<double>(p.total());
        };
        const std::size_t tables = p.embedding + p.positions + p.segments + p.output;
        fmt::print(out, "  {:<12} {:>14} {:>11.1f} % {:>10.1f} % {:>13.1f} %\n", name,
                   with_separators(p.total()), share(tables), share(p.attention), share(p.feed_forward));
    }
}

BarFigure draw_parameters(const std::vector<std::string>& models) {
    BarPanel panel{.title = "share of all parameters, and their number",
                   .value_axis = "share of the parameters",
                   .parts = {"token table", "positions, segments", "attention", "feed-forward", "norms",
                             "pooler", "output table"},
                   .share = true};
    for (const std::string& name : models) {
        const TransformerParameters p = transformer_parameters(preset(name));
        Bar bar{name, {}};
        for (const std::size_t count : {p.embedding, p.positions + p.segments, p.attention, p.feed_forward,
                                        p.norms + p.block_norms, p.pooler, p.output})
            bar.values.push_back(static_cast<double>(count));
        panel.bars.push_back(bar);
    }
    return {.name = "parameters",
            .title = "Parameters by part",
            .panels = {panel},
            .caption =
                "The feed-forward networks are the largest part of all four models. The token table matters "
                "most in the small ones. LLaMA and Qwen have a second table for the output. The total is at "
                "the right (M: millions, G: billions)."};
}

}  // namespace

BarFigure show_parameter_counts(Show& show, const std::vector<std::string>& models) {
    print_shares(show.out, models);
    return draw_parameters(models);
}

}  // namespace tfs
