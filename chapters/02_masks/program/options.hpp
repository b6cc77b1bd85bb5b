// chapters/02_masks/program/options.hpp · what several sections of chapter 02 share: options, a padded batch, masks and maps
#pragma once

#include "chapters/01_attention/models/noun_finder.hpp"
#include "chapters/02_masks/masks.hpp"
#include "common/program.hpp"

namespace tfs {

namespace options {

inline const TextOption text = sentence(32);  // maps side by side with more rows can't be read
inline const CountOption heads = number_of_heads(), d_model = model_width(1, 1024);
inline const CountOption window{"--window", 3, 1, 32,
                                "how many keys a window shows to a query, with its own"};
inline const FlagOption untrained{"--untrained", "draw the attention of random weights"};

}  // namespace options

// padded_batch.cpp · what the program works on

inline constexpr std::int64_t pad_id = 0;

// The sentence and two more, padded with "<pad>" to one length.
struct PaddedBatch {
    std::vector<Tokens> sentences;          // padded, the text first
    std::vector<std::size_t> lengths = {};  // without the padding
    Ids ids = {};                           // (batch, seq)
    std::size_t words = 0;                  // how many different ones, with "<pad>"

    [[nodiscard]] Tokens text() const;  // without the padding
};
// The longer texts of the three say how long the padded sentences are.
[[nodiscard]] PaddedBatch padded_batch(const Tokens& text);
// Reads --text.
[[nodiscard]] PaddedBatch padded_batch(const Request& request);

// Random embeddings of a batch, and an attention that nobody trained.
struct UntrainedAttention {
    Tensor x;        // (1, seq, d_model): of the text
    Tensor batch_x;  // (batch, seq, d_model)
    MultiHeadAttention attention;
};
// Reads --heads, --d-model, --seed.
[[nodiscard]] UntrainedAttention untrained_attention(const PaddedBatch& batch, const Request& request);

// every_mask.cpp · masks as maps

// The (query, key) map of one sequence of a mask, written out.
[[nodiscard]] xt::xarray<bool> map_of(const Mask& mask, std::size_t sequence, std::size_t queries,
                                      std::size_t keys);
[[nodiscard]] std::size_t count_allowed(const xt::xarray<bool>& map);

// Which query may attend to which key.
[[nodiscard]] HeatMapPanel mask_panel(const std::string& name, const xt::xarray<bool>& map,
                                      const Tokens& rows, const Tokens& columns);

// Head 1 of an untrained attention under each mask. Reads --text, --window, --heads, --d-model, --seed.
[[nodiscard]] Report untrained_under_each_mask(const Request& request);

}  // namespace tfs
