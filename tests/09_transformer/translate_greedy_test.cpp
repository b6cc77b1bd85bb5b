// tests/09_transformer/translate_greedy_test.cpp · step translate_greedy: PyTorch's values, properties, diagnosis
#include "tests/09_transformer/checklist.hpp"

#include <algorithm>

#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

enum class Mistake { embedded_memory, largest_of_hidden, start_replaced };

// Eight tokens of the golden model, with one thing done wrong.
std::vector<std::int64_t> translated(const Transformer& m, const Ids& source, Mistake mistake) {
    const auto& stack = std::get<EncoderDecoder>(m.stack);
    const auto s = padding_of(m.config, source);
    const Tensor x = embedded(m, source);
    const Memory memory = mistake == Mistake::embedded_memory ? stack.memory_of(x, s) : stack.encode(x, s);
    Ids target = one_token(1);
    for (std::size_t i = 0; i < 8; ++i) {
        const Tensor hidden = stack.decode(embedded(m, target), memory, padding_of(m.config, target)).output;
        const Tensor scores = mistake == Mistake::largest_of_hidden ? hidden : reference_logits(m, hidden);
        const auto row = scores.values().subspan(scores.size() - scores.size(2));
        const std::int64_t token = std::max_element(row.begin(), row.end()) - row.begin();
        target = i == 0 && mistake == Mistake::start_replaced ? one_token(token) : appended(target, token);
    }
    return list(target);
}

TEST(translate_greedy, writes_what_pytorch_writes) {
    const Transformer m = golden_model("original", 0.5);  // generating is no training: nothing is dropped
    const Ids all = golden_ids("original.source");
    Ids source = Ids::from_shape({1, 6});  // the first sentence, padding included
    std::copy_n(all.begin(), 6, source.begin());
    const auto whole = list(golden_ids("original.translated"));  // 1 | 3 3 3 3 5 7 7 7
    const auto cut = [&](long n) { return std::vector(whole.begin(), whole.begin() + n); };
    const auto few = list(translate_greedy(m, source, 1, 2));
    EXPECT_EQ(few, cut(3)) << likely_if(few == std::vector(whole.begin() + 1, whole.begin() + 3),
                                        "the start token is lost: the target begins with it")
                           << likely_if(few.size() == 8,
                                        "the target begins with the source; it begins with start_id alone");
    const auto found = list(translate_greedy(m, source, 1, 8));
    const auto without_dropout = list(translate_greedy(golden_model("original"), source, 1, 8));
    EXPECT_EQ(found, whole) << likely_if(found == translated(m, source, Mistake::embedded_memory),
                                         "the memory is the embedded source; it has to go through encode")
                            << likely_if(found == translated(m, source, Mistake::largest_of_hidden),
                                         "the largest of `hidden`, not of the logits")
                            << likely_if(found == translated(m, source, Mistake::start_replaced),
                                         "the first token replaces start_id; it is appended to it")
                            << likely_if(found.size() == whole.size() + 1, "this is one token too many")
                            << likely_if(found.size() + 1 == whole.size(), "this is one token too few")
                            << likely_if(found != whole && without_dropout == whole, dropout_is_on);
    EXPECT_EQ(list(translate_greedy(m, source, 1, 0)), cut(1));
    const auto ended = list(translate_greedy(m, source, 1, 8, 5));
    EXPECT_EQ(ended, cut(6)) << likely_if(ended == cut(5),
                                          "the end token is not added: it belongs to the target")
                             << likely_if(ended == whole, "end_id is not looked at");
    EXPECT_EQ(list(translate_greedy(m, source, 1, 3, 1)), cut(4))
        << "a start token that is the end token ends nothing";
}

TEST(translate_greedy, refuses_what_can_not_be_translated) {
    const Transformer m = golden_model("original");
    const Ids source{{3, 7, 1}};
    ASSERT_EQ(translate_greedy(m, source, 1, 9).size(), 10u) << "the start and 9 more are max_len: that fits";
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
