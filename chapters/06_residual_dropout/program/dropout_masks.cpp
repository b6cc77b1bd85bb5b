// chapters/06_residual_dropout/program/dropout_masks.cpp · the masks of dropout on the embedding of a sentence
#include "chapters/06_residual_dropout/program/sections.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "chapters/06_residual_dropout/program/kept_entries.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

namespace {

// The one sequence of x (1, rows, columns) as a matrix.
Array matrix(const Tensor& x) { return reshape(x, {x.size(-2), x.size(-1)}).array(); }

}  // namespace

HeatMapFigure draw_masks(Show& show, const Tensor& x) {
    const Tensor part = slice(x, -1, 0, std::min<std::size_t>(x.size(-1), 24));  // more columns can't be read
    HeatMapFigure figure{
        .name = "masks",
        .title = "Dropout on the embeddings: grey entries are dropped, the others grow",
        .row_axis = "token",
        .column_axis = "column of x",
        .panels_per_row = 3,
        .caption =
            "Grey entries are dropped; the others are multiplied by 1/(1-p), so their "
            "colours get stronger. Upper row: the same random numbers (one seed), so all that "
            "p = 0.1 drops is also dropped at 0.5. Lower row: another seed. Each call takes "
            "new random numbers from one Rng, so the masks differ at the same p."};
    const auto add = [&](const std::string& name, double p, Rng& rng) {
        const Tensor y = dropout(part, p, &rng);
        const Array values = matrix(y);
        show.trace.step(name, y, {"batch", "seq", "column"}, dropped_count(y));
        figure.panels.push_back(
            {name, values, show.tokens, {}, kept_entries(values), ColourScale::diverging});
    };
    for (const double p : {0.1, 0.3, 0.5}) {
        Rng rng(show.options.seed);
        add(fmt::format("p = {}", p), p, rng);
    }
    Rng rng(show.options.seed + 1);
    for (const char* const call : {"1st", "2nd", "3rd"}) add(fmt::format("p = 0.3, {} call", call), 0.3, rng);
    return figure;
}

}  // namespace tfs
