// tests/08_encoder_decoder/cross_attention_block_suspects.hpp · what wrong answers to step cross_attention_block give
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "common/base/xtensor_math.hpp"
#include "tests/08_encoder_decoder/checklist.hpp"

namespace tfs::test {

// What is seen where the padding of a source is: of all, or of all but the first one's. Told by the padding of the first source
// alone.
inline std::string cause_of_lost_padding(const AttentionSublayer& s, const Tensor& x,
                                         const KeysValues& kept) {
    const std::size_t batch = kept.keys.shape()[0], source = kept.keys.shape()[2];
    std::vector<int> entries(batch * source, 1);
    entries[source - 1] = 0;
    const Padding of_first = Mask::from({batch, 1, 1, source}, entries);
    const bool lost =
        bool(close(cross_attention(s, x, kept, of_first).output, cross_attention(s, x, kept).output));
    return lost ? "source_padding is not passed on: every query sees the padding of the source"
                : "the padding of the first source is used for all: each source has its own";
}

// The sublayer, whose weights are multiplied by the padding after the softmax.
inline Tensor masked_afterwards(const AttentionSublayer& s, const Tensor& t, const KeysValues& kept,
                                const Mask& real) {
    const Tensor ones_and_zeros = Tensor(Array(xt::cast<float>(real.array())));
    const Tensor left = s.attend(t, kept, {}, with_weights).weights * ones_and_zeros;
    return s.attention.w_o(merge_heads(matmul(left, kept.values)));
}

// Wrong answers to cross-attention under the source's padding. Some need a source as long as the target.
inline std::vector<Suspect> cross_suspects(const AttentionSublayer& s, const Tensor& x, const Tensor& memory,
                                           const Padding& real) {
    const bool pre = s.position == NormPosition::pre;
    const Norm norm = s.norm;
    const KeysValues kept = s.keys_values(memory);
    using Attend = std::function<Tensor(const Tensor&)>;
    const auto on = [=](const KeysValues& given, const Padding& mask) -> Attend {
        return [=](const Tensor& t) { return s.attend(t, given, mask).output; };
    };
    const auto half = [=](const Attend& f) { return [=] { return pre ? x + f(norm(x)) : norm(x + f(x)); }; };
    const Attend f = on(kept, real);
    const std::string twice_added = "x is added twice: norm_and_add adds it already",
                      own_norm = "norm_and_add is given norm(x) in place of x; it norms by itself",
                      exchanged = "keys and values of the memory are exchanged: pass on the memory as it is";
    std::vector<Suspect> suspects{
        {"attend is called without norm_and_add, which norms, drops and adds", [=] { return f(x); }},
        {"the queries are not normed, although the norm comes first",
         [=] { return pre ? x + f(x) : norm(x + f(x)); }},
        {"the norm is not where sublayer.position says: norm_and_add knows",
         [=] { return pre ? norm(x + f(x)) : x + f(norm(x)); }},
        {"normed twice: before attention and after the addition; norm_and_add does it once",
         [=] { return norm(x + f(norm(x))); }},
        {"normed twice: the lambda norms what it gets", half([=](const Tensor& t) { return f(norm(t)); })},
        {"the norm is between attention and the addition: norm_and_add norms the sum",
         [=] { return x + norm(f(x)); }},
        {own_norm, [=] { return pre ? norm(x) + f(norm(norm(x))) : norm(norm(x) + f(norm(x))); }},
        {"x is not added: norm_and_add does it", [=] { return pre ? f(norm(x)) : norm(f(x)); }},
        {twice_added, [=] { return x + half(f)(); }},
        {twice_added, [=] { return pre ? x + x + f(norm(x)) : norm(x + x + f(x)); }},
        {pre ? "the lambda adds its input: norm_and_add adds x already" : twice_added,
         half([=](const Tensor& t) { return t + f(t); })},
        {"added to norm(x) in place of x", [=] { return norm(x) + f(norm(x)); }},
        {exchanged, half(on({kept.values, kept.keys}, real))},
        {"the keys of the memory serve as values, too", half(on({kept.keys, kept.keys}, real))},
        {"the values of the memory serve as keys, too", half(on({kept.values, kept.values}, real))},
        {"cross-attention is done twice", [=] {
             const auto once = [=](const Tensor& t) { return pre ? t + f(norm(t)) : norm(t + f(t)); };
             return once(once(x));
         }}};
    if (real) {
        suspects.push_back({cause_of_lost_padding(s, x, kept), half(on(kept, std::nullopt))});
        suspects.push_back(
            {"the weights are multiplied by the padding after the softmax: those that stay don't sum to 1; "
             "attend takes the mask",
             half([=](const Tensor& t) { return masked_afterwards(s, t, kept, *real); })});
        suspects.push_back(
            {"source_padding is inverted: true = a real token", half(on(kept, inverted(real)))});
    }
    const std::size_t target = x.size(1), source = memory.size(1);
    for (const std::size_t offset :
         {std::size_t{0}, source - std::min(source, target)}) {  // both beginnings, both ends
        if (source < target) break;
        const Mask causal = causal_mask(target, source, offset);
        suspects.push_back({causal_across, half(on(kept, real ? *real & causal : causal))});
        if (real) suspects.push_back({causal_across + ", and the padding is lost", half(on(kept, causal))});
    }
    if (source != target) return suspects;
    const auto of = [=](bool own_keys, bool own_values) {
        return half([=](const Tensor& t) {
            const KeysValues own = s.keys_values(t);
            return on({own_keys ? own.keys : kept.keys, own_values ? own.values : kept.values}, real)(t);
        });
    };
    suspects.push_back({"keys from the memory, but values from x", of(false, true)});
    suspects.push_back({"values from the memory, but keys from x", of(true, false)});
    suspects.push_back({"this is self-attention: it does not use the memory", of(true, true)});
    return suspects;
}

// Wrong answers to the block under the paddings of source and target. hides_later: there is a causal mask where there is no
// padding. Some need a source as long as the target.
inline std::vector<Suspect> block_suspects(const EncoderDecoderBlock& b, const Tensor& x,
                                           const Tensor& memory, const Padding& source, const Padding& target,
                                           bool hides_later) {
    const Mask causal = causal_mask(x.size(1));
    const auto self = [&b](const Tensor& t, const Padding& mask) { return b.self_attention(t, mask).output; };
    const auto cross = [&b, &memory](const Tensor& t, const Padding& mask) {
        return attended(b.cross, t, memory, mask);
    };
    const auto ff = [&b](const Tensor& t) { return b.feed_forward(t); };
    const Padding right = causal & *target;
    const Tensor back = self(x, right), across = cross(back, source), crossed = cross(x, source);
    const auto of = [](const Tensor& t) { return [t] { return t; }; };
    const auto shared = [&](const AttentionSublayer& s, const Norm& norm) {
        return of(ff(attended(s, norm, back, back, memory, memory, source)));
    };
    const auto by_self_attention = [&b, memory, back, source] {  // on the keys and values that `cross` made
        const AttentionSublayer& s = b.self_attention;
        const KeysValues kept = b.cross.keys_values(memory);
        const AttendingSublayer attend = [&](const Tensor& t) { return s.attend(t, kept, source); };
        return b.feed_forward(norm_and_add(s.position, s.norm, back, attend, 0.0, nullptr).output);
    };
    const std::string
        beside = "both attentions read x, and are added: cross-attention reads what self-attention gave",
        residual = "one residual connection too many: the sublayers have theirs",
        cross_weights = "cross-attention uses the weights of self-attention; it has its own: `cross`";
    std::vector<Suspect> suspects{
        {"cross-attention comes before self-attention", of(ff(self(crossed, right)))},
        {"cross-attention uses the norm of self-attention; each sublayer has its own",
         shared(b.cross, b.self_attention.norm)},
        {cross_weights, shared(b.self_attention, b.self_attention.norm)},
        {cross_weights, by_self_attention},
        {"self-attention uses the weights of cross-attention; it has its own: `self_attention`",
         of(ff(cross(b.cross(x, right).output, source)))},
        {"the target's padding is lost in self-attention", of(ff(cross(self(x, causal), source)))},
        {hides_later
             ? "the target's padding replaces the causal mask; both must hold"
             : "self-attention has no causal mask, only the target's padding: a position sees later ones",
         of(ff(cross(self(x, target), source)))},
        {"self-attention has no mask at all", of(ff(cross(self(x, std::nullopt), source)))},
        {"the source's padding is not passed to cross-attention", of(ff(cross(back, std::nullopt)))},
        {"cross-attention is fed from x, not from what self-attention gave", of(ff(crossed))},
        {"what cross-attention gives is not used: the network reads the output of self-attention",
         of(ff(back))},
        {beside, of(ff(back + crossed - x))},
        {beside, of(ff(back + crossed))},
        {"cross-attention makes keys and values of the target: it is given those of the memory",
         of(ff(attended(b.cross, back, back, std::nullopt)))},
        {"self-attention is done twice", of(ff(cross(self(back, right), source)))},
        {"cross-attention is done twice", of(ff(cross(across, source)))},
        {"the feed-forward network is done twice", of(ff(ff(across)))},
        {"the feed-forward network is left out", of(across)},
        {"the feed-forward network comes before cross-attention", of(cross(ff(back), source))},
        {residual, of(x + ff(across))},
        {residual, of(across + ff(across))},
        {residual, of(ff(x + across))},
        {residual, of(ff(back + across))},
        {residual, of(ff(cross(x + back, source)))}};
    if (x.size(1) != memory.size(1)) return suspects;
    suspects.push_back(
        {"source and target padding are exchanged", of(ff(cross(self(x, causal & *source), target)))});
    suspects.push_back({"cross-attention gets the target's padding; its keys are of the source",
                        of(ff(cross(back, target)))});
    suspects.push_back({"self-attention gets the source's padding; its keys are of the target",
                        of(ff(cross(self(x, causal & *source), source)))});
    return suspects;
}

}  // namespace tfs::test
