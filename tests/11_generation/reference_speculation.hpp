// tests/11_generation/reference_speculation.hpp · accepted() and the loop of drafts, written for the test
#pragma once

#include "chapters/11_generation/generation.hpp"

namespace tfs::test {

using Rows = std::vector<std::vector<double>>;

// Token i stays where u q < p.
TokenIds reference_accepted(const TokenIds& drafted, const Rows& q, const Rows& p, Rng& rng);

Speculation reference_speculation(const LanguageModel& model, const Draft& draft, const TokenIds& prompt,
                                  std::size_t length, const GenerationOptions& options, Rng& rng);

}  // namespace tfs::test
