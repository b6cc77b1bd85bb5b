// chapters/11_generation/models/model_draft.hpp · drafts: of a small model, and of counted characters
#pragma once

#include "chapters/10_training/models/character_ngrams.hpp"
#include "chapters/11_generation/generation.hpp"

namespace tfs {

// A model as a draft, with a cache of its own: what a text has in common with the one before is not read again. The model must
// live as long. A copy begins with what this one has read.
//     Draft draft = ModelDraft(language_model(small));
class ModelDraft {
  public:
    explicit ModelDraft(const LanguageModel& model, const Sampling& sampling = {});

    // token_probabilities of the logits after this text, for which it reads the new tokens in one pass: at least the last one.
    // ValueError if the text is empty or longer than max_len.
    [[nodiscard]] std::vector<double> operator()(std::span<const std::int64_t> text);

  private:
    LanguageModel model_;
    Sampling sampling_;
    KeyValueCache cache_;
    TokenIds read_ = {};  // the text that the cache holds
};

// Counts of characters as a draft; they must live as long.
[[nodiscard]] Draft ngram_draft(const CharacterNgrams& counts);

}  // namespace tfs
