// tests/09_transformer/translate_greedy_test.cpp · step translate_greedy: PyTorch's values, properties, diagnosis
#include "tests/09_transformer/checklist.hpp"

#include <algorithm>

#include "tests/09_transformer/large_arrays.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

enum class Mistake {
    nothing,
    embedded_memory,
    encoded_target,
    padding_lost,
    decoded_source,
    decoded_start,
    last_token,
    last_token_in_its_place,
    largest_of_hidden,
    value_for_index,
    start_replaced
};

// Eight tokens of the model, with one thing done wrong.
std::vector<std::int64_t> translated(const Transformer& m, const Ids& source, std::int64_t start,
                                     Mistake mistake) {
    const auto& stack = std::get<EncoderDecoder>(m.stack);
    const auto memory_of = [&](const Ids& ids) {
        const auto padding = padding_of(m.config, ids);
        const Tensor x = embedded(m, ids);
        if (mistake == Mistake::embedded_memory) return stack.memory_of(x, padding);
        Memory memory = stack.encode(x, padding);
        if (mistake == Mistake::padding_lost) memory.padding.reset();
        return memory;
    };
    const Memory memory = memory_of(source);
    const auto scores_of = [&](const Ids& target) {
        const std::size_t last = target.size() - 1;
        const Ids read = mistake == Mistake::decoded_source  ? source
                         : mistake == Mistake::decoded_start ? one_token(start)
                         : mistake == Mistake::last_token    ? part_of(target, last, last + 1)
                                                             : target;
        Tensor x = embedded(m, read);
        std::optional<Mask> padding = padding_of(m.config, read);
        if (mistake == Mistake::last_token_in_its_place) x = slice(x, 1, last, last + 1), padding.reset();
        const Memory own = mistake == Mistake::encoded_target ? memory_of(target) : memory;
        const Tensor hidden = stack.decode(x, own, padding).output;
        return mistake == Mistake::largest_of_hidden ? hidden : reference_logits(m, hidden);
    };
    Ids target = one_token(start);
    for (std::size_t i = 0; i < 8; ++i) {
        const Tensor scores = scores_of(target);
        std::int64_t token = token_of_largest(scores);
        if (mistake == Mistake::value_for_index)
            token = static_cast<std::int64_t>(
                scores.values()[scores.size() - scores.size(2) + static_cast<std::size_t>(token)]);
        if (token < 0) break;
        target = i == 0 && mistake == Mistake::start_replaced ? one_token(token) : appended(target, token);
    }
    return list(target);
}

std::string cause_of_translation(const Transformer& m, const Ids& source,
                                 const std::vector<std::int64_t>& found) {
    const std::vector<std::pair<Mistake, std::string>> causes{
        {Mistake::embedded_memory, "the memory is the embedded source; it has to go through encode"},
        {Mistake::encoded_target, "the encoder is given the target; it reads the source"},
        {Mistake::padding_lost, "the memory has lost the source's padding: hand decode what encode gave"},
        {Mistake::decoded_source, "the decoder is given the source; it reads the target so far"},
        {Mistake::decoded_start,
         "every token is read off the logits of start_id alone; the decoder reads the target so far"},
        {Mistake::last_token, "the decoder is given the last token alone; it reads the target so far"},
        {Mistake::last_token_in_its_place,
         "the decoder is given the last token alone, though at its position; it reads the target so far"},
        {Mistake::largest_of_hidden, "the largest of `hidden`, not of the logits"},
        {Mistake::value_for_index, "the largest logit itself is taken for the token; its index is the token"},
        {Mistake::start_replaced, "the first token replaces start_id; it is appended to it"}};
    for (const auto& [mistake, cause] : causes)
        if (found == translated(m, source, 1, mistake)) return likely_if(true, cause);
    return {};
}

// The first sentence, padding included.
Ids golden_source() {
    const Ids all = golden_ids("original.source");
    Ids source = Ids::from_shape({1, all.shape()[1]});
    std::copy_n(all.begin(), source.size(), source.begin());
    return source;
}

// Else the first check says why not.
testing::AssertionResult writes_the_golden_target() {
    const auto found = list(translate_greedy(golden_model("original"), golden_source(), 1, 8));
    if (found == list(golden_ids("original.translated"))) return testing::AssertionSuccess();
    return testing::AssertionFailure() << "the target is not that of PyTorch";
}

TEST(translate_greedy, writes_what_pytorch_writes) {
    const Transformer m = golden_model("original", 0.5);  // generating is no training: nothing is dropped
    const Ids source = golden_source();
    const auto whole = list(golden_ids("original.translated"));  // 1 | 3 3 3 3 5 7 7 7
    const auto cut = [&](std::size_t n) { return part_of(whole, 0, n); };
    ASSERT_TRUE(generates([&] { (void)translate_greedy(m, source, 1, 8); }));
    const auto found = list(translate_greedy(m, source, 1, 8));
    const auto without_dropout = list(translate_greedy(golden_model("original"), source, 1, 8));
    EXPECT_EQ(found, whole) << cause_of_translation(m, source, found)
                            << likely_if(found.size() == 10 && found[0] == 1 && found[1] == 1,
                                         "start_id stands there twice: the target already begins with it")
                            << likely_if(found.size() == 10 && part_of(found, 0, 9) == whole,
                                         "this is one token too many")
                            << likely_if(found.size() == 9 && found[0] != 1 && found[8] == 1,
                                         "the new tokens stand in front of start_id; they are appended")
                            << likely_if(found == cut(6) || found == cut(7),
                                         "the target is no longer than the source; new_tokens and end_id "
                                         "alone say where it ends")
                            << likely_if(found == cut(8),
                                         "this is one token too few: start_id is none of the new ones")
                            << likely_if(found != whole && without_dropout == whole, dropout_is_on);
    const auto none = list(translate_greedy(m, source, 1, 0));
    EXPECT_EQ(none, cut(1)) << likely_if(found == whole && none == cut(2), one_always);
}

TEST(translate_greedy, begins_with_start_id_alone) {
    const Transformer m = golden_model("original");
    const Ids source = golden_source();
    const auto whole = list(golden_ids("original.translated"));
    const auto few = list(translate_greedy(m, source, 1, 2));
    EXPECT_EQ(few, part_of(whole, 0, 3))
        << likely_if(few == part_of(whole, 1, 3), "the start token is lost: the target begins with it")
        << likely_if(few.size() == 8, "the target begins with the source; it begins with start_id alone");
    const auto other = list(translate_greedy(m, source, 3, 8)),
               right = translated(m, source, 3, Mistake::nothing);
    EXPECT_EQ(other, right) << likely_if(other == whole,
                                         "the target begins with token 1 whatever start_id is");
}

TEST(translate_greedy, ends_after_the_end_token) {
    const Transformer m = golden_model("original");
    const Ids source = golden_source();
    const auto whole = list(golden_ids("original.translated"));  // 1 | 3 3 3 3 5 7 7 7
    const auto cut = [&](std::size_t n) { return part_of(whole, 0, n); };
    const auto ended = list(translate_greedy(m, source, 1, 8, 5));
    EXPECT_EQ(ended, cut(6))
        << likely_if(ended == cut(5), "the end token is not added: it belongs to the target")
        << likely_if(ended == cut(7), "one more token follows the end token")
        << likely_if(ended == whole, "end_id is not looked at")
        << likely_if(ended.front() == 5, "the target begins with end_id; it begins with start_id")
        << likely_if(ended.size() == 9 && ended != whole && part_of(ended, 0, 6) == cut(6),
                     "the target goes on after the end token; it ends there, however long it is");
    const auto begun = list(translate_greedy(m, source, 1, 3, 1));
    EXPECT_EQ(begun, cut(4)) << likely_if(
        begun == cut(1), "a start token that is the end token ends the target; only a new token does");
}

// The decoder writes the start token again, and token 0, which is padding in the source.
TEST(translate_greedy, ends_at_no_other_token) {
    const Transformer m = golden_model("original");
    ASSERT_TRUE(writes_the_golden_target());
    const Ids source{{1, 1, 2}};
    const auto whole = translated(m, source, 1, Mistake::nothing);  // 1 | 1 1 1 0 5 7 7 7
    ASSERT_EQ(part_of(whole, 0, 5), (std::vector<std::int64_t>{1, 1, 1, 1, 0}));
    const auto found = list(translate_greedy(m, source, 1, 8));
    ASSERT_EQ(found, whole) << likely_if(found == part_of(whole, 0, 2),
                                         "start_id ends the target; end_id alone does, where there is one")
                            << likely_if(found == part_of(whole, 0, 5),
                                         "token 0 ends the target although no end_id is given");
    ASSERT_EQ(list(translate_greedy(m, source, 1, 8, 5)), part_of(whole, 0, 6));
    const auto ended = list(translate_greedy(m, source, 1, 8, 0));
    EXPECT_EQ(ended, part_of(whole, 0, 5)) << likely_if(
        ended == whole, "end_id 0 is taken for none; compare the token with the optional itself");
}

// The arrays of a long source are large; those of so short a target are not.
TEST(translate_greedy, runs_the_encoder_once) {
    TransformerConfig c = small_config(Architecture::encoder_decoder);
    c.max_len = 64;
    const Transformer m = made(c);
    const Ids source = all_ones(1, 64);
    const std::size_t bytes = sizeof(float) * source.size() * c.block.d_ff;
    ASSERT_TRUE(writes_the_golden_target());
    (void)translate_greedy(m, source, 1, 3);  // makes what is made once in a program
    const NoGrad no_grad;
    const std::size_t once = large_arrays_made(bytes, [&] { (void)m.encode(source); });
    ASSERT_GT(once, 0u);
    const std::size_t made_by_all =
        large_arrays_made(bytes, [&] { (void)translate_greedy(m, source, 1, 3); });
    const std::size_t runs = (made_by_all + once / 2) / once;
    EXPECT_EQ(runs, 1u) << "runs of the encoder for three tokens"
                        << likely_if(runs > 1,
                                     "the encoder runs again for every token: encode once, before the "
                                     "loop, and call decode in it");
}

TEST(translate_greedy, refuses_what_can_not_be_translated) {
    const Transformer m = golden_model("original");
    const Ids source{{3, 7, 1}};
    const std::size_t length = translate_greedy(m, source, 1, 9).size();
    ASSERT_EQ(length, 10u) << "the start and 9 more are max_len: that fits"
                           << likely_if(length == 9 && writes_the_golden_target(), room_left);
    EXPECT_TRUE(
        refuses<ValueError>([&] { (void)translate_greedy(m, source, 1, 10); }, {"start_id", "max_len = 10"}));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)translate_greedy(m, source, 11, 0); }, {"start_id 11"}));
    EXPECT_TRUE(
        refuses<ShapeError>([&] { (void)translate_greedy(m, two_rows, 1, 1); }, {"source", "(2, 5)"}));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)translate_greedy(golden_model("gpt2"), source, 1, 1); },
                                    {"a decoder"}));
}

}  // namespace
}  // namespace tfs::test
