// chapters/09_transformer/figures.cpp · parameters by part, and the data flow of the three kinds of model
#include <fmt/format.h>

#include "chapters/09_transformer/describe.hpp"
#include "common/show/text.hpp"

namespace tfs {

BarFigure draw_parameters(const std::vector<std::string>& models) {
    BarPanel panel{.title = "share of all parameters, and their number",
                   .value_axis = "share of the parameters",
                   .parts = {"token table", "positions, segments", "attention", "feed-forward", "norms",
                             "pooler", "output table"},
                   .share = true};
    for (const std::string& name : models) {
        const TransformerParameters p = transformer_parameters(preset(name));
        Bar bar{name, {}};
        for (const std::size_t count : {p.embedding, p.positions + p.segments, p.attention, p.feed_forward,
                                        p.norms + p.block_norms, p.pooler, p.output})
            bar.values.push_back(static_cast<double>(count));
        panel.bars.push_back(bar);
    }
    return {"parameters", "Parameters by part", {panel}};
}

namespace {

FlowPanel column(const std::string& title, const std::string& axis, std::size_t seq, std::size_t d_model,
                 const std::string& blocks) {
    const std::string x = named_shape({1, seq, d_model}, {"batch", axis, "d_model"});
    FlowPanel panel{.title = title};
    panel.boxes = {{"token ids", named_shape({1, seq}, {"batch", axis}), FlowKind::input},
                   {"embedding x sqrt(d_model)", x},
                   {"+", x, FlowKind::add},
                   {blocks, x, FlowKind::attention},
                   {"final norm", x, FlowKind::norm}};
    panel.inputs = {{2, "positions", named_shape({seq, d_model}, {axis, "d_model"})}};
    return panel;
}

void add_output(FlowPanel& panel, const std::string& axis, std::size_t seq) {
    panel.boxes.push_back({"logits: times the table", fmt::format("(batch 1, {} {}, vocab)", axis, seq)});
}

}  // namespace

FlowFigure draw_flow(std::size_t seq, std::size_t d_model, std::size_t layers) {
    const std::string blocks = fmt::format("{} blocks, ", layers);
    FlowPanel one =
        column("encoder only, or decoder only", "seq", seq, d_model, blocks + "all see all, or causal");
    FlowPanel source = column("encoder-decoder: its encoder", "source", seq, d_model, blocks + "all see all");
    FlowPanel target = column("and its decoder", "target", seq, d_model, blocks + "causal, then cross");
    add_output(one, "seq", seq);
    add_output(target, "target", seq);
    return {.name = "flow",
            .title = "From ids to logits: all kinds of model from one config",
            .panels = {one, source, target},
            .links = {{1, 4, 2, 3}}};
}

}  // namespace tfs
