// chapters/08_encoder_decoder/program/influence.cpp · which input can change which output, measured
#include <algorithm>
#include <functional>

#include "chapters/08_encoder_decoder/program/options.hpp"
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
Array influence_of(const Dependence& dependence, std::uint64_t seed) {
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

// Replaces one input vector after the other. The figure shows which outputs change, the table how many.
Report show_influence(const Request& request) {
    const NoGrad no_grad;
    const ThreeModels models = three_models(request);
    Table table{.columns = {{"output <- input"},
                            {"pairs", whole()},
                            {"that change", whole()},
                            {"of these with a later input", whole()}}};
    HeatMapFigure figure{
        .name = "influence",
        .title = "Which outputs change when one input vector is replaced",
        .row_axis = "output",
        .column_axis = "replaced input",
        .caption =
            "Blue: the output (row) changes when we replace this input vector (column) by a random one. "
            "Grey: it stays the same to the last bit. In a decoder no output depends on a later input. In "
            "an encoder every output depends on every input. In an encoder-decoder the target depends on "
            "the target so far, and on all of the source."};
    for (const Dependence& dependence : dependences(models)) {
        const xt::xarray<bool> changed = not_zero(influence_of(dependence, request[options::seed] + 3));
        const PairCount pairs = count_pairs(changed);
        table.add({dependence.name, changed.size(), pairs.all, pairs.later});
        figure.panels.push_back({.title = dependence.name,
                                 .values = xt::cast<float>(changed),
                                 .rows = dependence.output_words,
                                 .columns = dependence.input_words,
                                 .scale = ColourScale::yes_no,
                                 .quantity = "changes"});
    }
    Report report;
    report.add(table);
    report.add(figure);
    return report;
}

}  // namespace

Section influence() {
    return {.id = "influence",
            .title = "Which outputs depend on a later input",
            .options = options::of_models,
            .run = show_influence};
}

}  // namespace tfs
