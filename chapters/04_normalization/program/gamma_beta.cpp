// chapters/04_normalization/program/gamma_beta.cpp · what gamma and beta do to a feature, drawn
#include <array>
#include <optional>

#include "chapters/04_normalization/program/options.hpp"

namespace tfs {

namespace {

Report show_gamma_and_beta(const Request& request) {
    struct Learned {
        const char* name;
        const char* panel;  // that compares it with the first one; null: not drawn
        float gamma, beta;
    };
    constexpr std::array features{
        Learned{"gamma 1, beta 0", nullptr, 1.0f, 0.0f}, Learned{"gamma 0.5, beta 0", nullptr, 0.5f, 0.0f},
        Learned{"gamma 2, beta 0", "gamma 2", 2.0f, 0.0f}, Learned{"gamma 1, beta 4", "beta 4", 1.0f, 4.0f}};
    constexpr std::size_t tokens = 16384, d_model = 64;
    LayerNorm norm(d_model);
    Array gamma = norm.gamma.array(), beta = norm.beta.array();
    for (std::size_t i = 0; i < features.size(); ++i) {
        gamma.data()[i] = features[i].gamma;
        beta.data()[i] = features[i].beta;
    }
    norm.gamma = Tensor(gamma);
    norm.beta = Tensor(beta);
    Rng rng(request[options::seed]);
    const Tensor y = norm(Tensor(rng.normal_array({tokens, d_model})));
    Table table{.columns = {{"feature"}, {"mean", fixed(2)}, {"deviation", fixed(2)}}};
    std::vector<LinePanel> panels;
    std::optional<Series> first;
    for (std::size_t i = 0; i < features.size(); ++i) {
        const Tensor values = slice(y, 1, i, i + 1);
        table.add({features[i].name, mean(values, 0).values()[0], sqrt(variance(values, 0)).values()[0]});
        const Learned& feature = features[i];
        Series curve = histogram(feature.panel ? feature.panel : "gamma 1", values.values(), -6.0, 8.0, 40);
        curve.name_at = feature.beta != 0.0f ? feature.beta + 0.35 : 3.0;  // the wide one: where only it is
        if (!first) {
            first = curve;
            first->hue = Hue::without;
            first->name_at = 0.35;  // beside the peak
        }
        if (feature.panel) {
            curve.hue = Hue::with;
            first->name = feature.beta != 0.0f ? "beta 0" : "gamma 1";
            panels.push_back({.title = "",  // the names of the curves say it
                              .x_axis = "value of the feature",
                              .y_axis = "density",
                              .series = {*first, curve},
                              .from_zero = true});
        }
    }
    Report report;
    report.add(table);
    report.add(LineFigure{.name = "gamma_beta",
                          .title = "gamma 2 makes a feature twice as wide, beta 4 moves it by 4",
                          .panels = std::move(panels),
                          .caption =
                              "Histograms of one feature over many tokens, after LayerNorm. Grey: gamma 1 "
                              "and beta 0, as before training. A gamma below 1 would make it narrower.",
                          .same_y = true});
    return report;
}

}  // namespace

Section gamma_beta() {
    return {.id = "gamma-beta",
            .title = "gamma and beta",
            .level = Level::deeper,
            .options = {options::seed},
            .run = show_gamma_and_beta};
}

}  // namespace tfs
