// Step 11.4 · speculative · ●●● · 20 min
// solutions/11_generation/speculative.cpp
#include <algorithm>
#include <span>
#include <vector>

#include "chapters/11_generation/generation.hpp"
#include "chapters/11_generation/given/generation.hpp"
#include "chapters/11_generation/models/texts.hpp"

namespace tfs {

TokenIds accepted(const TokenIds& drafted, const std::vector<std::vector<double>>& q,
                  const std::vector<std::vector<double>>& p, Rng& rng) {
    require_drafted("accepted", drafted, q, p);
    // begin: The tokens that stay, then one more. `divide_by_sum` divides.
    TokenIds result;
    for (std::size_t i = 0; i < drafted.size(); ++i) {
        const auto token = static_cast<std::size_t>(drafted[i]);
        if (rng.uniform() * q[i][token] >= p[i][token]) {  // it goes
            std::vector<double> rest(p[i].size());
            for (std::size_t j = 0; j < rest.size(); ++j) rest[j] = std::max(0.0, p[i][j] - q[i][j]);
            const bool nothing = std::all_of(rest.begin(), rest.end(), [](double r) { return r == 0.0; });
            if (nothing) rest = p[i];
            divide_by_sum(rest);
            result.push_back(sample(rest, rng));
            return result;
        }
        result.push_back(drafted[i]);
    }
    result.push_back(sample(p.back(), rng));
    return result;
    // end
}

Speculation generate_speculatively(const LanguageModel& model, const Draft& draft, const TokenIds& prompt,
                                   std::size_t length, const GenerationOptions& options, Rng& rng) {
    require_prompts("generate_speculatively", model, {prompt}, options);
    require_drafts("generate_speculatively", draft, length, options);
    const NoGrad no_grad;
    KeyValueCache cache(prompt.size() + std::min(options.new_tokens, model.max_len - prompt.size()));
    Texts texts({prompt}, model, options);
    Speculation result;
    TokenIds unread = prompt;  // what the large model has not read of the text
    // begin: As long as the text goes on: draft, read `unread` and the draft in one pass, choose, add the tokens to the text, and
    // drop what the cache holds of tokens that went. Count in `result`. After a drafted end, or a token that can't stay, the rules
    // may allow nothing: put a valid distribution there, such as the last row again. What is drawn from it is thrown away.
    while (texts.goes_on(0)) {
        TokenIds text = texts.text(0), drafted;
        std::vector<std::vector<double>> q, p;
        const std::size_t most = std::min(length, texts.room(0) - 1);
        while (drafted.size() < most && (drafted.empty() || drafted.back() != options.end_id)) {
            q.push_back(draft(text));
            drafted.push_back(sample(q.back(), rng));
            text.push_back(drafted.back());
        }
        TokenIds read = unread;
        read.insert(read.end(), drafted.begin(), drafted.end());
        const Tensor logits = model.logits(columns({read}, 0, read.size()),
                                           {.offset = cache.next_position(), .earlier = &cache});
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
    // end
    result.text = texts.result()[0];
    return result;
}

}  // namespace tfs
