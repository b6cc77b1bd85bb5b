// chapters/09_transformer/program/final_norm.cpp · what the last norm of a model does to the logits, measured
#include "chapters/09_transformer/program/sections.hpp"

#include <fmt/ostream.h>

#include "chapters/09_transformer/program/small_models.hpp"

namespace tfs {

namespace {

// The stack of a decoder without its last norm.
Tensor before_final_norm(const Transformer& model, const Ids& ids) {
    Stack stack = std::get<Stack>(model.stack);
    stack.final_norm.reset();
    return stack(model.embed(ids)).output;
}

}  // namespace

void measure_final_norm(Show& show) {
    const NoGrad no_grad;
    std::ostream& out = show.out;
    const Ids ids = small_text(show.options.seed + 3, 32);
    fmt::print(out, "  root mean square of the logits, without and with the final norm\n");
    fmt::print(out, "  {:<6} {:>7} {:>10} {:>9} {:>30}\n", "norm", "layers", "without", "with",
               "largest change of a logit");
    for (const auto& [name, position] :
         {std::pair("pre", NormPosition::pre), std::pair("post", NormPosition::post)}) {
        for (const std::size_t layers : {2u, 6u, 24u}) {
            TransformerConfig config = preset("tiny-decoder");
            config.num_layers = layers;
            config.block.norm_position = position;
            const Transformer model = small_model(config, show.options.seed);
            const Tensor without = model.logits(before_final_norm(model, ids)), with = model(ids).logits;
            const double change = largest_difference(without.array(), with.array());
            fmt::print(out, "  {:<6} {:>7} {:>10.3f} {:>9.3f} {:>30}\n", name, layers,
                       root_mean_square(without.values()), root_mean_square(with.values()),
                       change < 2e-5 ? "below 2e-5" : fmt::format("{:.1f}", change));
        }
    }
}

}  // namespace tfs
