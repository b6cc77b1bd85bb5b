// chapters/09_transformer/program/model_table.cpp · the table of a whole model, part by part
#include "chapters/09_transformer/program/sections.hpp"

#include <fmt/ostream.h>

#include "chapters/09_transformer/cost.hpp"

namespace tfs {

void print_model_table(Show& show, const TransformerConfig& config, std::size_t seq) {
    const std::vector<PartCost> parts = transformer_costs(config, 1, seq, seq);
    print(show.out, cost_table(parts));
    show.trace.note(size_of_weights(parts));
    const std::size_t formula = transformer_parameters(config).total();
    fmt::print(show.out, "  check transformer_parameters: {}, {}\n", with_separators(formula),
               formula == total(parts).parameters ? "as in the table" : "NOT the sum of the table");
}

}  // namespace tfs
