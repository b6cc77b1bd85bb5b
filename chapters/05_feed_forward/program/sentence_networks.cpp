// chapters/05_feed_forward/program/sentence_networks.cpp · a sentence through the feed-forward network and through SwiGLU, step by step
#include "chapters/05_feed_forward/program/sections.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tfs {

namespace {

double share_below_zero(const Tensor& x) {
    const auto values = x.values();
    const auto count = std::count_if(values.begin(), values.end(), [](float v) { return v <= 0.0f; });
    return 100.0 * static_cast<double>(count) / static_cast<double>(values.size());
}

}  // namespace

void show_network(Show& show, const FeedForward& layer, const std::string& activation, const Tensor& x) {
    Trace& trace = show.trace;
    const std::size_t d_model = x.size(-1), d_ff = layer.up.weight.size(0);
    const Tensor raised = layer.up(x), hidden = layer.hidden(x);
    trace.step("up(x)", raised, {"batch", "seq", "d_ff"}, fmt::format("{} -> {}", d_model, d_ff));
    trace.step("hidden", hidden, {"batch", "seq", "d_ff"}, activation);
    trace.step("output", layer.output(hidden), {"batch", "seq", "d_model"},
               fmt::format("{} -> {}", d_ff, d_model));
    trace.note(fmt::format("{:.0f} % of up(x) and {:.0f} % of the hidden activations are 0 or below",
                           share_below_zero(raised), share_below_zero(hidden)));
    trace.note(fmt::format("{} parameters", count_parameters(layer.parameters())));
}

void show_swiglu(Show& show, const SwiGLU& layer, const Tensor& x) {
    Trace& trace = show.trace;
    trace.step("gate(x)", layer.gate(x), {"batch", "seq", "d_ff"});
    trace.step("silu(gate(x))", silu(layer.gate(x)), {"batch", "seq", "d_ff"}, "how much passes");
    trace.step("up(x)", layer.up(x), {"batch", "seq", "d_ff"}, "what passes");
    const Tensor hidden = layer.hidden(x);
    trace.step("hidden", hidden, {"batch", "seq", "d_ff"}, "their product");
    trace.step("output", layer.output(hidden), {"batch", "seq", "d_model"});
    trace.note(fmt::format("{} parameters", count_parameters(layer.parameters())));
}

}  // namespace tfs
