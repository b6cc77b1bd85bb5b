// chapters/09_transformer/program/model_table.cpp · the table of a whole model, part by part
#include <fmt/format.h>

#include "chapters/09_transformer/cost.hpp"
#include "chapters/09_transformer/program/options.hpp"

namespace tfs {

Report cost_of_parts(const TransformerConfig& config, std::size_t seq) {
    const std::vector<PartCost> parts = transformer_costs(config, 1, seq, seq);
    Report report;
    report.add(cost_table(parts));
    report.note(size_of_weights(parts));
    report.add(part_or_gap([&] {
        const std::size_t formula = transformer_parameters(config).total();
        Report check;
        check.note(
            fmt::format("check transformer_parameters: {}, {}", with_separators(formula),
                        formula == total(parts).parameters ? "as in the table" : "NOT the sum of the table"));
        return check;
    }));
    return report;
}

}  // namespace tfs
