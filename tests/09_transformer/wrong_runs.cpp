// tests/09_transformer/wrong_runs.cpp · a model put together from chapter 08, with one thing done wrong
#include "tests/09_transformer/wrong_runs.hpp"

#include <string>
#include <utility>

namespace tfs::test {

std::vector<Suspect> one_sequence_suspects(const Transformer& m, const Ids& ids,
                                           const std::optional<Ids>& kinds, bool hidden) {
    std::vector<Suspect> all;
    const auto add = [&](const std::string& message, Wrong wrong) {
        all.push_back({message, [=] {
                           const Tensor h = reference_hidden(m, ids, kinds, wrong);
                           return hidden ? h : reference_logits(m, h);
                       }});
    };
    add("the final norm is left out: call the stack, not its blocks", Wrong::no_final_norm);
    add("the final norm is applied once more: the stack has done it", Wrong::second_final_norm);
    add("positions look ahead: the stack makes the causal mask, its blocks alone don't",
        Wrong::no_causal_mask);
    if (!m.config.pad_id) add(zero_is_no_padding, Wrong::zero_is_padding);
    add("the padding is not hidden: hand the stack padding_of(config, ids, pass)", Wrong::no_padding);
    add("segment_ids are not passed on to embed", Wrong::one_segment);
    add("the rows of the table go into the stack; begin with embed", Wrong::table_only);
    add("the positions are missing: begin with embed, not with the table", Wrong::no_positions);
    add("the positions are added twice: embed has added them", Wrong::positions_twice);
    add("this is what embed gave; it has to go through the stack", Wrong::no_stack);
    const auto right = [=] { return reference_hidden(m, ids, kinds); };
    if (hidden) {
        all.push_back({"`hidden` holds the logits; it is what the stack gave",
                       [=] { return reference_logits(m, right()); }});
        return all;
    }
    for (const Suspect& suspect : logits_suspects(m, [=] { return reference_logits(m, right()); }))
        all.push_back(suspect);
    if (m.output)
        all.push_back({always_tied, [=] { return matmul(right(), m.embedding.weight, Transpose::b); }});
    all.push_back({"`logits` holds the hidden states; the scores of the tokens are logits(hidden)", right});
    all.push_back({"only the last position is scored; every position scores the token after it", [=] {
                       return reference_logits(m, slice(right(), 1, ids.shape()[1] - 1, ids.shape()[1]));
                   }});
    return all;
}

Run right_run(const Transformer& m, const Ids& source, const Ids& target) {
    const auto padding = padding_of(m.config, source);
    return {source, target, {padding, padding, padding_of(m.config, target)}};
}

Tensor reference_decoded(const Transformer& m, const Run& run) {
    EncoderDecoder stack = std::get<EncoderDecoder>(m.stack);
    const Tensor x = embedded(m, run.source, {}, run.of_source),
                 y = run.target_begins > 0 ? m.embed(run.target, Pass(nullptr, run.target_begins))
                                           : embedded(m, run.target, {}, run.of_target);
    if (!run.decoded) return y;
    Memory memory = run.encoded ? stack.encode(x, run.paddings[0]) : stack.memory_of(x);
    memory.padding = run.paddings[1];
    const Tensor hidden = stack.decode(y, memory, run.paddings[2]).output;
    return run.of_target == Wrong::second_final_norm && stack.final_norm ? (*stack.final_norm)(hidden)
                                                                         : hidden;
}

namespace {

using WrongRuns = std::vector<std::pair<std::string, Run>>;

WrongRuns runs_with_other_paddings(const Run& right) {
    const auto s = right.paddings[0], t = right.paddings[2];
    const std::optional<Mask> none;
    WrongRuns all;
    const auto add = [&](const std::string& message, const std::vector<std::optional<Mask>>& paddings) {
        all.emplace_back(message, right).second.paddings = paddings;
    };
    add("the source's padding is not hidden from the encoder", {none, s, t});
    add("the source's padding is not hidden from cross-attention", {s, none, t});
    add("the source's padding is hidden nowhere", {none, none, t});
    add("the target's padding is not hidden from self-attention", {s, s, none});
    add("no padding is hidden", {none, none, none});
    if (shape_of(right.source) != shape_of(right.target)) return all;
    add("the padding of the target is used for the source's keys: they are those of the source", {s, t, t});
    add("the paddings of source and target are exchanged", {s, t, s});
    add("the padding of the source is used for the target's keys", {s, s, s});
    return all;
}

// Each token in the place after its own; in front the first one again, or token 0.
Ids shifted_right(const Ids& target, bool begins_with_zero) {
    Ids shifted = target;
    for (std::size_t row = 0; row < target.shape()[0]; ++row) {
        for (std::size_t t = 1; t < target.shape()[1]; ++t) shifted(row, t) = target(row, t - 1);
        if (begins_with_zero) shifted(row, 0) = 0;
    }
    return shifted;
}

WrongRuns wrong_runs(const Transformer& m, const Run& right) {
    WrongRuns all = runs_with_other_paddings(right);
    const auto add = [&](const std::string& message, const Ids& source, const Ids& target) -> Run& {
        return all.emplace_back(message, right_run(m, source, target)).second;
    };
    const Ids &source = right.source, &target = right.target;
    add("the encoder is given the target; it reads the source", target, target);
    add("the decoder is given the source; it reads the target", source, source);
    add("source and target are exchanged: the decoder reads the target", target, source);
    add("the memory is the embedded source; it has to go through the encoder", source, target).encoded =
        false;
    add("this is what embed gave for the target; it has to go through the decoder", source, target).decoded =
        false;
    const auto with = [&](const std::string& message, Wrong of_source, Wrong of_target) {
        Run& run = add(message, source, target);
        run.of_source = of_source, run.of_target = of_target;
    };
    const std::string twice = "the positions are added twice: embed has added them to ",
                      table = "the rows of the table go into the stack; begin with embed for ";
    with(twice + "the source", Wrong::positions_twice, Wrong::nothing);
    with(twice + "the target", Wrong::nothing, Wrong::positions_twice);
    with(twice + "both sequences", Wrong::positions_twice, Wrong::positions_twice);
    with(table + "the source", Wrong::table_only, Wrong::nothing);
    with(table + "the target", Wrong::nothing, Wrong::table_only);
    with(table + "both sequences", Wrong::table_only, Wrong::table_only);
    for (const bool begins_with_zero : {false, true}) {
        const Ids shifted = shifted_right(target, begins_with_zero);
        const std::string message = "decode shifts the target; it is given as the decoder reads it";
        add(message, source, shifted);
        add(message, source, shifted).paddings = right.paddings;
    }
    const std::size_t length = source.shape()[1];
    if (length + target.shape()[1] <= m.config.max_len)
        add("the target's positions go on where the source's end; they begin at pass.offset", source, target)
            .target_begins = length;
    with("the final norm is applied once more: the decoder has done it", Wrong::nothing,
         Wrong::second_final_norm);
    return all;
}

}  // namespace

std::vector<Suspect> two_sequence_suspects(const Transformer& m, const Ids& source, const Ids& target,
                                           bool hidden) {
    const Run right = right_run(m, source, target);
    const auto result = [=](const Run& run) {
        const Tensor decoded = reference_decoded(m, run);
        return hidden ? decoded : reference_logits(m, decoded);
    };
    std::vector<Suspect> all;
    for (const auto& [message, run] : wrong_runs(m, right))
        all.push_back({message, [=, wrong = run] { return result(wrong); }});
    if (hidden) {
        all.push_back({"`hidden` holds the memory; it is what the decoder gave", [=] {
                           return std::get<EncoderDecoder>(m.stack)
                               .encode(embedded(m, source), right.paddings[0])
                               .output;
                       }});
        return all;
    }
    for (const Suspect& suspect : logits_suspects(m, [=] { return result(right); })) all.push_back(suspect);
    return all;
}

}  // namespace tfs::test
