// chapters/09_transformer/program/data_flow.cpp · the data flow of the three kinds of model as a figure
#include <fmt/format.h>

#include "chapters/09_transformer/program/options.hpp"

namespace tfs {

namespace {

// What is added to the embedding; segments only where there is one sequence.
std::string added_to_embedding(const TransformerConfig& c, bool one_sequence) {
    std::string added = adds_positions(c) ? "positions" : "";
    if (c.num_segments > 0 && one_sequence) added += added.empty() ? "segments" : ", segments";
    return added;
}

FlowPanel column(const TransformerConfig& c, const std::string& title, const std::string& axis,
                 std::size_t seq, const std::string& who_sees_whom) {
    const std::size_t d_model = c.block.d_model;
    const std::string x = named_shape({seq, d_model}, {axis, "d_model"});
    FlowPanel panel{.title = title};
    panel.boxes = {{"token ids", named_shape({seq}, {axis}), FlowKind::input},
                   {c.scale_embedding ? "embedding x sqrt(d_model)" : "embedding", x}};
    const std::string added = added_to_embedding(c, axis == "seq");
    if (!added.empty()) {
        panel.inputs.push_back({panel.boxes.size(), added});
        panel.boxes.push_back({"+", x, FlowKind::add});
    }
    if (c.embedding_norm) panel.boxes.push_back({"norm", x, FlowKind::norm});
    if (c.block.uses<Rotary>()) panel.inputs.push_back({panel.boxes.size(), "rotary positions"});
    if (c.block.uses<Alibi>()) panel.inputs.push_back({panel.boxes.size(), "ALiBi"});
    panel.boxes.push_back(
        {fmt::format("{} blocks, {}", c.num_layers, who_sees_whom), x, FlowKind::attention});
    if (c.final_norm) panel.boxes.push_back({"final norm", x, FlowKind::norm});
    return panel;
}

void add_output(FlowPanel& panel, const TransformerConfig& c, const std::string& axis, std::size_t seq) {
    panel.boxes.push_back({c.tied_output ? "logits: times the table" : "logits: times a table of their own",
                           fmt::format("({} {}, vocab)", axis, seq)});
}

// Of the box of all blocks.
std::size_t blocks_of(const FlowPanel& panel) {
    std::size_t box = 0;
    while (panel.boxes[box].kind != FlowKind::attention) ++box;
    return box;
}

}  // namespace

FlowFigure data_flow(const AskedModel& asked) {
    const TransformerConfig& c = asked.config;
    const std::size_t seq = asked.text.ids.size();
    FlowPanel one = column(c, "encoder only or decoder only", "seq", seq, "causal or not");
    FlowPanel source = column(c, "encoder-decoder: the encoder", "source", seq, "all see all");
    FlowPanel target = column(c, "encoder-decoder: the decoder", "target", seq, "causal, then cross");
    source.boxes.back().shape = "memory";
    add_output(one, c, "seq", seq);
    add_output(target, c, "target", seq);
    return {
        .name = "flow",
        .title = "From ids to logits: one stack (left), or an encoder and a decoder",
        .panels = {one, source, target},
        .links = {{1, source.boxes.size() - 1, 2, blocks_of(target)}},
        .caption = fmt::format(
            "Every model turns ids into vectors, sends them through blocks, and makes logits of them. Left: "
            "one stack; the mask alone makes it an encoder or a decoder. Middle and right: in an "
            "encoder-decoder, each "
            "block of the decoder also reads the encoder's output, the memory. Sizes are {}'s; the batch "
            "axis is left out.",
            asked.name)};
}

}  // namespace tfs
