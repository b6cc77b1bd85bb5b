// tests/11_generation/reference_speculation.cpp · accepted() and the loop of drafts, written for the test
#include "tests/11_generation/reference_speculation.hpp"

#include <algorithm>

#include "chapters/11_generation/given/generation_checks.hpp"
#include "chapters/11_generation/given/prompts.hpp"
#include "chapters/11_generation/models/texts.hpp"

namespace tfs::test {

TokenIds reference_accepted(const TokenIds& drafted, const Rows& q, const Rows& p, Rng& rng) {
    const std::size_t n = drafted.size();
    std::size_t i = 0;
    const auto stays = [&] {
        const auto token = static_cast<std::size_t>(drafted[i]);
        return rng.uniform() * q[i][token] < p[i][token];
    };
    while (i < n && stays()) ++i;
    std::vector<double> last = p[i];
    if (i < n) {
        std::transform(p[i].begin(), p[i].end(), q[i].begin(), last.begin(),
                       [](double a, double b) { return std::max(0.0, a - b); });
        if (std::count(last.begin(), last.end(), 0.0) == std::ssize(last)) last = p[i];
        divide_by_sum(last);
    }
    TokenIds result(drafted.begin(), drafted.begin() + static_cast<std::ptrdiff_t>(i));
    result.push_back(sample(last, rng));
    return result;
}

Speculation reference_speculation(const LanguageModel& model, const Draft& draft, const TokenIds& prompt,
                                  std::size_t length, const GenerationOptions& options, Rng& rng) {
    const NoGrad no_grad;
    KeyValueCache cache(std::min(model.max_len, prompt.size() + options.new_tokens));
    Texts texts({prompt}, model, options);
    Speculation result;
    TokenIds unread = prompt;
    while (texts.goes_on(0)) {
        TokenIds text = texts.text(0), drafted, read = unread;
        Rows q, p;
        for (bool ended = false; !ended && drafted.size() < std::min(length, texts.room(0) - 1);) {
            q.push_back(draft(text));
            drafted.push_back(sample(q.back(), rng));
            text.push_back(drafted.back());
            ended = drafted.back() == options.end_id;
        }
        read.insert(read.end(), drafted.begin(), drafted.end());
        const Tensor logits = model.logits(columns({read}, 0, read.size()),
                                           {.offset = cache.next_position(), .earlier = &cache});
        const std::size_t before = text.size() - drafted.size(), n = drafted.size();
        bool can_come = true;
        for (std::size_t i = 0; i <= n && can_come; ++i) {
            p.push_back(texts.probabilities(std::span(text).first(before + i),
                                            logits_at(logits, 0, unread.size() - 1 + i)));
            if (i < n)
                can_come = drafted[i] != options.end_id && p[i][static_cast<std::size_t>(drafted[i])] > 0.0;
        }
        p.resize(n + 1, p.back());
        const TokenIds tokens = reference_accepted(drafted, q, p, rng);
        cache.drop({n + 1 - tokens.size()});
        unread = {tokens.back()};
        result.passes += 1;
        result.drafted += n;
        result.kept += tokens.size() - 1;
        for (const std::int64_t token : tokens)
            if (!texts.add(0, token)) break;
    }
    result.text = texts.result()[0];
    return result;
}

}  // namespace tfs::test
