// chapters/08_encoder_decoder/program/memory_reuse.cpp · one encoding of the source for many tokens of the target
#include <fmt/format.h>

#include <algorithm>

#include "chapters/08_encoder_decoder/cost.hpp"
#include "chapters/08_encoder_decoder/program/options.hpp"

namespace tfs {

namespace {

// The largest difference that it makes to encode anew for each target, from the first token of the target to all of them.
double difference_of_encoding_anew(const ThreeModels& models) {
    const Memory memory = models.both.encode(models.source);
    double largest = 0.0;
    for (std::size_t n = 1; n <= models.target.size(1); ++n) {
        const Tensor begun = slice(models.target, 1, 0, n);
        largest = std::max(largest, largest_difference(models.both(models.source, begun).output.array(),
                                                       models.both.decode(begun, memory).output.array()));
    }
    return largest;
}

double flops_of(const std::vector<PartCost>& parts) { return static_cast<double>(total(parts).flops); }

// The FLOPs of the keys and values of cross-attention: they are made of the memory alone.
double memory_flops(const std::vector<PartCost>& decoder) {
    double sum = 0.0;
    for (const PartCost& part : decoder)
        if (part.part.ends_with("cross.w_k") || part.part.ends_with("cross.w_v"))
            sum += static_cast<double>(part.repeated * part.flops);
    return sum;
}

// FLOPs of writing the first n tokens, each step over the whole target so far.
struct WritingFlops {
    double anew = 0.0;  // the encoder for each token
    double once = 0.0;  // the encoder once
    double kept = 0.0;  // … and the keys and values of the memory once
};

std::vector<WritingFlops> writing_flops(const StackConfig& config, std::size_t source, std::size_t tokens) {
    const double encoder = flops_of(stack_costs(config, "", 1, source));
    double decoders = 0.0, again = 0.0;  // again: keys and values of the memory after the first token
    std::vector<WritingFlops> all;
    for (std::size_t n = 1; n <= tokens; ++n) {
        const std::vector<PartCost> step = cross_stack_costs(config, "", 1, source, n);
        decoders += flops_of(step);
        if (n > 1) again += memory_flops(step);
        all.push_back(
            {static_cast<double>(n) * encoder + decoders, encoder + decoders, encoder + decoders - again});
    }
    return all;
}

Report show_reuse(const Request& request) {
    const NoGrad no_grad;
    constexpr std::size_t source_length = 128;
    const ThreeModels models = three_models(request);
    Report report;
    report.note(fmt::format(
        "{} targets, each one token longer; encoded anew against encoded once: largest difference {}\n"
        "FLOPs of writing n tokens for a source of {} tokens (base model), each step over the whole target "
        "so far",
        models.target.size(1), difference_of_encoding_anew(models), source_length));
    Table table{.columns = {{"n", whole()},
                            {"encoded n times", flops()},
                            {"once", flops()},
                            {"saved", whole(" %")},
                            {"and keys, values once", flops()}}};
    Series once{.name = "encode once"}, kept{.name = "encode once, keep K and V", .hue = Hue::with};
    std::size_t n = 0;
    for (const WritingFlops& cost : writing_flops(base_stack(), source_length, 128)) {
        ++n;
        once.add(static_cast<double>(n), 100.0 * cost.once / cost.anew);
        kept.add(static_cast<double>(n), 100.0 * cost.kept / cost.anew);
        if ((n & (n - 1)) == 0)  // powers of 2
            table.add({n, cost.anew, cost.once, 100.0 * (1.0 - cost.once / cost.anew), cost.kept});
    }
    report.add(table);
    report.add(LineFigure{
        .name = "reuse",
        .title = "Encoding the source once leaves a quarter of the work at 16 tokens",
        .panels = {{.title = "",
                    .x_axis = "tokens written, n",
                    .y_axis = "FLOPs, % of encoding for every token",
                    .log_x = true,
                    .series = {once, kept},
                    .from_zero = true,
                    .limits = {{.from = 100.0, .name = "encode for every token"}}}},
        .caption =
            "A source of 128 tokens, the base model of 2017. K and V are the keys and values of the memory. "
            "For long targets both curves rise, because each step computes the whole target so far again."});
    return report;
}

}  // namespace

Sections memory_reuse_sections() {
    return {{"reuse", "The source is encoded once, for any number of tokens", show_reuse, options::of_models,
             Level::deeper}};
}

}  // namespace tfs
