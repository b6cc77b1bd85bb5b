// tests/common/array_test.cpp · sizes that no array can have are refused in a sentence
#include "common/base/array.hpp"

#include "common/base/address_sanitizer.hpp"
#include "common/nn.hpp"
#include "common/nn/cost.hpp"
#include "common/tensor.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

constexpr std::size_t two_to_32 = 1ull << 32;  // times itself it is 0 in std::size_t

TEST(make_array, has_the_shape_that_was_asked_for) {
    EXPECT_EQ(shape_of(make_array({2, 3})), (Shape{2, 3}));
    EXPECT_EQ(make_array<bool>({4, 1}).size(), 4u);
    EXPECT_EQ(make_array<std::int64_t>({}).size(), 1u);
    EXPECT_EQ(make_array({two_to_32, 0, 3}).size(), 0u);
}

TEST(make_array, refuses_what_can_not_be_counted) {
    for (const std::size_t size : {3u, 0u})  // the strides of an array without values overflow all the same
        EXPECT_TRUE(refuses<ShapeError>(
            [&] {
                (void)make_array({two_to_32, size, two_to_32});
            },
            {"(4294967296, " + std::to_string(size) + ", 4294967296)", "more values than can be counted"}));
    EXPECT_TRUE(refuses<ShapeError>(
        [] {
            (void)make_array({two_to_32 / 2, two_to_32});
        },
        {"too large for any memory"}));
    EXPECT_TRUE(refuses<ShapeError>(
        [] {
            (void)make_array<bool>({two_to_32 / 2, two_to_32});
        },
        {"too large"}));
    EXPECT_TRUE(refuses<ShapeError>(
        [] {
            require_addressable({two_to_32 / 4, two_to_32}, 8);
        },
        {"(1073741824, 4294967296)"}));
}

TEST(make_array, refuses_what_does_not_fit_into_memory) {
    if (has_address_sanitizer) GTEST_SKIP() << "the address sanitizer ends the program here";
    EXPECT_TRUE(refuses<ShapeError>(
        [] {
            (void)make_array({two_to_32, two_to_32 / 64});
        },
        {"(4294967296, 67108864)", "GB", "memory"}));
}

TEST(sizes, that_overflow_are_refused_by_what_makes_arrays) {
    Rng rng(1), none = Rng::zeros();
    const std::vector<std::string> named{"4294967296"};
    const Tensor row = Tensor::zeros({1, two_to_32, 0}), column = Tensor::zeros({two_to_32, 1, 0});
    EXPECT_TRUE(refuses<ShapeError>([&] { Tensor::zeros({two_to_32, two_to_32}); }, named));
    EXPECT_TRUE(refuses<ShapeError>([&] { (void)rng.uniform_array({two_to_32, two_to_32}, 0, 1); }, named));
    EXPECT_TRUE(refuses<ShapeError>([&] { (void)rng.normal_array({two_to_32, two_to_32}); }, named));
    EXPECT_TRUE(refuses<ShapeError>([&] { (void)rng.bernoulli_array({two_to_32, two_to_32}, 0.5); }, named));
    EXPECT_TRUE(refuses<ShapeError>([&] { (void)none.uniform_array({two_to_32, two_to_32}, 0, 1); }, named));
    EXPECT_TRUE(refuses<ShapeError>([&] { Linear(two_to_32, two_to_32, rng); }, named));
    EXPECT_TRUE(refuses<ShapeError>([&] { Embedding(1ull << 60, 512, rng); }, {"1152921504606846976"}));
    EXPECT_TRUE(refuses<ShapeError>([&] { (void)sum(Tensor::zeros({0, two_to_32, two_to_32}), 0); }, named));
    EXPECT_TRUE(refuses<ShapeError>([&] { (void)sum(row + column, -1); }, named));
    EXPECT_TRUE(refuses<ShapeError>(
        [&] {
            (void)matmul(Tensor::zeros({two_to_32, 0}), Tensor::zeros({0, two_to_32}));
        },
        named));
    EXPECT_TRUE(refuses<ShapeError>(
        [&] {
            (void)linear(Tensor::zeros({two_to_32, two_to_32, 0}), Tensor::zeros({3, 0}));
        },
        named));
    const std::vector<Tensor> parts(16, Tensor::zeros({1ull << 60, 0}));
    EXPECT_TRUE(refuses<ShapeError>([&] { (void)concat(parts, 0); }, {"concat", "1152921504606846976"}));
    EXPECT_TRUE(refuses<ShapeError>(
        [&] {
            (void)part_with_result("a", {two_to_32 / 4, two_to_32}, {}, 2);
        },
        {}));
}

}  // namespace
}  // namespace tfs::test
