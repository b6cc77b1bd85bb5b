// tests/common/writing_a_step_test.cpp · the code of docs/writing-a-step.md, compiled and run
//
// tests/lessons/lessons_test.cpp compares the page with this file. What the page leaves out is what the tests expect.
#include <fmt/format.h>

#include <limits>
#include <optional>
#include <utility>
#include <variant>

#include "common/nn.hpp"
#include "common/tensor.hpp"
#include "tests/support/close.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

TEST(writing_a_step, makes_tensors) {
    const Tensor x = Tensor::from({2, 3}, {1, 2, 3, 4, 5, 6});  // the shape, then the values row by row
    const Tensor zeros = Tensor::zeros({2, 3});                 // Tensor::ones, Tensor::full({2, 3}, 0.5f)

    Array corner = zeros.array();  // a copy of the zeros, to write into
    corner(0, 0) = 1.0f;

    Array values = make_array({2, 3});  // 2 rows and 3 columns; the values are not set yet
    for (std::size_t i = 0; i < 2; ++i) {
        for (std::size_t j = 0; j < 3; ++j) values(i, j) = 1.0f / static_cast<float>(i + j + 1);
    }
    const Tensor table(std::move(values));  // (2, 3)
    EXPECT_EQ(x.shape(), zeros.shape());
    EXPECT_EQ(corner(0, 0), 1.0f);
    EXPECT_EQ(table.at({1, 2}), 0.25f);
}

TEST(writing_a_step, reads_and_writes_entries) {
    const Tensor x = Tensor::from({2, 3}, {1, 2, 3, 4, 5, 6});
    const std::size_t rows = x.size(0), width = x.size(-1);  // 2 and 3: -1 is the last axis
    const float last = x.at({1, 2});                         // row 1, column 2: 6
    double total = 0.0;
    for (const float value : x.values()) total += value;  // row by row: 21

    Array changed = x.array();  // a copy of the values, to write into
    changed(1, 2) = 60.0f;      // x keeps its 6
    EXPECT_EQ(rows, 2U);
    EXPECT_EQ(width, 3U);
    EXPECT_EQ(last, 6.0f);
    EXPECT_EQ(total, 21.0);
    EXPECT_EQ(x.at({1, 2}), 6.0f);
    EXPECT_EQ(changed(1, 2), 60.0f);
}

TEST(writing_a_step, computes_with_whole_tensors) {
    const Tensor x = Tensor::from({2, 3}, {1, 2, 3, 4, 5, 6});
    const Tensor scaled = 0.5f * x + 1.0f;             // entry by entry: (2, 3)
    const Tensor left = slice(x, -1, 0, 2);            // columns 0 and 1 of the last axis: (2, 2)
    const Tensor right = slice(x, -1, 2, 3);           // column 2: (2, 1)
    const Tensor moved = concat({right, left}, -1);    // (2, 3)
    const Tensor scores = matmul(x, x, Transpose::b);  // x xᵀ: (2, 2)

    const Tensor means = mean(x, -1);                       // (2): the last axis is gone
    const Tensor centred = x - mean(x, -1, KeepDims::yes);  // (2, 3) - (2, 1): each row minus its own mean

    Shape shape = x.shape();  // {2, 3}
    shape.back() = 1;
    shape.push_back(3);
    const Tensor apart = reshape(x, shape);    // (2, 1, 3): the same values in the same order
    const Tensor turned = transpose(x, 0, 1);  // (3, 2): the axes 0 and 1 exchanged
    EXPECT_TRUE(close(scaled, Tensor::from({2, 3}, {1.5f, 2.0f, 2.5f, 3.0f, 3.5f, 4.0f})));
    EXPECT_TRUE(close(moved, Tensor::from({2, 3}, {3, 1, 2, 6, 4, 5})));
    EXPECT_TRUE(close(scores, Tensor::from({2, 2}, {14, 32, 32, 77})));
    EXPECT_TRUE(close(means, Tensor::from({2}, {2, 5})));
    EXPECT_TRUE(close(centred, Tensor::from({2, 3}, {-1, 0, 1, -1, 0, 1})));
    EXPECT_EQ(apart.shape(), (Shape{2, 1, 3}));
    EXPECT_TRUE(close(turned, Tensor::from({3, 2}, {1, 4, 2, 5, 3, 6})));
    EXPECT_TRUE(refuses<ShapeError>([&] { (void)(x - means); }, {"(2, 3)", "(2)"}));
}

TEST(writing_a_step, records_what_depends_on_a_parameter) {
    const Tensor x = Tensor::from({2, 3}, {1, 2, 3, 4, 5, 6});
    const Tensor weight = parameter(Tensor::ones({1, 3}));  // values of its own, and it gets a gradient
    const Tensor y = linear(x, weight);                     // (2, 1): recorded
    const Tensor fixed = y.detach();  // the values of y: no gradient goes back through it
    const Tensor again(y.array());    // the same, because an Array records nothing
    sum(y * y).backward();            // weight.grad() is now the gradient of this sum
    EXPECT_TRUE(y.requires_grad());
    EXPECT_FALSE(fixed.requires_grad());
    EXPECT_FALSE(again.requires_grad());
    EXPECT_TRUE(close(Tensor(weight.grad()), Tensor::from({1, 3}, {132, 174, 216})));
}

TEST(writing_a_step, makes_ids_and_masks) {
    Ids ids = make_array<std::int64_t>({1, 4});  // (batch, seq)
    ids.fill(0);
    ids(0, 3) = 7;

    xt::xarray<bool> allowed = make_array<bool>({2, 2});
    for (std::size_t i = 0; i < 2; ++i) {
        for (std::size_t j = 0; j < 2; ++j) allowed(i, j) = j <= i;
    }
    const Mask causal(std::move(allowed));  // true: may attend
    EXPECT_EQ(ids.size(), 4U);
    EXPECT_FALSE(causal.array()(0, 1));
}

TEST(writing_a_step, asks_what_may_be_missing) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    const std::optional<Mask> mask = Mask::from({2, 2}, {1, 0, 1, 1});
    Tensor scores = Tensor::zeros({2, 2});
    if (mask) scores = masked_fill(scores, *mask, -infinity);  // -infinity where the mask is false
    EXPECT_EQ(scores.at({0, 1}), -infinity);
    EXPECT_EQ(scores.at({1, 0}), 0.0f);
}

TEST(writing_a_step, takes_what_a_variant_holds) {
    const Tensor x = Tensor::from({2, 3}, {1, 2, 3, 4, 5, 6});
    Rng rng(1);
    const std::variant<Linear, Embedding> layer = Linear(3, 4, rng);  // holds one of the two
    const Tensor y = std::get<Linear>(layer)(x);  // (2, 4); an exception if it holds an Embedding
    EXPECT_EQ(y.shape(), (Shape{2, 4}));
    EXPECT_THROW((void)std::get<Embedding>(layer), std::bad_variant_access);
}

void require_even(const Tensor& x) {
    if (x.size(-1) % 2 != 0) throw ValueError(fmt::format("my_step: the width {} is odd", x.size(-1)));
}

TEST(writing_a_step, refuses_and_prints) {
    const Tensor x = Tensor::from({2, 3}, {1, 2, 3, 4, 5, 6});
    testing::internal::CaptureStdout();
    fmt::print("{}\n", x);  // the shape and the values
    EXPECT_NE(testing::internal::GetCapturedStdout().find("(2, 3)"), std::string::npos);
    EXPECT_TRUE(refuses<ValueError>([&] { require_even(x); }, {"3"}));
}

TEST(writing_a_step, has_traps) {
    Array pair{2, 3};                   // two values, 2 and 3
    Array matrix = make_array({2, 3});  // a shape: 2 rows of 3
    matrix(0, 1) = 7.0f;
    const float entry = matrix(1);   // not row 1, but matrix(0, 1): missing indices count as 0
    auto doubled = pair * 2.0f;      // not computed yet: each read computes it anew from `pair`
    const Array kept = pair * 2.0f;  // computed, once
    pair(0) = 50.0f;                 // doubled(0) is now 100, kept(0) is 4
    EXPECT_EQ(entry, 7.0f);
    EXPECT_EQ(doubled(0), 100.0f);
    EXPECT_EQ(kept(0), 4.0f);
    EXPECT_EQ(kept.size(), 2U);
}

}  // namespace
}  // namespace tfs::test
