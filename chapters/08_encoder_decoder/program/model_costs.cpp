// chapters/08_encoder_decoder/program/model_costs.cpp · parameters and FLOPs of the three kinds of model
#include <fmt/format.h>

#include "chapters/08_encoder_decoder/cost.hpp"
#include "chapters/08_encoder_decoder/program/options.hpp"

namespace tfs {

namespace {

const std::vector<BarPart> kinds{{"encoder-decoder", Hue::encoder_decoder}, {"decoder only", Hue::decoder}};

struct KindCosts {
    std::string name;
    std::vector<PartCost> parts;
    std::string bar = {};  // its label in the figure; only those that read source and target do the same work
};

std::vector<KindCosts> costs_of_kinds(const StackConfig& six, std::size_t source, std::size_t target) {
    StackConfig twelve = six;
    twelve.num_layers = 12;
    return {
        {"encoder, 6 layers", stack_costs(six, "", 1, source)},
        {"decoder, 6 layers", stack_costs(six, "", 1, source)},
        {"encoder-decoder, 6 + 6", encoder_decoder_costs(six, 1, source, target),
         "encoder-decoder, 6 + 6 layers"},
        {"decoder on source + target, 6", stack_costs(six, "", 1, source + target), "decoder only, 6 layers"},
        {"decoder on source + target, 12", stack_costs(twelve, "", 1, source + target),
         "decoder only, 12 layers"}};
}

Report show_costs(const Request&) {
    constexpr std::size_t source = 128, target = 128;
    StackConfig base{original_block(), 6, true};  // of Vaswani et al. 2017, as torch.nn.Transformer makes it
    base.block.attention_bias = AttentionBias::all;
    Table table{.title = fmt::format(
                    "d_model {}, {} heads, d_ff {}; source and target of {} tokens; without embeddings:",
                    base.block.d_model, base.block.num_heads, base.block.d_ff, source),
                .columns = {{"kind"}, {"parameters", thousands()}, {"FLOPs", flops()}}};
    BarFigure figure{
        .name = "costs",
        .title =
            "An encoder-decoder of 6 + 6 layers is larger than a decoder of 12, but computes little more "
            "than one of 6",
        .panels = {{"size: parameters", "parameters", kinds},
                   {"work: FLOPs of one forward pass", "FLOPs", kinds}},
        .caption =
            "All three read a source and a target of 128 tokens each, at d_model 512. Each layer of the "
            "encoder-decoder works on one of the two texts; its cross-attention costs parameters."};
    for (const KindCosts& kind : costs_of_kinds(base, source, target)) {
        const TotalCost sum = total(kind.parts);
        table.add({kind.name, sum.parameters, sum.flops});
        if (kind.bar.empty()) continue;
        const bool both = kind.bar.starts_with(kinds[0].name);
        const auto bar = [&](double value) {
            return Bar{kind.bar, both ? std::vector{value, 0.0} : std::vector{0.0, value}};
        };
        figure.panels[0].bars.push_back(bar(static_cast<double>(sum.parameters)));
        figure.panels[1].bars.push_back(bar(static_cast<double>(sum.flops)));
    }
    Report report;
    report.add(table);
    report.add(figure);
    return report;
}

}  // namespace

Sections model_costs_sections() {
    return {{"costs", "Parameters and cost at equal width", show_costs, {}, Level::deeper}};
}

}  // namespace tfs
