// chapters/02_masks/models/growing_text_rows.cpp · one masked pass over a text, compared with a pass over each of its beginnings
#include "chapters/02_masks/models/growing_text_rows.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "common/measure.hpp"

namespace tfs {

namespace {

constexpr std::size_t width = 16;

// The first rows and columns of a mask (1, 1, seq, seq).
Mask first_tokens(const Mask& mask, std::size_t tokens) {
    xt::xarray<bool> allowed = xt::xarray<bool>::from_shape({1, 1, tokens, tokens});
    for (std::size_t i = 0; i < tokens; ++i)
        for (std::size_t j = 0; j < tokens; ++j) allowed(0, 0, i, j) = mask.allowed(0, 0, i, j);
    return Mask(std::move(allowed));
}

// Causal, but query 0 sees everything.
Mask with_global_query(std::size_t tokens) {
    xt::xarray<bool> allowed = causal_mask(tokens).array();
    for (std::size_t j = 0; j < tokens; ++j) allowed(0, 0, 0, j) = true;
    return Mask(std::move(allowed));
}

Mask two_documents(std::size_t first, std::size_t second) {
    Ids documents = Ids::from_shape({1, first + second});
    for (std::size_t i = 0; i < first + second; ++i) documents(0, i) = i < first ? 1 : 2;
    return document_mask(documents);
}

Tensor last_row(const Tensor& x) { return slice(x, 1, x.size(1) - 1, x.size(1)); }

}  // namespace

std::vector<GrowingTrial> growing_trials() {
    constexpr std::size_t tokens = tokens_of_growing_text;
    const Mask everything(xt::xarray<bool>(xt::ones<bool>({std::size_t{1}, std::size_t{1}, tokens, tokens})));
    const Mask causal = causal_mask(tokens), documents = two_documents(6, 4),
               question = prefix_mask(tokens, 4), global = with_global_query(tokens);
    return {
        {"no mask", &EqualRows::no_mask, everything},
        {"causal", &EqualRows::causal, causal},
        {"window 3", &EqualRows::window, sliding_window_mask(tokens, 3)},
        {"symmetric window 3", &EqualRows::symmetric_window,
         sliding_window_mask(tokens, 3, Window::symmetric)},
        {"question of 4 (prefix mask)", &EqualRows::question, question},
        {"two documents", &EqualRows::documents, documents},
        {"two documents & causal", &EqualRows::documents_and_causal, documents & causal},
        {"causal, query 0 sees all", &EqualRows::global_token, global},
        {"the same, two layers", &EqualRows::global_token_twice, global, 2},
        {"question of 4, two layers", &EqualRows::question_twice, question, 2},
    };
}

std::vector<float> growing_differences(const GrowingTrial& trial, std::uint64_t seed) {
    const NoGrad no_grad;
    Rng rng(seed);
    const Tensor text = Tensor(rng.normal_array({1, tokens_of_growing_text, width}));
    std::vector<MultiHeadAttention> layers;
    for (std::size_t layer = 0; layer < trial.layers; ++layer) layers.emplace_back(width, 1, rng);
    const auto pass = [&](std::size_t tokens) {
        const Mask mask = first_tokens(trial.mask, tokens);
        Tensor x = slice(text, 1, 0, tokens);
        for (const MultiHeadAttention& attention : layers) x = attention(x, x, x, mask).output;
        return x;  // (1, tokens, width)
    };
    const Tensor one_pass = pass(tokens_of_growing_text);
    std::vector<float> differences;
    for (std::size_t row = 0; row < tokens_of_growing_text; ++row)
        differences.push_back(static_cast<float>(
            largest_difference(slice(one_pass, 1, row, row + 1).array(), last_row(pass(row + 1)).array())));
    return differences;
}

std::size_t equal_rows(const std::vector<float>& differences) {
    return static_cast<std::size_t>(
        std::count_if(differences.begin(), differences.end(),
                      [](float difference) { return difference <= equal_rows_differ_by; }));
}

CausalPasses causal_passes(std::size_t tokens, std::uint64_t seed) {
    Rng rng(seed);
    const Tensor text = Tensor(rng.normal_array({1, tokens, width}));
    const Tensor asked = Tensor(rng.normal_array({1, tokens, width}));  // stands for the gradient of a loss
    MultiHeadAttention attention(width, 1, rng);
    Parameters parameters = attention.parameters();
    for (NamedTensor& p : parameters) p.tensor.set_requires_grad(true);
    CausalPasses all;
    const AttentionOutput one = attention(text, text, text, causal_mask(tokens));
    all.one_pass = one.weights.size();
    sum(one.output * asked).backward();
    std::vector<Array> gradients;
    for (NamedTensor& p : parameters) {
        gradients.push_back(p.tensor.grad());
        p.tensor.clear_grad();
    }
    for (std::size_t seq = 1; seq <= tokens; ++seq) {
        const Tensor x = slice(text, 1, 0, seq);
        const AttentionOutput short_pass = attention(x, x, x, causal_mask(seq));
        all.all_beginnings += short_pass.weights.size();
        sum(last_row(short_pass.output) * slice(asked, 1, seq - 1, seq)).backward();  // the gradients add up
        const NoGrad no_grad;
        const AttentionOutput cached = attention(last_row(x), x, x, causal_mask(1, seq, seq - 1));
        all.with_cache += cached.weights.size();
        all.cache_difference =
            std::max(all.cache_difference,
                     largest_difference(cached.output.array(), slice(one.output, 1, seq - 1, seq).array()));
    }
    double largest = 0.0, difference = 0.0;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const Array& from_beginnings = parameters[i].tensor.grad();
        difference = std::max(difference, largest_difference(gradients[i], from_beginnings));
        for (const float g : gradients[i]) largest = std::max(largest, std::abs(static_cast<double>(g)));
    }
    all.gradient_difference = difference / largest;
    return all;
}

}  // namespace tfs
