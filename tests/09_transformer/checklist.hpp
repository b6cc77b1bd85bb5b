// tests/09_transformer/checklist.hpp · what the checks of several steps of chapter 09 share
//
// The golden models (tests/golden/area_transformer.py) are made of torch.nn's own layers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "chapters/09_transformer/given/transformer.hpp"
#include "chapters/09_transformer/models/text_transformer.hpp"
#include "chapters/09_transformer/whole_model.hpp"
#include "common/io/weights.hpp"
#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"

namespace tfs::test {

inline constexpr Tolerance whole_model{1e-4, 1e-5};

// The configs of the golden models.
TransformerConfig golden_config(const std::string& name);

Transformer golden_model(const std::string& name, double dropout = 0.0);

Transformer made(const TransformerConfig& config, std::uint64_t seed = 1);
// Its weights are not drawn: they are zeros, to be counted, or replaced by others.
Transformer undrawn(const TransformerConfig& config);
// No weight is that of a new model, which would hide a bias, a gamma or a beta that is forgotten.
Transformer filled(const TransformerConfig& config);

// A small model of the first kind: sinusoids, scale, tied.
TransformerConfig small_config(Architecture architecture = Architecture::decoder_only);

// Decoders with each choice of positions, and LLaMA's kind with 2 heads of keys for 4 of queries.
std::vector<Transformer> decoders();

// Three texts, and three sources with their targets: 3, 6 and 7 are no size of the golden models, nor of the small one.
inline const Ids three_rows{{3, 1, 4, 1, 5, 9, 2}, {9, 2, 6, 5, 3, 8, 1}, {2, 7, 1, 8, 3, 6, 4}};
inline const Ids source_rows{{3, 1, 4, 0, 0, 0}, {9, 2, 6, 5, 3, 7}, {2, 7, 1, 8, 2, 0}};
inline const Ids target_rows{{1, 7, 7, 2, 8, 4, 9}, {1, 3, 10, 0, 0, 0, 0}, {1, 6, 2, 5, 9, 9, 0}};

Ids all_ones(std::size_t batch, std::size_t seq);

// The positions begin … end - 1 of each row; and of one row.
Ids part_of(const Ids& ids, std::size_t begin, std::size_t end);
Ids part_of_row(const Ids& ids, std::size_t row, std::size_t begin, std::size_t end);

// One row as a list, as gtest prints it.
std::vector<std::int64_t> list(const Ids& ids);

// --- plain references, from the tensor layer and chapter 08 ------------------------------------------------

// What embed gives at these offsets of the rows.
Tensor embedded(const Transformer& m, const Ids& ids, const std::optional<Ids>& kinds = std::nullopt,
                const Offset& offset = 0);

// What leaves the stack of a model of one sequence.
Tensor reference_hidden(const Transformer& m, const Ids& ids, const std::optional<Ids>& kinds = std::nullopt);

Tensor reference_logits(const Transformer& m, const Tensor& hidden);

// --- the blank page ----------------------------------------------------------------------------------------

// What Transformer computes: what enters the first block, what leaves each of them, and the logits.
std::vector<Tensor> stages_of(const Transformer& model, const Ids& ids);

// The trained decoder on the blank page, the same as a Transformer, and the beginning of what chapter 10 recorded of it.
struct Shipped {
    TrainedModel trained = load_trained_model(weights_file("characters"), character_kind());
    Gpt gpt{trained};
    TextTransformer network = load_network<TextTransformer>(weights_file("characters"), character_kind());
    Ids ids = recorded_windows(trained.tokenizer, 4);  // (4, 30)
    std::vector<Tensor> right = stages_of(network.model, ids);
};
const Shipped& shipped();

// The same to a share of its largest entry. GELU's tanh form changes a block by 2e-4 of it, another eps by 6e-4; another order of sums
// by 1e-6.
testing::AssertionResult same_stage(const std::string& what, const Tensor& got, const Tensor& right);

// Up to the first that differs.
void expect_same_stages(const std::vector<Tensor>& stages, const std::vector<Tensor>& right);

// The weights of a model on the blank page.
Gpt as_gpt(const Transformer& model);

// --- what several steps must do ----------------------------------------------------------------------------

// Sends the golden weights back through the joined results, and compares the gradient of every parameter.
void expect_golden_gradients(const std::string& name, const Transformer& m,
                             const std::vector<Tensor>& results);

// The number of allocations of at least so many bytes while call() runs: so it is seen how often something runs in it. The
// program of the checks replaces `operator new`.
[[nodiscard]] std::size_t large_arrays_made(std::size_t bytes, const std::function<void()>& call);

}  // namespace tfs::test
