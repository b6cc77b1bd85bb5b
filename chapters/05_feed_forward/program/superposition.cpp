// chapters/05_feed_forward/program/superposition.cpp · f(a + b) against f(a) + f(b): what is linear, and what is not
#include <functional>

#include "chapters/01_attention/attention.hpp"
#include "chapters/05_feed_forward/program/options.hpp"

namespace tfs {

namespace {

Report show_superposition(const Request& request) {
    constexpr std::size_t seq = 8, d = 16;
    Rng rng(request[options::seed]);
    const auto draw = [&] { return Tensor(rng.normal_array({1, seq, d})); };
    const Tensor q = draw(), k = draw(), a = draw(), b = draw();
    const MultiHeadAttention first(d, 4, rng), second(d, 4, rng);
    const FeedForward ffn(d, 4 * d, rng);
    const auto fixed_weights = [&](const Tensor& v) { return scaled_dot_product_attention(q, k, v).output; };
    Table table{.columns = {{"f"}, {"f(a+b)-f(a)-f(b)", magnitude(5, 2)}}};
    const auto compare = [&](const char* name, const std::function<Tensor(const Tensor&)>& f) {
        table.add({name, largest_difference(f(a + b).array(), (f(a) + f(b)).array())});
    };
    compare("attention of v, weights fixed", fixed_weights);
    compare("... twice, weights fixed", [&](const Tensor& v) { return fixed_weights(fixed_weights(v)); });
    compare("attention of x: softmax bends q and k", [&](const Tensor& x) { return first(x, x, x).output; });
    compare("attention of x where there is only one token", [&](const Tensor& x) {
        const Tensor one = slice(x, 1, 0, 1), y = first(one, one, one).output;
        return second(y, y, y).output;
    });
    compare("feed-forward of x", ffn);
    return {.items = {table}};
}

}  // namespace

Sections superposition_sections() {
    return {{"linearity",
             "What is linear: f(a + b) against f(a) + f(b)",
             show_superposition,
             {options::seed},
             Level::deeper}};
}

}  // namespace tfs
