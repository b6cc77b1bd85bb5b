// chapters/08_encoder_decoder/program/influence.cpp · who can change whom, and what a mask changes, measured
#include <fmt/ostream.h>

#include <algorithm>
#include <functional>

#include "chapters/08_encoder_decoder/program/kinds.hpp"

namespace tfs {

namespace {

using Function = std::function<Tensor(const Tensor&)>;

// (output positions, input positions): how much output i moves where input j gets another vector.
Array influence(const Function& f, const Tensor& x, std::uint64_t seed) {
    const Tensor before = f(x);
    const std::size_t inputs = x.size(1), outputs = before.size(1), width = x.size(2);
    const Array others = Rng(seed).normal_array(x.shape());
    Array moved = Array::from_shape({outputs, inputs});
    for (std::size_t j = 0; j < inputs; ++j) {
        Array values = x.array();
        std::copy_n(others.data() + j * width, width, values.data() + j * width);
        const Tensor change = f(Tensor(values)) - before;
        for (std::size_t i = 0; i < outputs; ++i)
            moved(i, j) = static_cast<float>(root_mean_square(change.values().subspan(i * width, width)));
    }
    return moved;
}

}  // namespace

HeatMapFigure measure_influence(std::ostream& out, const KindSettings& s, const Kinds& kinds) {
    const NoGrad no_grad;
    HeatMapFigure figure{
        .name = "influence",
        .title = "How much each output moves when one input is exchanged (crossed: not a bit)",
        .row_axis = "output",
        .column_axis = "exchanged input"};
    fmt::print(out, "  {:<44} {:>12} {:>24}\n", "output <- input", "pairs moved", "of them from later on");
    const auto add = [&](const std::string& name, const Function& f, const Tensor& x, const Tokens& rows,
                         const Tokens& columns) {
        const Array moved = influence(f, x, s.seed + 3);
        const xt::xarray<bool> changed = not_zero(moved);
        const Pairs pairs = count_pairs(changed);
        fmt::print(out, "  {:<44} {:>4} of {:>4} {:>24}\n", name, pairs.all, moved.size(), pairs.later);
        figure.panels.push_back({name, moved, rows, columns, changed, ColourScale::sequential, "rms change"});
    };
    const auto both = [&](const Tensor& source, const Tensor& target) {
        return kinds.both(source, target).output;
    };
    add(
        "encoder: source <- source", [&](const Tensor& x) { return kinds.encoder(x).output; }, kinds.source,
        s.source, s.source);
    add(
        "decoder: source <- source", [&](const Tensor& x) { return kinds.decoder(x).output; }, kinds.source,
        s.source, s.source);
    add(
        "encoder-decoder: target <- target", [&](const Tensor& x) { return both(kinds.source, x); },
        kinds.target, s.target, s.target);
    add(
        "encoder-decoder: target <- source", [&](const Tensor& x) { return both(x, kinds.target); },
        kinds.source, s.target, s.source);
    return figure;
}

void measure_one_block(std::ostream& out, const KindSettings& s, const Kinds& kinds) {
    const Tensor& x = kinds.source;
    const auto run = [&](const Stack& stack, StackKind kind) {
        return stack.blocks[0](x, self_attention_mask(kind, x.size(1))).output.array();
    };
    const Array looks_back = run(kinds.decoder, StackKind::decoder);
    fmt::print(out, "  blocks of seed {}, equal weights; largest difference to the decoder's block:\n",
               s.seed);
    fmt::print(out, "    encoder's block                       {:.3f}\n",
               largest_difference(run(kinds.encoder, StackKind::encoder), looks_back));
    fmt::print(out, "    encoder's block under a causal mask   {:.3f}\n",
               largest_difference(run(kinds.encoder, StackKind::decoder), looks_back));
}

void measure_padding(std::ostream& out, const Kinds& kinds) {
    constexpr std::size_t padded = 3;
    const std::size_t n = kinds.source.size(1), d_model = kinds.source.size(2);
    const Tensor source = concat({kinds.source, Tensor(Rng(17).normal_array({1, padded, d_model}))}, 1);
    std::vector<int> real(n + padded, 0);
    std::fill_n(real.begin(), n, 1);
    const Mask mask = Mask::from({1, 1, 1, n + padded}, real);
    const Tensor alone = kinds.both(kinds.source, kinds.target).output;
    const auto print = [&](const char* name, const std::optional<Mask>& in_encoder,
                           const std::optional<Mask>& across) {
        Memory memory = kinds.both.encode(source, in_encoder);
        memory.padding = across;
        const double off =
            largest_difference(kinds.both.decode(kinds.target, memory).output.array(), alone.array());
        fmt::print(out, "    {:<42} {}\n", name, small_or_number(off));
    };
    fmt::print(out, "  {} tokens of padding behind the source; largest difference to the source alone:\n",
               padded);
    print("masked in the encoder and across", mask, mask);
    print("masked in the encoder only", mask, std::nullopt);
    print("masked across only", std::nullopt, mask);
    print("not masked", std::nullopt, std::nullopt);
}

}  // namespace tfs
