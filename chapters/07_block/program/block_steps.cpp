// chapters/07_block/program/block_steps.cpp · a sentence through untrained blocks, step by step
#include "chapters/07_block/program/sections.hpp"

#include <fmt/format.h>

namespace tfs {

namespace {

const std::vector<std::string> rows{"batch", "seq", "d_model"}, wide{"batch", "seq", "d_ff"};
const std::vector<std::string> by_head{"batch", "heads", "query", "key"};

// "check  block(x) gives what the steps gave: yes"
void check_same(Trace& trace, const TransformerBlock& block, const Tensor& x, const Tensor& step_by_step) {
    const double difference = largest_difference(block(x).output.array(), step_by_step.array());
    trace.note(
        fmt::format("check  block(x) gives what the steps gave: {}", difference < 1e-5 ? "yes" : "NO"));
}

}  // namespace

void show_pre_norm(Show& show, const Tensor& x) {
    const NoGrad no_grad;
    Trace& trace = show.trace;
    const TransformerBlock block = sentence_block(show, sentence_config(show, NormPosition::pre));
    const auto& [attention, network] = std::tie(block.attention, block.feed_forward);
    trace.step("x", x, rows, "token + position");
    const Tensor normed = attention.norm(x);
    trace.step("norm(x)", normed, rows, "mean 0, variance 1");
    const auto [changed, weights] =
        attention.attend(normed, attention.keys_values(normed), std::nullopt, with_weights);
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
    check_same(trace, block, x, attended + output);
}

void show_post_norm(Show& show, const Tensor& x) {
    const NoGrad no_grad;
    Trace& trace = show.trace;
    const TransformerBlock block = sentence_block(show, sentence_config(show, NormPosition::post));
    const auto& [attention, network] = std::tie(block.attention, block.feed_forward);
    const Tensor changed = attention.attend(x, attention.keys_values(x)).output;
    trace.step("attention", changed, rows, "of x as it is");
    const Tensor attended = attention.norm(x + changed);
    trace.step("norm(x + att.)", attended, rows, "the norm of the sum");
    const Tensor output = network.network.output(network.network.hidden(attended));
    trace.step("network", output, rows);
    const Tensor result = network.norm(attended + output);
    trace.step("norm(sum)", result, rows, "mean 0, variance 1");
    check_same(trace, block, x, result);
}

}  // namespace tfs
