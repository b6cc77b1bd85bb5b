// tests/02_masks/document_mask_test.cpp · step document_mask: PyTorch's values, properties, diagnosis
#include "tests/02_masks/checklist.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

double as_double(std::int64_t id) { return static_cast<double>(id); }

TEST(document_mask, equals_pytorch) {
    const Ids d = golden_ids("documents");
    const Shape shape{3, 1, 6, 6};
    const auto rule = [&](const std::string& message, const Rule& r) { return suspect(message, shape, r); };
    const auto one_run = [&](std::int64_t b, std::int64_t i, std::int64_t j) {
        for (std::int64_t at = std::min(i, j); at < std::max(i, j); ++at) {
            if (d(b, at) != d(b, at + 1)) return false;
        }
        return true;
    };
    EXPECT_TRUE(mask_close(
        document_mask(d), golden()["mask.document"],
        {rule(
             "neighbours are compared: a query sees only the key beside it; compare query i with every key j",
             [&](auto b, auto i, auto j) { return std::abs(i - j) <= 1 && d(b, i) == d(b, j); }),
         rule("neighbours are compared: a document that continues after another one is cut in two", one_run),
         rule("the mask of sequence 0 is used for all of the batch",
              [&](auto, auto i, auto j) { return d(0, i) == d(0, j); }),
         rule("the keys of sequence 0 are used for all of the batch",
              [&](auto b, auto i, auto j) { return d(b, i) == d(0, j); }),
         rule("the document of query 0 is used for all queries",
              [&](auto b, auto, auto j) { return d(b, 0) == d(b, j); }),
         rule("the mask also looks at the order; leave that to the causal mask, because an encoder needs "
              "both directions",
              [&](auto b, auto i, auto j) { return j <= i && d(b, i) == d(b, j); }),
         rule("documents are compared by < or <=: a query sees other documents",
              [&](auto b, auto i, auto j) { return d(b, j) <= d(b, i); }),
         rule("documents are compared by < or <=: a query sees other documents",
              [&](auto b, auto i, auto j) { return d(b, i) <= d(b, j); })}));
}

TEST(document_mask, any_number_may_name_a_document) {
    const std::int64_t large = 1ll << 53, wide = 1ll << 32;
    const Ids d = ids({1, 8}, {0, 1, -1, -1, 7, large, large + 1, wide + 7});
    const Shape shape{1, 1, 8, 8};
    const std::string cause =
        "a document number of 0 or below is treated as padding; any number may name a document";
    const auto padding_up_to = [&](std::int64_t last) {
        return suspect(cause, shape,
                       [=](auto, auto i, auto j) { return d(0, j) > last && d(0, i) == d(0, j); });
    };
    EXPECT_TRUE(mask_close(
        document_mask(d), by_rule(shape, [&](auto, auto i, auto j) { return d(0, i) == d(0, j); }),
        {padding_up_to(0), padding_up_to(-1),
         suspect(cause, shape, [&](auto, auto i, auto j) { return d(0, j) != 0 && d(0, i) == d(0, j); }),
         suspect("document numbers are compared as floating point, which can't tell 2^53 from 2^53 + 1; "
                 "compare the "
                 "integers",
                 shape, [&](auto, auto i, auto j) { return as_double(d(0, i)) == as_double(d(0, j)); }),
         suspect("document numbers are cut to 32 bits: 2^32 + 7 is not 7; they are std::int64_t", shape,
                 [&](auto, auto i, auto j) { return (d(0, i) - d(0, j)) % wide == 0; }),
         suspect("document numbers are compared without their sign; any number may name a document", shape,
                 [&](auto, auto i, auto j) { return std::abs(d(0, i)) == std::abs(d(0, j)); })}));
}

TEST(document_mask, queries_have_documents_of_their_own) {
    const Ids keys = golden_ids("documents");
    Ids queries = keys;  // each stands one position further than the key of its number
    for (std::size_t b = 0; b < 3; ++b) {
        for (std::size_t i = 0; i < 6; ++i) queries(b, i) = keys(b, (i + 1) % 6);
    }
    const Shape shape{3, 1, 6, 6};
    const auto rule = [&](const std::string& message, const Rule& r) { return suspect(message, shape, r); };
    EXPECT_TRUE(
        mask_close(document_mask(queries, keys),
                   by_rule(shape, [&](auto b, auto i, auto j) { return queries(b, i) == keys(b, j); }),
                   {rule("the documents of the keys are looked up for the queries too; they have their own",
                         [&](auto b, auto i, auto j) { return keys(b, i) == keys(b, j); }),
                    rule("the documents of the queries are looked up for the keys too; they have their own",
                         [&](auto b, auto i, auto j) { return queries(b, i) == queries(b, j); }),
                    rule("the axes of query and key are swapped: the contract says (…, query, key)",
                         [&](auto b, auto i, auto j) { return queries(b, j) == keys(b, i); })}));
}

TEST(document_mask, queries_and_keys_of_different_length_equal_pytorch) {
    const Ids keys = golden_ids("documents");
    Ids queries = Ids::from_shape({3, 4});
    for (std::size_t b = 0; b < 3; ++b) {
        for (std::size_t i = 0; i < 4; ++i) queries(b, i) = keys(b, i + 1);
    }
    EXPECT_TRUE(mask_close(
        document_mask(queries, keys), golden()["mask.document_cross"],
        {suspect("the documents of the keys are looked up for the queries too; they have their own",
                 {3, 1, 4, 6}, [&](auto b, auto i, auto j) { return keys(b, i) == keys(b, j); }),
         suspect("the number of keys is taken from the documents of the queries; they may differ",
                 {3, 1, 4, 4}, [&](auto b, auto i, auto j) { return queries(b, i) == keys(b, j); }),
         suspect("the documents of the keys are never looked at", {3, 1, 4, 4},
                 [&](auto b, auto i, auto j) { return queries(b, i) == queries(b, j); })}));
}

TEST(document_mask, packed_documents_give_what_each_gives_alone) {
    const Mask mask = document_mask(ids({1, 5}, {1, 1, 2, 2, 2}));
    ASSERT_TRUE(has_shape(numbers(mask), {1, 1, 5, 5}));
    Rng rng(7);
    const MultiHeadAttention attention(8, 2, rng);
    const Tensor x = normal({1, 5, 8}, 8), packed = attention(x, x, x, mask).output;
    const Tensor a = slice(x, 1, 0, 2), b = slice(x, 1, 2, 5);
    const Tensor alone = concat({attention(a, a, a).output, attention(b, b, b).output}, 1);
    bool other_seen = false;  // documents 0 … 1 and 2 … 4
    for (std::size_t i = 0; i < 5; ++i) {
        for (std::size_t j = 0; j < 5; ++j)
            other_seen = other_seen || ((i < 2) != (j < 2) && mask.array()(0, 0, i, j));
    }
    EXPECT_TRUE(close(packed, alone, {1e-5, 1e-6}))
        << likely_if(other_seen, "a query sees another document" + never_written);
}

TEST(document_mask, attention_under_it_equals_pytorch) {
    const Mask mask = document_mask(golden_ids("documents"));
    ASSERT_TRUE(has_shape(numbers(mask), {3, 1, 6, 6}));
    EXPECT_TRUE(attention_equals_pytorch("document", mask));
}

TEST(document_mask, refuses_batches_that_differ) {
    const Ids one = ids({1, 2}, {1, 1}), two = ids({2, 2}, {1, 1, 2, 2});
    EXPECT_TRUE(has_shape(numbers(document_mask(one)), {1, 1, 2, 2}));
    EXPECT_TRUE(refuses<ShapeError>([&] { (void)document_mask(one, two); }, {"1 sequences", "2 of keys"},
                                    "a batch of 1 with a batch of 2"));
    EXPECT_TRUE(refuses<ShapeError>(
        [] {
            (void)document_mask(ids({2}, {1, 1}));
        },
        {"(2)"}, "ids of the shape (2)"));
    EXPECT_TRUE(refuses<ShapeError>(
        [] {
            (void)document_mask(ids({1, 0}, {}));
        },
        {"(1, 0)"}, "ids of the shape (1, 0)"));
}

}  // namespace
}  // namespace tfs::test
