// tests/09_transformer/parts_of_sequences_test.cpp · what a model keeps of earlier tokens; two sequences at once
#include "tests/09_transformer/checklist.hpp"

#include <gtest/gtest.h>

#include <variant>
#include <vector>

#include "tests/08_encoder_decoder/pass_in_parts.hpp"
#include "tests/support/earlier.hpp"
#include "tests/support/memory.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

constexpr std::size_t length = 7;

// Prompts of 5, 2 and 4 tokens in one batch, then two tokens more for each.
TEST(earlier_keys, prompts_of_different_lengths_go_on_together) {
    const NoGrad no_grad;
    const std::vector<std::size_t> prompts = {5, 2, 4};
    for (const Transformer& m : decoders()) {
        KeptRows store(12);
        Ids padded = part_of(three_rows, 0, 5);
        for (std::size_t row = 0; row < 3; ++row)
            for (std::size_t t = prompts[row]; t < 5; ++t) padded(row, t) = 1;  // no later one is seen
        (void)m(padded, {.earlier = &store});
        store.drop({0, 3, 1});
        std::vector<std::size_t> at = prompts;
        for (std::size_t more = 0; more < 2; ++more) {
            Ids next = Ids::from_shape({3, 1});
            for (std::size_t row = 0; row < 3; ++row) next(row, 0) = three_rows(row, at[row]);
            const Tensor together = m(next, {.offset = at, .earlier = &store}).logits;
            for (std::size_t row = 0; row < 3; ++row) {
                const Ids alone = part_of_row(three_rows, row, 0, at[row] + 1);
                EXPECT_TRUE(close(slice(together, 0, row, row + 1),
                                  slice(m(alone).logits, 1, at[row], at[row] + 1), whole_model))
                    << row << ' ' << at[row];
            }
            for (std::size_t& position : at) ++position;
        }
        EXPECT_EQ(store.lengths(1), Offset({7, 4, 6}));
    }
}

TEST(earlier_keys, offsets_by_row_are_those_of_each_row_alone) {
    const NoGrad no_grad;
    const std::vector<std::size_t> offsets = {0, 4, 2};
    for (const Transformer& m : decoders()) {
        const Tensor together = m(three_rows, Pass{.offset = offsets}).logits;
        for (std::size_t row = 0; row < 3; ++row) {
            const Ids alone = part_of_row(three_rows, row, 0, length);
            EXPECT_TRUE(close(slice(together, 0, row, row + 1), m(alone, Pass{.offset = offsets[row]}).logits,
                              whole_model));
        }
    }
    const Transformer m = made(small_config());
    const auto passes = [&](const Pass& pass) { return [&m, pass] { m(three_rows, pass); }; };
    EXPECT_TRUE(refuses<ValueError>(passes({.offset = Offset({1, 2})}), {"2 numbers for a batch of 3"}));
    EXPECT_TRUE(refuses<ValueError>(passes({.offset = Offset({0, 6, 1})}),
                                    {"7 tokens behind 6 others", "max_len = 12"}));
}

// What the decoder gives, put together from chapter 08; each padding in its place.
CrossStackOutput decoded(const Transformer& m, const Ids& source, const Ids& target, Rng* rng = nullptr) {
    const auto& stack = std::get<EncoderDecoder>(m.stack);
    const double rate = m.config.block.dropout;
    const Tensor x = dropout(embedded(m, source), rate, rng);
    const Memory memory =
        stack.encode(x, padding_of(m.config, source), {.rng = rng, .keep_weights = Weights::keep});
    const Tensor y = dropout(embedded(m, target), rate, rng);
    return stack.decode(y, memory, padding_of(m.config, target), {.rng = rng, .keep_weights = Weights::keep});
}

void expect_all_close(const std::vector<Tensor>& actual, const std::vector<Tensor>& expected) {
    ASSERT_EQ(actual.size(), expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i) EXPECT_TRUE(close(actual[i], expected[i], whole_model));
}

TEST(two_sequences, gives_the_logits_and_gradients_of_pytorch) {
    const Transformer m = golden_model("original");
    const TransformerOutput result = m(golden_ids("original.source"), golden_ids("original.target"));
    EXPECT_TRUE(close(result.logits, golden()["original.logits"], whole_model));
    expect_golden_gradients("original", m, {result.logits});
}

TEST(two_sequences, each_padding_hides_its_own_keys) {
    const Transformer m = golden_model("original");
    Transformer unpadded = m;  // here token 0 is like any other
    unpadded.config.pad_id.reset();
    for (const Transformer& tested : {m, unpadded}) {
        const TransformerOutput result = tested(source_rows, target_rows, with_weights);
        const CrossStackOutput expected = decoded(tested, source_rows, target_rows);
        EXPECT_TRUE(close(result.hidden, expected.output, whole_model));
        EXPECT_TRUE(close(result.logits, reference_logits(tested, expected.output), whole_model));
        expect_all_close(result.self_weights, expected.self_weights);
        expect_all_close(result.cross_weights, expected.cross_weights);
    }
}

TEST(two_sequences, one_memory_serves_any_number_of_targets) {
    const Transformer m = golden_model("original");
    const Memory memory = m.encode(source_rows);
    const Tensor whole = m.decode(target_rows, memory).logits;
    EXPECT_TRUE(close(whole, m(source_rows, target_rows).logits, {0, 0}));
    EXPECT_TRUE(
        close(m.decode(part_of(target_rows, 0, 5), memory).logits, slice(whole, 1, 0, 5), whole_model));
    const Pass late{.offset = 2};  // of the target
    EXPECT_TRUE(
        close(m(source_rows, target_rows, late).logits, m.decode(target_rows, memory, late).logits, {0, 0}));
}

// With each choice of positions; the source is encoded once for both parts, and the padding of earlier parts comes with the pass.
TEST(two_sequences, a_target_in_two_parts_gives_what_it_gives_in_one) {
    for (const PositionChoice& positions :
         std::vector<PositionChoice>{NoPositions{}, Sinusoids{}, LearnedPositions{}, Rotary{}, Alibi{}}) {
        TransformerConfig c = small_config(Architecture::encoder_decoder);
        c.block.positions = positions;
        c.pad_id = 0;
        const Transformer m = made(c);
        const Memory memory = m.encode(source_rows);
        const auto part = [&](std::size_t begin, std::size_t end, Pass pass) {
            pass.padding = padding_of(c, part_of(target_rows, 0, end));
            return m.decode(part_of(target_rows, begin, end), memory, pass).logits;
        };
        expect_parts_give_the_whole(part, m.decode(target_rows, memory).logits, 2, whole_model, "a target: ");
    }
}

TEST(two_sequences, drops_on_both_sides_in_training) {
    TransformerConfig c = small_config(Architecture::encoder_decoder);
    c.block.dropout = 0.3;
    const Transformer m = made(c);
    Rng rng(8), same(8);
    const TransformerOutput result =
        m(source_rows, target_rows, {.rng = &rng, .keep_weights = Weights::keep});
    const CrossStackOutput expected = decoded(m, source_rows, target_rows, &same);
    EXPECT_TRUE(close(result.logits, reference_logits(m, expected.output), whole_model));
    expect_all_close(result.cross_weights, expected.cross_weights);
    EXPECT_TRUE(rng.state() == same.state()) << "draws of the generator";
}

TEST(two_sequences, a_thousand_training_steps_keep_the_resident_size_flat) {
    TransformerConfig c = small_config(Architecture::encoder_decoder);
    c.num_layers = 1;
    c.pad_id = 0;
    c.block.dropout = 0.1;
    Rng rng(1);
    Transformer m(c, rng);
    const Parameters parameters = m.parameters();
    const auto step = [&](std::size_t i) {  // of several lengths, so that arrays of several sizes come and go
        const Tensor logits = m(all_ones(2, 2 + i % 9), all_ones(2, 2 + i % 7), {.rng = &rng}).logits;
        gradient_step(mean(logits * logits), parameters, 0.01f);
    };
    EXPECT_TRUE(resident_size_stays_flat(step, 200, 1000));
}

// Values of PyTorch. The arrays of a long source are large; those of so short a target are not.
TEST(greedy_of_models, a_decoder_and_an_encoder_decoder_write_what_pytorch_writes) {
    const Transformer decoder = golden_model("gpt2", 0.5), both = golden_model("original", 0.5);
    EXPECT_EQ(list(generate_greedy(decoder, golden_ids("gpt2.prompt"), 8)),
              list(golden_ids("gpt2.generated")));
    const Ids all = golden_ids("original.source"), source = part_of_row(all, 0, 0, all.shape()[1]);
    EXPECT_EQ(list(translate_greedy(both, source, 1, 8)), list(golden_ids("original.translated")));
    EXPECT_EQ(list(translate_greedy(both, source, 1, 8, 10)), (std::vector<std::int64_t>{1, 5, 5, 4, 10}));
    TransformerConfig c = small_config(Architecture::encoder_decoder);
    c.block.max_len = 64;
    const Transformer m = made(c);
    const Ids ones = all_ones(1, 64);
    const std::size_t bytes = sizeof(float) * ones.size() * c.block.d_ff;
    (void)translate_greedy(m, ones, 1, 3);  // makes what is made once in a program
    const NoGrad no_grad;
    const std::size_t once = large_arrays_made(bytes, [&] { (void)m.encode(ones); });
    ASSERT_GT(once, 0u);
    EXPECT_EQ(large_arrays_made(bytes, [&] { (void)translate_greedy(m, ones, 1, 3); }), once);
}

TEST(greedy_of_models, refuse_what_can_not_be_continued_or_translated) {
    const Transformer decoder = golden_model("gpt2"), both = golden_model("original");
    const Ids ids{{3, 7, 1}};
    EXPECT_EQ(generate_greedy(decoder, ids, 7).size(), 10u) << "3 and 7 are max_len: that fits";
    EXPECT_TRUE(refuses<ValueError>([&] { (void)generate_greedy(decoder, ids, 8); }, {"3", "8", "10"}));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)generate_greedy(decoder, ids, 1, 11); }, {"end_id 11"}));
    EXPECT_TRUE(
        refuses<ValueError>([&] { (void)generate_greedy(golden_model("bert"), ids, 1); }, {"an encoder"}));
    EXPECT_EQ(translate_greedy(both, ids, 1, 9).size(), 10u) << "start_id and 9 more are max_len: that fits";
    EXPECT_TRUE(refuses<ValueError>([&] { (void)translate_greedy(both, ids, 1, 10); }, {"max_len = 10"}));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)translate_greedy(both, ids, 11, 0); }, {"start_id 11"}));
    EXPECT_TRUE(refuses<ShapeError>([&] { (void)translate_greedy(both, three_rows, 1, 1); }, {"(3, 7)"}));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)translate_greedy(decoder, ids, 1, 1); }, {"a decoder"}));
}

TEST(two_sequences, refuses_what_does_not_belong_together) {
    const Transformer m = golden_model("original"), decoder = golden_model("gpt2");
    const Memory memory = m.encode(source_rows);
    const Ids two{{1, 2, 3, 4, 5}, {3, 4, 5, 6, 7}};
    EXPECT_TRUE(refuses<ShapeError>([&] { m(source_rows, two); }, {"(3, 6)", "(2, 5)"},
                                    "three sources, two targets"));
    EXPECT_TRUE(refuses<ShapeError>([&] { m.decode(two, memory); }, {"(3, 6, 8)", "(2, 5)"}));
    const Memory narrow{Tensor::zeros({3, 6, 7})};
    EXPECT_TRUE(refuses<ShapeError>([&] { m.decode(target_rows, narrow); }, {"(3, 6, 7)", "d_model = 8"}));
    EXPECT_TRUE(refuses<ValueError>([&] { m(all_ones(2, 12), target_rows); }, {"source", "12", "10"}));
    EXPECT_TRUE(refuses<ValueError>([&] { m.encode({{1, 11}}); }, {"source", "11"}));
    EXPECT_TRUE(refuses<ValueError>([&] { m.decode(all_ones(2, 12), memory); }, {"target", "12", "10"}));
    EXPECT_TRUE(refuses<ValueError>([&] { decoder(three_rows, three_rows); }, {"a decoder"}));
}

}  // namespace
}  // namespace tfs::test
