// common/figures/flow_json.cpp · a data flow as JSON, and whether it can be drawn at all
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "common/base/errors.hpp"
#include "common/figures/figure_parts.hpp"

namespace tfs {
namespace {

const char* name_of(FlowKind kind) {
    switch (kind) {
        case FlowKind::input:
            return "input";
        case FlowKind::norm:
            return "norm";
        case FlowKind::attention:
            return "attention";
        case FlowKind::feed_forward:
            return "feed-forward";
        case FlowKind::add:
            return "add";
        case FlowKind::other:
            break;
    }
    return "other";
}

void require_panel(const FlowFigure& figure, const FlowPanel& panel) {
    const std::string where = fmt::format("figure {}: panel \"{}\"", figure.name, panel.title);
    const std::size_t boxes = panel.boxes.size();
    if (boxes == 0) throw ValueError(where + " has no box");
    for (std::size_t i = 0; i < boxes; ++i) {
        if (panel.boxes[i].name.empty()) throw ValueError(fmt::format("{}: box {} has no name", where, i));
    }
    for (const FlowResidual& residual : panel.residuals) {
        if (residual.to < boxes && residual.from + 1 < residual.to) continue;
        throw ValueError(
            fmt::format("{} has {} boxes, and a residual from {} to {}, which goes around none of them",
                        where, boxes, residual.from, residual.to));
    }
    for (const FlowInput& input : panel.inputs) {
        if (input.to < boxes) continue;
        throw ValueError(
            fmt::format("{} has {} boxes, and \"{}\" enters box {}", where, boxes, input.name, input.to));
    }
}

}  // namespace

void require_drawable(const FlowFigure& figure) {
    require_panels(figure.name, figure.panels.size(), 1);
    for (const FlowPanel& panel : figure.panels) require_panel(figure, panel);
    const auto exists = [&](std::size_t panel, std::size_t box) {
        return panel < figure.panels.size() && box < figure.panels[panel].boxes.size();
    };
    for (const FlowLink& link : figure.links) {
        const bool both = exists(link.from_panel, link.from_box) && exists(link.to_panel, link.to_box);
        if (both && link.from_panel != link.to_panel) continue;
        throw ValueError(
            fmt::format("figure {}: there is no link from panel {}, box {} to panel {}, box {}; {}",
                        figure.name, link.from_panel, link.from_box, link.to_panel, link.to_box,
                        both ? "within a panel it is a residual" : "one of the boxes is missing"));
    }
}

std::string figure_json(const FlowFigure& figure) {
    using Json = nlohmann::ordered_json;
    Json json{{"name", figure.name}, {"title", figure.title}, {"kind", "flow"}, {"upwards", figure.upwards}};
    json["panels"] = Json::array();
    for (const FlowPanel& panel : figure.panels) {
        Json one{{"title", panel.title},
                 {"boxes", Json::array()},
                 {"residuals", Json::array()},
                 {"inputs", Json::array()}};
        for (const FlowBox& box : panel.boxes)
            one["boxes"].push_back({{"name", box.name}, {"shape", box.shape}, {"kind", name_of(box.kind)}});
        for (const FlowResidual& line : panel.residuals)
            one["residuals"].push_back({{"from", line.from}, {"to", line.to}, {"label", line.label}});
        for (const FlowInput& input : panel.inputs)
            one["inputs"].push_back({{"to", input.to}, {"name", input.name}, {"shape", input.shape}});
        json["panels"].push_back(std::move(one));
    }
    json["links"] = Json::array();
    for (const FlowLink& link : figure.links) {
        json["links"].push_back({{"from_panel", link.from_panel},
                                 {"from_box", link.from_box},
                                 {"to_panel", link.to_panel},
                                 {"to_box", link.to_box}});
    }
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tfs
