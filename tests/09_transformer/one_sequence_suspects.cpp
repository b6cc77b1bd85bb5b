// tests/09_transformer/one_sequence_suspects.cpp · a model put together from chapter 08, with one thing done wrong
#include "tests/09_transformer/one_sequence_suspects.hpp"

#include <string>

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

}  // namespace tfs::test
