// tests/11_generation/speculative_cases.cpp · drafts that are right, wrong or anything; and whether the loop does well with them
#include "tests/11_generation/speculative_cases.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "tests/support/close.hpp"

namespace tfs::test {

namespace {

Draft one_hot_draft(const TokenIds& text, std::size_t vocab, std::size_t beside) {
    return [=](std::span<const std::int64_t> read) {
        std::vector<double> q(vocab, 0.0);
        const std::size_t next = read.size() < text.size() ? static_cast<std::size_t>(text[read.size()]) : 0;
        q[(next + beside) % vocab] = 1.0;
        return q;
    };
}

std::string in_numbers(const TokenIds& tokens) { return fmt::format("[{}]", fmt::join(tokens, " ")); }

std::string in_words(Ended ended) {
    return std::array{"end_id", "count", "full", "stopped"}[static_cast<std::size_t>(ended)];
}

// The first thing that differs; empty if nothing does.
std::string difference(const SpeculativeRun& found, const SpeculativeRun& right) {
    const Speculation &is = found.result, &must = right.result;
    if (!found.error.empty() && right.error.empty()) return "it throws: " + found.error;
    if (is.text.tokens != must.text.tokens)
        return fmt::format("it writes {}, and should write {}", in_numbers(is.text.tokens),
                           in_numbers(must.text.tokens));
    if (is.text.ended != must.text.ended)
        return fmt::format("the text ended by {}, and should end by {}", in_words(is.text.ended),
                           in_words(must.text.ended));
    if (found.passes.size() != right.passes.size())
        return fmt::format("the model runs {} times, and {} are enough", found.passes.size(),
                           right.passes.size());
    for (std::size_t i = 0; i < found.passes.size(); ++i) {
        const ReadPass &a = found.passes[i], &b = right.passes[i];
        if (!(a == b))
            return fmt::format(
                "pass {} reads {} at offset {}, with {} positions in the cache; expected: {} "
                "at {}, with {}",
                i, in_numbers(a.tokens), a.offset, a.kept.value_or(0), in_numbers(b.tokens), b.offset,
                b.kept.value_or(0));
    }
    if (is.passes != must.passes || is.drafted != must.drafted || is.kept != must.kept)
        return fmt::format("passes, drafted, kept are {}, {}, {}, and should be {}, {}, {}", is.passes,
                           is.drafted, is.kept, must.passes, must.drafted, must.kept);
    if (found.told != right.told) return "the draft is asked after other texts, or at other times";
    return found.rng != right.rng ? "other draws are made: each drafted token, then those of accepted()" : "";
}

}  // namespace

Draft uniform_draft(std::size_t vocab) {
    return [=](std::span<const std::int64_t>) {
        return std::vector<double>(vocab, 1.0 / static_cast<double>(vocab));
    };
}

Draft scattered_draft(std::size_t vocab, std::uint64_t key) {
    return [=, logits = scattered_logits(vocab, key)](std::span<const std::int64_t> text) {
        return token_probabilities(logits(text));
    };
}

Draft draft_of(const TokenIds& text, std::size_t vocab) { return one_hot_draft(text, vocab, 0); }

Draft wrong_draft_of(const TokenIds& text, std::size_t vocab) { return one_hot_draft(text, vocab, 1); }

testing::AssertionResult speculates_rightly(const std::vector<SpeculativeCase>& cases) {
    std::vector<SpeculativeRun> found, right;
    std::string first;
    for (const SpeculativeCase& one : cases) {
        found.push_back(run_of_step(one));
        right.push_back(run_with(one));
        const std::string off = difference(found.back(), right.back());
        if (first.empty() && !off.empty()) first = one.name + ": " + off;
        note_came(in_numbers(found.back().result.text.tokens));
    }
    if (first.empty()) return testing::AssertionSuccess();
    return testing::AssertionFailure() << first << cause_of_runs(cases, found, right);
}

testing::AssertionResult accepted_is_right() {
    if (accepts_rightly(drafted_cases(60, 8))) return testing::AssertionSuccess();
    return testing::AssertionFailure() << "the loop can be checked when accepted() is right";
}

}  // namespace tfs::test
