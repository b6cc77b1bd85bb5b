// chapters/07_block/program/block_steps.cpp · a sentence through untrained blocks, step by step
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "chapters/07_block/cost.hpp"
#include "chapters/07_block/program/options.hpp"

namespace tfs {

namespace {

const std::vector<std::string> rows{"batch", "seq", "d_model"}, wide{"batch", "seq", "d_ff"};
const std::vector<std::string> by_head{"batch", "heads", "query", "key"};

// "check  block(x) gives what the steps gave: yes"
void check_same(Report& report, const TransformerBlock& block, const Tensor& x, const Tensor& step_by_step) {
    const double difference = largest_difference(block(x).output.array(), step_by_step.array());
    report.note(
        fmt::format("check  block(x) gives what the steps gave: {}", difference < 1e-5 ? "yes" : "NO"));
}

struct TokenStep {
    std::string name;
    Tensor vectors;  // (1, seq, d_model)
    Hue hue;
};

// The vector of "it", or of the last token: a row of bars for each step, all to one scale, first step on top.
PlaneFigure token_figure(const Request& request, const std::vector<TokenStep>& steps) {
    constexpr double row = 1.5, column = 1.2, longest = 0.7;
    const Tokens tokens = request.words(options::text);
    const auto found = std::find(tokens.begin(), tokens.end() - 1, "it");
    const auto token = static_cast<std::size_t>(found - tokens.begin());
    const std::size_t features = std::min<std::size_t>(8, request[options::d_model]);
    float largest = 0.0f;
    for (const TokenStep& step : steps)
        for (std::size_t i = 0; i < features; ++i)
            largest = std::max(largest, std::abs(step.vectors.at({0, token, i})));
    const double right = column * static_cast<double>(features);
    PlanePanel panel{.title = "",
                     .low_x = -3.8,
                     .high_x = right,
                     .low_y = -row * (static_cast<double>(steps.size()) - 0.5),
                     .high_y = row / 2};
    for (std::size_t s = 0; s < steps.size(); ++s) {
        const double zero = -row * static_cast<double>(s);
        panel.text(-1.9, zero, steps[s].name);
        panel.shapes.push_back({.kind = PlaneShape::Kind::line,
                                .from_x = 0.0,
                                .from_y = zero,
                                .to_x = right,
                                .to_y = zero,
                                .size = 0.5});
        for (std::size_t i = 0; i < features; ++i) {
            const double left = column * static_cast<double>(i),
                         value = longest * steps[s].vectors.at({0, token, i}) / largest;
            panel.shapes.push_back({.kind = PlaneShape::Kind::rectangle,
                                    .from_x = left + 0.1,
                                    .from_y = zero + std::min(value, 0.0),
                                    .to_x = left + column - 0.1,
                                    .to_y = zero + std::max(value, 0.0),
                                    .hue = steps[s].hue});
        }
    }
    return {.name = "token",
            .title = fmt::format("Each sublayer of the block adds to the vector of \"{}\"", tokens[token]),
            .panels = {panel},
            .caption = fmt::format(
                "The first {} features in an untrained pre-norm block that reads \"{}\"; all rows to one "
                "scale. Bars up are positive, bars down negative; add them column by "
                "column.",
                features, fmt::join(tokens, " "))};
}

Report trace_pre_norm(const Request& request) {
    const NoGrad no_grad;
    Report report;
    const Tensor x = embed_sentence(request).x;
    const TransformerBlock block = sentence_block(request, sentence_config(request, NormPosition::pre));
    const auto& [attention, network] = std::tie(block.attention, block.feed_forward);
    report.step("x", x, rows, "token + position");
    const Tensor normed = attention.norm(x);
    report.step("norm(x)", normed, rows, "mean 0, variance 1");
    const auto [changed, weights] =
        attention.attend(normed, attention.keys_values(normed), std::nullopt, with_weights);
    report.step("weights", weights, by_head, "q, k, v of norm(x)");
    report.step("attention", changed, rows);
    const Tensor attended = x + changed;
    report.step("x + attention", attended, rows, "x itself, not norm(x)");
    const Tensor again = network.norm(attended);
    report.step("norm", again, rows, "another norm, of the sum");
    const Tensor hidden = network.network.hidden(again);
    report.step("hidden layer", hidden, wide, "GELU");
    const Tensor output = network.network.output(hidden);
    report.step("network", output, rows);
    report.step("sum + network", attended + output, rows, "no norm at the end");
    report.check_rows_sum_to_one("weights", weights);
    check_same(report, block, x, attended + output);
    report.add(token_figure(request, {{"x, into the block", x, Hue::residual},
                                      {"+ attention", changed, Hue::attention},
                                      {"= h", attended, Hue::residual},
                                      {"+ network", output, Hue::feed_forward},
                                      {"= y, out of the block", attended + output, Hue::residual}}));
    return report;
}

Report show_pre_norm(const Request& request) {
    Report report = part_or_gap([&] { return trace_pre_norm(request); });  // the figures need no step
    report.add(flow_figure(request));
    report.add(pass_figure());
    report.add(grouped_figure());
    return report;
}

Report show_post_norm(const Request& request) {
    const NoGrad no_grad;
    Report report;
    const Tensor x = embed_sentence(request).x;
    const TransformerBlock block = sentence_block(request, sentence_config(request, NormPosition::post));
    const auto& [attention, network] = std::tie(block.attention, block.feed_forward);
    const Tensor changed = attention.attend(x, attention.keys_values(x)).output;
    report.step("attention", changed, rows, "of x as it is");
    const Tensor attended = attention.norm(x + changed);
    report.step("norm(x + att.)", attended, rows, "the norm of the sum");
    const Tensor output = network.network.output(network.network.hidden(attended));
    report.step("network", output, rows);
    const Tensor result = network.norm(attended + output);
    report.step("norm(sum)", result, rows, "mean 0, variance 1");
    check_same(report, block, x, result);
    return report;
}

Report show_parts(const Request& request) {
    Report report;
    const BlockConfig config = sentence_config(request, NormPosition::pre);
    report.add(cost_table(block_costs(config, "", 1, request.words(options::text).size())));
    return report;
}

}  // namespace

Sentence embed_sentence(const Request& request) {
    Rng rng(request[options::seed]);
    const Tokens tokens = request.words(options::text);
    const Vocabulary vocabulary = build_vocabulary(tokens);
    const std::size_t d_model = request[options::d_model];
    const Tensor words = Embedding(vocabulary.words.size(), d_model, rng)(vocabulary.ids).detach();
    const Embedding places(tokens.size(), d_model, rng);
    return {tokens, words, (words + places.weight * 0.3f).detach()};
}

BlockConfig sentence_config(const Request& request, NormPosition position) {
    const std::size_t d_model = request[options::d_model];
    return {.d_model = d_model,
            .num_heads = request[options::heads],
            .d_ff = 4 * d_model,
            .norm_position = position};
}

BlockConfig llama_sentence_config(const Request& request) {
    const std::size_t d_model = request[options::d_model];
    return llama_block(d_model, request[options::heads], swiglu_hidden_size(4 * d_model, 8),
                       std::max<std::size_t>(request.words(options::text).size(), 16));
}

TransformerBlock sentence_block(const Request& request, const BlockConfig& config) {
    Rng rng(request[options::seed] + 1);
    return TransformerBlock(config, rng);
}

Sections block_steps_sections() {
    return {{"pre-norm",
             "A pre-norm block, step by step",
             show_pre_norm,
             {options::text, options::heads, options::d_model, options::seed}},
            {"post-norm",
             "The same parts in post-norm",
             show_post_norm,
             {options::text, options::heads, options::d_model, options::seed},
             Level::deeper},
            {"parts",
             "The pre-norm block, part by part",
             show_parts,
             {options::text, options::heads, options::d_model},
             Level::deeper}};
}

}  // namespace tfs
