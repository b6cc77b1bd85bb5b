// chapters/07_block/program/kept_bytes.cpp · what the tape of a real block keeps, and what three calls of one norm add to it
#include <fmt/format.h>

#include "chapters/07_block/cost.hpp"
#include "chapters/07_block/program/options.hpp"

namespace tfs {

namespace {

Report show_kept_bytes(const Request& request) {
    Table table{.columns = {{"block"},
                            {"formula", thousands(), "bytes"},
                            {"copies of reshape", thousands(), "bytes"},
                            {"tape", thousands(), "bytes"},
                            {"equal"}}};
    const Tensor x = embed_sentence(request).x;
    const std::size_t seq = x.size(1);
    for (const auto& [name, config] : {std::pair{"pre-norm", sentence_config(request, NormPosition::pre)},
                                       {"post-norm", sentence_config(request, NormPosition::post)},
                                       {"LLaMA's", llama_sentence_config(request)}}) {
        const std::size_t formula = sizeof(float) * block_activations(config, 1, seq).total();
        const std::size_t copies = copies_of_reshape(config, 1, seq, seq);
        const std::size_t tape = tape_bytes(sentence_block(request, config)(x).output);
        table.add({name, formula, copies, tape, formula + copies == tape ? "yes" : "NO"});
    }
    Report report;
    report.add(table);
    return report;
}

// attention(norm(x), norm(x), norm(x)), as some code has it: what it computes, keeps and costs.
Report show_three_norms(const Request& request) {
    const AttentionSublayer half =
        sentence_block(request, sentence_config(request, NormPosition::pre)).attention;
    const Tensor x = parameter(embed_sentence(request).x);
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
    Report report;
    report.note(
        fmt::format("largest difference of the outputs: {:g}", largest_difference(a.array(), b.array())));
    report.note(fmt::format("kept for backward: {} B with one norm, {} B with three; norm(x) has {} B",
                            with_separators(tape_bytes(a)), with_separators(tape_bytes(b)),
                            with_separators(sizeof(float) * x.size())));
    const NoGrad no_grad;
    const Rounds rounds = measure_in_turns({[&] { (void)once(); }, [&] { (void)thrice(); }});
    report.note(fmt::format("time, forward only, on one core, three norms against one: {}",
                            ratio_text(ratio(rounds[1], rounds[0]))));
    return report;
}

}  // namespace

Sections kept_bytes_sections() {
    return {{"kept-bytes",
             "What a block keeps for the backward pass: formula and tape",
             show_kept_bytes,
             {options::text, options::heads, options::d_model, options::seed},
             Level::deeper},
            {"three-norms",
             "One norm computed three times (times differ from run to run)",
             show_three_norms,
             {options::text, options::heads, options::d_model, options::seed},
             Level::deeper}};
}

}  // namespace tfs
