// chapters/04_normalization/program/shared_statistics.cpp · which cells of a batch decide about one cell of the result, under each norm
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "chapters/04_normalization/program/options.hpp"

namespace tfs {

namespace {

// |d y / d cell| for each cell of x (batch, seq, features), where y is the result at `cell`; (batch * seq, features).
Array influence_on(std::size_t cell, const Normalise& normalise, const Tensor& x) {
    const Tensor input(x.array(), true);
    const Tensor results = reshape(normalise(input), {x.size()});
    sum(slice(results, 0, cell, cell + 1)).backward();
    Array influence = Array::from_shape({x.size() / x.size(-1), x.size(-1)});
    for (std::size_t i = 0; i < influence.size(); ++i) influence.data()[i] = std::abs(input.grad().data()[i]);
    return influence;
}

std::vector<std::string> cell_labels(const char* what, std::size_t count) {
    std::vector<std::string> labels;
    for (std::size_t i = 0; i < count; ++i) labels.push_back(fmt::format("{}{}", what, i + 1));
    return labels;
}

std::vector<std::string> token_labels(std::size_t batch, std::size_t seq) {
    std::vector<std::string> labels;
    for (const std::string& sentence : cell_labels("s", batch)) {
        for (const std::string& token : cell_labels(" t", seq)) labels.push_back(sentence + token);
    }
    return labels;
}

// What has no influence is blank; arrows mark the row and the column of the result.
HeatMapPanel influence_panel(const std::string& title, const Array& influence, std::size_t cell,
                             std::vector<std::string> rows) {
    std::vector<std::string> columns = cell_labels("f", influence.shape(1));
    rows[cell / columns.size()].insert(0, "→ ");
    columns[cell % columns.size()].insert(0, "↓ ");
    xt::xarray<bool> decides = xt::xarray<bool>::from_shape(influence.shape());
    for (std::size_t i = 0; i < influence.size(); ++i) decides.data()[i] = influence.data()[i] > 0.0f;
    return {.title = title,
            .values = influence,
            .rows = rows,
            .columns = columns,
            .allowed = decides,
            .scale = ColourScale::sequential,
            .quantity = "|d result / d cell|"};
}

std::vector<std::pair<std::string, Normalise>> norms_of(std::size_t features) {
    return {{"BatchNorm, training", batch_norm(features, NormMode::training)},
            {"BatchNorm, evaluation", batch_norm(features, NormMode::evaluation)},
            {"LayerNorm", LayerNorm(features)},
            {"RMSNorm", RMSNorm(features)}};
}

Report show_shared_statistics(const Request& request) {
    constexpr std::size_t batch = 2, seq = 4, features = 6, cell = (1 * seq + 2) * features + 3;
    Rng rng(request[options::seed]);
    const Tensor x(rng.normal_array({batch, seq, features}));
    HeatMapFigure figure{
        .name = "who_counts",
        .title = "Which cells decide about the result for sentence 2, token 3, feature 4",
        .row_axis = "sentence and token",
        .column_axis = "feature",
        .panels_per_row = 2,
        .caption =
            "In training BatchNorm reads a column, one feature of all tokens in all sentences. LayerNorm and "
            "RMSNorm read a row, all features of one token. In evaluation, when a trained model is used, "
            "BatchNorm reads only its own cell. The arrows mark the row and the column of the result. Grey "
            "cells have no influence."};
    Table table{.columns = {{""}, {"entries", whole()}, {"its own", fixed(3)}, {"others", fixed(3)}}};
    float largest = 0.0f;
    for (const auto& [name, normalise] : norms_of(features)) {
        Array influence = influence_on(cell, normalise, x);
        const auto none = std::count(influence.begin(), influence.end(), 0.0f);
        figure.panels.push_back(influence_panel(name, influence, cell, token_labels(batch, seq)));
        largest = std::max(largest, *std::max_element(influence.begin(), influence.end()));
        const float own = std::exchange(influence.data()[cell], 0.0f);
        table.add({name, static_cast<std::ptrdiff_t>(influence.size()) - none, own,
                   *std::max_element(influence.begin(), influence.end())});
    }
    figure.caption += fmt::format(
        " The colour says how much the result changes when a cell grows a little (at most {:.2f}).", largest);
    Report report;
    report.note(fmt::format(
        "{} sentences of {} tokens with {} features. On how many of the {} entries one result depends, and\n"
        "|d result / d entry| for the entry at its place and the largest of the others:",
        batch, seq, features, x.size()));
    report.add(table);
    report.add(figure);
    return report;
}

}  // namespace

Section shared_statistics() {
    return {.id = "shared-statistics",
            .title = "Who shares the statistics",
            .level = Level::deeper,
            .options = {options::seed},
            .run = show_shared_statistics};
}

}  // namespace tfs
