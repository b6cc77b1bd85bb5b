// tests/11_generation/story.cpp · what generate does, told line by line, with a model that tells what it reads
#include "tests/11_generation/story.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "chapters/11_generation/given/prompts.hpp"
#include "common/base/rng.hpp"
#include "tests/11_generation/wrong_generates.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {

namespace {

constexpr std::size_t vocab = 11;

// Tokens with their positions, oldest first.
struct Seen {
    TokenIds tokens = {};
    std::vector<std::size_t> positions = {};
};

void write_logits(const Seen& seen, std::size_t count, float* out) {
    std::uint64_t key = count;
    for (std::size_t i = 0; i < count; ++i)
        key = splitmix64(key, static_cast<std::uint64_t>(seen.tokens[i]) * 1000 + seen.positions[i]);
    for (std::size_t id = 0; id < vocab; ++id)
        out[id] = static_cast<float>(splitmix64(key, id) >> 40) * 0x1p-22f - 2.0f;  // from -2 to 2
}

std::string read_line(const Seen& seen, std::size_t seq) {
    const auto behind = static_cast<std::ptrdiff_t>(seen.tokens.size() - seq);
    const TokenIds before(seen.tokens.begin(), seen.tokens.begin() + behind),
        own(seen.tokens.begin() + behind, seen.tokens.end());
    const std::size_t first = seen.positions[static_cast<std::size_t>(behind)];
    std::string line = fmt::format("the model reads {} at position {}, behind {}", fmt::join(own, " "), first,
                                   before.empty() ? "nothing" : fmt::format("{}", fmt::join(before, " ")));
    bool in_turn = true;
    for (std::size_t i = 1; i < seen.positions.size(); ++i)
        in_turn = in_turn && seen.positions[i] == seen.positions[i - 1] + 1;
    return in_turn ? line : line + fmt::format("; all their positions: {}", fmt::join(seen.positions, " "));
}

// What row `row` sees: the ids of this pass, or those that the cache keeps with them.
Seen seen_by(const Ids& ids, const Pass& pass, const Tensor* keys, const Tensor* values, std::size_t kept,
             std::size_t row) {
    Seen seen;
    const std::size_t seq = ids.shape()[1], all = keys == nullptr ? seq : keys->size(2);
    for (std::size_t i = keys == nullptr ? 0 : all - kept; i < all; ++i) {
        seen.tokens.push_back(keys == nullptr ? ids(row, i)
                                              : static_cast<std::int64_t>(keys->values()[row * all + i]));
        seen.positions.push_back(keys == nullptr ? pass.offset[row] + i
                                                 : static_cast<std::size_t>(values->values()[row * all + i]));
    }
    return seen;
}

// The newest `window` of the first `count`.
Seen newest(const Seen& seen, std::size_t count, std::size_t window) {
    const auto begin = static_cast<std::ptrdiff_t>(count - std::min(count, window)),
               end = static_cast<std::ptrdiff_t>(count);
    return {{seen.tokens.begin() + begin, seen.tokens.begin() + end},
            {seen.positions.begin() + begin, seen.positions.begin() + end}};
}

}  // namespace

LanguageModel telling_model(std::size_t max_len, std::optional<std::size_t> window, Story* story) {
    const auto logits = [window, story](const Ids& ids, const Pass& pass) {
        const std::size_t rows = ids.shape()[0], seq = ids.shape()[1];
        std::optional<Tensor> keys, values;
        Offset kept = seq;
        if (pass.earlier != nullptr) {
            Tensor tokens = Tensor::zeros({rows, 1, seq, 1}), positions = Tensor::zeros({rows, 1, seq, 1});
            for (std::size_t row = 0; row < rows; ++row)
                for (std::size_t i = 0; i < seq; ++i) {
                    tokens.mutable_array()(row, 0, i, 0) = static_cast<float>(ids(row, i));
                    positions.mutable_array()(row, 0, i, 0) = static_cast<float>(pass.offset[row] + i);
                }
            const KeysValues all = pass.earlier->append(0, {tokens, positions});
            keys = all.keys;
            values = all.values;
            kept = all.keys.lengths();
        }
        Tensor result = Tensor::zeros({rows, seq, vocab});
        for (std::size_t row = 0; row < rows; ++row) {
            const Seen seen =
                seen_by(ids, pass, keys ? &*keys : nullptr, values ? &*values : nullptr, kept[row], row);
            if (story != nullptr) story->push_back(read_line(seen, seq));
            for (std::size_t i = 0; i < seq; ++i) {
                const std::size_t count = seen.tokens.size() - seq + i + 1;
                const Seen near = newest(seen, count, window.value_or(count));
                write_logits(near, near.tokens.size(),
                             result.mutable_array().data() + (row * seq + i) * vocab);
            }
        }
        if (story != nullptr) story->push_back(fmt::format("that was a pass of {} x {} tokens", rows, seq));
        return result;
    };
    return {.vocab_size = vocab, .max_len = max_len, .logits = logits};
}

namespace {

GenerationOptions options_of(const Task& task, Story& story) {
    GenerationOptions options{.new_tokens = task.new_tokens,
                              .sampling = task.sampling,
                              .end_id = task.end_id,
                              .window = task.window};
    if (task.rule)
        options.rules.push_back([&story](std::span<const std::int64_t> text, std::span<float> logits) {
            story.push_back(fmt::format("the rule is asked about {}", fmt::join(text, " ")));
            for (const std::int64_t token : text.last(std::min<std::size_t>(text.size(), 2)))
                logits[static_cast<std::size_t>(token)] = -INFINITY;
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
    constexpr std::array<std::string_view, 4> words{"end_id", "count", "full", "stopped"};
    for (std::size_t i = 0; i < texts.size(); ++i)
        story.push_back(fmt::format(
            "text {}: {}; ended: {}; the next number of its Rng: {:.6f}", i, fmt::join(texts[i].tokens, " "),
            words.at(static_cast<std::size_t>(texts[i].ended)), i < rngs.size() ? rngs[i].uniform() : NAN));
}

}  // namespace

Story story_of(const Task& task, const Generate& generate) {
    Story story;
    std::vector<Rng> rngs = own_rngs(task);
    const LanguageModel model = telling_model(task.max_len, task.window, &story);
    try {
        tell_texts(generate(model, task.prompts, options_of(task, story), rngs), rngs, story);
    } catch (const NotImplemented&) {
        throw;
    } catch (const Error& error) {
        story.push_back(fmt::format("an error: {}", error.what()));
    }
    return story;
}

namespace {

// A pass that reads `seq` tokens of each text, from `begin` on; or the last one of each.
void tell_pass(const std::vector<TokenIds>& texts, std::optional<std::size_t> begin, std::size_t seq,
               std::size_t window, Story& story) {
    for (const TokenIds& text : texts) {
        const std::size_t first = begin.value_or(text.size() - 1);
        Seen seen;
        for (std::size_t t = first - std::min(first, window - 1); t < first + seq; ++t) {
            seen.tokens.push_back(t < text.size() ? text[t] : 0);
            seen.positions.push_back(t);
        }
        story.push_back(read_line(seen, seq));
    }
    story.push_back(fmt::format("that was a pass of {} x {} tokens", texts.size(), seq));
}

}  // namespace

Story expected_story(const Task& task) {
    Story story;
    const LanguageModel model = telling_model(task.max_len, task.window);
    const GenerationOptions options = options_of(task, story);
    std::vector<Rng> rngs = own_rngs(task);
    std::vector<TokenIds> texts = task.prompts;
    std::vector<Generated> written(texts.size());
    std::size_t most = 0;
    for (const TokenIds& text : texts) most = std::max(most, text.size());
    const std::size_t window = task.window.value_or(task.max_len), at_once = std::min(most, window);
    tell_pass(texts, 0, at_once, window, story);
    for (std::size_t t = at_once; t < most; ++t) tell_pass(texts, t, 1, window, story);
    std::vector<bool> over(texts.size(), false);
    while (true) {
        std::vector<TokenIds> going;
        for (std::size_t i = 0; i < texts.size(); ++i) {
            auto& [tokens, ended] = written[i];
            const auto end = [&](Ended why) { over[i] = true, ended = why; };
            const auto look_at_length = [&] {
                if (texts[i].size() == task.max_len) end(Ended::full);
                if (tokens.size() == task.new_tokens) end(Ended::count);
            };
            if (!over[i]) look_at_length();
            if (over[i]) continue;
            const Tensor all = model.logits(columns({texts[i]}, 0, texts[i].size()), {});
            const auto last = all.values().last(vocab);
            std::vector<float> logits(last.begin(), last.end());
            for (const LogitsRule& rule : options.rules) rule(texts[i], logits);
            const std::int64_t token = sample(token_probabilities(logits, task.sampling), rngs[i]);
            if (token == task.end_id) {
                end(Ended::end_id);
                continue;
            }
            texts[i].push_back(token);
            tokens.push_back(token);
            if (options.on_token && !options.on_token(i, token)) end(Ended::stopped);
            if (!over[i]) look_at_length();
            if (!over[i]) going.push_back(texts[i]);
        }
        if (going.empty()) break;
        tell_pass(going, std::nullopt, 1, window, story);
    }
    tell_texts(written, rngs, story);
    return story;
}

namespace {

// What is done wrong in this story; empty where it is not known. Of two wrong ways that tell it, the one that goes on to tell
// what comes of another task. With a window of 1 too many ways are the same.
std::string cause_of_story(const Task& task, const Story& found) {
    if (task.window == 1) return {};
    const Task other{.prompts = {{3, 1, 4, 1, 5}, {9, 2}, {6, 5, 3, 5}}, .end_id = 3, .rule = true};
    const Story of_other = story_of(other, generate);
    std::string first;
    for (const WrongGenerate& suspect : wrong_generates()) {
        if (story_of(task, suspect.generate) != found) continue;
        if (story_of(other, suspect.generate) == of_other) return suspect.message;
        if (first.empty()) first = suspect.message;
    }
    return first;
}

}  // namespace

testing::AssertionResult does_it_right(const Task& task) {
    const Story found = story_of(task, generate), expected = expected_story(task);
    note_came(fmt::format("{}", fmt::join(found, "\n")));
    if (found == expected) return testing::AssertionSuccess();
    const auto [wrong, right] = std::mismatch(found.begin(), found.end(), expected.begin(), expected.end());
    std::string before;
    for (auto line = found.begin(); line != wrong; ++line) before = "\nafter\n    " + *line;
    auto failure = testing::AssertionFailure()
                   << "got\n    " << (wrong == found.end() ? "nothing more" : *wrong) << "\nexpected\n    "
                   << (right == expected.end() ? "nothing more" : *right) << before;
    const std::string cause = cause_of_story(task, found);
    return failure << likely_if(!cause.empty(), cause);
}

}  // namespace tfs::test
