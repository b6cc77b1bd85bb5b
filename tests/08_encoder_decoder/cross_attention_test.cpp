// tests/08_encoder_decoder/cross_attention_test.cpp · step cross_attention: PyTorch's values, properties, diagnosis
#include "tests/08_encoder_decoder/checklist.hpp"

#include "tests/support/golden.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

TEST(cross_attention, equals_pytorch) {
    for (const std::string& form : forms) {
        Rng none = Rng::zeros();
        AttentionSublayer sublayer(small(form), none);
        const Loaded part = load("decoder.blocks.0.cross.", sublayer.parameters());
        const Tensor x = leaf("target"), memory = leaf("memory");
        const AttentionOutput result =
            cross_attention(sublayer, x, sublayer.keys_values(memory), padding("source_padding"));
        expect_golden(form + ".cross_attention.", part, result.output,
                      layers("cross_weights", {result.weights}), {{"target", x}, {"memory", memory}}, 1e-5,
                      {{"source_padding is not passed on: every query sees the padding of the source",
                        [&] { return attended(sublayer, x, memory, std::nullopt); }}});
    }
}

TEST(cross_attention, queries_are_of_the_decoder_keys_and_values_of_the_encoder) {
    for (const std::string& form : forms) {
        Rng rng(2);
        const AttentionSublayer s(small(form), rng);
        const Norm& norm = s.norm;
        const Tensor x = normal({2, 4, width}, 9), memory = normal({2, 4, width}, 10) * 2.0f;
        const Tensor input = form == "pre" ? norm(x) : x;  // what the lambda gets
        const auto wrong = [&](const Tensor& q, const Tensor& k, const Tensor& v, const Padding& mask) {
            const Tensor added = x + s.attention(q, k, v, mask).output;
            return form == "pre" ? added : norm(added);
        };
        EXPECT_TRUE(close_named(
            form, cross_attention(s, x, s.keys_values(memory), short_source).output,
            attended(s, x, memory, short_source), {1e-5, 2e-6},
            {{"keys from the memory, but values from x",
              [&] { return wrong(input, memory, input, short_source); }},
             {"values from the memory, but keys from x",
              [&] { return wrong(input, input, memory, short_source); }},
             {"this is self-attention: the memory is not asked",
              [&] { return wrong(input, input, input, short_source); }},
             {"the queries are not normed, although the norm comes first",
              [&] { return wrong(x, memory, memory, short_source); }},
             {causal_across, [&] { return wrong(input, memory, memory, *short_source & causal_mask(4)); }},
             {causal_across + ", and the padding is lost",
              [&] { return wrong(input, memory, memory, causal_mask(4)); }},
             {"the norm is not where sublayer.position says: norm_and_add knows",
              [&] {
                  const Tensor late = norm(x + s.attention(x, memory, memory, short_source).output);
                  return form == "pre" ? late : x + s.attention(norm(x), memory, memory, short_source).output;
              }},
             {"normed twice: before attention and after the addition; norm_and_add does it once",
              [&] { return norm(x + s.attention(norm(x), memory, memory, short_source).output); }},
             {"x is not added: norm_and_add does it",
              [&] {
                  const Tensor change = s.attention(input, memory, memory, short_source).output;
                  return form == "pre" ? change : norm(change);
              }},
             {"added to norm(x) in place of x",
              [&] { return norm(x) + s.attention(norm(x), memory, memory, short_source).output; }},
             {"source_padding is not passed on",
              [&] { return wrong(input, memory, memory, std::nullopt); }}}));
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
    expect_training([&](Rng* r) { return cross_attention(sublayer, x, kept, std::nullopt, r).output; },
                    [&](Rng* r) { return attended(sublayer, x, memory, std::nullopt, r); },
                    {{"the weights are not dropped: sublayer.attend takes rng",
                      [&](Rng* r) {
                          const Tensor q = sublayer.norm(x);
                          return x + dropout(sublayer.attention(q, memory, memory).output, 0.3, r);
                      }},
                     {"what attention gave is not dropped before it is added", [&](Rng* r) {
                          return x + attention_with_dropout(sublayer.attention, sublayer.norm(x), memory,
                                                            memory, std::nullopt, 0.3, r)
                                         .output;
                      }}});
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
