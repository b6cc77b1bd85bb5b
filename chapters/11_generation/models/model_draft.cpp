// chapters/11_generation/models/model_draft.cpp · drafts: of a small model, and of counted characters; calls steps sample and
// key_value_cache
#include "chapters/11_generation/models/model_draft.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "chapters/11_generation/given/generation.hpp"

namespace tfs {

ModelDraft::ModelDraft(const LanguageModel& model, const Sampling& sampling)
    : model_(model), sampling_(sampling), cache_(model.max_len) {
    require_sampling("ModelDraft", sampling);
}

std::vector<double> ModelDraft::operator()(std::span<const std::int64_t> text) {
    if (text.empty() || text.size() > model_.max_len)
        throw ValueError(fmt::format("ModelDraft: the text has {} tokens; the model reads 1 to {}",
                                     text.size(), model_.max_len));
    const NoGrad no_grad;
    // Of a text that it knows, the last token is read again: its logits are not kept.
    const auto differs = std::mismatch(read_.begin(), read_.end(), text.begin(), text.end() - 1).first;
    const auto same = static_cast<std::size_t>(differs - read_.begin());
    cache_.drop({read_.size() - same});
    read_.resize(same);  // a token that the model refuses is not read
    const TokenIds rest(text.begin() + (differs - read_.begin()), text.end());
    const Tensor logits = model_.logits(columns({rest}, 0, rest.size()),
                                        {.offset = cache_.next_position(), .earlier = &cache_});
    read_.insert(read_.end(), rest.begin(), rest.end());
    return token_probabilities(logits_at(logits, 0, rest.size() - 1), sampling_);
}

Draft ngram_draft(const CharacterNgrams& counts) {
    return [&counts](std::span<const std::int64_t> text) { return counts.probabilities(text); };
}

}  // namespace tfs
