// chapters/11_generation/models/texts.hpp · texts that grow, and what ends them
#pragma once

#include "chapters/11_generation/generation.hpp"

namespace tfs {

// All texts of one call of generate, and whether each of them goes on.
class Texts {
  public:
    Texts(const std::vector<TokenIds>& prompts, const LanguageModel& model, const GenerationOptions& options);

    // Whether this text may get one more token.
    [[nodiscard]] bool goes_on(std::size_t prompt) const { return going_[prompt]; }
    // How many tokens it may get: new_tokens and max_len allow no more.
    [[nodiscard]] std::size_t room(std::size_t prompt) const;
    // Of the token after this text, the logits of which are given: the rules of the options, then token_probabilities.
    [[nodiscard]] std::vector<double> probabilities(std::span<const std::int64_t> text,
                                                    std::vector<float> logits) const;
    // Adds the token to the text, unless it is end_id, and tells it. Returns goes_on(prompt).
    bool add(std::size_t prompt, std::int64_t token);
    // The prompt with what was written behind it.
    [[nodiscard]] const TokenIds& text(std::size_t prompt) const { return texts_[prompt]; }
    [[nodiscard]] std::vector<Generated> result() const { return written_; }

  private:
    std::vector<TokenIds> texts_;
    std::vector<Generated> written_;
    std::vector<bool> going_;
    std::size_t max_len_;
    const GenerationOptions& options_;

    void end(std::size_t prompt, Ended why);
    void look_for_end(std::size_t prompt);
};

}  // namespace tfs
