// chapters/07_block/program/sentence.cpp · three blocks on a sentence, step by step, and their attention
#include "chapters/07_block/program/sentence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

namespace tfs {

namespace {

const std::vector<std::string> rows{"batch", "seq", "d_model"}, wide{"batch", "seq", "d_ff"};
const std::vector<std::string> by_head{"batch", "heads", "query", "key"};

// "check  block(x) gives the same: yes"
void check_same(Trace& trace, const TransformerBlock& block, const Tensor& x, const std::optional<Mask>& mask,
                const Tensor& step_by_step) {
    const double difference = largest_difference(block(x, mask).output.array(), step_by_step.array());
    trace.note(
        fmt::format("check  block(x) gives what the steps gave: {}", difference < 1e-5 ? "yes" : "NO"));
}

}  // namespace

Example make_example(const Tokens& tokens, std::size_t d_model, std::size_t heads, std::uint64_t seed) {
    const Vocabulary vocabulary = build_vocabulary(tokens);
    Rng rng(seed);
    const Embedding words(vocabulary.words.size(), d_model, rng), places(tokens.size(), d_model, rng);
    const Tensor embedded = words(vocabulary.ids).detach();
    BlockConfig pre{.d_model = d_model, .num_heads = heads, .d_ff = 4 * d_model}, post = pre;
    post.norm_position = NormPosition::post;
    const BlockConfig llama = llama_block(d_model, heads, swiglu_hidden_size(4 * d_model, 8),
                                          std::max<std::size_t>(tokens.size(), 16));
    return {tokens, embedded, (embedded + places.weight * 0.3f).detach(), pre, post, llama, seed};
}

TransformerBlock make_block(const Example& example, const BlockConfig& config) {
    Rng rng(example.seed + 1);
    return TransformerBlock(config, rng);
}

void trace_pre_norm(Trace& trace, const Example& example) {
    const NoGrad no_grad;
    const TransformerBlock block = make_block(example, example.pre);
    const auto& [attention, network] = std::tie(block.attention, block.feed_forward);
    const Tensor& x = example.x;
    trace.step("x", x, rows, "token + position");
    const Tensor normed = attention.norm(x);
    trace.step("norm(x)", normed, rows, "mean 0, variance 1");
    const auto [changed, weights] = attention.attention(normed, normed, normed);
    trace.step("weights", weights, by_head, "q, k, v of norm(x)");
    trace.step("attention", changed, rows);
    const Tensor attended = x + changed;
    trace.step("x + attention", attended, rows, "x itself, not norm(x)");
    const Tensor again = network.norm(attended);
    trace.step("norm", again, rows, "another norm, of the sum");
    const Tensor hidden = network.network.hidden(again);
    trace.step("hidden layer", hidden, wide, "GELU");
    const Tensor output = network.network.output(hidden);
    trace.step("network", output, rows);
    trace.step("sum + network", attended + output, rows, "no norm at the end");
    trace.check_rows_sum_to_one("weights", weights);
    check_same(trace, block, x, std::nullopt, attended + output);
}

void trace_post_norm(Trace& trace, const Example& example) {
    const NoGrad no_grad;
    const TransformerBlock block = make_block(example, example.post);
    const auto& [attention, network] = std::tie(block.attention, block.feed_forward);
    const Tensor& x = example.x;
    const auto [changed, weights] = attention.attention(x, x, x);
    trace.step("attention", changed, rows, "of x as it is");
    const Tensor attended = attention.norm(x + changed);
    trace.step("norm(x + att.)", attended, rows, "the norm of the sum");
    const Tensor output = network.network.output(network.network.hidden(attended));
    trace.step("network", output, rows);
    const Tensor result = network.norm(attended + output);
    trace.step("norm(sum)", result, rows, "mean 0, variance 1");
    trace.check_rows_sum_to_one("weights", weights);
    check_same(trace, block, x, std::nullopt, result);
}

void trace_llama(Trace& trace, const Example& example) {
    const NoGrad no_grad;
    const TransformerBlock block = make_block(example, example.llama);
    const Mask mask = causal_mask(example.tokens.size());
    const Tensor& x = example.words;
    trace.step("x", x, rows, "tokens, no positions");
    const auto [attended, weights] = block.attention(x, mask);
    trace.step("weights", weights, by_head, "causal");
    trace.step("x + attention", attended, rows);
    const SwiGLU& swiglu = std::get<SwiGLU>(block.feed_forward.network.kind);
    const Tensor normed = block.feed_forward.norm(attended);
    trace.step("gate", silu(swiglu.gate(normed)), wide, fmt::format("SiLU; d_ff = {}", example.llama.d_ff));
    trace.step("gate * up", swiglu.hidden(normed), wide);
    const Tensor result = attended + swiglu(normed);
    trace.step("sum + network", result, rows);
    trace.masked_cells("weights", mask, weights.shape());
    trace.check_rows_sum_to_one("weights", weights);
    check_same(trace, block, x, mask, result);
}

HeatMapFigure draw_attention(std::ostream& out, const Example& example, bool ascii) {
    const NoGrad no_grad;
    const std::size_t heads = example.pre.num_heads, shown_heads = std::min<std::size_t>(heads, 8);
    HeatMapFigure figure{
        .name = "attention",
        .title = fmt::format("Attention of untrained blocks, a row for each{}; crossed cells are masked",
                             shown_heads < heads ? fmt::format(" (heads 1 to 8 of {})", heads) : ""),
        .panels_per_row = shown_heads};
    const bool narrow = example.tokens.size() == 1;  // no room for the names
    const Mask mask = causal_mask(example.tokens.size());
    const auto add = [&](const std::string& name, const BlockConfig& config, const Tensor& x,
                         const std::optional<Mask>& allowed) {
        const Tensor weights = make_block(example, config)(x, allowed).weights;
        for (std::size_t h = 0; h < shown_heads; ++h)
            figure.panels.push_back(
                attention_panel(fmt::format("{}head {}", narrow ? "" : name + ", ", h + 1), weights, h,
                                example.tokens, example.tokens, allowed));
    };
    add("pre-norm", example.pre, example.x, std::nullopt);
    add("pre-norm, causal", example.pre, example.x, mask);
    add("post-norm", example.post, example.x, std::nullopt);
    add("LLaMA's, causal", example.llama, example.words, mask);
    const HeatMapPanel& shown = figure.panels.back();
    print_heat_map(
        out, shown.values,
        {.title = shown.title, .rows = example.tokens, .columns = example.tokens, .allowed = shown.allowed},
        terminal_style(ascii));
    return figure;
}

}  // namespace tfs
