// tests/06_residual_dropout/attention_with_dropout_test.cpp · step attention_with_dropout: PyTorch, properties, diagnosis
#include "tests/06_residual_dropout/checklist.hpp"

#include <cmath>
#include <functional>

#include "tests/support/golden.hpp"

namespace tfs::test {
namespace {

constexpr double p = golden_p;

struct Attention {
    MultiHeadAttention layer;
    Tensor query = leaf("mha.query"), key = leaf("mha.key"), value = leaf("mha.value");
    Mask mask;

    Attention() : layer(make()), mask(golden_mask("mha.mask")) {
        for (const auto& [name, part] : {std::pair("w_q", &layer.w_q), std::pair("w_k", &layer.w_k),
                                         std::pair("w_v", &layer.w_v), std::pair("w_o", &layer.w_o)}) {
            part->weight = leaf(std::string(name) + ".weight");
            part->bias = leaf(std::string(name) + ".bias");
        }
    }
    static MultiHeadAttention make() {
        Rng none = Rng::zeros();
        return MultiHeadAttention(12, 3, none);
    }
    AttentionOutput run(Rng* rng, bool masked = false, double rate = p) const {
        return attention_with_dropout(layer, query, key, value, masked ? std::optional(mask) : std::nullopt,
                                      rate, rng);
    }
    // Head by head from the tensor layer, so that what a mistake exchanges can be exchanged.
    Tensor split(const Tensor& t) const { return transpose(reshape(t, {2, t.size(1), 3, 4}), 1, 2); }
    Tensor scores() const {
        return matmul(split(layer.w_q(query)), split(layer.w_k(key)), Transpose::b) / 2.0f;
    }
    static Tensor softmax_of(const Tensor& t) {
        const Tensor e = exp(t - max(t, -1, KeepDims::yes));
        return e / sum(e, -1, KeepDims::yes);
    }
    Tensor heads(const Tensor& weights) const { return matmul(weights, split(layer.w_v(value))); }
    static Tensor merged(const Tensor& heads) { return reshape(transpose(heads, 1, 2), {2, 4, 12}); }
    Tensor output(const Tensor& weights) const { return layer.w_o(merged(heads(weights))); }
};

struct WrongAttention {
    std::string message;
    std::function<Tensor(const Attention&)> weights;  // as returned
    std::function<Tensor(const Attention&)> output;
};

std::vector<WrongAttention> wrong_attentions() {
    const auto right = [](const Attention& a) { return dropped(a.softmax_of(a.scores()), 31, p); };
    const auto undropped = [](const Attention& a) { return a.softmax_of(a.scores()); };
    const auto through = [](auto weights) {
        return [=](const Attention& a) { return a.output(weights(a)); };
    };
    const auto before_softmax = [](const Attention& a) { return a.softmax_of(dropped(a.scores(), 31, p)); };
    const auto renormalised = [=](const Attention& a) {
        const Tensor w = right(a);
        return w / maximum(sum(w, -1, KeepDims::yes), 1e-30f);
    };
    const auto one_mask = [=](const Attention& a) {
        return undropped(a) * coins({2, 1, 4, 5}, 31, 1.0 - p) / static_cast<float>(1.0 - p);
    };
    const auto second_mask = [=](const Attention& a) {  // of two calls of dropout
        Rng rng(31);
        (void)dropped_by(rng, undropped(a), p);
        return dropped_by(rng, undropped(a), p);
    };
    const auto on_both = [=](const Attention& a) {
        Rng rng(31);
        const Tensor weights = dropped_by(rng, undropped(a), p);
        return a.layer.w_o(a.merged(dropped_by(rng, a.heads(weights), p)));
    };
    const auto values_split = [=](const Attention& a) {
        return a.layer.w_o(a.merged(matmul(undropped(a), dropped(a.split(a.layer.w_v(a.value)), 31, p))));
    };
    const auto context_split = [=](const Attention& a) {
        return a.layer.w_o(a.merged(dropped(a.heads(undropped(a)), 31, p)));
    };
    const std::string on_values = "dropout acts on the values, not on the weights";
    const std::string on_context =
        "dropout acts on the context, the weights times the values, not on the weights";
    const std::string two_masks =
        "two masks: the returned weights are not those used; call dropout once and keep what it returns";
    return {
        {"nothing is dropped although there is an Rng", undropped, through(undropped)},
        {"dropout acts on the scores, before the softmax; a score of 0 is a score like any other, and the "
         "row sums to 1 again",
         before_softmax, through(before_softmax)},
        {"the rows are made to sum to 1 again after dropout; only their mean over many masks is 1",
         renormalised, through(renormalised)},
        {"dropout acts on the weights and on the context; that of the output is the residual's", right,
         on_both},
        {on_values, undropped, values_split},
        {on_context, undropped, context_split},
        {two_masks, right, through(second_mask)},
        {two_masks, second_mask, through(right)},
        {"one mask for all heads; each weight of each head draws for itself", one_mask, through(one_mask)},
        {"the output is made of the dropped weights, but the weights before dropout are returned", undropped,
         through(right)},
        {"the dropped weights are returned, but the output is made of those before dropout", right,
         through(undropped)}};
}

TEST(attention_with_dropout, weights_and_output_equal_pytorch) {
    const Attention a;
    Rng rng(31);
    const AttentionOutput result = a.run(&rng);
    // A cause is known by weights and output together: half of it may be right.
    std::string cause;
    for (const WrongAttention& wrong : wrong_attentions()) {
        if (close(result.weights, wrong.weights(a), {1e-4, 1e-5}) &&
            close(result.output, wrong.output(a), {1e-4, 1e-5}))
            cause = wrong.message;
    }
    EXPECT_TRUE(close_named("weights", result.weights, golden()["mha.weights"], {1e-5, 1e-6}))
        << likely_if(!cause.empty(), cause);
    EXPECT_TRUE(close_named("output", result.output, golden()["mha.output"], {1e-5, 1e-6}))
        << likely_if(!cause.empty(), cause);
}

TEST(attention_with_dropout, equals_pytorch_with_a_mask) {
    const Attention a;
    Rng rng(32);
    const AttentionOutput result = a.run(&rng, true);
    const Tensor golden_weights = golden()["mha.masked.weights"];
    EXPECT_TRUE(close_named("weights", result.weights, golden_weights, {1e-5, 1e-6},
                            {{"the mask is not passed on to the attention",
                              [&] { return dropped(a.softmax_of(a.scores()), 32, p); }}}));
    EXPECT_TRUE(close_named("output", result.output, golden()["mha.masked.output"], {1e-5, 1e-6}));
}

TEST(attention_with_dropout, sends_the_gradients_of_pytorch) {
    for (const std::string prefix : {"mha.", "mha.masked.", "mha.evaluation."}) {
        const Attention a;
        Rng rng(prefix == "mha." ? 31 : 32);
        const AttentionOutput result =
            a.run(prefix == "mha.evaluation." ? nullptr : &rng, prefix == "mha.masked.");
        ASSERT_TRUE(send_back(result.output, golden()[prefix + "grad_weights"]));
        Parameters all = a.layer.parameters();
        for (const NamedTensor& input : Parameters{{"query", a.query}, {"key", a.key}, {"value", a.value}})
            all.push_back(input);
        for (const NamedTensor& input : all) {
            EXPECT_TRUE(gradient_close(input.name, input.tensor, golden()[prefix + "grad_" + input.name],
                                       {1e-4, 1e-5}));
        }
    }
}

TEST(attention_with_dropout, evaluation_is_the_attention_of_chapter_01) {
    const Attention a;
    const AttentionOutput plain = a.layer(a.query, a.key, a.value, a.mask);
    Rng rng(33), untouched(33);
    for (const auto& [rate, source] : {std::pair(p, static_cast<Rng*>(nullptr)), std::pair(0.0, &rng)}) {
        const AttentionOutput result = a.run(source, true, rate);
        EXPECT_TRUE(close_named("weights", result.weights, plain.weights, {0, 1e-7}));
        EXPECT_TRUE(close_named("output", result.output, plain.output, {1e-5, 1e-6}));
    }
    EXPECT_EQ(rng.uniform(), untouched.uniform()) << "with p = 0 nothing may be drawn";
    EXPECT_TRUE(close(a.run(nullptr).weights, golden()["mha.evaluation.weights"], {1e-5, 1e-6}));
}

TEST(attention_with_dropout, drops_weights_also_where_no_caller_reads_them) {
    const Attention a;
    Rng rng(31);
    const NoWeights no_weights;
    EXPECT_TRUE(close(a.run(&rng).output, golden()["mha.output"], {1e-5, 1e-6}));
}

TEST(attention_with_dropout, rows_sum_to_one_only_in_the_mean) {
    const Attention a;
    const NoGrad no_grad;
    Rng rng(34);
    double total = 0.0, squares = 0.0;
    constexpr int calls = 2000, rows = 2 * 3 * 4;
    for (int i = 0; i < calls; ++i) {
        const Tensor sums = sum(a.run(&rng).weights, -1);
        for (const float row : sums.values()) {
            total += static_cast<double>(row);
            squares += std::pow(static_cast<double>(row) - 1.0, 2.0);
        }
    }
    EXPECT_NEAR(total / (calls * rows), 1.0, 0.01);
    EXPECT_GT(squares / (calls * rows), 0.01) << "every row sums to 1, so nothing was dropped from it";
}

TEST(attention_with_dropout, takes_an_empty_batch_and_refuses_widths_that_do_not_fit) {
    const Attention a;
    Rng rng(35);
    const Tensor none = Tensor::zeros({0, 4, 12}), narrow = Tensor::zeros({2, 4, 10});
    EXPECT_EQ(attention_with_dropout(a.layer, none, none, none, std::nullopt, p, &rng).output.shape(),
              none.shape());
    EXPECT_THROW(attention_with_dropout(a.layer, a.query, narrow, a.value, std::nullopt, p, &rng),
                 ShapeError);
}

TEST(attention_with_dropout, refuses_a_p_outside_of_its_range) {
    const Attention a;
    expect_rates_refused([&](double rate, Rng* rng) { a.run(rng, false, rate); },
                         "p is not checked: `require_rate` comes first, in evaluation too");
}

}  // namespace
}  // namespace tfs::test
