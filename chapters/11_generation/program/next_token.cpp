// chapters/11_generation/program/next_token.cpp · the next token after the prompt: its probabilities before and after each filter
#include <fmt/format.h>

#include <algorithm>

#include "chapters/11_generation/given/generation_checks.hpp"
#include "chapters/11_generation/given/prompts.hpp"
#include "chapters/11_generation/program/options.hpp"

namespace tfs {

namespace {

constexpr std::size_t tokens_shown = 6;

struct Filter {
    const char* name;
    Sampling sampling;
};
const std::vector<Filter> filters{{"softmax", {}},
                                  {"temperature 0.5", {.temperature = 0.5}},
                                  {"top-k 3", {.top_k = 3}},
                                  {"top-p 0.8", {.top_p = 0.8}},
                                  {"min-p 0.1", {.min_p = 0.1}}};

Report show_next(const Request& request) {
    const Writer writer = asked_writer(request);
    const NoGrad no_grad;
    const Tensor logits = writer.model().logits(columns({writer.prompt}, 0, writer.prompt.size()), {});
    const std::vector<float> last = logits_at(logits, 0, logits.size(1) - 1);
    const std::vector<std::size_t> order = largest_first(last);
    Table table{.columns = {{"token"}}};
    std::vector<std::vector<double>> all;
    for (const Filter& filter : filters) {
        table.columns.push_back({filter.name, fixed(3)});
        all.push_back(token_probabilities(last, filter.sampling));
    }
    BarPanel panel{.title = "share of each character", .value_axis = "", .share = true};
    const auto label = [&](std::size_t rank) {
        return label_of(writer.trained->tokenizer.token(static_cast<std::int64_t>(order[rank])));
    };
    const std::size_t shown = std::min(tokens_shown, order.size());
    for (std::size_t rank = 0; rank < shown; ++rank) {
        std::vector<Cell> row{label(rank)};
        for (const std::vector<double>& p : all) row.emplace_back(p[order[rank]]);
        table.add(row);
        panel.parts.push_back({label(rank)});
    }
    panel.parts.push_back({"others"});
    std::vector<Cell> kept{"tokens kept"};
    for (std::size_t f = 0; f < filters.size(); ++f) {
        Bar bar{filters[f].name};
        double sum = 0.0;
        for (std::size_t rank = 0; rank < shown; ++rank) {
            bar.values.push_back(all[f][order[rank]]);
            sum += bar.values.back();
        }
        bar.values.push_back(std::max(0.0, 1.0 - sum));
        panel.bars.push_back(bar);
        kept.emplace_back(std::count_if(all[f].begin(), all[f].end(), [](double p) { return p > 0.0; }),
                          whole());
    }
    table.add(kept);
    table.totals = 1;
    Report report;
    report.note(fmt::format("After \"{}\":", in_one_line(writer.text)));
    report.add(table);
    report.add(
        BarFigure{.name = "filters",
                  .title = "A low temperature favours the likely tokens; the filters remove the unlikely",
                  .panels = {panel},
                  .caption = fmt::format("Each bar is the distribution of the next character after \"{}\" (/ "
                                         "is a new line), with one setting alone. What a filter "
                                         "removes is shared among the tokens that stay.",
                                         in_one_line(writer.text))});
    return report;
}

}  // namespace

Section next_token() {
    return {.id = "next-token",
            .title = "What may come next, before and after each filter",
            .options = {options::model, options::prompt, options::tokens},
            .run = show_next};
}

}  // namespace tfs
