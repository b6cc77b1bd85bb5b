// tests/common/tensor_test.cpp · what a Tensor is: a handle to values, read-only but for parameters; its largest entries, its text
#include "common/tensor.hpp"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <sstream>
#include <vector>

#include "common/base/xtensor_math.hpp"
#include "common/nn.hpp"
#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

TEST(tensor, has_values_in_row_major_order_and_axes_that_count_from_the_end_too) {
    const Tensor scalar, x = Tensor::from({2, 3}, {0, 1, 2, 3, 4, 5});
    EXPECT_EQ(scalar.shape(), Shape{});
    EXPECT_EQ(scalar.size(), 1u);
    EXPECT_EQ(scalar.item(), 0.0f);
    EXPECT_EQ(scalar.at({}), 0.0f);
    EXPECT_FALSE(scalar.requires_grad());
    EXPECT_EQ(x.at({0, 2}), 2.0f);
    EXPECT_EQ(x.array()(1, 2), 5.0f);
    EXPECT_EQ(x.values()[4], 4.0f);
    EXPECT_EQ(x.size(-2), 2u);
    EXPECT_EQ(x.size(-1), 3u);
    EXPECT_EQ(x.size(), 6u);
}

TEST(tensor, detach_copies_the_values_and_leaves_the_tape) {
    const Tensor x(Array(2.0f), true);
    Tensor y = (x * 3.0f).detach();
    EXPECT_FALSE(y.requires_grad());
    EXPECT_EQ(y.item(), 6.0f);
    y.mutable_array()() = 1.0f;  // an input again: it may be changed, and nothing else changes with it
    EXPECT_EQ(x.item(), 2.0f);
}

TEST(tensor, the_result_of_an_operation_is_not_changed_in_place) {
    const Tensor x(Array(2.0f), true);
    Tensor y = x * 3.0f;
    EXPECT_TRUE(refuses<ValueError>([&] { y.mutable_array(); }, {"mutable_array", "result of an operation"}));
    EXPECT_TRUE(refuses<ValueError>([&] { y.set_requires_grad(false); }, {"set_requires_grad", "detach()"}));
}

template <class T>
concept Changeable = requires(T& x) {
    x.mutable_array();
}
|| requires(T& x) { x.mutable_grad(); }
|| requires(T& x) { x.clear_grad(); }
|| requires(T& x) { x.set_requires_grad(true); };

TEST(tensor, a_const_one_is_only_read) {
    static_assert(Changeable<Tensor>);
    static_assert(!Changeable<const Tensor>);
    static_assert(!Changeable<const NamedTensor>);
    const Tensor x = Tensor::zeros({2});
    Tensor copy = x;  // the promise is that of a name, not of the values: a copy is another handle to them
    copy.mutable_array()(0) = 7.0f;
    EXPECT_EQ(x.at({0}), 7.0f);
}

TEST(mutable_grad, is_that_of_every_handle_and_is_added_to_by_the_next_pass) {
    const Tensor p = parameter(Tensor::full({}, 3.0f));
    Tensor same = p;
    (p * p).backward();
    same.mutable_grad()() = 1.0f;
    EXPECT_EQ(p.grad()(), 1.0f);
    (p * p).backward();
    EXPECT_EQ(p.grad()(), 7.0f);
}

TEST(mutable_grad, refuses_results_of_operations_and_tensors_without_a_gradient) {
    Tensor p = parameter(Tensor::full({}, 3.0f)), constant = Tensor::zeros({}), y = p * p;
    EXPECT_TRUE(refuses<ValueError>([&] { y.mutable_grad(); }, {"mutable_grad", "result of an operation"}));
    EXPECT_TRUE(refuses<ValueError>([&] { p.mutable_grad(); }, {"mutable_grad", "call backward()"}));
    EXPECT_TRUE(
        refuses<ValueError>([&] { constant.mutable_grad(); }, {"mutable_grad", "requires no gradient"}));
    y.backward();
    EXPECT_TRUE(refuses<ValueError>([&] { y.mutable_grad(); }, {"mutable_grad", "result of an operation"}));
    p.clear_grad();
    EXPECT_TRUE(refuses<ValueError>([&] { p.mutable_grad(); }, {"no gradient has reached"}));
}

TEST(tensor, an_operation_does_not_share_values_with_its_input) {
    Tensor x = Tensor::from({2, 2}, {1, 2, 3, 4});
    const Tensor reshaped = reshape(x, {4}), sliced = slice(x, 0, 0, 1), swapped = transpose(x, 1, 1);
    x.mutable_array().fill(9.0f);
    EXPECT_EQ(reshaped.at({0}), 1.0f);
    EXPECT_EQ(sliced.at({0, 0}), 1.0f);
    EXPECT_EQ(swapped.at({0, 0}), 1.0f);
}

TEST(tensor, empty_tensors_pass_through_operations) {
    const Tensor empty(Array::from_shape({0, 3}), true);
    EXPECT_EQ((empty + Tensor::zeros({3})).shape(), (Shape{0, 3}));
    EXPECT_EQ(exp(empty).shape(), (Shape{0, 3}));
    EXPECT_EQ(transpose(empty, 0, 1).shape(), (Shape{3, 0}));
    EXPECT_EQ(slice(Tensor::zeros({2, 3}), 0, 1, 1).shape(), (Shape{0, 3}));
    EXPECT_EQ(concat({empty, Tensor::ones({1, 3})}, 0).shape(), (Shape{1, 3}));
    EXPECT_EQ(sum(empty).item(), 0.0f);
    EXPECT_EQ(matmul(empty, Tensor::ones({3, 2})).shape(), (Shape{0, 2}));
    sum(matmul(empty, Tensor::ones({3, 2}))).backward();
    EXPECT_EQ(shape_of(empty.grad()), (Shape{0, 3}));
}

TEST(tensor, a_product_over_nothing_is_zero) {
    const Tensor a(Array::from_shape({2, 2, 0}), true), b(Array::from_shape({0, 4}), true);
    const Tensor y = matmul(a, b);
    EXPECT_TRUE(close(y, Tensor::zeros({2, 2, 4})));
    sum(y).backward();
    EXPECT_EQ(shape_of(a.grad()), (Shape{2, 2, 0}));
    EXPECT_EQ(shape_of(b.grad()), (Shape{0, 4}));
}

TEST(tensor, a_linear_layer_without_outputs_sends_a_zero_gradient) {
    const Tensor x(Array::from_shape({2, 3}), true), weight(Array::from_shape({0, 3}), true);
    sum(linear(x, weight)).backward();
    EXPECT_TRUE(close(x.grad(), Tensor::zeros({2, 3}).array()));
    EXPECT_EQ(shape_of(weight.grad()), (Shape{0, 3}));
}

TEST(tensor, that_is_a_temporary_gives_what_it_owns_and_no_reference) {
    const auto scaled = [](const Tensor& x) { return x * 2.0f; };
    Tensor x = Tensor::from({2}, {1.0f, 2.0f}).set_requires_grad(true);
    const auto values = scaled(x).values();
    const auto& array = scaled(x).array();
    EXPECT_EQ(values, (std::vector<float>{2.0f, 4.0f}));
    EXPECT_EQ(array, (Array{2.0f, 4.0f}));
    float sum_of_all = 0.0f;
    for (const float value : scaled(x).values()) sum_of_all += value;
    EXPECT_EQ(sum_of_all, 6.0f);
    // Another handle still reads the same values.
    EXPECT_EQ(Tensor(x).array(), (Array{1.0f, 2.0f}));
    EXPECT_EQ(x.values()[1], 2.0f);
    sum(x * x).backward();
    const auto& gradient = Tensor(x).grad();
    EXPECT_EQ(gradient, (Array{2.0f, 4.0f}));
    // Moved into the call, a handle is empty afterwards, as after every move.
    const Array moved = std::move(x).array();
    EXPECT_EQ(moved, (Array{1.0f, 2.0f}));
}

TEST(tensor, that_was_moved_from_says_so) {
    Tensor x = parameter(Tensor::from({2}, {1, 2}));
    const Tensor y = std::move(x);
    const std::vector<std::function<void()>> uses{
        [&] { x.shape(); },
        [&] { x.rank(); },
        [&] { x.size(); },
        [&] { x.size(0); },
        [&] { x.array(); },
        [&] { x.values(); },
        [&] { x.at({0}); },
        [&] { x.item(); },
        [&] { x.has_grad(); },
        [&] { x.grad(); },
        [&] { x.clear_grad(); },
        [&] { x.mutable_array(); },
        [&] { x.backward(); },
        [&] { x.mutable_grad(); },
        [&] { x.detach(); },
        [&] { x.set_requires_grad(true); },
        [&] { (void)(x + y); },
        [&] { (void)sum(x); },
        [&] { (void)tape_bytes(x); },
        [&] { (void)concat(std::vector<Tensor>(2, x), 0); },
        [&] { add_to_grad(x, y.array()); },
        [&] { record(Array(0.0f), {x}, [](const Array&, Array) {}); },
        [&] { to_string(x); }};
    for (std::size_t i = 0; i < uses.size(); ++i)
        EXPECT_TRUE(refuses<ValueError>(uses[i], {"this tensor was moved from", "moved to"})) << "use " << i;
    EXPECT_EQ(y.values()[1], 2.0f);
    x = y;  // it may be assigned to
    EXPECT_EQ(x.values()[1], 2.0f);
}

TEST(tensor, of_an_array_that_was_moved_from_is_refused) {
    Array x{1.0f, 2.0f};
    const Tensor y(std::move(x));
    EXPECT_TRUE(refuses<ValueError>([&] { const Tensor z(x); }, {"array was moved from"}));
    EXPECT_EQ(Tensor(Array::from_shape({2, 0})).size(), 0u);
    x = y.array();
    EXPECT_EQ(Tensor(x).size(), 2u);
}

// With xtensor before 0.26 and g++ these die without -fno-new-ttp-matching (docs/tensor-layer.md: the traps of xtensor).
TEST(xtensor_under_cpp20, computes_variances_immediate_sums_pads_and_tiles) {
    const Array x{{0, 1, 2}, {3, 4, 5}};
    const Array variances = xt::variance(x, {1}), padded = xt::pad(x, {{0, 1}, {0, 0}}),
                tiled = xt::tile(x, {2, 1}), sums = xt::sum(x, {1}, xt::evaluation_strategy::immediate);
    EXPECT_NEAR(variances(0), 2.0f / 3.0f, 1e-6f);
    EXPECT_EQ(sums, (Array{3, 12}));
    EXPECT_EQ(shape_of(padded), (Shape{3, 3}));
    EXPECT_EQ(shape_of(tiled), (Shape{4, 3}));
}

// ---- numbers ----------------------------------------------------------------------------------------------

// Against the same in double, along the last axis and along one before it.
TEST(tensor, variance_of_a_large_mean_has_an_exact_gradient) {
    const std::vector<float> values{1000.13f, 998.71f, 1001.94f, 1000.02f, 999.37f, 1000.58f, 997.66f};
    const std::size_t n = values.size();
    double mean = 0.0, expected_variance = 0.0;
    for (const float value : values) mean += value / static_cast<double>(n);
    for (const float value : values)
        expected_variance += (value - mean) * (value - mean) / static_cast<double>(n);
    for (const Shape& shape : {Shape{7}, Shape{7, 1}, Shape{1, 7, 1}}) {
        const Tensor x(Tensor::from(shape, values).array(), true);
        const Tensor v = variance(x, shape.size() == 1 ? 0 : -2);
        EXPECT_NEAR(v.values()[0], expected_variance, 3e-7 * expected_variance);
        sum(v).backward();
        for (std::size_t i = 0; i < n; ++i)
            EXPECT_NEAR(x.grad().data()[i], 2.0 * (values[i] - mean) / static_cast<double>(n), 1e-7);
    }
    const Tensor columns(concat({Tensor::from({7, 1}, values), Tensor::from({7, 1}, values)}, 1).array(),
                         true);
    sum(variance(columns, 0)).backward();
    for (std::size_t i = 0; i < 2 * n; ++i)
        EXPECT_NEAR(columns.grad().data()[i], 2.0 * (values[i / 2] - mean) / static_cast<double>(n), 1e-7);
}

TEST(tensor, the_sum_of_many_entries_keeps_its_digits) {
    const Tensor x = parameter(Tensor::full({300, 1000}, 0.1f));
    EXPECT_NEAR(sum(x).item(), 30000.0, 0.01);  // added one by one in float they make 29920
    mean(x).backward();
    EXPECT_TRUE(close(x.grad(), Tensor::full({300, 1000}, 1.0f / 300000.0f).array()));
}

// The largest of these entries and where its gradient goes: along a row and, with a second column, down a column.
struct Largest {
    float value;
    std::size_t position;
};

Largest largest_of(const Tensor& x, int axis, std::size_t step) {
    const Tensor leaf(x.array(), true);
    const Tensor y = max(leaf, axis);
    sum(y).backward();
    std::size_t position = 0;
    while (leaf.grad().data()[position * step] == 0.0f) ++position;
    return {y.values()[0], position};
}

void expect_largest(const std::vector<float>& entries, float value, std::size_t position) {
    const Tensor row = Tensor::from({1, entries.size()}, entries);
    const Tensor column = transpose(row, 0, 1);
    const Tensor columns = concat({column, Tensor::zeros({entries.size(), 1})}, 1);
    for (const Largest& largest : {largest_of(row, 1, 1), largest_of(columns, 0, 2)}) {
        EXPECT_EQ(largest.position, position);
        EXPECT_TRUE(largest.value == value || (std::isnan(largest.value) && std::isnan(value)))
            << largest.value;
    }
}

TEST(max, is_the_first_of_equals_and_nan_wherever_one_stands) {
    expect_largest({1, 3, 2, 3}, 3, 1);
    expect_largest({-infinity, -infinity}, -infinity, 0);
    expect_largest({-infinity, -2, infinity}, infinity, 2);
    expect_largest({1, nan}, nan, 1);
    expect_largest({nan, 1}, nan, 0);
    expect_largest({infinity, nan, 2, nan}, nan, 1);
}

TEST(largest_of, names_the_first_of_equals_first) {
    EXPECT_EQ(tfs::largest_of(std::vector<float>{1, 3, 2, 3}, 3), (std::vector<std::size_t>{1, 3, 2}));
    EXPECT_EQ(tfs::largest_of(std::vector<float>{1}, 3), (std::vector<std::size_t>{0}));
}

TEST(max, of_a_long_row_with_one_nan) {
    std::vector<float> entries(1001);
    for (std::size_t i = 0; i < entries.size(); ++i) entries[i] = static_cast<float>(i % 97);
    expect_largest(entries, 96, 96);
    entries[777] = nan;
    expect_largest(entries, nan, 777);
}

// ---- as text: the forms of torch.set_printoptions()'s defaults --------------------------------------------

template <class Printable>
std::string printed(const Printable& value) {
    std::ostringstream out;
    out << value;
    EXPECT_EQ(fmt::format("{}", value), out.str());
    return out.str();
}

TEST(print, shape_and_values_in_columns) {
    EXPECT_EQ(printed(Tensor::from({2, 2}, {0.1f, 2.5f, -3.0f, 0.01f})),
              "(2, 2)\n[[ 0.1000,  2.5000],\n [-3.0000,  0.0100]]");
    EXPECT_EQ(printed(Tensor::from({3}, {1.0f, -20.0f, 0.0f})), "(3)\n[  1., -20.,   0.]");
    EXPECT_EQ(printed(Tensor::from({2}, {1e-6f, 1.0f})), "(2)\n[1.0000e-06, 1.0000e+00]");
    EXPECT_EQ(printed(Tensor::from({3}, {1.5f, -infinity, nan})), "(3)\n[1.5000,   -inf,    nan]");
    EXPECT_EQ(printed(Tensor::from({}, {3.5f})), "()\n3.5000");
    EXPECT_EQ(printed(Tensor::zeros({2, 0})), "(2, 0)\n[[],\n []]");
    EXPECT_EQ(printed(Tensor::from({2, 1, 2}, {1, 2, 3, 4})), "(2, 1, 2)\n[[[1., 2.]],\n\n [[3., 4.]]]");
    EXPECT_EQ(printed(Mask::from({2, 2}, {1, 0, 1, 1})), "(2, 2)\n[[1, 0],\n [1, 1]]");
    EXPECT_EQ(printed(Shape{2, 3}), "(2, 3)");
}

TEST(print, of_many_values_the_ends_of_each_axis) {
    EXPECT_EQ(printed(Tensor::zeros({2, 600})),
              "(2, 600)\n[[0., 0., 0., ..., 0., 0., 0.],\n [0., 0., 0., ..., 0., 0., 0.]]");
    const std::string text = printed(normal({11, 10, 10}, 1));
    EXPECT_NE(text.find("\n\n ...,\n\n"), std::string::npos);
    EXPECT_EQ(printed(Tensor::zeros({1000})).find("..."), std::string::npos);
}

}  // namespace
}  // namespace tfs::test
