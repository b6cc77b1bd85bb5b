// chapters/07_block/program/kept_bytes.cpp · what the tape of a real block keeps, and what three calls of one norm add to it
#include "chapters/07_block/program/sections.hpp"

#include <fmt/ostream.h>

#include "chapters/07_block/cost.hpp"

namespace tfs {

void compare_with_tape(Show& show, const Tensor& x) {
    fmt::print(show.out, "  {:<12}{:>14}{:>20}{:>14}{:>10}\n", "block", "formula", "copies of reshape",
               "tape", "equal");
    const std::size_t seq = x.size(1);
    for (const auto& [name, config] : {std::pair{"pre-norm", sentence_config(show, NormPosition::pre)},
                                       {"post-norm", sentence_config(show, NormPosition::post)},
                                       {"LLaMA's", llama_sentence_config(show)}}) {
        const std::size_t formula = sizeof(float) * block_activations(config, 1, seq).total();
        const std::size_t copies = copies_of_reshape(config, 1, seq, seq);
        const std::size_t tape = tape_bytes(sentence_block(show, config)(x).output);
        fmt::print(show.out, "  {:<12}{:>12} B{:>18} B{:>12} B{:>10}\n", name, with_separators(formula),
                   with_separators(copies), with_separators(tape), formula + copies == tape ? "yes" : "NO");
    }
}

void measure_three_norms(Show& show, const Tensor& embedded) {
    const AttentionSublayer half = sentence_block(show, sentence_config(show, NormPosition::pre)).attention;
    const Tensor x = parameter(embedded);
    const auto once = [&] {
        const Tensor normed = half.norm(x);
        return x + half.attend(normed, half.keys_values(normed)).output;
    };
    const auto thrice = [&] {
        const Projections& made = half.attention;
        const Tensor keys = split_heads(made.w_k(half.norm(x)), half.kv_heads);
        const Tensor values = split_heads(made.w_v(half.norm(x)), half.kv_heads);
        return x + half.attend(half.norm(x), {keys, values}).output;
    };
    const Tensor a = once(), b = thrice();
    fmt::print(show.out, "  largest difference of the outputs: {:g}\n",
               largest_difference(a.array(), b.array()));
    fmt::print(show.out, "  kept for backward: {} B with one norm, {} B with three; norm(x) has {} B\n",
               with_separators(tape_bytes(a)), with_separators(tape_bytes(b)),
               with_separators(sizeof(float) * x.size()));
    const NoGrad no_grad;
    const Rounds rounds = measure_in_turns({[&] { (void)once(); }, [&] { (void)thrice(); }});
    fmt::print(show.out, "  time, forward only, on one core, three norms against one: {}\n",
               ratio_text(ratio(rounds[1], rounds[0])));
}

}  // namespace tfs
