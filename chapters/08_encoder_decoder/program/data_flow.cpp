// chapters/08_encoder_decoder/program/data_flow.cpp · the data flow of an encoder-decoder as a figure
#include <fmt/format.h>

#include <algorithm>

#include "chapters/08_encoder_decoder/program/options.hpp"

namespace tfs {

namespace {

// Adds a sublayer and its residual: the sublayer, +. Its norm is left out. Returns the index of the sublayer's box.
std::size_t add_sublayer(FlowPanel& panel, const std::string& name, FlowKind kind) {
    const std::size_t before = panel.boxes.size() - 1;
    panel.boxes.push_back({name, "", kind});
    panel.boxes.push_back({"+", "", FlowKind::add});
    panel.residuals.push_back({before, before + 2});
    return before + 1;
}

}  // namespace

FlowFigure data_flow(const StackConfig& config, std::size_t source, std::size_t target) {
    const std::size_t width = config.block.d_model;
    const std::string from = named_shape({source, width}, {"source", "d_model"});
    const std::string to = named_shape({target, width}, {"target", "d_model"});
    FlowPanel encoder{"encoder", {{"source", from, FlowKind::input}}};
    add_sublayer(encoder, "self-attention", FlowKind::attention);
    add_sublayer(encoder, "feed-forward", FlowKind::feed_forward);
    encoder.boxes.push_back({"final LayerNorm", "memory, for K and V", FlowKind::norm});
    FlowPanel decoder{"decoder", {{"target", to, FlowKind::input}}};
    add_sublayer(decoder, "causal self-attention", FlowKind::attention);
    const std::size_t cross = add_sublayer(decoder, "cross-attention", FlowKind::attention);
    add_sublayer(decoder, "feed-forward", FlowKind::feed_forward);
    decoder.boxes.push_back({"final LayerNorm", to, FlowKind::norm});
    const std::string times = fmt::format("{} x", config.num_layers);
    for (FlowPanel* panel : {&encoder, &decoder}) panel->repeats = {{1, panel->boxes.size() - 2, times}};
    FlowFigure figure{
        .name = "flow",
        .title = fmt::format("Each of the {} decoder blocks reads the memory, the output of the encoder",
                             config.num_layers),
        .caption =
            "The encoder runs once. The memory gives keys and values to the cross-attention in each decoder "
            "block; the queries come "
            "from the decoder. A bracket shows the block that is repeated, and how often. The norm before "
            "each part of a block is left out."};
    figure.links.push_back({0, encoder.boxes.size() - 1, 1, cross});
    figure.panels = {encoder, decoder};
    return figure;
}

std::optional<PlaneFigure> shifted_target(const Tokens& target) {
    const std::size_t columns = std::min<std::size_t>(target.size(), 6) - 1;
    if (columns == 0) return {};
    PlaneFigure figure{
        .name = "shifted",
        .title = "Training: the decoder reads the target and guesses it one word further",
        .panels = {{.title = "",
                    .low_x = -1.2,
                    .high_x = 1.5 * static_cast<double>(columns),
                    .low_y = -0.1,
                    .high_y = 3.7}},
        .caption =
            "Below what the decoder reads, above the word that it must guess there. The lines show what "
            "each guess may use of the target: the words up to its own place, so never the answer."};
    std::vector<PlaneShape>& shapes = figure.panels[0].shapes;
    const auto middle = [](std::size_t column) { return 1.5 * static_cast<double>(column) + 0.7; };
    const auto word = [&](const std::string& label, std::size_t column, double bottom, Hue hue) {
        shapes.push_back({.kind = PlaneShape::Kind::rectangle,
                          .from_x = middle(column) - 0.65,
                          .from_y = bottom,
                          .to_x = middle(column) + 0.65,
                          .to_y = bottom + 0.6,
                          .label = label,
                          .hue = hue,
                          .light = true});
    };
    for (std::size_t guess = 0; guess < columns; ++guess)
        for (std::size_t read = 0; read <= guess; ++read)
            shapes.push_back({.kind = read == guess ? PlaneShape::Kind::arrow : PlaneShape::Kind::line,
                              .from_x = middle(read),
                              .from_y = 0.6,
                              .to_x = middle(guess),
                              .to_y = 3.0,
                              .hue = read == guess ? Hue::decoder : Hue::without,
                              .size = read == guess ? 1.2 : 0.8});
    for (std::size_t column = 0; column < columns; ++column) {
        word(target[column], column, 0.0, Hue::encoder);
        word(target[column + 1], column, 3.0, Hue::decoder);
    }
    for (const auto& [label, y] : {std::pair{"reads", 0.3}, {"decoder", 1.8}, {"guesses", 3.3}})
        figure.panels[0].text(-0.65, y, label);
    return figure;
}

}  // namespace tfs
