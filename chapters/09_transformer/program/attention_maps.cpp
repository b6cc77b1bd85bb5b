// chapters/09_transformer/program/attention_maps.cpp · the attention maps of all layers and heads of a model
#include <fmt/format.h>

#include "chapters/09_transformer/program/options.hpp"

namespace tfs {

namespace {

void add_layers(std::vector<LayerMaps>& maps, const std::string& kind, const std::vector<Tensor>& layers,
                const Tokens& rows, const Tokens& columns) {
    for (std::size_t i = 0; i < layers.size(); ++i)
        maps.push_back({fmt::format("{}layer {}", kind, i + 1), layers[i], rows, columns});
}

}  // namespace

std::vector<View> attention_maps(const ModelRun& run, Architecture architecture, const Tokens& source,
                                 const std::string& title, const std::string& remark) {
    HeatMapFigure frame{.name = "maps", .title = title};
    std::vector<LayerMaps> maps;
    if (architecture == Architecture::encoder_decoder) {
        Tokens target = source;
        target.pop_back();
        target.insert(target.begin(), "<start>");
        add_layers(maps, "encoder, ", run.encoder_weights, source, source);
        add_layers(maps, "decoder, ", run.output.self_weights, target, target);
        add_layers(maps, "cross, ", run.output.cross_weights, target, source);
        frame.row_axis = "query or target";
        frame.column_axis = "key or source";
        frame.caption =
            "Only the decoder's attention to itself is causal: there grey cells are masked. The encoder, "
            "and the target across, see the whole source.";
    } else {
        add_layers(maps, "", run.output.self_weights, source, source);
        frame.caption = architecture == Architecture::encoder_only
                            ? "A query sees all positions, earlier and later ones: no cell is masked."
                            : "A query sees itself and what comes before it; grey cells are masked.";
    }
    frame.caption += " Each row is a query, and its weights sum to 1." + remark;
    return attention_views(frame, maps);
}

}  // namespace tfs
