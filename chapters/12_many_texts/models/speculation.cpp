// chapters/12_many_texts/models/speculation.cpp · a text is written with drafts; step `accepted` says which of their tokens stay
#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "chapters/11_generation/models/texts.hpp"
#include "chapters/12_many_texts/given/many_texts.hpp"

namespace tfs {

Speculation generate_speculatively(const LanguageModel& model, const Draft& draft, const TokenIds& prompt,
                                   std::size_t length, const GenerationOptions& options, Rng& rng) {
    require_prompts("generate_speculatively", model, {prompt}, options);
    require_drafts("generate_speculatively", draft, length);
    const NoGrad no_grad;
    KeyValueCache cache(prompt.size() + std::min(options.new_tokens, model.max_len - prompt.size()));
    Texts texts({prompt}, model, options);
    Speculation result;
    TokenIds unread = prompt;  // what the large model has not read of the text
    while (texts.goes_on(0)) {
        TokenIds text = texts.text(0), drafted;
        std::vector<std::vector<double>> q, p;
        const std::size_t most = std::min(length, texts.room(0) - 1);
        while (drafted.size() < most && (drafted.empty() || drafted.back() != options.end_id)) {
            std::vector<double> guess = draft(text);
            if (guess.empty()) break;
            q.push_back(std::move(guess));
            drafted.push_back(sample(q.back(), rng));
            text.push_back(drafted.back());
        }
        TokenIds read = unread;
        read.insert(read.end(), drafted.begin(), drafted.end());
        const Tensor logits = model.logits(columns({read}, 0, read.size()),
                                           {.offset = cache.next_position(), .earlier = &cache});
        // After a drafted end, or a token that can't stay, the rules may allow nothing: there stands the row before it again, and what
        // is drawn from it is thrown away.
        const auto goes_on_behind = [&](std::size_t i) {
            return p[i][static_cast<std::size_t>(drafted[i])] > 0.0 && drafted[i] != options.end_id;
        };
        for (std::size_t i = 0; i <= drafted.size() && (i == 0 || goes_on_behind(i - 1)); ++i) {
            const std::span<const std::int64_t> before(text.data(), text.size() - drafted.size() + i);
            p.push_back(texts.probabilities(before, logits_at(logits, 0, unread.size() - 1 + i)));
        }
        p.resize(drafted.size() + 1, p.back());
        const TokenIds tokens = accepted(drafted, q, p, rng);
        cache.drop({drafted.size() + 1 - tokens.size()});
        unread = {tokens.back()};

        result.passes += 1;
        result.drafted += drafted.size();
        result.kept += tokens.size() - 1;
        for (const std::int64_t token : tokens)
            if (!texts.add(0, token)) break;
    }
    result.text = texts.result()[0];
    return result;
}

}  // namespace tfs
