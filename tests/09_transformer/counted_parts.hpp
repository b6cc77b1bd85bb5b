// tests/09_transformer/counted_parts.hpp · the parameters of a model by part, and what is often counted in their place
#pragma once

#include <map>
#include <string>

#include "chapters/09_transformer/cost.hpp"
#include "tests/support/counts.hpp"

namespace tfs::test {

using CountsOfParts = std::map<std::string, Counts>;

// Counts the parameters of this config (step transformer_parameters), and adds each part to the counts of its name.
void add_parts(CountsOfParts& counts, const std::string& name, const TransformerConfig& config,
               const TransformerParameters& expected);

}  // namespace tfs::test
