// tests/common/backward_watch_test.cpp · what backward() tells while it walks; many walks keep the resident size flat
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
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

// A small model whose table is used twice: ids -> table -> a hidden layer -> scores for the rows of the same table.
struct TiedModel {
    Parameters parameters;

    TiedModel() {
        Rng rng(3);
        const auto add = [&](const std::string& name, const Shape& shape) {
            parameters.push_back({name, Tensor(rng.normal_array(shape), true)});
        };
        add("table", {5, 4});
        add("weight", {4, 4});
        add("bias", {4});
        add("unused", {3});
    }
    Tensor loss() const {
        Ids ids = Ids::from_shape({1, 3});
        ids(0, 0) = 1;
        ids(0, 1) = 4;
        ids(0, 2) = 1;
        const Tensor& table = parameters[0].tensor;
        const Tensor x = embedding(table, ids);
        const Tensor hidden = tanh(linear(x, parameters[1].tensor, &parameters[2].tensor));
        return sum(exp(matmul(hidden + x, table, Transpose::b) * 0.1f));
    }
    std::string name_of(const Tensor& leaf) const {
        for (const NamedTensor& parameter : parameters)
            if (&parameter.tensor.array() == &leaf.array()) return parameter.name;
        return "no parameter of the model";
    }
};

struct Told {
    std::string name;
    Array grad;
};

// What is told of one walk over the model.
std::vector<Told> told_of(const TiedModel& model) {
    std::vector<Told> told;
    const BackwardWatch watch([&](const Tensor& leaf) {
        told.push_back({model.name_of(leaf), leaf.grad()});
    });
    model.loss().backward();
    return told;
}

TEST(backward_watch, tells_each_parameter_on_the_tape_once_with_the_last_bit_and_changes_none) {
    const TiedModel model, unwatched;
    const std::vector<Told> told = told_of(model);
    unwatched.loss().backward();
    std::vector<std::string> names;
    for (const Told& one : told)
        for (std::size_t i = 0; i < model.parameters.size(); ++i)
            if (model.parameters[i].name == one.name) {
                names.push_back(one.name);
                EXPECT_TRUE(model.parameters[i].tensor.grad() == one.grad) << one.name;
                EXPECT_TRUE(unwatched.parameters[i].tensor.grad() == one.grad) << one.name;
            }
    ASSERT_EQ(names.size(), 3U);
    EXPECT_EQ(names.back(), "table") << "it is used twice, and told after its last use";
    std::sort(names.begin(), names.end());
    EXPECT_EQ(names, (std::vector<std::string>{"bias", "table", "weight"}));
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

// One forward and backward pass of attention, written in plain operations.
void attention_step(const Tensor& x, Tensor& w_q, Tensor& w_k, Tensor& w_v) {
    const Tensor q = linear(x, w_q), k = linear(x, w_k), v = linear(x, w_v);
    const Tensor scores = matmul(q, k, Transpose::b) / std::sqrt(static_cast<float>(q.size(-1)));
    const Tensor e = exp(scores - max(scores, -1, KeepDims::yes).detach());
    const Tensor weights = e / sum(e, -1, KeepDims::yes);
    const Tensor output = matmul(weights, v);
    mean(output * output).backward();
    for (Tensor* w : {&w_q, &w_k, &w_v}) w->clear_grad();
}

TEST(memory, ten_thousand_attention_steps_keep_the_resident_size_flat) {
    Rng rng(1);
    Tensor w_q(rng.normal_array({16, 16}), true), w_k(rng.normal_array({16, 16}), true);
    Tensor w_v(rng.normal_array({16, 16}), true);
    std::vector<Tensor> inputs;  // of several lengths, so that blocks of several sizes come and go
    for (std::size_t seq = 4; seq <= 12; ++seq) inputs.emplace_back(rng.normal_array({2, seq, 16}));

    const auto step = [&](std::size_t i) { attention_step(inputs[i % inputs.size()], w_q, w_k, w_v); };
    EXPECT_TRUE(resident_size_stays_flat(step, 1000, 10000));
}

}  // namespace
}  // namespace tfs::test
