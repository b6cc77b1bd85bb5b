// chapters/07_block/program/data_flow.cpp · the data flow through a block with its shapes, drawn from its config
#include <fmt/format.h>

#include <tuple>

#include "chapters/07_block/program/options.hpp"
#include "common/figures/panels.hpp"

namespace tfs {

namespace {

// One block: from x to its output, in the order that its config says.
PlanePanel block_column(const std::string& title, const BlockConfig& config) {
    PlanePanel panel{title, -FlowColumn::reach - 4.0, FlowColumn::box_width / 2 + 4.0, -8.0};
    const bool pre = config.norm_position == NormPosition::pre;
    const bool gated = config.feed_forward == FeedForwardKind::swiglu;
    const char* const norm = config.norm == NormKind::layer_norm ? "LayerNorm" : "RMSNorm (new)";
    const std::string d_model = fmt::format("d_model {}", config.d_model);
    FlowColumn column(panel, 0.0, "x: " + d_model);
    for (const bool attention : {true, false}) {
        column.branch();
        if (pre) column.box(norm, Hue::norm);
        if (attention) {
            column.box(config.rotary() ? "rotary attention (new)" : "multi-head attention", Hue::attention);
        } else {
            column.box(gated ? "SiLU(gate) * up (new)" : "up, GELU", Hue::feed_forward);
            column.box("down", Hue::feed_forward, fmt::format("d_ff {}", config.d_ff));
        }
        column.add(attention ? "" : d_model);
        if (!pre) column.box(norm, Hue::norm);
    }
    column.output("output");
    panel.high_y = column.height() + 20.0;
    return panel;
}

}  // namespace

BlockConfig sentence_config(const Request& request) {
    const std::size_t d_model = request[options::d_model];
    return {.d_model = d_model, .num_heads = request[options::heads], .d_ff = 4 * d_model};
}

PlaneFigure flow_figure(const Request& request) {
    const BlockConfig pre = sentence_config(request);
    BlockConfig post = pre;
    post.norm_position = NormPosition::post;
    const BlockConfig llama =
        llama_block(pre.d_model, pre.num_heads, swiglu_hidden_size(pre.d_ff, 8), pre.max_len);
    return {.name = "flow",
            .title = "Pre-norm: the bold way up meets no norm. Post-norm: it meets two",
            .panels = {block_column("pre-norm (GPT-2)", pre), block_column("post-norm (BERT)", post),
                       block_column("pre-norm, new parts (LLaMA)", llama)},
            .panels_per_row = 3,
            .caption =
                "Read upwards. The bold line is the direct way from x to the output. In pre-norm it meets "
                "only additions; in post-norm a norm follows each addition. LLaMA is pre-norm, "
                "with new parts. SwiGLU is SiLU(gate) * up. d_ff, the width between up and down, "
                "is here 8/3 of d_model, rounded up to a multiple of 8."};
}

// A pass that reads the last three of eight words. x and y are pixels.
PlaneFigure pass_figure() {
    const Tokens words = split_words("the cat sat on the mat because it");
    constexpr std::size_t kept = 5;
    constexpr double width = 78.0, height = 30.0, keys = 116.0, rows = 28.0;
    PlanePanel panel{.low_x = 0.0, .high_x = 764.0, .low_y = 0.0, .high_y = 196.0};
    const auto left_of = [](std::size_t place) { return 130.0 + width * static_cast<double>(place); };
    const auto box = [&](std::size_t place, double bottom, Hue hue, bool light) {
        panel
            .rectangle(left_of(place) + 2.0, bottom, left_of(place) + width - 2.0, bottom + height, hue,
                       words[place])
            .light = light;
    };
    panel.text(64.0, keys + height / 2, "keys, values");
    panel.text(64.0, rows + height / 2, "x");
    panel.text(64.0, keys + 57.0, "position");
    for (std::size_t i = 0; i < words.size(); ++i) {
        box(i, keys, Hue::key, i < kept);
        panel.text(left_of(i) + width / 2, keys + 57.0, std::to_string(i));
        if (i < kept) continue;
        box(i, rows, Hue::query, true);
        const double x = left_of(i) + width / 2;
        panel.arrow(x, rows + height + 3.0, x, keys - 3.0);
    }
    panel.text(left_of(2) + width / 2, keys - 18.0, "earlier: the cache, of 5 words");
    panel.text(left_of(3) + width / 2, rows + height / 2, "offset 5: x begins here");
    return {.name = "pass",
            .title = "A pass: x is three words, and attends to the keys of eight",
            .panels = {std::move(panel)},
            .panels_per_row = 1,
            .caption =
                "A model that writes has read five words; their keys and values are kept (light). The pass "
                "of the next three says where x begins, and where the kept ones are."};
}

PlaneFigure grouped_figure() {
    constexpr std::size_t heads = 8;
    PlaneFigure figure{
        .name = "grouped",
        .title = "Grouped queries: 8 heads of queries share 2 heads of keys and values",
        .caption =
            "Each line says which keys and values a head of queries uses. With 2 in place of 8, a model "
            "that writes keeps a quarter of them."};
    for (const std::size_t kv_heads : {heads, std::size_t{2}}) {
        const std::size_t group = heads / kv_heads;
        PlanePanel panel{fmt::format("{} heads of queries, {} of keys and values", heads, kv_heads), -0.1,
                         8.1, -0.1, 4.2};
        for (std::size_t head = 0; head < heads; ++head) {
            const auto x = static_cast<double>(head);
            const double middle = static_cast<double>(group) * (static_cast<double>(head / group) + 0.5);
            panel.line(x + 0.5, 3.2, middle, 1.9, Hue::query, 1.5);
            panel.rectangle(x + 0.05, 3.2, x + 0.95, 4.1, Hue::query, fmt::format("q{}", head + 1));
        }
        for (std::size_t head = 0; head < kv_heads; ++head) {
            const double middle = static_cast<double>(group) * (static_cast<double>(head) + 0.5);
            for (const auto& [name, hue, top] : {std::tuple{"k", Hue::key, 1.9}, {"v", Hue::value, 0.95}})
                panel.rectangle(middle - 0.45, top - 0.9, middle + 0.45, top, hue,
                                fmt::format("{}{}", name, head + 1));
        }
        figure.panels.push_back(panel);
    }
    return figure;
}

}  // namespace tfs
