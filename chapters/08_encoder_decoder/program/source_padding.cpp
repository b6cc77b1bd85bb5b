// chapters/08_encoder_decoder/program/source_padding.cpp · a padded source, masked in the encoder, across, or not at all
#include "chapters/08_encoder_decoder/program/sections.hpp"

#include <fmt/ostream.h>

#include <algorithm>

namespace tfs {

namespace {

constexpr std::size_t padded = 3;

// True for the positions of the source, false for those of the padding behind it: (1, 1, 1, source + padded).
Mask real_positions(std::size_t source) {
    std::vector<int> real(source + padded, 0);
    std::fill_n(real.begin(), source, 1);
    return Mask::from({1, 1, 1, source + padded}, real);
}

}  // namespace

void measure_source_padding(Show& show, const ThreeModels& models) {
    const std::size_t n = models.source.size(1), d_model = models.source.size(2);
    const Tensor source = concat({models.source, Tensor(Rng(17).normal_array({1, padded, d_model}))}, 1);
    const Mask mask = real_positions(n);
    const Tensor alone = models.both(models.source, models.target).output;
    const auto print = [&](const char* name, const std::optional<Mask>& in_encoder,
                           const std::optional<Mask>& across) {
        Memory memory = models.both.encode(source, in_encoder);
        memory.padding = across;
        const Tensor output = models.both.decode(models.target, memory).output;
        fmt::print(show.out, "    {:<42} {}\n", name,
                   small_or_number(largest_difference(output.array(), alone.array())));
    };
    fmt::print(show.out,
               "  {} tokens of padding behind the source; largest difference to the source alone:\n", padded);
    print("masked in the encoder and across", mask, mask);
    print("masked in the encoder only", mask, std::nullopt);
    print("masked across only", std::nullopt, mask);
    print("not masked", std::nullopt, std::nullopt);
}

}  // namespace tfs
