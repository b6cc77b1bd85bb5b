// chapters/11_generation/models/texts.cpp · texts that grow, and what ends them; `probabilities` calls step sample
#include "chapters/11_generation/models/texts.hpp"

#include <algorithm>

namespace tfs {

Texts::Texts(const std::vector<TokenIds>& prompts, const LanguageModel& model,
             const GenerationOptions& options)
    : texts_(prompts),
      written_(prompts.size()),
      going_(prompts.size(), true),
      max_len_(model.max_len),
      options_(options) {
    for (std::size_t prompt = 0; prompt < prompts.size(); ++prompt) look_for_end(prompt);
}

std::size_t Texts::room(std::size_t prompt) const {
    return std::min(options_.new_tokens - written_[prompt].tokens.size(), max_len_ - texts_[prompt].size());
}

std::vector<double> Texts::probabilities(std::span<const std::int64_t> text,
                                         std::vector<float> logits) const {
    for (const LogitsRule& rule : options_.rules) rule(text, logits);
    return token_probabilities(logits, options_.sampling);
}

bool Texts::add(std::size_t prompt, std::int64_t token) {
    if (token == options_.end_id) {
        end(prompt, Ended::end_id);
        return false;
    }
    texts_[prompt].push_back(token);
    written_[prompt].tokens.push_back(token);
    if (options_.on_token && !options_.on_token(prompt, token)) {
        end(prompt, Ended::stopped);
    } else {
        look_for_end(prompt);
    }
    return going_[prompt];
}

void Texts::end(std::size_t prompt, Ended why) {
    written_[prompt].ended = why;
    going_[prompt] = false;
}

void Texts::look_for_end(std::size_t prompt) {
    if (written_[prompt].tokens.size() >= options_.new_tokens) {
        end(prompt, Ended::count);
    } else if (texts_[prompt].size() >= max_len_) {
        end(prompt, Ended::full);
    }
}

}  // namespace tfs
