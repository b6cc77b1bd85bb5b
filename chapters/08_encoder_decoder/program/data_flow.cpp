// chapters/08_encoder_decoder/program/data_flow.cpp · the data flow of an encoder-decoder as a figure
#include <fmt/format.h>

#include "chapters/08_encoder_decoder/program/options.hpp"

namespace tfs {

namespace {

// Adds a pre-norm sublayer and its residual: norm, the sublayer, +. Returns the index of the sublayer's box.
std::size_t add_sublayer(FlowPanel& panel, const std::string& name, FlowKind kind, const std::string& shape) {
    const std::size_t before = panel.boxes.size() - 1;
    panel.boxes.push_back({"LayerNorm", "", FlowKind::norm});
    panel.boxes.push_back({name, "", kind});
    panel.boxes.push_back({"+", shape, FlowKind::add});
    panel.residuals.push_back({before, before + 3});
    return before + 2;
}

}  // namespace

FlowFigure data_flow(const StackConfig& config, std::size_t source, std::size_t target) {
    const std::size_t width = config.block.d_model;
    const std::string from = named_shape({1, source, width}, {"batch", "source", "d_model"});
    const std::string to = named_shape({1, target, width}, {"batch", "target", "d_model"});
    FlowPanel encoder{"encoder", {{"source", from, FlowKind::input}}};
    add_sublayer(encoder, "self-attention", FlowKind::attention, from);
    add_sublayer(encoder, "feed-forward", FlowKind::feed_forward, from);
    encoder.boxes.push_back({"final LayerNorm", "memory " + from, FlowKind::norm});
    FlowPanel decoder{"decoder", {{"target", to, FlowKind::input}}};
    add_sublayer(decoder, "causal self-attention", FlowKind::attention, to);
    const std::size_t cross = add_sublayer(decoder, "cross-attention", FlowKind::attention, to);
    add_sublayer(decoder, "feed-forward", FlowKind::feed_forward, to);
    decoder.boxes.push_back({"final LayerNorm", to, FlowKind::norm});
    const std::string times = fmt::format("{} x", config.num_layers);
    for (FlowPanel* panel : {&encoder, &decoder}) panel->repeats = {{1, panel->boxes.size() - 2, times}};
    FlowFigure figure{
        .name = "flow",
        .title = "Encoder and decoder (pre-norm): every cross-attention reads the memory",
        .caption =
            "The encoder runs once. Its output, the memory, gives keys and values to the cross-attention in "
            "each decoder block; the queries come from the decoder. A bracket shows the block that is "
            "repeated, and how often."};
    figure.links.push_back({0, encoder.boxes.size() - 1, 1, cross});
    figure.panels = {encoder, decoder};
    return figure;
}

}  // namespace tfs
