// chapters/07_block/program/tape.cpp · what the tape of a real block keeps, and what three calls of one norm add to it
#include <fmt/ostream.h>

#include <ostream>

#include "chapters/07_block/program/claims.hpp"

namespace tfs {

namespace {

std::function<void()> without_tape(const std::function<Tensor()>& compute) {
    return [compute] {
        const NoGrad no_grad;
        (void)compute();
    };
}

}  // namespace

void compare_with_tape(std::ostream& out, const Example& example) {
    fmt::print(out, "  {:<12}{:>14}{:>20}{:>14}{:>10}\n", "block", "formula", "copies of reshape", "tape",
               "equal");
    for (const auto& [name, config] :
         {std::pair{"pre-norm", example.pre}, {"post-norm", example.post}, {"LLaMA's", example.llama}}) {
        const std::size_t seq = example.tokens.size();
        const std::size_t formula = sizeof(float) * block_activations(config, 1, seq).total();
        const std::size_t copies = copies_of_reshape(config, 1, seq, seq);
        const std::size_t tape = tape_bytes(make_block(example, config)(example.x).output);
        fmt::print(out, "  {:<12}{:>12} B{:>18} B{:>12} B{:>10}\n", name, with_separators(formula),
                   with_separators(copies), with_separators(tape), formula + copies == tape ? "yes" : "NO");
    }
}

void measure_three_norms(std::ostream& out, const Example& example) {
    const AttentionSublayer half = make_block(example, example.pre).attention;
    const Tensor x = parameter(example.x);
    const auto once = [&] {
        const Tensor normed = half.norm(x);
        return x + half.attention(normed, normed, normed).output;
    };
    const auto thrice = [&] { return x + half.attention(half.norm(x), half.norm(x), half.norm(x)).output; };
    const Tensor a = once(), b = thrice();
    fmt::print(out, "  largest difference of the outputs: {:g}\n", largest_difference(a.array(), b.array()));
    fmt::print(out, "  kept for backward: {} B with one norm, {} B with three; norm(x) has {} B\n",
               with_separators(tape_bytes(a)), with_separators(tape_bytes(b)),
               with_separators(sizeof(float) * x.size()));
    fmt::print(
        out,
        "  time, forward only (differs from run to run): {:.0f} us with one norm, {:.0f} us with three\n",
        1e6 * best_seconds(without_tape(once)), 1e6 * best_seconds(without_tape(thrice)));
}

}  // namespace tfs
