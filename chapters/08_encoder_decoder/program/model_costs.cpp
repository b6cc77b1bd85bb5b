// chapters/08_encoder_decoder/program/model_costs.cpp · parameters, FLOPs and bytes of the three kinds of model
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

// What the copies by head leave on the tape beside the parts of the table (chapter 07), in all three attentions of a
// layer.
std::size_t copied_bytes(const StackConfig& config, std::size_t source, std::size_t target) {
    const auto copies = [&](std::size_t query, std::size_t key) {
        return copies_of_reshape(config.block, 1, query, key);
    };
    return config.num_layers * (copies(source, source) + copies(target, target) + copies(target, source));
}

// Parameters and kept bytes of the program's encoder-decoder by formula, and as they are counted.
void compare_with_tape(Report& report, const ThreeModels& models) {
    const std::size_t source = models.source.size(1), target = models.target.size(1);
    const TotalCost sum = total(encoder_decoder_costs(models.config, 1, source, target));
    const Tensor output = models.both(models.source.detach(), models.target.detach()).output;
    report.note(fmt::format(
        "the program's small model, by formula: {} parameters, {} bytes kept + {} of copies by head",
        with_separators(sum.parameters), with_separators(sum.bytes),
        with_separators(copied_bytes(models.config, source, target))));
    report.note(fmt::format("counted, and on the tape: {} parameters, {} bytes",
                            with_separators(count_parameters(models.both.parameters())),
                            with_separators(tape_bytes(output))));
}

Report show_costs(const Request& request) {
    constexpr std::size_t source = 128, target = 128;
    const StackConfig base = base_stack();
    Table table{
        .title =
            fmt::format("d_model {}, {} heads, d_ff {}; source and target of {} tokens; without embeddings:",
                        base.block.d_model, base.block.num_heads, base.block.d_ff, source),
        .columns = {{"kind"}, {"parameters", thousands()}, {"FLOPs", flops()}, {"kept bytes", bytes()}}};
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
        table.add({kind.name, sum.parameters, sum.flops, sum.bytes});
        if (kind.bar.empty()) continue;
        const bool both = kind.bar.starts_with(kinds[0].name);
        const auto bar = [&](double value) {
            return Bar{kind.bar, both ? std::vector{value, 0.0} : std::vector{0.0, value}};
        };
        figure.panels[0].bars.push_back(bar(static_cast<double>(sum.parameters)));
        figure.panels[1].bars.push_back(bar(static_cast<double>(sum.flops)));
    }
    Report report;
    compare_with_tape(report, three_models(request));
    report.add(table);
    report.add(figure);
    return report;
}

}  // namespace

Sections model_costs_sections() {
    return {{"costs", "Parameters and cost at equal width", show_costs, options::of_models, Level::deeper}};
}

}  // namespace tfs
