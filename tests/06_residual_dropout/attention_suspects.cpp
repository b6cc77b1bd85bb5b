// tests/06_residual_dropout/attention_suspects.cpp · the classic wrong answers of attention with dropout
#include "tests/06_residual_dropout/attention_suspects.hpp"

namespace tfs::test {

std::vector<WrongAttention> wrong_attentions() {
    constexpr double p = golden_p;
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
        return undropped(a) * coins({2, 1, 7, 5}, 31, 1.0 - p) / static_cast<float>(1.0 - p);
    };
    const auto keep_rate = [=](const Attention& a) { return dropped(undropped(a), 31, 1.0 - p); };
    const auto not_divided = [=](const Attention& a) { return right(a) * static_cast<float>(1.0 - p); };
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
        {"dropout is given 1 - p; it wants p, the probability to DROP", keep_rate, through(keep_rate)},
        {"what is kept is not divided by 1 - p; `dropout` does both", not_divided, through(not_divided)},
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

}  // namespace tfs::test
