// chapters/04_normalization/program/leak.cpp · BatchNorm over positions tells earlier words about later ones
#include <fmt/format.h>

#include "chapters/04_normalization/program/options.hpp"

namespace tfs {

namespace {

// The largest change among the words before the last one, when the last word is another one.
double change_before(const Normalise& norm, const Tensor& x, const Tensor& other) {
    const auto earlier = [&](const Tensor& y) { return slice(y, 1, 0, x.size(1) - 1).array(); };
    return largest_difference(earlier(norm(x)), earlier(norm(other)));
}

Report show_leak(const Request& request) {
    const Tensor x = uneven_embeddings(request);
    const std::size_t seq = x.size(1), d_model = x.size(2);
    Report report;
    if (seq < 2) {
        report.note("A text of one word has no earlier words. Give a longer --text.");
        return report;
    }
    Rng rng(request[options::seed] + 1);
    const Tensor other =
        concat({slice(x, 1, 0, seq - 1), Tensor(rng.normal_array({1, 1, d_model}, 0.0, 2.0))}, 1);
    Table table{.columns = {{"norm"}, {"change", fixed(2)}}};
    const auto add = [&](const char* name, const Normalise& norm) {
        const double change = change_before(norm, x, other);
        table.add({name, change == 0.0 ? Cell(0, whole()) : Cell(change)});
    };
    add("BatchNorm, training", batch_norm(d_model, NormMode::training));
    add("BatchNorm, evaluation", batch_norm(d_model, NormMode::evaluation));
    add("LayerNorm", LayerNorm(d_model));
    add("RMSNorm", RMSNorm(d_model));
    report.note(fmt::format(
        "The last word is replaced. The results of the {} words before it change by at most:", seq - 1));
    report.add(table);
    return report;
}

}  // namespace

Sections leak_sections() {
    return {{"leak",
             "BatchNorm over positions sees the future",
             show_leak,
             {options::text, options::d_model, options::seed}}};
}

}  // namespace tfs
