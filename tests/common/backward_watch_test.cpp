// tests/common/backward_watch_test.cpp · what backward() tells while it walks; many walks keep the resident size flat
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/nn.hpp"
#include "common/tensor.hpp"
#include "tests/support/memory.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

Tensor row(std::vector<float> values) {
    const std::size_t count = values.size();
    return Tensor(Tensor::from({count}, std::move(values)).array(), true);
}

TEST(backward_watch, tells_each_parameter_on_the_tape_once_with_its_whole_gradient) {
    const Tensor twice = row({1.0f, 2.0f}), once = row({3.0f, 4.0f}), unused = row({5.0f});
    std::vector<std::pair<const Array*, Array>> told;
    const BackwardWatch watch([&](const Tensor& leaf) { told.emplace_back(&leaf.array(), leaf.grad()); });
    sum(exp(twice * 2.0f) * twice * once).backward();
    ASSERT_EQ(told.size(), 2U);
    EXPECT_EQ(told[0], std::pair(&once.array(), once.grad()));
    EXPECT_EQ(told[1], std::pair(&twice.array(), twice.grad())) << "told after its last use";
}

// The last layer's gradients come first: they can be sent while those of the layers before it are computed.
TEST(backward_watch, tells_as_soon_as_no_operation_is_left_that_adds) {
    const Tensor first = row({1.0f, 2.0f}), second = row({3.0f, 4.0f});
    std::vector<const Array*> order;
    const BackwardWatch watch([&](const Tensor& leaf) {
        if (order.empty()) {
            EXPECT_FALSE(first.has_grad()) << "the first layer has had its turn already";
        }
        order.push_back(&leaf.array());
    });
    sum(exp(first) * second).backward();
    EXPECT_EQ(order, (std::vector<const Array*>{&second.array(), &first.array()}));
}

TEST(backward_watch, tells_of_a_parameter_that_no_gradient_reaches) {
    const Tensor x = row({1.0f}), y = row({1.0f});
    int without = 0;
    const BackwardWatch watch([&](const Tensor& leaf) { without += leaf.has_grad() ? 0 : 1; });
    sum(record(Array(Tensor::ones({1}).array()), {x, y}, [x](const Array&, Array grad) {
        add_to_grad(x, std::move(grad));
    })).backward();
    EXPECT_EQ(without, 1);
    EXPECT_FALSE(y.has_grad());
}

TEST(backward_watch, lets_a_complete_gradient_be_changed) {
    const Tensor x = row({1.0f, 2.0f});
    const BackwardWatch watch([](Tensor leaf) { leaf.mutable_grad() *= 0.5f; });
    sum(x * 4.0f).backward();
    EXPECT_EQ(x.grad()(1), 2.0f);
}

TEST(backward_watch, tells_the_end_when_all_are_complete) {
    std::vector<std::string> told;
    const Tensor x = row({1.0f}), y = row({2.0f});
    const BackwardWatch watch([&](const Tensor&) { told.emplace_back("complete"); },
                              [&] { told.emplace_back("finished"); });
    sum(x * y).backward();
    EXPECT_EQ(told, (std::vector<std::string>{"complete", "complete", "finished"}));
}

TEST(backward_watch, ends_with_its_object_and_only_the_last_one_made_is_told) {
    int outer = 0, inner = 0;
    const Tensor x = row({1.0f});
    {
        const BackwardWatch first([&](const Tensor&) { ++outer; });
        {
            const BackwardWatch second([&](const Tensor&) { ++inner; });
            sum(x).backward();
        }
        sum(x).backward();
    }
    sum(x).backward();
    EXPECT_EQ(outer, 1);
    EXPECT_EQ(inner, 1);
}

struct Stopped {};

TEST(backward_watch, lets_exceptions_through_and_the_tape_is_freed) {
    const auto kept = std::make_shared<int>(1);
    const Tensor x = row({1.0f}), y = row({2.0f});
    const Tensor waiting = record(Tensor::ones({1}).array(), {x},
                                  [x, kept](const Array&, Array grad) { add_to_grad(x, std::move(grad)); });
    const Tensor loss = sum(waiting * y);
    bool finished = false;
    {
        const BackwardWatch watch([](const Tensor&) { throw Stopped(); }, [&] { finished = true; });
        EXPECT_THROW(loss.backward(), Stopped);
    }
    EXPECT_FALSE(finished);
    EXPECT_EQ(kept.use_count(), 1);
    EXPECT_EQ(tape_bytes(loss), 0U);
    EXPECT_TRUE(refuses<ValueError>([&] { loss.backward(); }, {"freed already"}));
    const BackwardWatch at_the_end({}, [] { throw Stopped(); });
    EXPECT_THROW(sum(y).backward(), Stopped);
}

// ---- memory -----------------------------------------------------------------------------------------------

TEST(memory, ten_thousand_attention_steps_keep_the_resident_size_flat) {
    Rng rng(1);
    Tensor w(rng.normal_array({16, 16}), true);
    const auto step = [&](std::size_t i) {  // of several lengths, so that blocks of several sizes come and go
        const Tensor x(rng.normal_array({2, 4 + i % 9, 16})), q = linear(x, w);
        const Tensor e = exp(matmul(q, x, Transpose::b) * 0.01f), weights = e / sum(e, -1, KeepDims::yes);
        mean(matmul(weights, q)).backward();
        w.clear_grad();
    };
    EXPECT_TRUE(resident_size_stays_flat(step, 1000, 10000));
}

}  // namespace
}  // namespace tfs::test
