// tests/08_encoder_decoder/cross_attention_test.cpp · step cross_attention: PyTorch's values, properties, diagnosis
#include "tests/08_encoder_decoder/checklist.hpp"

#include <algorithm>

#include "common/base/xtensor_math.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/gradient.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

// What is seen where the padding of a source is: of all, or of all but the first one's. Told by the padding of the first source
// alone, of two.
std::string cause_of_lost_padding(const AttentionSublayer& s, const Tensor& x, const KeysValues& kept) {
    std::vector<int> entries(2 * kept.keys.size(2), 1);
    entries[kept.keys.size(2) - 1] = 0;
    const Padding of_first = Mask::from({2, 1, 1, kept.keys.size(2)}, entries);
    const bool lost =
        bool(close(cross_attention(s, x, kept, of_first).output, cross_attention(s, x, kept).output));
    return lost ? "source_padding is not passed on: every query sees the padding of the source"
                : "the padding of the first source is used for all: each source has its own";
}

// The sublayer, whose weights are multiplied by the padding after the softmax.
Tensor masked_afterwards(const AttentionSublayer& s, const Tensor& t, const KeysValues& kept,
                         const Mask& real) {
    const Tensor ones_and_zeros = Tensor(Array(xt::cast<float>(real.array())));
    const Tensor left = s.attend(t, kept).weights * ones_and_zeros;
    return s.attention.w_o(merge_heads(matmul(left, kept.values)));
}

// Wrong answers to cross-attention under the source's padding. Some need a source as long as the target.
std::vector<Suspect> cross_suspects(const AttentionSublayer& s, const Tensor& x, const Tensor& memory,
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

// Where the scores have as many keys as queries, the padding of a longer source does not fit.
std::optional<AttentionOutput> across_or_cause(const AttentionSublayer& s, const Tensor& x,
                                               const Tensor& memory, const Padding& real) {
    return result_or_failure([&] { return cross_attention(s, x, s.keys_values(memory), real); },
                             [](const ShapeError& error) {
                                 return cause_of_shape(
                                     error, "(2, 2, 4, 4)",
                                     "the keys are those of x: attend gets the memory as it is");
                             });
}

TEST(cross_attention, equals_pytorch) {
    for (const std::string& form : forms) {
        Rng none = Rng::zeros();
        AttentionSublayer sublayer(small(form), none);
        const Loaded part = load("decoder.blocks.0.cross.", sublayer.parameters());
        const Tensor x = leaf("target"), memory = leaf("memory");
        const Padding real = padding("source_padding");
        const std::optional<AttentionOutput> result = across_or_cause(sublayer, x, memory, real);
        if (!result) return;
        expect_golden(form + ".cross_attention.", part, result->output,
                      layers("cross_weights", {result->weights}), {{"target", x}, {"memory", memory}}, 1e-5,
                      cross_suspects(sublayer, x, memory, real));
        if (HasFailure()) return;  // one form tells it
    }
}

TEST(cross_attention, queries_are_of_the_decoder_keys_and_values_of_the_encoder) {
    for (const std::string& form : forms) {
        Rng rng(2);
        const AttentionSublayer s(small(form), rng);
        const Tensor x = normal({2, 4, width}, 9), memory = normal({2, 4, width}, 10) * 2.0f;
        const KeysValues kept = s.keys_values(memory);
        const AttentionOutput result = cross_attention(s, x, kept, short_source);
        EXPECT_TRUE(close_named(form, result.output, attended(s, x, memory, short_source), {1e-5, 2e-6},
                                cross_suspects(s, x, memory, short_source)));
        if (HasFailure()) return;  // wrong weights would only say it again
        const auto weights = [&](const Tensor& t) { return s.attend(t, kept, short_source).weights; };
        EXPECT_TRUE(close_named(
            form + ", weights", result.weights, weights(form == "pre" ? s.norm(x) : x), {1e-5, 2e-6},
            {{"the weights are those of x without its norm: the call that gives the output gives them",
              [&] { return weights(x); }}}));
        if (HasFailure()) return;
        const Tensor one = slice(x, 1, 0, 1);
        EXPECT_TRUE(close_named(form + ", a target of one position",
                                cross_attention(s, one, kept, short_source).output,
                                attended(s, one, memory, short_source), {1e-5, 2e-6},
                                {{"source_padding is not passed on where the target has one position",
                                  [&] { return attended(s, one, memory, std::nullopt); }}}));
        if (HasFailure()) return;
    }
}

TEST(cross_attention, works_with_one_head) {
    BlockConfig config = small("pre");
    config.num_heads = 1;
    Rng rng(6);
    const AttentionSublayer s(config, rng);
    const Tensor x = normal({2, 3, width}, 14), memory = normal({2, 5, width}, 15);
    EXPECT_TRUE(close(cross_attention(s, x, s.keys_values(memory)).output,
                      attended(s, x, memory, std::nullopt), {1e-5, 2e-6},
                      cross_suspects(s, x, memory, std::nullopt)));
}

TEST(cross_attention, sends_a_gradient_through_the_weights_as_well) {
    for (const std::string& form : forms) {
        Rng rng(7);
        const AttentionSublayer s(small(form), rng);
        const KeysValues memory = s.keys_values(normal({1, 4, width}, 16));
        expect_gradient_through_weights("the weights", normal({1, 3, width}, 19), [&](const Tensor& x) {
            return cross_attention(s, x, memory).weights;
        });
        if (HasFailure()) return;
    }
}

TEST(cross_attention, every_target_sees_every_source) {
    Rng rng(3);
    const AttentionSublayer sublayer(small("pre"), rng);
    const Tensor x = normal({1, 3, width}, 11);
    expect_all_seen(
        [&](const Tensor& memory) {
            return cross_attention(sublayer, x, sublayer.keys_values(memory)).output;
        },
        normal({1, 5, width}, 12), 3, causal_across, not_asked);
}

TEST(cross_attention, drops_weights_and_output_in_training) {
    Rng rng(4);
    const AttentionSublayer sublayer(small("pre", 0.3), rng);
    const Tensor x = golden()["target"], memory = golden()["memory"];
    const KeysValues kept = sublayer.keys_values(memory);
    const bool right = expect_training(
        [&](Rng* r) { return cross_attention(sublayer, x, kept, std::nullopt, r).output; },
        [&](Rng* r) { return attended(sublayer, x, memory, std::nullopt, r); },
        {{"the weights are not dropped: sublayer.attend takes rng",
          [&](Rng* r) {
              const Tensor q = sublayer.norm(x);
              return x + dropout(sublayer.attention(q, memory, memory).output, 0.3, r);
          }},
         {"what attention gave is not dropped before it is added",
          [&](Rng* r) {
              return x + attention_with_dropout(sublayer.attention, sublayer.norm(x), memory, memory,
                                                std::nullopt, 0.3, r)
                             .output;
          }},
         {"what is added is dropped twice: norm_and_add drops it already", [&](Rng* r) {
              const Tensor found = attention_with_dropout(sublayer.attention, sublayer.norm(x), memory,
                                                          memory, std::nullopt, 0.3, r)
                                       .output;
              return x + dropout(dropout(found, 0.3, r), 0.3, r);
          }}});
    if (!right) return;
    Rng drawn(3), same(3), again(3);
    const Tensor input = sublayer.norm(x), used = sublayer.attend(input, kept, std::nullopt, &same).weights;
    const std::string other_call =
        "the weights come from a second call: attention ran twice, and these were not used";
    EXPECT_TRUE(close_named(
        "the weights", cross_attention(sublayer, x, kept, std::nullopt, &drawn).weights, used, {1e-5, 1e-6},
        {{other_call, [&] { return sublayer.attend(input, kept).weights; }},
         {other_call, [&] { return sublayer.attend(x, kept).weights; }},
         {other_call, [&] {
              const AttentionOutput first = sublayer.attend(input, kept, std::nullopt, &again);
              (void)dropout(first.output, 0.3, &again);  // what norm_and_add draws
              return sublayer.attend(input, kept, std::nullopt, &again).weights;
          }}}));
}

TEST(cross_attention, refuses_another_batch_and_what_does_not_fit) {
    Rng rng(5);
    const AttentionSublayer sublayer(small("pre"), rng);
    const Tensor x = golden()["target"], memory = golden()["memory"];
    const KeysValues kept = sublayer.keys_values(memory);
    expect_shapes_refused("x", {2, 4, width}, [&](const Tensor& t) { cross_attention(sublayer, t, kept); });
    expect_paddings_refused("source_padding", 5,
                            [&](const Padding& p) { cross_attention(sublayer, x, kept, p); });
    for (const std::size_t batch : {1u, 3u})
        EXPECT_TRUE(refuses<ShapeError>(
            [&] {
                cross_attention(sublayer, x, sublayer.keys_values(normal({batch, 5, width}, 13)));
            },
            {"x", "memory", "2", std::to_string(batch)}, "another batch"));
}

}  // namespace
}  // namespace tfs::test
