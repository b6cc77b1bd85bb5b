// tests/09_transformer/checklist.hpp · what the checks of several steps of chapter 09 share
//
// The golden models (tests/golden/area_transformer.py) are made of torch.nn's own layers.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "chapters/09_transformer/given/ids_and_masks.hpp"
#include "tests/09_transformer/reference.hpp"
#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"

namespace tfs::test {

inline constexpr Tolerance whole_model{1e-4, 1e-5};

// The configs of the golden models.
TransformerConfig golden_config(const std::string& name);

Transformer made(const TransformerConfig& config, std::uint64_t seed = 1);

// Its weights are not drawn: they are zeros, to be counted, or replaced by others.
Transformer undrawn(const TransformerConfig& config);

Transformer golden_model(const std::string& name, double dropout = 0.0);

// A small model of the first kind: sinusoids, scale, tied. Its table is not that of a new model, so that
// what is forgotten is seen.
TransformerConfig small_config(Architecture architecture = Architecture::decoder_only);

// Three texts, and three sources with their targets: 3, 6 and 7 are no size of the golden models, nor of the small one.
inline const Ids three_rows{{3, 1, 4, 1, 5, 9, 2}, {9, 2, 6, 5, 3, 8, 1}, {2, 7, 1, 8, 3, 6, 4}};
inline const Ids source_rows{{3, 1, 4, 0, 0, 0}, {9, 2, 6, 5, 3, 7}, {2, 7, 1, 8, 2, 0}};
inline const Ids target_rows{{1, 7, 7, 2, 8, 4, 9}, {1, 3, 10, 0, 0, 0, 0}, {1, 6, 2, 5, 9, 9, 0}};

Ids all_ones(std::size_t batch, std::size_t seq);

// The positions begin … end - 1 of each row.
Ids part_of(const Ids& ids, std::size_t begin, std::size_t end);

std::vector<std::int64_t> part_of(const std::vector<std::int64_t>& tokens, std::size_t begin,
                                  std::size_t end);

// --- what several steps must do ----------------------------------------------------------------------------

// In training the logits are those of `hidden`, with nothing in between. `plain`: the same in evaluation.
testing::AssertionResult logits_of_hidden(const Transformer& m, const TransformerOutput& result,
                                          const TransformerOutput& plain);

// Sends the golden weights back through the joined results, and compares the gradient of every parameter.
void expect_golden_gradients(const std::string& name, const Transformer& m,
                             const std::vector<Tensor>& results);

// Whether tokens are generated without an error. The classic one: a pass with an offset, and all tokens all the same.
testing::AssertionResult generates(const std::function<void()>& call);

// Of this error: a model is given the last three positions of five, with the padding of all in the pass.
testing::AssertionResult padding_misfits(const std::string& error);

// Generated tokens, as gtest prints them.
std::vector<std::int64_t> list(const Ids& ids);

inline const std::string zero_is_no_padding =
    "token 0 is hidden as padding although the config has no pad_id: call padding_of, it asks the config";
inline const std::string always_tied =
    "the table of the embedding is used although the model has one for its output";
inline const std::string padding_not_of_the_pass =
    "the padding of the pass is not used: hand padding_of the pass";
inline const std::string room_left =
    "the text ends before it is max_len long; a sequence may have all of max_len";
inline const std::string one_always =
    "a token is made before new_tokens is looked at; of 0 new tokens, none is made";
inline const std::string dropout_is_on = "dropout is on: generating is no training, so no rng is passed on";

// The largest absolute value: it decides how far off the others may be.
double largest_entry(const Tensor& x);

}  // namespace tfs::test
