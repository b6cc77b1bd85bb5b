// chapters/07_block/program/data_flow.cpp · the data flow through a block with its shapes, drawn from its config
#include "chapters/07_block/program/options.hpp"

namespace tfs {

namespace {

// One block as a column of boxes.
class BlockColumn {
  public:
    BlockColumn(const std::string& title, const BlockConfig& config, std::size_t seq)
        : panel_{.title = title}, config_(config), seq_(seq) {}

    // Adds a box and returns its number.
    std::size_t box(const std::string& name, FlowKind kind, std::size_t width, const char* axis = "d_model") {
        panel_.boxes.push_back({name, named_shape({1, seq_, width}, {"batch", "seq", axis}), kind});
        return panel_.boxes.size() - 1;
    }
    std::size_t box(const std::string& name, FlowKind kind) { return box(name, kind, config_.d_model); }

    void norm() { box(config_.norm == NormKind::layer_norm ? "LayerNorm" : "RMSNorm", FlowKind::norm); }

    void attention() {
        if (config_.rotary()) panel_.inputs.push_back({panel_.boxes.size(), "rotary positions, causal mask"});
        box("multi-head attention", FlowKind::attention);
    }

    void network() {
        const bool gated = config_.feed_forward == FeedForwardKind::swiglu;
        box(gated ? "SiLU(gate) * up" : "up, GELU", FlowKind::feed_forward, config_.d_ff, "d_ff");
        box("down", FlowKind::feed_forward);
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
        box("x", FlowKind::input);
        half(&BlockColumn::attention);
        half(&BlockColumn::network);
        return panel_;
    }

  private:
    FlowPanel panel_;
    BlockConfig config_;
    std::size_t seq_;
};

}  // namespace

FlowFigure flow_figure(const Request& request) {
    const auto column = [&](const std::string& title, NormPosition position) {
        return BlockColumn(title, sentence_config(request, position), request.words(options::text).size())
            .drawn();
    };
    return {.name = "flow",
            .title = "Data flow through a block",
            .panels = {column("pre-norm", NormPosition::pre), column("post-norm", NormPosition::post)},
            .caption =
                "Read upwards. Both blocks have the same parts in another order. In pre-norm the outer line, "
                "the direct way from x to the output, meets only additions. In post-norm a norm follows each "
                "addition. Shapes are written beside the arrows."};
}

FlowFigure llama_flow_figure(const Request& request) {
    BlockColumn column("pre-norm, RMSNorm, SwiGLU", llama_sentence_config(request),
                       request.words(options::text).size());
    return {.name = "flow_llama",
            .title = "A block of LLaMA's kind",
            .panels = {column.drawn()},
            .caption =
                "The order is that of a pre-norm block. New are RMSNorm, a gated network (SiLU(gate) times "
                "up), and rotary positions, which enter in attention together with the causal mask. It has "
                "no biases (not drawn)."};
}

}  // namespace tfs
