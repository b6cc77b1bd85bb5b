// tests/02_masks/document_mask_test.cpp · document_mask, which is given: PyTorch's values, properties, and what it refuses
#include "tests/02_masks/checklist.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

TEST(document_mask, equals_pytorch) {
    const Mask mask = document_mask(golden_ids("documents"));
    ASSERT_TRUE(close(numbers(mask), golden()["mask.document"], {0, 0}));
    EXPECT_TRUE(attention_equals_pytorch("document", mask));
}

TEST(document_mask, queries_and_keys_of_different_length_equal_pytorch) {
    const Ids keys = golden_ids("documents");
    Ids queries = Ids::from_shape({3, 4});
    for (std::size_t b = 0; b < 3; ++b) {
        for (std::size_t i = 0; i < 4; ++i) queries(b, i) = keys(b, i + 1);
    }
    EXPECT_TRUE(close(numbers(document_mask(queries, keys)), golden()["mask.document_cross"], {0, 0}));
}

TEST(document_mask, any_number_may_name_a_document) {
    const std::int64_t large = 1ll << 53, wide = 1ll << 32;
    const Ids d = ids({1, 8}, {0, 1, -1, -1, 7, large, large + 1, wide + 7});
    EXPECT_TRUE(close(numbers(document_mask(d)),
                      by_rule({1, 1, 8, 8}, [&](auto, auto i, auto j) { return d(0, i) == d(0, j); }),
                      {0, 0}));
}

TEST(document_mask, packed_documents_give_what_each_gives_alone) {
    const Mask mask = document_mask(ids({1, 5}, {1, 1, 2, 2, 2}));
    Rng rng(7);
    const MultiHeadAttention attention(8, 2, rng);
    const Tensor x = normal({1, 5, 8}, 8), packed = attention(x, x, x, mask).output;
    const Tensor a = slice(x, 1, 0, 2), b = slice(x, 1, 2, 5);
    const Tensor alone = concat({attention(a, a, a).output, attention(b, b, b).output}, 1);
    EXPECT_TRUE(close(packed, alone, {1e-5, 1e-6}));
}

TEST(document_mask, refuses_batches_that_differ) {
    const Ids one = ids({1, 2}, {1, 1}), two = ids({2, 2}, {1, 1, 2, 2});
    EXPECT_TRUE(refuses<ShapeError>([&] { (void)document_mask(one, two); }, {"batch is 1", "2 in key_documents"}));
    EXPECT_TRUE(refuses<ShapeError>([] { (void)document_mask(ids({2}, {1, 1})); }, {"(2)"}));
    EXPECT_TRUE(refuses<ShapeError>([] { (void)document_mask(ids({1, 0}, {})); }, {"(1, 0)"}));
}

}  // namespace
}  // namespace tfs::test
