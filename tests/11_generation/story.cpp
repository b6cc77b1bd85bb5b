// tests/11_generation/story.cpp · what generate does, told line by line by a model
#include "tests/11_generation/story.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include "chapters/11_generation/given/prompts.hpp"
#include "tests/11_generation/checklist.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {

namespace {

constexpr std::size_t telling_vocab = 11;

using Seen = std::vector<std::pair<std::int64_t, std::size_t>>;  // tokens with their positions, oldest first

// Of a row that reads the last `seq` of these.
std::string read_line(const Seen& seen, std::size_t seq) {
    std::string own, before;
    for (std::size_t i = 0; i < seen.size(); ++i)
        (i + seq < seen.size() ? before : own) += fmt::format(" {}@{}", seen[i].first, seen[i].second);
    return "the model reads" + own + ", behind" + (before.empty() ? " nothing" : before);
}

std::string pass_line(std::size_t rows, std::size_t seq) {
    return fmt::format("that was a pass of {} x {} tokens", rows, seq);
}

// Logits from -2 to 2 after the newest `window` of the first `count`.
void add_logits(const Seen& seen, std::size_t count, std::size_t window, std::vector<float>& logits) {
    std::uint64_t key = std::min(count, window);
    for (std::size_t i = count - key; i < count; ++i)
        key = splitmix64(key, static_cast<std::uint64_t>(seen[i].first) * 1000 + seen[i].second);
    for (std::size_t id = 0; id < telling_vocab; ++id)
        logits.push_back(static_cast<float>(splitmix64(key, id) >> 40) * 0x1p-22f - 2.0f);
}

}  // namespace

LanguageModel telling_model(std::size_t max_len, std::optional<std::size_t> window, Story* story) {
    const auto logits = [=](const Ids& ids, const Pass& pass) {
        const std::size_t rows = ids.shape()[0], seq = ids.shape()[1];
        std::vector<float> own;
        for (std::size_t row = 0; row < rows; ++row)
            for (std::size_t i = 0; i < seq; ++i) {
                own.push_back(static_cast<float>(ids(row, i)));
                own.push_back(static_cast<float>(pass.offset[row] + i));
            }
        const Tensor x = Tensor::from({rows, 1, seq, 2}, own);
        const KeysValues all = pass.all({x, x});
        const Tensor kept = all.keys;  // (rows, 1, longest, 2): a shorter row stands at the end
        const Offset lengths = all.keys.lengths();
        std::vector<float> result;
        for (std::size_t row = 0; row < rows; ++row) {
            Seen seen;
            for (std::size_t i = kept.size(2) - lengths[row]; i < kept.size(2); ++i) {
                const auto pair = kept.values().subspan((row * kept.size(2) + i) * 2, 2);
                seen.emplace_back(static_cast<std::int64_t>(pair[0]), static_cast<std::size_t>(pair[1]));
            }
            if (story != nullptr) story->push_back(read_line(seen, seq));
            for (std::size_t count = seen.size() - seq + 1; count <= seen.size(); ++count)
                add_logits(seen, count, window.value_or(count), result);
        }
        if (story != nullptr) story->push_back(pass_line(rows, seq));
        return Tensor::from({rows, seq, telling_vocab}, result);
    };
    return {.vocab_size = telling_vocab, .max_len = max_len, .logits = logits};
}

namespace {

GenerationOptions options_of(const Task& task, Story& story) {
    GenerationOptions options{.new_tokens = task.new_tokens,
                              .sampling = task.sampling,
                              .end_id = task.end_id,
                              .window = task.window};
    for (std::size_t back = 1; task.rule && back <= 2; ++back)
        options.rules.push_back([&story, back](std::span<const std::int64_t> text, std::span<float> logits) {
            story.push_back(fmt::format("rule {} is asked about {}", back, fmt::join(text, " ")));
            if (back <= text.size()) logits[static_cast<std::size_t>(text[text.size() - back])] = -infinity;
        });
    if (task.tells || task.stop)
        options.on_token = [&story, stop = task.stop](std::size_t prompt, std::int64_t token) {
            story.push_back(fmt::format("on_token: prompt {} gets {}", prompt, token));
            return token != stop;
        };
    return options;
}

std::vector<Rng> own_rngs(const Task& task) {
    std::vector<Rng> rngs;
    for (std::size_t i = 0; i < task.prompts.size(); ++i) rngs.emplace_back(100 + i);
    return rngs;
}

void tell_texts(const std::vector<Generated>& texts, std::vector<Rng>& rngs, Story& story) {
    for (std::size_t i = 0; i < texts.size(); ++i)
        story.push_back(fmt::format("text {}: {}; ended: {}; the next number of its Rng: {:.6f}", i,
                                    fmt::join(texts[i].tokens, " "), in_words(texts[i].ended),
                                    i < rngs.size() ? rngs[i].uniform() : NAN));
}

Story story_of(const Task& task) {
    Story story;
    std::vector<Rng> rngs = own_rngs(task);
    const LanguageModel model = telling_model(task.max_len, task.window, &story);
    const Thrown thrown = thrown_by(
        [&] { tell_texts(generate(model, task.prompts, options_of(task, story), rngs), rngs, story); });
    if (!thrown.type.empty()) story.push_back("an error: " + thrown.sentence);
    return story;
}

// A pass that reads `seq` tokens of each text, from `begin` on; or the last one of each.
void tell_pass(const std::vector<TokenIds>& texts, std::optional<std::size_t> begin, std::size_t seq,
               std::size_t window, Story& story) {
    for (const TokenIds& text : texts) {
        const std::size_t first = begin.value_or(text.size() - 1);
        Seen seen;
        for (std::size_t t = first - std::min(first, window - 1); t < first + seq; ++t)
            seen.emplace_back(t < text.size() ? text[t] : 0, t);
        story.push_back(read_line(seen, seq));
    }
    story.push_back(pass_line(texts.size(), seq));
}

Story expected_story(const Task& task) {
    Story story;
    const GenerationOptions options = options_of(task, story);
    const LanguageModel model = telling_model(task.max_len, task.window);
    std::vector<Rng> rngs = own_rngs(task);
    std::vector<TokenIds> texts = task.prompts;
    std::vector<Generated> written(texts.size());
    std::vector<bool> going(texts.size(), true);
    const auto end_if = [&](bool ends, std::size_t i, Ended why) {
        if (!ends) return;
        written[i].ended = why;
        going[i] = false;
    };
    const auto look_at_length = [&](std::size_t i) {
        end_if(texts[i].size() == task.max_len, i, Ended::full);
        end_if(written[i].tokens.size() == task.new_tokens, i, Ended::count);
    };
    const auto write_a_token = [&](std::size_t i) {
        const Tensor logits = logits_of(model, texts[i]);
        const auto last = logits.values().last(telling_vocab);
        std::vector<float> scores(last.begin(), last.end());
        for (const LogitsRule& rule : options.rules) rule(texts[i], scores);
        const std::int64_t token = sample(token_probabilities(scores, task.sampling), rngs[i]);
        if (token == task.end_id) return end_if(true, i, Ended::end_id);
        texts[i].push_back(token);
        written[i].tokens.push_back(token);
        look_at_length(i);
        end_if(options.on_token && !options.on_token(i, token), i, Ended::stopped);
    };
    const std::size_t most = longest(texts), window = task.window.value_or(task.max_len);
    tell_pass(texts, 0, std::min(most, window), window, story);
    for (std::size_t t = std::min(most, window); t < most; ++t) tell_pass(texts, t, 1, window, story);
    for (std::size_t i = 0; i < texts.size(); ++i) look_at_length(i);
    while (true) {
        std::vector<TokenIds> read;
        for (std::size_t i = 0; i < texts.size(); ++i) {
            if (going[i]) write_a_token(i);
            if (going[i]) read.push_back(texts[i]);
        }
        if (read.empty()) break;
        tell_pass(read, std::nullopt, 1, window, story);
    }
    tell_texts(written, rngs, story);
    return story;
}

}  // namespace

std::string in_words(Ended ended) {
    constexpr std::array words{"end_id", "count", "full", "stopped"};
    return words.at(static_cast<std::size_t>(ended));
}

testing::AssertionResult does_it_right(const Task& task) {
    const Story found = story_of(task), expected = expected_story(task);
    if (found == expected) return testing::AssertionSuccess();
    const auto [wrong, right] = std::mismatch(found.begin(), found.end(), expected.begin(), expected.end());
    auto failure = testing::AssertionFailure()
                   << "got\n    " << (wrong == found.end() ? "nothing more" : *wrong) << "\nexpected\n    "
                   << (right == expected.end() ? "nothing more" : *right);
    if (wrong != found.begin()) failure << "\nafter\n    " << *(wrong - 1);
    return failure << "\n(5@2 is token 5 at position 2)" << came(fmt::format("{}", fmt::join(found, "\n")));
}

}  // namespace tfs::test
