// chapters/08_encoder_decoder/program/source_padding.cpp · a padded source, masked in the encoder, across, or not at all
#include <fmt/format.h>

#include <algorithm>

#include "chapters/08_encoder_decoder/program/options.hpp"

namespace tfs {

namespace {

constexpr std::size_t padded = 3;

// True for the positions of the source, false for those of the padding behind it: (1, 1, 1, source + padded).
Mask real_positions(std::size_t source) {
    std::vector<int> real(source + padded, 0);
    std::fill_n(real.begin(), source, 1);
    return Mask::from({1, 1, 1, source + padded}, real);
}

// How far the output of a padded source is from that of the source alone, for each way to mask it.
Report show_source_padding(const Request& request) {
    const ThreeModels models = three_models(request);
    const std::size_t n = models.source.size(1), d_model = models.source.size(2);
    const Tensor source = concat({models.source, Tensor(Rng(17).normal_array({1, padded, d_model}))}, 1);
    const Mask mask = real_positions(n);
    const Tensor alone = models.both(models.source, models.target).output;
    Table table{.columns = {{""}, {"", magnitude()}}};
    const auto add = [&](const char* name, const std::optional<Mask>& in_encoder,
                         const std::optional<Mask>& across) {
        Memory memory = models.both.encode(source, in_encoder);
        memory.padding = across;
        const Tensor output = models.both.decode(models.target, memory).output;
        table.add({name, largest_difference(output.array(), alone.array())});
    };
    add("  masked in the encoder and across", mask, mask);
    add("  masked in the encoder only", mask, std::nullopt);
    add("  masked across only", std::nullopt, mask);
    add("  not masked", std::nullopt, std::nullopt);
    Report report;
    report.note(fmt::format("{} tokens of padding behind the source; largest difference to the source alone:",
                            padded));
    report.add(table);
    return report;
}

}  // namespace

Sections source_padding_sections() {
    return {{"source-padding", "Padding of the source has to be masked twice", show_source_padding,
             options::of_models, Level::deeper}};
}

}  // namespace tfs
