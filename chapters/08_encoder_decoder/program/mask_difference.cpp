// chapters/08_encoder_decoder/program/mask_difference.cpp · one block under the masks of encoder and decoder
#include <fmt/format.h>

#include "chapters/08_encoder_decoder/program/options.hpp"

namespace tfs {

namespace {

// The first blocks of encoder and decoder, whose parameters are equal, under the mask of each.
Report show_mask_difference(const Request& request) {
    const ThreeModels models = three_models(request);
    const Tensor& x = models.source;
    const auto run = [&](const Stack& stack, StackKind kind) {
        return stack.blocks[0](x, self_attention_mask(kind, x.size(1))).output.array();
    };
    const Array looks_back = run(models.decoder, StackKind::decoder);
    const auto difference = [&](StackKind kind) {
        return largest_difference(run(models.encoder, kind), looks_back);
    };
    Table table{.columns = {{""}, {"", fixed(3)}}};
    table.add({"  encoder's block", difference(StackKind::encoder)});
    table.add({"  encoder's block under a causal mask", difference(StackKind::decoder)});
    Report report;
    report.note(
        fmt::format("blocks of seed {}, equal parameters; largest difference to a block of a decoder:",
                    request[options::seed]));
    report.add(table);
    return report;
}

}  // namespace

Sections mask_difference_sections() {
    return {{"masks", "Encoder and decoder are one block under two masks", show_mask_difference,
             options::of_models}};
}

}  // namespace tfs
