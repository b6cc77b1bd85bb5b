// tests/common/tape_test.cpp · when a tape is recorded, how it is walked, and how it ends
#include "common/tensor.hpp"
#include "tests/support/close.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

Tensor parameter(float value) { return Tensor(Array(value), true); }

TEST(tape, is_not_recorded_without_a_parameter) {
    const Tensor y = Tensor(Array(2.0f)) * 3.0f;
    EXPECT_FALSE(y.requires_grad());
    EXPECT_TRUE(refuses<ValueError>([&] { y.backward(); },
                                    {"backward: no tape leads to this tensor", "requires a gradient"}));
}

TEST(tape, is_not_recorded_under_no_grad) {
    const Tensor x = parameter(2.0f);
    {
        const NoGrad outer;
        {
            const NoGrad inner;
            EXPECT_FALSE((x * x).requires_grad());
        }
        const Tensor y = x * x;  // the inner guard's end must not switch recording on again
        EXPECT_FALSE(y.requires_grad());
        EXPECT_EQ(y.item(), 4.0f);
        EXPECT_TRUE(refuses<ValueError>([&] { y.backward(); }, {"NoGrad"}));
    }
    EXPECT_TRUE((x * x).requires_grad());
}

TEST(tape, starts_at_a_single_number_of_any_rank_that_an_operation_made) {
    const Tensor x(Tensor::from({1, 1}, {3.0f}).array(), true), wide(Tensor::ones({2, 3}).array(), true);
    (x * x).backward();
    EXPECT_EQ(x.grad()(0, 0), 6.0f);
    EXPECT_TRUE(
        refuses<ValueError>([&] { (wide * 2.0f).backward(); }, {"single number", "(2, 3)", "sum or mean"}));
    EXPECT_TRUE(refuses<ValueError>([&] { x.backward(); },
                                    {"is a parameter or an input itself", "compute a loss from it first"}));
}

TEST(tape, walks_only_once) {
    const Tensor x = parameter(2.0f);
    const Tensor y = x * x;
    y.backward();
    EXPECT_TRUE(
        refuses<ValueError>([&] { y.backward(); }, {"backward", "freed already", "forward pass again"}));
    EXPECT_EQ(x.grad()(), 4.0f);
}

TEST(tape, is_freed_by_the_walk_and_not_only_with_its_result) {
    const auto kept = std::make_shared<int>(1);  // as the inputs that an operation keeps for its gradient
    const Tensor x = parameter(2.0f);
    const Tensor y =
        record(Array(4.0f), {x}, [x, kept](const Array&, const Array& grad) { add_to_grad(x, grad); });
    const Tensor loss = y * 1.0f;
    EXPECT_EQ(kept.use_count(), 2);
    loss.backward();
    EXPECT_EQ(kept.use_count(), 1);
    EXPECT_EQ(x.grad()(), 1.0f);
}

TEST(tape, refuses_a_shared_part_that_is_freed) {
    const Tensor x = parameter(2.0f);
    const Tensor shared = x * x;
    const Tensor first = shared * 2.0f, second = shared * 3.0f;
    first.backward();
    EXPECT_TRUE(refuses<ValueError>([&] { second.backward(); }, {"part of the tape is freed", "detach()"}));
    EXPECT_EQ(x.grad()(), 8.0f);  // the refused walk has added nothing
}

TEST(tape, a_result_used_twice_gets_both_gradients_before_it_passes_them_on) {
    const Tensor x = parameter(2.0f);
    const Tensor y = x * x;              // 4
    (y * y + exp(y * 0.0f)).backward();  // d/dx (x^4 + 1) = 4 x^3
    EXPECT_EQ(x.grad()(), 32.0f);
}

TEST(tape, gradients_add_up_over_steps_until_cleared) {
    Tensor x = parameter(1.0f);
    (x * 2.0f).backward();
    (x * 3.0f).backward();
    EXPECT_EQ(x.grad()(), 5.0f);
    x.clear_grad();
    EXPECT_FALSE(x.has_grad());
    EXPECT_TRUE(refuses<ValueError>([&] { x.grad(); }, {"no gradient has reached", "backward()"}));
    EXPECT_TRUE(
        refuses<ValueError>([] { Tensor().grad(); }, {"requires no gradient", "set_requires_grad(true)"}));
}

TEST(tape, only_parameters_keep_a_gradient) {
    const Tensor x = parameter(2.0f);
    const Tensor middle = x * x;
    (middle * 2.0f).backward();
    EXPECT_TRUE(x.has_grad());
    EXPECT_FALSE(middle.has_grad());
}

const std::vector<std::string> changed_since_read{"backward", "changed after an operation had read it",
                                                  "mutable_array()"};

TEST(tape, refuses_a_parameter_that_changed_since_the_forward_pass) {
    Tensor x = parameter(2.0f);
    const Tensor loss = x * x;
    x.mutable_array()() = 5.0f;
    EXPECT_TRUE(refuses<ValueError>([&] { loss.backward(); }, changed_since_read));
    EXPECT_FALSE(x.has_grad());
    (x * x).backward();
    EXPECT_EQ(x.grad()(), 10.0f);
    x.mutable_array()() = 7.0f;  // after the walk, as an optimizer does
}

TEST(tape, refuses_an_input_that_changed_since_the_forward_pass) {
    const Tensor w = parameter(2.0f);
    Tensor x = Tensor(Array(3.0f));  // without a gradient of its own, but that of w is made of it
    const Tensor loss = exp(w * x) * 2.0f;
    x.mutable_array()() = 5.0f;
    EXPECT_TRUE(refuses<ValueError>([&] { loss.backward(); }, changed_since_read));
}

TEST(tape, does_not_mind_an_input_that_no_operation_keeps) {
    const Tensor w = parameter(2.0f);
    Tensor loss;
    {
        Tensor unused(Array(1.0f));
        loss = record(Array(2.0f), {w, unused}, [w](const Array&, Array grad) { add_to_grad(w, grad); });
        unused.mutable_array()() = 3.0f;
    }
    loss.backward();
    EXPECT_EQ(w.grad()(), 1.0f);
}

TEST(tape, refuses_a_parameter_of_another_shape_than_in_the_forward_pass) {
    Tensor x(Tensor::ones({2, 3}).array(), true);
    Array& before = x.mutable_array();
    for (const Shape& shape : {Shape{600, 700}, Shape{3, 2}, Shape{1}}) {
        x.mutable_array() = Tensor::ones({2, 3}).array();
        const Tensor loss = sum(x * x + exp(x));
        before = Tensor::ones(shape).array();  // which no count of calls tells
        EXPECT_TRUE(refuses<ValueError>([&] { loss.backward(); },
                                        {"(2, 3)", to_string(shape), changed_since_read[1]}));
    }
}

TEST(tape, refuses_a_gradient_of_another_shape_than_its_tensor) {
    Tensor x(Tensor::ones({2, 3}).array(), true);
    sum(x * x).backward();
    const Tensor loss = sum(x * x);
    x.mutable_grad() = Array(1.0f);
    const std::vector<std::string> named{"(2, 3)", "gradient of shape ()", "clear_grad()"};
    EXPECT_TRUE(refuses<ShapeError>([&] { loss.backward(); }, named));
    EXPECT_TRUE(refuses<ShapeError>([&] { add_to_grad(x, Tensor::ones({2, 3}).array()); }, named));
    EXPECT_TRUE(refuses<ShapeError>([&] { x.grad(); }, named));
    EXPECT_TRUE(refuses<ShapeError>([&] { x.mutable_grad(); }, named));
    x.clear_grad();
    loss.backward();
    EXPECT_EQ(x.grad()(1, 2), 2.0f);
}

struct BackwardFailed {};

// 3 x, whose gradient can not be computed.
Tensor failing(const Tensor& x) {
    return record(Array(3.0f * x.item()), {x}, [](const Array&, Array) { throw BackwardFailed(); });
}

TEST(tape, is_freed_where_an_operation_throws_on_the_way) {
    const auto kept = std::make_shared<int>(1);
    const Tensor x = parameter(2.0f);
    const Tensor waiting =
        record(Array(4.0f), {x}, [x, kept](const Array&, const Array& grad) { add_to_grad(x, grad); });
    const Tensor bad = failing(waiting), use = x * 2.0f;
    const Tensor loss = bad + use;
    EXPECT_THROW(loss.backward(), BackwardFailed);
    EXPECT_EQ(kept.use_count(), 1);
    EXPECT_EQ(tape_bytes(loss), 0u);
    for (const Tensor& part : {loss, loss * 1.0f, sum(bad), sum(use), sum(waiting)})
        EXPECT_TRUE(refuses<ValueError>([&] { part.backward(); }, {"freed already", "forward pass again"}));
}

TEST(tape, that_an_exception_ended_leaves_no_gradient_to_the_next_one) {
    Tensor q = parameter(1.0f);
    const Tensor middle = q * 3.0f;
    EXPECT_THROW((failing(middle) + middle).backward(), BackwardFailed);
    EXPECT_FALSE(middle.has_grad());
    q.clear_grad();
    EXPECT_TRUE(refuses<ValueError>([&] { sum(middle).backward(); }, {"freed already"}));
    EXPECT_FALSE(q.has_grad());  // not 6, to which the gradient that was left in the middle would have led
    sum(q * 3.0f).backward();
    EXPECT_EQ(q.grad()(), 3.0f);
}

TEST(tape, refuses_a_walk_from_within_a_walk_over_it) {
    const Tensor x = parameter(2.0f);
    Tensor loss;
    const Tensor inside = record(Array(2.0f), {x}, [&loss](const Array&, const Array&) { loss.backward(); });
    loss = inside * 3.0f;
    EXPECT_TRUE(refuses<ValueError>([&] { loss.backward(); }, {"freed already"}));
}

TEST(tape_bytes, count_results_once_and_parameters_not) {
    const Tensor x(Array::from_shape({2, 3}), true), constant(Array::from_shape({2, 3}));
    const Tensor y = x * constant;                 // 6 floats on the tape
    const Tensor z = y * y + constant * constant;  // 6 for y y, 6 for the sum; the constants record nothing
    EXPECT_EQ(tape_bytes(y), 6 * sizeof(float));
    EXPECT_EQ(tape_bytes(z), 18 * sizeof(float));
    EXPECT_EQ(tape_bytes(sum(z, -1)), 20 * sizeof(float));
    EXPECT_EQ(tape_bytes(x), 0u);
}

TEST(tape_bytes, are_none_without_a_tape_and_after_the_walk) {
    const Tensor x = parameter(2.0f), y = x * x;
    EXPECT_EQ(tape_bytes(y), sizeof(float));
    y.backward();
    EXPECT_EQ(tape_bytes(y), 0u);
    EXPECT_EQ(tape_bytes((x * x).detach()), 0u);
    const NoGrad no_grad;
    EXPECT_EQ(tape_bytes(x * x), 0u);
}

// 200,000 links: recursion of any kind, in the walk or in destructors, would exhaust a stack of 8 MiB.
constexpr int links = 200000;

Tensor long_chain(const Tensor& start) {
    Tensor x = start;
    for (int i = 0; i < links; ++i) x = x + 1.0f;
    return x;
}

TEST(long_tape, is_built_walked_and_freed) {
    const Tensor x = parameter(0.0f);
    const Tensor y = long_chain(x);
    EXPECT_EQ(y.item(), static_cast<float>(links));
    y.backward();
    EXPECT_EQ(x.grad()(), 1.0f);
}

// Each closure holds the node before it, which is not among the inputs.
TEST(long_tape, of_closures_that_hold_each_other_is_freed) {
    const Tensor p = parameter(1.0f);
    const auto kept = std::make_shared<int>(1);
    const auto chain = [&] {
        Tensor x = p;
        for (int i = 0; i < links; ++i)
            x = record(Array(1.0f), {p}, [p, x, kept](const Array&, Array grad) { add_to_grad(p, grad); });
        return x;
    };
    { const Tensor without_a_walk = chain(); }
    EXPECT_EQ(kept.use_count(), 1);
    const Tensor walked = chain();
    walked.backward();  // of the last link alone: no other is among its inputs
    EXPECT_EQ(kept.use_count(), 1);
    EXPECT_EQ(p.grad()(), 1.0f);
}

TEST(long_tape, is_freed_in_two_parts_and_with_two_uses_of_each_link) {
    Tensor middle;
    {
        Tensor x = parameter(1.0f);
        for (int i = 0; i < links; ++i) {
            x = x * 0.5f + x * 0.5f;
            if (i == links / 2) middle = x;
        }
        EXPECT_EQ(x.item(), 1.0f);
    }
    EXPECT_EQ(middle.item(), 1.0f);
    middle = Tensor();
}

}  // namespace
}  // namespace tfs::test
