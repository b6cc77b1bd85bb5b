// chapters/09_transformer/program/final_norm.cpp · what the last norm of a model does to the logits, measured
#include "chapters/09_transformer/program/options.hpp"

namespace tfs {

namespace {

// The stack of a decoder without its last norm.
Tensor before_final_norm(const Transformer& model, const Ids& ids) {
    Stack stack = std::get<Stack>(model.stack);
    stack.final_norm.reset();
    return stack(model.embed(ids)).output;
}

Report show_final_norm(const Request& request) {
    const NoGrad no_grad;
    const Ids ids = small_text(request[options::seed] + 3, 32);
    Table table{.title = "root mean square of the logits, without and with the final norm",
                .columns = {{"norm"},
                            {"layers", whole()},
                            {"without", fixed(3)},
                            {"with", fixed(3)},
                            {"largest change of a logit", fixed(1)}}};
    for (const NormPosition position : {NormPosition::pre, NormPosition::post}) {
        for (const std::size_t layers : {2u, 6u, 24u}) {
            TransformerConfig config = preset("tiny-decoder");
            config.num_layers = layers;
            config.block.norm_position = position;
            const Transformer model = small_model(config, request[options::seed]);
            const Tensor without = model.logits(before_final_norm(model, ids)), with = model(ids).logits;
            const double change = largest_difference(without.array(), with.array());
            table.add({position == NormPosition::pre ? "pre" : "post", layers,
                       root_mean_square(without.values()), root_mean_square(with.values()),
                       change < 2e-5 ? Cell("below 2e-5") : Cell(change)});
        }
    }
    Report report;
    report.add(table);
    return report;
}

}  // namespace

Sections final_norm_sections() {
    return {{"final-norm",
             "The final norm, on pre-norm and on post-norm blocks",
             show_final_norm,
             {options::seed},
             Level::deeper}};
}

}  // namespace tfs
