// tests/09_transformer/embed_test.cpp · step embed: PyTorch's values, properties, diagnosis
#include "tests/09_transformer/checklist.hpp"

#include "tests/support/golden.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

// d sum(result * weights) / d each parameter, with fixed weights; zeros where none arrived.
std::vector<Tensor> gradients_of(Transformer& m, const Tensor& result) {
    clear_grads(m.parameters());
    sum(result * normal(result.shape(), 77)).backward();
    std::vector<Tensor> all;
    for (const NamedTensor& p : m.parameters())
        all.push_back(p.tensor.has_grad() ? Tensor(p.tensor.grad()) : Tensor::zeros(p.tensor.shape()));
    return all;
}

std::vector<Suspect> embed_suspects(const Transformer& m, const Ids& ids,
                                    const std::optional<Ids>& kinds = {}) {
    const auto with = [=](Wrong wrong) { return [=] { return embedded(m, ids, kinds, wrong); }; };
    const std::string other = m.config.scale_embedding
                                  ? "the embedding is not scaled by sqrt(d_model)"
                                  : "the embedding is scaled although scale_embedding is false";
    std::vector<Suspect> all{
        {"the positions are missing", with(Wrong::no_positions)},
        {"the positions are added twice: the encoding adds its rows to what it is given",
         with(Wrong::positions_twice)},
        {"positions add their rows to what they are given, and the result was added once "
         "more: write x = (*sinusoids)(x, pass.offset)",
         with(Wrong::added_once_more)},
        {other, with(Wrong::other_scale)}};
    if (m.config.scale_embedding) {
        all.push_back({"the positions are added before the scaling, so that they are scaled too",
                       with(Wrong::added_first)});
        all.push_back({"the embedding is divided by sqrt(d_model), not multiplied", with(Wrong::divided)});
        all.push_back({"the embedding is scaled by d_model, not by its root", with(Wrong::times_d_model)});
    }
    if (m.segments) {
        all.push_back({"the segments are missing", with(Wrong::no_segments)});
        all.push_back({"segment_ids are ignored: all positions are in segment 0", with(Wrong::one_segment)});
    }
    if (m.segments && m.config.scale_embedding && kinds) {
        all.push_back({"the segments are added before the scaling, so that they are scaled too",
                       with(Wrong::segments_first)});
    }
    if (m.embedding_norm) {
        all.push_back({"the norm of the sum is missing", with(Wrong::no_norm)});
        all.push_back(
            {"the norm comes before positions and segments; it is that of the sum", with(Wrong::norm_first)});
    }
    return all;
}

TEST(embed, equals_pytorch_for_tokens_positions_and_segments) {
    const Transformer m = golden_model("bert");
    const Ids ids = golden_ids("bert.ids"), kinds = golden_ids("bert.segment_ids");
    EXPECT_TRUE(close(m.embed(ids, nullptr, kinds), golden()["bert.embedded"], {1e-5, 1e-6},
                      embed_suspects(m, ids, kinds)));
    EXPECT_TRUE(close_named("without segment_ids", m.embed(ids), golden()["bert.one_segment.embedded"],
                            {1e-5, 1e-6}, embed_suspects(m, ids)));
}

TEST(embed, scales_the_tokens_and_not_the_positions) {
    TransformerConfig c = notes_config();
    for (const Positions positions : {Positions::sinusoidal, Positions::learned}) {
        c.positions = positions;
        const Transformer m = made(c);
        EXPECT_TRUE(
            close(m.embed(two_rows), embedded(m, two_rows), {1e-5, 1e-6}, embed_suspects(m, two_rows)));
    }
    c.num_segments = 2;
    const Transformer m = made(c);
    const Ids kinds{{0, 0, 1, 1, 1}, {0, 1, 1, 1, 1}};
    EXPECT_TRUE(close_named("with segments", m.embed(two_rows, nullptr, kinds), embedded(m, two_rows, kinds),
                            {1e-5, 1e-6}, embed_suspects(m, two_rows, kinds)));
}

TEST(embed, adds_only_what_the_config_has) {
    for (const std::string name : {"gpt2", "llama"}) {
        const Transformer m = golden_model(name);
        EXPECT_TRUE(close_named(name, m.embed(two_rows), embedded(m, two_rows), {1e-5, 1e-6},
                                embed_suspects(m, two_rows)));
    }
}

TEST(embed, drops_the_sum_in_training_alone) {
    TransformerConfig c = golden_config("bert");
    c.block.dropout = 0.4;
    const Transformer m = made(c);
    const Tensor x = embedded(m, two_rows);
    const auto dropped = [&](const Tensor& what, float kept = 0.6f) {
        return what * Tensor(Rng(5).bernoulli_array(x.shape(), kept)) / kept;
    };
    Rng rng(5);
    EXPECT_TRUE(close_named(
        "training", m.embed(two_rows, &rng), dropped(x), {1e-5, 1e-6},
        {{"nothing is dropped in training: the sum goes through dropout, with the rate of the blocks",
          [&] { return x; }},
         {"the rate is 0.1 whatever the config says: it is config.block.dropout",
          [&] { return dropped(x, 0.9f); }},
         {"the sum is dropped before the norm; the norm comes first",
          [&] { return (*m.embedding_norm)(dropped(embedded(m, two_rows, {}, Wrong::no_norm))); }}}));
    EXPECT_TRUE(close_named("evaluation", m.embed(two_rows), x));
}

TEST(embed, sends_the_gradient_to_all_tables) {
    Transformer m = golden_model("bert");
    const Ids ids = golden_ids("bert.ids"), kinds = golden_ids("bert.segment_ids");
    const auto found = gradients_of(m, m.embed(ids, nullptr, kinds)),
               expected = gradients_of(m, embedded(m, ids, kinds));
    for (std::size_t i = 0; i < found.size(); ++i)
        EXPECT_TRUE(close_named("gradient of " + m.parameters()[i].name, found[i], expected[i]));
}

TEST(embed, positions_begin_at_the_offset_of_the_pass) {
    const Ids rest{{4, 1, 5}, {2, 6, 5}};  // the last three of five
    const Ids whole{{3, 1, 4, 1, 5}, {9, 2, 2, 6, 5}};
    for (const Transformer& m : {golden_model("gpt2"), made(notes_config())}) {
        const Tensor expected = m.embed(whole);
        EXPECT_TRUE(
            close(m.embed(rest, Pass(nullptr, 2)), slice(expected, 1, 2, 5), {1e-5, 1e-6},
                  {{"the positions begin at 0: pass.offset is not used", [&] { return m.embed(rest); }}}));
        EXPECT_TRUE(refuses<ValueError>([&] { m.embed(all_ones(1, 2), Pass(nullptr, m.config.max_len - 1)); },
                                        {std::to_string(m.config.max_len)},
                                        "a position behind the last one"));
    }
}

TEST(embed, refuses_what_is_no_text_of_this_model) {
    const Transformer m = golden_model("bert"), plain = golden_model("gpt2");
    ASSERT_EQ(m.embed(two_rows).shape(), (Shape{2, 5, 8}));
    const auto embeds = [&](const Ids& ids) { return [&m, ids] { m.embed(ids); }; };
    EXPECT_TRUE(refuses<ValueError>(embeds(all_ones(1, 14)), {"14", "10"}, "a sequence longer than max_len"));
    EXPECT_TRUE(refuses<ValueError>(embeds({{1, 11}}), {"11", "0 ... 10"}, "an id beyond the table"));
    EXPECT_TRUE(refuses<ValueError>(embeds({{1, -1}}), {"-1", "11"}, "a negative id"));
    EXPECT_TRUE(refuses<ShapeError>(embeds(Ids{1, 2, 3}), {"(3)"}, "ids without a batch"));
    EXPECT_TRUE(refuses<ShapeError>(embeds(all_ones(1, 0)), {"(1, 0)", "no token"}, "an empty sequence"));
    EXPECT_TRUE(refuses<ShapeError>(
        [&] {
            m.embed(two_rows, nullptr, Ids{{0, 1}, {0, 1}});
        },
        {"(2, 5)", "(2, 2)"}));
    EXPECT_TRUE(refuses<ValueError>(
        [&] {
            m.embed({{1, 2}}, nullptr, Ids{{0, 2}});
        },
        {"segment 2", "0 ... 1"}));
    EXPECT_TRUE(refuses<ValueError>([&] { plain.embed({{1, 2}}, nullptr, Ids{{0, 0}}); }, {"no segments"}));
}

}  // namespace
}  // namespace tfs::test
