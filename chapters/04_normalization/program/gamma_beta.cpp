// chapters/04_normalization/program/gamma_beta.cpp · what gamma and beta do to a feature, drawn
#include <algorithm>
#include <array>

#include "chapters/04_normalization/program/options.hpp"

namespace tfs {

namespace {

Report show_gamma_and_beta(const Request& request) {
    struct Learned {
        const char* name;
        const char* curve;  // null: not drawn, its name would lie on other curves
        float gamma, beta;
    };
    constexpr std::array features{Learned{"gamma 1, beta 0", "gamma 1, beta 0", 1.0f, 0.0f},
                                  Learned{"gamma 0.5, beta 0", nullptr, 0.5f, 0.0f},
                                  Learned{"gamma 2, beta 0", "gamma 2", 2.0f, 0.0f},
                                  Learned{"gamma 1, beta 4", "beta 4", 1.0f, 4.0f}};
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
    LinePanel panel{"16,384 tokens", "value of the feature", "density"};
    panel.from_zero = true;
    for (std::size_t i = 0; i < features.size(); ++i) {
        const Tensor values = slice(y, 1, i, i + 1);
        table.add({features[i].name, mean(values, 0).values()[0], sqrt(variance(values, 0)).values()[0]});
        if (!features[i].curve) continue;
        Series curve = histogram(features[i].curve, values.values(), -6.0, 8.0, 40);
        const auto peak = std::max_element(curve.y.begin(), curve.y.end()) - curve.y.begin();
        curve.name_at = features[i].gamma > 1.0f ? -5.0 : curve.x[static_cast<std::size_t>(peak)] + 0.1;
        panel.series.push_back(curve);
    }
    panel.series[0].hue = Hue::without;
    Report report;
    report.add(table);
    report.add(LineFigure{
        .name = "gamma_beta",
        .title = "gamma stretches a feature, beta shifts it",
        .panels = {std::move(panel)},
        .panels_per_row = 1,
        .caption = "The histograms of three features after LayerNorm. Compare with the grey one: gamma 2 "
                   "makes it twice as wide, beta 4 moves it by 4. A gamma below 1 would make it narrower."});
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
