// tests/11_generation/story.cpp · what generate does, told line by line
#include "tests/11_generation/story.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "chapters/11_generation/given/prompts.hpp"
#include "tests/11_generation/wrong_generates.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {

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

// One of the texts, written without a cache.
struct Writing {
    const Task& task;
    const GenerationOptions& options;
    std::size_t prompt;
    Rng& rng;
    TokenIds text = task.prompts[prompt];
    Generated written = {};
    bool over = false;

    void end(Ended why) {
        written.ended = why;
        over = true;
    }
    void look_at_length() {
        if (over) return;
        if (text.size() == task.max_len) end(Ended::full);
        if (written.tokens.size() == task.new_tokens) end(Ended::count);
    }
    void write_a_token() {
        const LanguageModel model = telling_model(task.max_len, task.window);
        std::vector<float> logits =
            logits_at(model.logits(columns({text}, 0, text.size()), {}), 0, text.size() - 1);
        for (const LogitsRule& rule : options.rules) rule(text, logits);
        const std::int64_t token = sample(token_probabilities(logits, task.sampling), rng);
        if (token == task.end_id) return end(Ended::end_id);
        text.push_back(token);
        written.tokens.push_back(token);
        if (options.on_token && !options.on_token(prompt, token)) end(Ended::stopped);
        look_at_length();
    }
};

}  // namespace

Story expected_story(const Task& task) {
    Story story;
    const GenerationOptions options = options_of(task, story);
    std::vector<Rng> rngs = own_rngs(task);
    const std::size_t most = longest(task.prompts), window = task.window.value_or(task.max_len);
    tell_pass(task.prompts, 0, std::min(most, window), window, story);
    for (std::size_t t = std::min(most, window); t < most; ++t) tell_pass(task.prompts, t, 1, window, story);
    std::vector<Writing> all;
    for (std::size_t i = 0; i < task.prompts.size(); ++i) all.push_back({task, options, i, rngs[i]});
    for (Writing& one : all) one.look_at_length();
    while (true) {
        std::vector<TokenIds> going;
        for (Writing& one : all) {
            if (!one.over) one.write_a_token();
            if (!one.over) going.push_back(one.text);
        }
        if (going.empty()) break;
        tell_pass(going, std::nullopt, 1, window, story);
    }
    std::vector<Generated> texts;
    for (const Writing& one : all) texts.push_back(one.written);
    tell_texts(texts, rngs, story);
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
