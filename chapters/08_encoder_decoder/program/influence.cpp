// chapters/08_encoder_decoder/program/influence.cpp · which input can change which output, measured
#include "chapters/08_encoder_decoder/program/sections.hpp"

#include <fmt/ostream.h>

#include <algorithm>
#include <functional>

#include "chapters/08_encoder_decoder/program/position_pairs.hpp"

namespace tfs {

namespace {

// What a model makes of one of its inputs, and the words of both.
struct Dependence {
    std::string name;
    std::function<Tensor(const Tensor&)> output_of;
    const Tensor& input;
    const Tokens &output_words, &input_words;
};

// (output positions, input positions): how much output i moves where input j gets another vector.
Array influence(const Dependence& dependence, std::uint64_t seed) {
    const Tensor& x = dependence.input;
    const Tensor before = dependence.output_of(x);
    const std::size_t inputs = x.size(1), outputs = before.size(1), width = x.size(2);
    const Array others = Rng(seed).normal_array(x.shape());
    Array moved = Array::from_shape({outputs, inputs});
    for (std::size_t j = 0; j < inputs; ++j) {
        Array values = x.array();
        std::copy_n(others.data() + j * width, width, values.data() + j * width);
        const Tensor change = dependence.output_of(Tensor(values)) - before;
        for (std::size_t i = 0; i < outputs; ++i)
            moved(i, j) = static_cast<float>(root_mean_square(change.values().subspan(i * width, width)));
    }
    return moved;
}

std::vector<Dependence> dependences(const ThreeModels& models) {
    const Tokens &source = models.source_words, &target = models.target_words;
    return {{"encoder: source <- source", [&](const Tensor& x) { return models.encoder(x).output; },
             models.source, source, source},
            {"decoder: source <- source", [&](const Tensor& x) { return models.decoder(x).output; },
             models.source, source, source},
            {"encoder-decoder: target <- target",
             [&](const Tensor& x) { return models.both(models.source, x).output; }, models.target, target,
             target},
            {"encoder-decoder: target <- source",
             [&](const Tensor& x) { return models.both(x, models.target).output; }, models.source, target,
             source}};
}

}  // namespace

HeatMapFigure measure_influence(Show& show, const ThreeModels& models) {
    const NoGrad no_grad;
    HeatMapFigure figure{
        .name = "influence",
        .title = "How much each output changes when one input vector is replaced (grey: not at all)",
        .row_axis = "output",
        .column_axis = "replaced input",
        .caption =
            "A decoder's output does not depend on later inputs: in grey cells it stays exactly the same. An "
            "encoder's outputs depend on the whole source, and so do the targets of an encoder-decoder. "
            "Rows: "
            "outputs. Columns: the input that we replace with a random vector."};
    fmt::print(show.out, "  {:<44} {:>12} {:>24}\n", "output <- input", "pairs moved",
               "of them from later on");
    for (const Dependence& dependence : dependences(models)) {
        const Array moved = influence(dependence, show.options.seed + 3);
        const xt::xarray<bool> changed = not_zero(moved);
        const PairCount pairs = count_pairs(changed);
        fmt::print(show.out, "  {:<44} {:>4} of {:>4} {:>24}\n", dependence.name, pairs.all, moved.size(),
                   pairs.later);
        figure.panels.push_back({dependence.name, moved, dependence.output_words, dependence.input_words,
                                 changed, ColourScale::sequential, "rms change"});
    }
    return figure;
}

}  // namespace tfs
