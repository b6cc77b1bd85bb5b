// common/tensor/require_shapes.cpp
#include "common/tensor/require_shapes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tfs {

namespace {

struct Misfit {
    const Shaped* at;
    std::string sentence;
};

struct Axes {
    bool any_before;  // "..."
    std::string_view words;
    std::size_t count;

    explicit Axes(std::string_view axes) : any_before(axes.starts_with("...")), words(axes) {
        if (any_before) words.remove_prefix(std::min<std::size_t>(words.size(), 4));
        count = words.empty() ? 0 : static_cast<std::size_t>(std::count(words.begin(), words.end(), ' ')) + 1;
    }

    std::string_view next() {
        const std::string_view word = words.substr(0, words.find(' '));
        words.remove_prefix(std::min(word.size() + 1, words.size()));
        return word;
    }
};

std::optional<std::size_t> number(std::string_view word) {
    std::size_t value = 0;
    for (const char c : word) {
        if (c < '0' || c > '9') return std::nullopt;
        value = 10 * value + static_cast<std::size_t>(c - '0');
    }
    return value;
}

bool take_plus(std::string_view& word) {
    const bool found = word.ends_with('+');
    if (found) word.remove_suffix(1);
    return found;
}

// The sizes that words have so far. A spec names a dozen of them at most.
class Sizes {
  public:
    explicit Sizes(std::initializer_list<KnownSize> known) {
        for (const KnownSize& one : known) bound_.at(count_++) = one;
    }

    // Empty where the size is that of the word, or the first one of it.
    std::string meet(std::string_view word, std::size_t size, std::string_view name) {
        if (take_plus(word) && size == 0)
            return fmt::format("{} is 0 in {}; there must be at least 1", word, name);
        if (const auto expected = number(word))
            return size == *expected ? "" : fmt::format("a size of {} is {}, not {}", name, size, *expected);
        const auto end = bound_.begin() + static_cast<std::ptrdiff_t>(count_);
        const auto first =
            std::find_if(bound_.begin(), end, [&](const KnownSize& one) { return one.axis == word; });
        if (first == end) {
            bound_.at(count_++) = {word, size, name};
            return "";
        }
        if (first->size == size) return "";
        return fmt::format("{} is {} in {} and {} in {}", word, first->size, first->where, size, name);
    }

  private:
    std::array<KnownSize, 16> bound_ = {};
    std::size_t count_ = 0;
};

std::optional<Misfit> first_misfit(std::span<const Shaped> all, std::initializer_list<KnownSize> known) {
    Sizes sizes(known);
    const Shaped* begun = nullptr;  // the first with "..."
    std::span<const std::size_t> leading;
    for (const Shaped& one : all) {
        Axes axes(one.axes);
        const std::size_t rank = one.sizes.size();
        if (axes.any_before ? rank < axes.count : rank != axes.count)
            return Misfit{&one,
                          fmt::format("{} has {} {}, not {}{}", one.name, rank, rank == 1 ? "axis" : "axes",
                                      axes.count, axes.any_before ? " or more" : "")};
        const auto before = one.sizes.first(rank - axes.count);
        if (axes.any_before && begun &&
            !std::equal(before.begin(), before.end(), leading.begin(), leading.end()))
            return Misfit{
                &one, fmt::format(
                          "the first axes are ({}) in {} and ({}) in {}{}", fmt::join(leading, ", "),
                          begun->name, fmt::join(before, ", "), one.name,
                          before.size() == leading.size() ? "" : "; is only one of them split or reshaped?")};
        if (axes.any_before && !begun) begun = &one, leading = before;
        for (const std::size_t size : one.sizes.last(axes.count))
            if (std::string why = sizes.meet(axes.next(), size, one.name); !why.empty())
                return Misfit{&one, std::move(why)};
    }
    return std::nullopt;
}

// What explains it in general: two axes that changed places, or a batch of one without its axis.
std::string general_cause(const Misfit& misfit, std::span<const Shaped> all,
                          std::initializer_list<KnownSize> known) {
    std::vector<Shaped> others(all.begin(), all.end());
    for (std::size_t i = others.size(); i-- > 0;) {  // the last first: weights come last
        Shaped& one = others[i];
        const std::span<const std::size_t> sizes = one.sizes;
        if (sizes.size() < 2 || std::find(sizes.begin(), sizes.end(), 0U) != sizes.end()) continue;
        Shape swapped(sizes.begin(), sizes.end());
        std::swap(swapped.back(), swapped[swapped.size() - 2]);
        one.sizes = swapped;
        if (!first_misfit(others, known))
            return fmt::format("; are the last two axes of {} transposed?", one.name);
        one.sizes = sizes;
    }
    const bool one_less = misfit.at->sizes.size() + 1 == Axes(misfit.at->axes).count;
    return one_less && misfit.at->axes.starts_with("batch") ? "; is a batch of 1 missing?" : "";
}

// "(..., seq, d_model = 8)"
std::string written(const Shaped& one, std::initializer_list<KnownSize> known) {
    Axes axes(one.axes);
    std::vector<std::string> words;
    if (axes.any_before) words.emplace_back("...");
    while (!axes.words.empty()) {
        std::string_view word = axes.next();
        take_plus(word);
        const auto size =
            std::find_if(known.begin(), known.end(), [&](const KnownSize& k) { return k.axis == word; });
        words.push_back(size == known.end() ? std::string(word) : fmt::format("{} = {}", word, size->size));
    }
    return fmt::format("({})", fmt::join(words, ", "));
}

}  // namespace

void require_shapes(std::string_view operation, std::initializer_list<Shaped> all,
                    std::initializer_list<KnownSize> known) {
    const std::optional<Misfit> misfit = first_misfit(all, known);
    if (!misfit) return;
    std::vector<std::string> are, must_be;
    for (const Shaped& one : all) {
        are.push_back(fmt::format("{} ({})", one.name, fmt::join(one.sizes, ", ")));
        must_be.push_back(written(one, known));
    }
    throw ShapeError(fmt::format("{}: {} must be {}: {}{}{}{}", operation, fmt::join(are, ", "),
                                 fmt::join(must_be, ", "), misfit->sentence,
                                 general_cause(*misfit, all, known), misfit->at->cause.empty() ? "" : "; ",
                                 misfit->at->cause));
}

}  // namespace tfs
