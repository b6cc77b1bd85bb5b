// common/tensor/named_axes.cpp
#include "common/tensor/named_axes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "common/base/array.hpp"

namespace tfs {

namespace {

// The words of "... seq d_k+" one after the other.
struct Axes {
    bool any_before;  // "..."
    std::string_view words;
    std::size_t count;

    explicit Axes(std::string_view axes) : any_before(axes.starts_with("...")), words(axes) {
        if (any_before) words.remove_prefix(std::min<std::size_t>(words.size(), 4));
        count = words.empty() ? 0 : static_cast<std::size_t>(std::count(words.begin(), words.end(), ' ')) + 1;
    }

    struct Word {
        std::string_view axis;
        bool at_least_one;  // "+"
    };
    Word next() {
        const std::string_view word = words.substr(0, words.find(' '));
        words.remove_prefix(std::min(word.size() + 1, words.size()));
        const bool plus = word.ends_with('+');
        return {word.substr(0, word.size() - (plus ? 1 : 0)), plus};
    }
};

using Known = std::initializer_list<KnownSize>;

struct Misfit {
    const Shaped* at = nullptr;
    std::string sentence;
};

Misfit first_misfit(std::span<const Shaped> all, Known known) {
    std::array<KnownSize, 16> sizes;  // of each word that came; no operation has as many
    auto end = std::copy(known.begin(), known.end(), sizes.begin());
    const Shaped* begun = nullptr;  // the first with "..."
    std::span<const std::size_t> leading;
    for (const Shaped& one : all) {
        Axes axes(one.axes);
        const std::size_t rank = one.sizes.size();
        if (rank < axes.count || (rank > axes.count && !axes.any_before))
            return {&one, fmt::format("{} has {} {}, not {}{}", one.name, rank, rank == 1 ? "axis" : "axes",
                                      axes.count, axes.any_before ? " or more" : "")};
        const auto before = one.sizes.first(rank - axes.count);
        if (axes.any_before && !begun) begun = &one, leading = before;
        if (axes.any_before && !std::ranges::equal(before, leading))
            return {&one,
                    fmt::format("the first axes are ({}) in {} and ({}) in {}{}", fmt::join(leading, ", "),
                                begun->name, fmt::join(before, ", "), one.name,
                                before.size() == leading.size() ? "" : "; is only one of them split?")};
        for (const std::size_t size : one.sizes.last(axes.count)) {
            const Axes::Word word = axes.next();
            const std::string_view axis = word.axis;
            if (word.at_least_one && size == 0)
                return {&one, fmt::format("{} is 0 in {}; there must be at least 1", axis, one.name)};
            std::size_t number = 0;
            const bool is_number =
                std::from_chars(axis.data(), axis.data() + axis.size(), number).ec == std::errc();
            const auto first =
                std::find_if(sizes.begin(), end, [&](const KnownSize& k) { return k.axis == axis; });
            if (is_number && size != number)
                return {&one, fmt::format("a size of {} is {}, not {}", one.name, size, number)};
            if (first == end)
                sizes.at(static_cast<std::size_t>(end++ - sizes.begin())) = {axis, size, one.name};
            else if (first->size != size)
                return {&one, fmt::format("{} is {} in {} and {} in {}", axis, first->size, first->where,
                                          size, one.name)};
        }
    }
    return {};
}

// What explains it in general: two axes that changed places, or a batch of one without its axis.
std::string general_cause(const Shaped& at, std::span<const Shaped> all, Known known) {
    std::vector<Shaped> others(all.begin(), all.end());
    for (std::size_t i = others.size(); i-- > 0;) {  // the last first: weights come last
        Shaped& one = others[i];
        const std::span<const std::size_t> sizes = one.sizes;
        if (sizes.size() < 2 || std::ranges::count(sizes, 0U) > 0) continue;
        Shape swapped(sizes.begin(), sizes.end());
        std::swap(swapped.back(), swapped[swapped.size() - 2]);
        one.sizes = swapped;
        if (!first_misfit(others, known).at)
            return fmt::format("; are the last two axes of {} transposed?", one.name);
        one.sizes = sizes;
    }
    const bool one_less = at.sizes.size() + 1 == Axes(at.axes).count;
    return one_less && at.axes.starts_with("batch") ? "; is a batch of 1 missing?" : "";
}

// "(..., seq, d_model = 8)"
std::string written(const Shaped& one, Known known) {
    Axes axes(one.axes);
    std::vector<std::string> words;
    if (axes.any_before) words.emplace_back("...");
    while (!axes.words.empty()) {
        words.emplace_back(axes.next().axis);
        for (const KnownSize& k : known)
            if (k.axis == words.back()) words.back() += fmt::format(" = {}", k.size);
    }
    return fmt::format("({})", fmt::join(words, ", "));
}

}  // namespace

void require_shapes(std::string_view operation, std::initializer_list<Shaped> all, Known known) {
    const Misfit misfit = first_misfit(all, known);
    if (!misfit.at) return;
    std::vector<std::string> are, must_be;
    for (const Shaped& one : all) {
        are.push_back(fmt::format("{} ({})", one.name, fmt::join(one.sizes, ", ")));
        must_be.push_back(written(one, known));
    }
    std::string cause = general_cause(*misfit.at, all, known);
    if (const std::string_view own = misfit.at->cause; !own.empty())  // "…; is this so, or is that so?"
        cause = fmt::format("{}{}{}", cause.substr(0, cause.find('?')), cause.empty() ? "; " : ", or ", own);
    throw ShapeError(fmt::format("{}: {} must be {}: {}{}", operation, fmt::join(are, ", "),
                                 fmt::join(must_be, ", "), misfit.sentence, cause));
}

std::string named_shape(const Shape& shape, const std::vector<std::string>& axes) {
    if (axes.size() != shape.size())
        throw ShapeError(fmt::format("{} names of axes for the shape {}", axes.size(), to_string(shape)));
    std::vector<std::string> named;
    for (std::size_t i = 0; i < axes.size(); ++i) named.push_back(fmt::format("{} {}", axes[i], shape[i]));
    return fmt::format("({})", fmt::join(named, ", "));
}

}  // namespace tfs
