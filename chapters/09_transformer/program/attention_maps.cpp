// chapters/09_transformer/program/attention_maps.cpp · the attention maps of all layers and heads of a model
#include "chapters/09_transformer/program/sections.hpp"

#include <fmt/format.h>

namespace tfs {

namespace {

// One attention of the model: the weights of its layers, who asks, who is asked, and who may ask whom.
struct MappedAttention {
    std::string kind;
    const std::vector<Tensor>& layers;
    const Tokens &rows, &columns;
    std::optional<Mask> mask = std::nullopt;
};

HeatMapFigure sheet_of(const std::vector<MappedAttention>& attentions, const std::string& name,
                       const std::string& who_sees_whom) {
    HeatMapFigure figure{.name = "maps",
                         .title = fmt::format("{}: heads of the first and of the last layer", name),
                         .panels_per_row = std::min<std::size_t>(3, attentions[0].layers[0].size(1)),
                         .caption = who_sees_whom + " Each row is a query, and its weights sum to 1."};
    for (const MappedAttention& attention : attentions)
        for (std::size_t layer = 0; layer < attention.layers.size();
             layer += std::max<std::size_t>(1, attention.layers.size() - 1))
            for (std::size_t head = 0; head < figure.panels_per_row; ++head)
                figure.panels.push_back(attention_panel(
                    fmt::format("{}layer {} head {}", attention.kind, layer + 1, head + 1),
                    attention.layers[layer], head, attention.rows, attention.columns, attention.mask));
    return figure;
}

}  // namespace

HeatMapFigure draw_attention_maps(const ModelRun& run, const Transformer& model, const TextIds& text,
                                  const std::string& name) {
    const Architecture architecture = model.config.architecture;
    const Tokens& source = text.tokens;
    if (architecture == Architecture::encoder_only)
        return sheet_of({{"", run.output.self_weights, source, source}}, name,
                        "A query sees all positions, earlier and later ones: no cell is masked.");
    const Mask causal = causal_mask(source.size());
    if (architecture == Architecture::decoder_only)
        return sheet_of({{"", run.output.self_weights, source, source, causal}}, name,
                        "A query sees itself and what comes before it; grey cells are masked.");
    Tokens target = source;
    target.pop_back();
    target.insert(target.begin(), "<start>");
    HeatMapFigure figure = sheet_of({{"encoder ", run.encoder_weights, source, source},
                                     {"self ", run.output.self_weights, target, target, causal},
                                     {"cross ", run.output.cross_weights, target, source}},
                                    name,
                                    "Only the decoder's attention to itself is causal: there grey cells are "
                                    "masked. The encoder, and the target across, see the whole source.");
    figure.row_axis = "query or target";
    figure.column_axis = "key or source";
    return figure;
}

}  // namespace tfs
