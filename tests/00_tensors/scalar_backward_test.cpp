// tests/00_tensors/scalar_backward_test.cpp · step scalar_backward: examples by hand, graphs that are hard to order, the project's tape
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <pthread.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <string>
#include <vector>

#include "chapters/00_tensors/scalars.hpp"
#include "common/tensor.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {
namespace {

struct Named {
    const char* name;
    Scalar* number;
    double expected;
};

// Calls the step, and compares the gradients.
testing::AssertionResult gives(Scalar& loss, const std::vector<Named>& numbers) {
    count_comparison();
    scalar_backward(loss);
    std::string first, all;
    for (const auto& [name, number, expected] : numbers) {
        const double got = number->gradient;
        all += fmt::format("{} {:.9g}, ", name, got);
        if (first.empty() && !(std::abs(got - expected) <= 1e-9 * std::max(1.0, std::abs(expected))))
            first = fmt::format("the gradient of {} is {:g}, expected {:g}", name, got, expected);
    }
    return first.empty() ? testing::AssertionSuccess() : testing::AssertionFailure() << first << came(all);
}

// What the long computations ask for, in short ones: whatever is wrong here would take very long there.
testing::AssertionResult short_ones_are_right() {
    Scalars tape;
    Scalar &a = tape.number(3), &two = tape.number(2), &x = tape.product(a, two);  // 6
    Scalar &square = tape.product(x, x), &other = tape.product(x, two);            // 36, 12
    Scalar &sum = tape.sum(square, other), &loss = tape.sum(x, sum);               // x + (x^2 + 2 x)
    const testing::AssertionResult right = gives(loss, {{"x", &x, 15}, {"a", &a, 30}});
    return right ? gives(sum, {{"x", &x, 14}, {"a", &a, 28}}) : right;
}

TEST(scalar_backward, finds_the_gradients_of_the_lesson) {
    Scalars tape;
    Scalar &w = tape.number(4), &x = tape.number(3), &b = tape.number(1), &wanted = tape.number(8);
    Scalar &p = tape.product(w, x), &s = tape.sum(p, b), &e = tape.difference(s, wanted),
           &loss = tape.product(e, e);
    EXPECT_TRUE(gives(loss, {{"L", &loss, 1},
                             {"e", &e, 10},
                             {"s", &s, 10},
                             {"p", &p, 10},
                             {"w", &w, 30},
                             {"b", &b, 10},
                             {"x", &x, 40}}));
}

TEST(scalar_backward, adds_what_comes_from_several_uses) {
    Scalars tape;
    Scalar &a = tape.number(3), &square = tape.product(a, a), &y = tape.sum(square, a);
    EXPECT_TRUE(gives(y, {{"y", &y, 1}, {"a * a", &square, 1}, {"a, in a * a + a,", &a, 7}}));
}

// x is used early (in y) and late (in loss): its own parent must wait for both.
TEST(scalar_backward, waits_for_all_uses_whichever_parent_comes_first) {
    for (const bool x_first : {false, true}) {
        Scalars tape;
        Scalar &a = tape.number(3), &two = tape.number(2), &x = tape.product(a, two);  // 6
        Scalar &y = tape.product(x, x), &z = tape.product(y, x),
               &loss = x_first ? tape.sum(x, z) : tape.sum(z, x);  // x^3 + x
        EXPECT_TRUE(gives(loss, {{"y", &y, 6},
                                 {"x, where the loss is x * x * x + x,", &x, 109},
                                 {"a, where the loss is x * x * x + x with x = 2 a,", &a, 218}}));
    }
}

// One operation uses x twice, and another one once; either may come first.
TEST(scalar_backward, waits_for_all_uses_where_one_operation_uses_a_number_twice) {
    for (const bool square_first : {false, true}) {
        Scalars tape;
        Scalar &a = tape.number(3), &two = tape.number(2), &x = tape.product(a, two);     // 6
        Scalar &square = tape.product(x, x), &other = tape.product(x, two);               // 36, 12
        Scalar& loss = square_first ? tape.sum(square, other) : tape.sum(other, square);  // x^2 + 2 x
        EXPECT_TRUE(gives(loss, {{"x, where the loss is x * x + 2 x,", &x, 14},
                                 {"a, where the loss is x * x + 2 x with x = 2 a,", &a, 28}}));
    }
}

// A number need not stand behind its parents in memory.
testing::AssertionResult needs_no_order() {
    Scalar numbers[4];
    numbers[3] = {2.0};                                                // a
    numbers[1] = {4.0, 0.0, {&numbers[3], &numbers[3]}, {2.0, 2.0}};   // b = a * a
    numbers[2] = {6.0, 0.0, {&numbers[1], &numbers[3]}, {1.0, 1.0}};   // c = b + a
    numbers[0] = {24.0, 0.0, {&numbers[2], &numbers[1]}, {4.0, 6.0}};  // loss = c * b
    return gives(numbers[0], {{"c", &numbers[2], 4}, {"b", &numbers[1], 10}, {"a", &numbers[3], 44}});
}

TEST(scalar_backward, needs_no_order_in_memory) { EXPECT_TRUE(needs_no_order()); }

TEST(scalar_backward, gives_the_same_when_it_is_called_again) {
    Scalars tape;
    Scalar &a = tape.number(3), &square = tape.product(a, a), &y = tape.sum(square, a),
           &loss = tape.product(y, y);  // 144
    for (std::size_t call = 0; call < 2; ++call)
        EXPECT_TRUE(gives(y, {{"y", &y, 1}, {"a * a", &square, 1}, {"a", &a, 7}})) << "in call " << call + 1;
    EXPECT_TRUE(gives(loss, {{"y", &y, 24}, {"a * a", &square, 24}, {"a", &a, 168}}))
        << "in a third call, for y * y";
}

TEST(scalar_backward, leaves_all_other_numbers_as_they_are) {
    Scalars tape;
    Scalar &a = tape.number(3), &b = tape.number(4), &sum = tape.sum(a, b), &unused = tape.product(sum, b);
    unused.gradient = 0.5;
    scalar_backward(sum);
    EXPECT_EQ(unused.gradient, 0.5) << "the loss was not computed from this number";
    b.gradient = 7.0;
    scalar_backward(b);
    EXPECT_EQ(b.gradient, 1.0) << "a loss that was computed from nothing";
    EXPECT_EQ(a.gradient, 1.0)
        << "a has nothing to do with the loss b; its gradient is that of the call before";
}

// Calls the step on a stack of 256 KiB: how deep a recursion may go depends on no setting of the machine.
void on_a_small_stack(Scalar& loss) {
    struct Call {
        Scalar* loss;
        std::exception_ptr thrown = nullptr;
    } call{&loss};
    const auto run = [](void* argument) -> void* {
        auto& asked = *static_cast<Call*>(argument);
        try {
            scalar_backward(*asked.loss);
        } catch (...) {
            asked.thrown = std::current_exception();
        }
        return nullptr;
    };
    pthread_attr_t attributes;
    ASSERT_EQ(pthread_attr_init(&attributes), 0);
    ASSERT_EQ(pthread_attr_setstacksize(&attributes, std::size_t{256} * 1024), 0);
    pthread_t thread{};
    ASSERT_EQ(pthread_create(&thread, &attributes, run, &call), 0);
    ASSERT_EQ(pthread_join(thread, nullptr), 0);
    pthread_attr_destroy(&attributes);
    if (call.thrown) std::rethrow_exception(call.thrown);
}

// A crash here is a recursion that is too deep for the stack.
TEST(scalar_backward, walks_along_a_chain_of_100000_numbers_without_recursion) {
    ASSERT_TRUE(short_ones_are_right());
    ASSERT_TRUE(needs_no_order());
    Scalars tape;
    Scalar &one = tape.number(1), &first = tape.number(0);
    Scalar* last = &first;
    for (std::size_t i = 0; i < 100'000; ++i) last = &tape.sum(*last, one);
    ASSERT_EQ(last->value, 100'000.0);
    on_a_small_stack(*last);
    EXPECT_EQ(first.gradient, 1.0) << "at the beginning of the chain";
    EXPECT_EQ(one.gradient, 100'000.0) << "at a number that is used 100,000 times";
}

// An endless loop here goes along every one of the 2^60 ways from the loss to x.
TEST(scalar_backward, visits_each_number_once_not_each_of_2_to_the_60_ways_to_it) {
    ASSERT_TRUE(short_ones_are_right());
    ASSERT_TRUE(needs_no_order());
    Scalars tape;
    Scalar& x = tape.number(1);
    Scalar* last = &x;
    for (std::size_t i = 0; i < 60; ++i) last = &tape.sum(*last, *last);
    scalar_backward(*last);
    EXPECT_EQ(x.gradient, std::ldexp(1.0, 60));
}

// A random computation, on both tapes.
TEST(scalar_backward, agrees_with_the_tape_of_tensors) {
    ASSERT_TRUE(short_ones_are_right());
    ASSERT_TRUE(needs_no_order());
    Rng rng(3);
    Scalars tape;
    std::vector<Scalar*> scalars;
    std::vector<Tensor> tensors;
    const auto add = [&](Scalar& scalar, const Tensor& tensor) {
        scalars.push_back(&scalar);
        tensors.push_back(tensor);
    };
    for (std::size_t i = 0; i < 4; ++i) {
        const auto value = static_cast<float>(rng.uniform(-1.0, 1.0));
        add(tape.number(value), Tensor(Tensor::full({}, value).array(), true));
    }
    for (std::size_t i = 0; i < 40; ++i) {
        const std::size_t a = rng.below(scalars.size()), b = rng.below(scalars.size());
        Scalar &x = *scalars[a], &y = *scalars[b];
        const Tensor u = tensors[a], v = tensors[b];
        const std::uint64_t operation = rng.below(4);
        if (operation == 0) add(tape.sum(x, y), u + v);
        if (operation == 1) add(tape.difference(x, y), u - v);
        if (operation == 2) add(tape.product(x, y), u * v);
        if (operation == 3) add(tape.tanh(x), tanh(u));
    }
    Scalar* loss = scalars[4];
    Tensor sum = tensors[4];
    for (std::size_t i = 5; i < scalars.size(); ++i) {
        loss = &tape.sum(*loss, *scalars[i]);
        sum = sum + tensors[i];
    }
    scalar_backward(*loss);
    sum.backward();
    for (std::size_t i = 0; i < 4; ++i) {
        const double expected = tensors[i].grad().data()[0];
        EXPECT_NEAR(scalars[i]->gradient, expected, 1e-4 * std::max(1.0, std::abs(expected)))
            << "number " << i + 1 << " of 4";
    }
}

}  // namespace
}  // namespace tfs::test
