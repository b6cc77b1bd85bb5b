// chapters/07_block/program/data_flow.cpp · the data flow through a block with its shapes, drawn from its config
#include <fmt/format.h>

#include <tuple>

#include "chapters/07_block/program/options.hpp"

namespace tfs {

namespace {

// One block as a column of boxes.
class BlockColumn {
  public:
    BlockColumn(const std::string& title, const BlockConfig& config)
        : panel_{.title = title}, config_(config) {}

    // Adds a box and returns its number. The width is given where it changes.
    std::size_t box(const std::string& name, FlowKind kind, std::size_t width = 0,
                    const char* axis = "d_model") {
        const std::string shape = width > 0 ? fmt::format("{} {}", axis, width) : "";
        panel_.boxes.push_back({name, shape, kind});
        return panel_.boxes.size() - 1;
    }

    void norm() { box(config_.norm == NormKind::layer_norm ? "LayerNorm" : "RMSNorm (new)", FlowKind::norm); }

    void attention() {
        if (config_.rotary()) panel_.inputs.push_back({panel_.boxes.size(), "rotary (new)"});
        box("multi-head attention", FlowKind::attention);
    }

    void network() {
        const bool gated = config_.feed_forward == FeedForwardKind::swiglu;
        box(gated ? "SiLU(gate) * up (new)" : "up, GELU", FlowKind::feed_forward, config_.d_ff, "d_ff");
        box("down", FlowKind::feed_forward, config_.d_model);
    }

    // A half: the sublayer in its place, and the connection around it.
    void half(void (BlockColumn::*sublayer)()) {
        const std::size_t from = panel_.boxes.size() - 1;
        const bool pre = config_.norm_position == NormPosition::pre;
        if (pre) norm();
        (this->*sublayer)();
        panel_.residuals.push_back({from, box("+", FlowKind::add)});
        if (!pre) norm();
    }

    FlowPanel drawn() {
        box("x", FlowKind::input, config_.d_model);
        half(&BlockColumn::attention);
        half(&BlockColumn::network);
        return panel_;
    }

  private:
    FlowPanel panel_;
    BlockConfig config_;
};

}  // namespace

FlowFigure flow_figure(const Request& request) {
    return {.name = "flow",
            .title = "Pre-norm: the bold way up meets no norm. Post-norm: it meets two",
            .panels = {BlockColumn("pre-norm (GPT-2)", sentence_config(request, NormPosition::pre)).drawn(),
                       BlockColumn("post-norm (BERT)", sentence_config(request, NormPosition::post)).drawn(),
                       BlockColumn("pre-norm, new parts (LLaMA)", llama_sentence_config(request)).drawn()},
            .caption =
                "Read upwards. The bold line is the direct way from x to the output. In pre-norm it meets "
                "only additions; in post-norm a norm follows each addition. LLaMA has the order of pre-norm "
                "and new parts: RMSNorm, rotary positions, a gated network. The width is written where "
                "it changes."};
}

PlaneFigure grouped_figure() {
    constexpr std::size_t heads = 8;
    PlaneFigure figure{
        .name = "grouped",
        .title = "Grouped queries: 8 heads of queries share 2 heads of keys and values",
        .caption =
            "Each line says which keys and values a head of queries uses. With 2 heads of keys and values in "
            "place of 8, a model that writes keeps a quarter of the numbers."};
    for (const std::size_t kv_heads : {heads, std::size_t{2}}) {
        const std::size_t group = heads / kv_heads;
        PlanePanel panel{.title = fmt::format("{} heads of queries, {} of keys and values", heads, kv_heads),
                         .low_x = -0.1,
                         .high_x = 8.1,
                         .low_y = -0.1,
                         .high_y = 4.2};
        for (std::size_t head = 0; head < heads; ++head) {
            const auto x = static_cast<double>(head);
            const double middle = static_cast<double>(group) * (static_cast<double>(head / group) + 0.5);
            panel.shapes.push_back({.kind = PlaneShape::Kind::line,
                                    .from_x = x + 0.5,
                                    .from_y = 3.2,
                                    .to_x = middle,
                                    .to_y = 1.9,
                                    .hue = Hue::query,
                                    .size = 1.5});
            panel.shapes.push_back({.kind = PlaneShape::Kind::rectangle,
                                    .from_x = x + 0.05,
                                    .from_y = 3.2,
                                    .to_x = x + 0.95,
                                    .to_y = 4.1,
                                    .label = fmt::format("q{}", head + 1),
                                    .hue = Hue::query});
        }
        for (std::size_t head = 0; head < kv_heads; ++head) {
            const double middle = static_cast<double>(group) * (static_cast<double>(head) + 0.5);
            for (const auto& [name, hue, top] : {std::tuple{"k", Hue::key, 1.9}, {"v", Hue::value, 0.95}})
                panel.shapes.push_back({.kind = PlaneShape::Kind::rectangle,
                                        .from_x = middle - 0.45,
                                        .from_y = top - 0.9,
                                        .to_x = middle + 0.45,
                                        .to_y = top,
                                        .label = fmt::format("{}{}", name, head + 1),
                                        .hue = hue});
        }
        figure.panels.push_back(panel);
    }
    return figure;
}

}  // namespace tfs
