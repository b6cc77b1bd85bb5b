// tests/09_transformer/embed_test.cpp · step embed: PyTorch's values, properties, diagnosis
#include "tests/09_transformer/checklist.hpp"

#include <map>

#include "tests/support/golden.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

std::vector<Suspect> embed_suspects(const Transformer& m, const Ids& ids,
                                    const std::optional<Ids>& kinds = {}) {
    std::vector<Suspect> all;
    const auto add_where = [&](bool possible, Wrong wrong, const std::string& message) {
        if (possible) all.push_back({message, [=] { return embedded(m, ids, kinds, wrong); }});
    };
    const bool scaled = m.config.scale_embedding, normed = m.embedding_norm.has_value(),
               segments = m.segments.has_value();
    add_where(true, Wrong::no_positions, "the positions are missing");
    add_where(true, Wrong::positions_twice,
              "the positions are added twice: the encoding adds its rows to what it is given");
    add_where(
        true, Wrong::added_once_more,
        "positions add their rows to what they are given, and the result was added once more: write x = "
        "(*sinusoids)(x, pass.offset)");
    add_where(true, Wrong::positions_from_1, "the positions begin at 1; the first one is pass.offset");
    add_where(ids.shape()[0] > 1 && ids.size() <= m.config.max_len(), Wrong::positions_across_the_batch,
              "the positions are counted through the whole batch; every sequence begins at pass.offset");
    add_where(
        m.config.pad_id.has_value(), Wrong::padding_is_zero,
        "the rows of padding are zeros; the padding has a row as every token, and a mask hides it later");
    add_where(!scaled, Wrong::other_scale, "the embedding is scaled although scale_embedding is false");
    add_where(scaled && m.config.tied_output, Wrong::other_scale,
              "the embedding is not scaled by sqrt(d_model)");
    add_where(scaled && !m.config.tied_output, Wrong::other_scale,
              "the embedding is scaled only where the output is tied; ask scale_embedding alone");
    add_where(scaled, Wrong::added_first,
              "the positions are added before the scaling, so that they are scaled too");
    add_where(scaled, Wrong::divided, "the embedding is divided by sqrt(d_model), not multiplied");
    add_where(scaled, Wrong::times_d_model, "the embedding is scaled by d_model, not by its root");
    add_where(scaled, Wrong::cut_root,
              "sqrt(d_model) is cut to a whole number: keep the root in a float, not in an int");
    const std::string root_of = "; it is that of d_model, the width of a row";
    add_where(scaled, Wrong::root_of_d_k, "the scale is the root of d_k" + root_of);
    add_where(scaled, Wrong::root_of_vocab, "the scale is the root of vocab_size" + root_of);
    add_where(scaled, Wrong::root_of_max_len, "the scale is the root of max_len" + root_of);
    add_where(scaled, Wrong::root_of_length, "the scale is the root of the sequence's length" + root_of);
    add_where(
        segments, Wrong::no_segments,
        kinds ? "the segments are missing"
              : "no segments are added where there are no segment_ids: all positions are in segment 0 then");
    add_where(segments, Wrong::one_segment, "segment_ids are ignored: all positions are in segment 0");
    add_where(segments, Wrong::segments_of_tokens,
              "the rows of the segments are taken from the table of the tokens; they have their own");
    add_where(segments && scaled && kinds, Wrong::segments_first,
              "the segments are added before the scaling, so that they are scaled too");
    add_where(normed, Wrong::no_norm, "the norm of the sum is missing");
    add_where(normed, Wrong::norm_first,
              "the norm comes before positions and segments; it is that of the sum");
    add_where(normed && segments, Wrong::norm_before_segments,
              "the segments are added after the norm; it is that of the sum");
    add_where(normed, Wrong::new_norm,
              "the norm is a new one, without the gamma and beta of the model: call *embedding_norm");
    add_where(!normed, Wrong::new_norm, "the sum is normed although the model has no embedding_norm");
    return all;
}

TEST(embed, equals_pytorch_for_tokens_positions_and_segments) {
    const Transformer m = golden_model("bert");
    const Ids ids = golden_ids("bert.ids"), kinds = golden_ids("bert.segment_ids");
    ASSERT_TRUE(close(m.embed(ids, {}, kinds), golden()["bert.embedded"], {1e-5, 1e-6},
                      embed_suspects(m, ids, kinds)));
    EXPECT_TRUE(close_named("without segment_ids", m.embed(ids), golden()["bert.one_segment.embedded"],
                            {1e-5, 1e-6}, embed_suspects(m, ids)));
}

// The roots of d_model, d_k, vocab_size, max_len and of the length are five numbers, and none of them is whole. What has a tied
// output comes first: where that is right, and a scale is missing later, tying was asked.
TEST(embed, scales_the_tokens_and_not_the_positions) {
    TransformerConfig c = small_config();
    c.block.d_model = 12;
    c.block.max_len = 23;
    const auto expect_right = [&](const std::string& name, const std::optional<Ids>& kinds = std::nullopt) {
        if (HasFailure()) return;
        const Transformer m = made(c);
        EXPECT_TRUE(close_named(name, m.embed(three_rows, {}, kinds), embedded(m, three_rows, kinds),
                                {1e-5, 1e-6}, embed_suspects(m, three_rows, kinds)));
    };
    const Ids kinds{{0, 0, 1, 1, 1, 1, 1}, {0, 1, 1, 1, 1, 1, 1}, {0, 0, 0, 0, 0, 1, 1}};
    expect_right("sinusoids");
    c.block.positions = LearnedPositions{};
    expect_right("learned positions");
    c.tied_output = false;
    expect_right("without a tied output");
    c.num_segments = 2;
    expect_right("with segments", kinds);
    c.embedding_norm = true;
    expect_right("with segments and a norm", kinds);
}

TEST(embed, adds_only_what_the_config_has) {
    for (const std::string name : {"gpt2", "llama"}) {
        const Transformer m = golden_model(name);
        EXPECT_TRUE(close_named(name, m.embed(three_rows), embedded(m, three_rows), {1e-5, 1e-6},
                                embed_suspects(m, three_rows)));
    }
}

TEST(embed, drops_the_sum_in_training_alone) {
    TransformerConfig c = golden_config("bert");
    c.block.dropout = 0.4;
    const Transformer m = made(c);
    const Tensor x = embedded(m, three_rows), sum = embedded(m, three_rows, {}, Wrong::no_norm);
    const Tensor tokens = embedding(m.embedding.weight, three_rows), rest = sum - tokens;
    const Tensor segments = embedding(m.segments->weight, all_in_segment_0(three_rows));
    const auto dropped = [&](const Tensor& what, float kept = 0.6f) {
        return what * Tensor(Rng(5).bernoulli_array(x.shape(), kept)) / kept;
    };
    const auto twice = [&] {
        Rng rng(5);
        return dropout((*m.embedding_norm)(dropout(tokens, 0.4, &rng) + rest), 0.4, &rng);
    };
    const std::string last = "; dropout comes last, on the norm of the whole sum";
    Rng rng(5);
    EXPECT_TRUE(close_named(
        "training", m.embed(three_rows, {.rng = &rng}), dropped(x), {1e-5, 1e-6},
        {{"nothing is dropped in training: the sum goes through dropout, with the rate of the blocks",
          [&] { return x; }},
         {"the rate is 0.1 whatever the config says: it is config.block.dropout",
          [&] { return dropped(x, 0.9f); }},
         {"the rate is 1 - config.block.dropout: dropout takes the probability to drop, not to keep",
          [&] { return dropped(x, 0.4f); }},
         {"the sum is dropped before the norm; the norm comes first",
          [&] { return (*m.embedding_norm)(dropped(sum)); }},
         {"the tokens alone are dropped" + last, [&] { return (*m.embedding_norm)(dropped(tokens) + rest); }},
         {"the segments are added after dropout" + last,
          [&] { return (*m.embedding_norm)(dropped(sum - segments) + segments); }},
         {"the tokens are dropped, and the sum once more" + last, twice}}));
    EXPECT_TRUE(close_named("evaluation", m.embed(three_rows), x, {1e-5, 1e-6}));
}

// Learned positions, segments and a norm; and a scale and sinusoids.
TEST(embed, sends_the_gradient_to_all_tables) {
    const Ids ids = golden_ids("bert.ids");
    for (const Transformer& m : {golden_model("bert"), made(small_config())}) {
        const auto kinds = m.segments ? std::optional(golden_ids("bert.segment_ids")) : std::nullopt;
        const Tensor weights = normal({ids.shape()[0], ids.shape()[1], m.config.block.d_model}, 77);
        clear_grads(m.parameters());
        sum(embedded(m, ids, kinds) * weights).backward();
        std::map<std::string, Tensor> expected;
        for (const NamedTensor& p : m.parameters())
            if (p.tensor.has_grad()) expected.emplace(p.name, Tensor(p.tensor.grad()));
        clear_grads(m.parameters());
        ASSERT_TRUE(send_back(m.embed(ids, {}, kinds), weights));
        for (const NamedTensor& p : m.parameters()) {
            if (!expected.contains(p.name)) continue;
            ASSERT_TRUE(gradient_close(p.name, p.tensor, expected.at(p.name)));
        }
    }
}

TEST(embed, positions_begin_at_the_offset_of_the_pass) {
    const Ids rest = part_of(three_rows, 2, 7);
    for (const Transformer& m : {golden_model("gpt2"), made(small_config())}) {
        const Tensor expected = m.embed(three_rows);
        EXPECT_TRUE(close_named(
            m.sinusoids ? "sinusoids" : "learned positions", m.embed(rest, Pass{.offset = 2}),
            slice(expected, 1, 2, 7), {1e-5, 1e-6},
            {{"the positions begin at 0: pass.offset is not used", [&] { return m.embed(rest); }}}));
        EXPECT_TRUE(
            refuses<ValueError>([&] { m.embed(all_ones(1, 2), Pass{.offset = m.config.max_len() - 1}); },
                                {std::to_string(m.config.max_len())}, "a position behind the last one"));
    }
}

TEST(embed, refuses_what_is_no_text_of_this_model) {
    const Transformer m = golden_model("bert"), plain = golden_model("gpt2");
    ASSERT_EQ(m.embed(three_rows).shape(), (Shape{3, 7, 8}));
    const auto embeds = [&](const Ids& ids) { return [&m, ids] { m.embed(ids); }; };
    EXPECT_TRUE(refuses<ValueError>(embeds(all_ones(1, 14)), {"14", "10"}, "a sequence longer than max_len"));
    EXPECT_TRUE(refuses<ValueError>(embeds({{1, 11}}), {"11", "0 ... 10"}, "an id beyond the table"));
    EXPECT_TRUE(refuses<ValueError>(embeds({{1, -1}}), {"-1", "11"}, "a negative id"));
    EXPECT_TRUE(refuses<ShapeError>(embeds(Ids{1, 2, 3}), {"(3)"}, "ids without a batch"));
    EXPECT_TRUE(refuses<ShapeError>(embeds(all_ones(1, 0)), {"(1, 0)", "no token"}, "an empty sequence"));
    EXPECT_TRUE(refuses<ShapeError>(
        [&] {
            m.embed(three_rows, {}, Ids{{0, 1}, {0, 1}});
        },
        {"(3, 7)", "(2, 2)"}));
    EXPECT_TRUE(refuses<ValueError>([&] { m.embed({{1, 2}}, {}, Ids{{0, 2}}); }, {"segment 2", "0 ... 1"}));
    EXPECT_TRUE(refuses<ValueError>([&] { plain.embed({{1, 2}}, {}, Ids{{0, 0}}); }, {"no segments"}));
}

}  // namespace
}  // namespace tfs::test
