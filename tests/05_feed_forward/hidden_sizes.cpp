// tests/05_feed_forward/hidden_sizes.cpp · what swiglu_hidden_size gives, and the mistake behind another size
#include "tests/05_feed_forward/hidden_sizes.hpp"

#include <fmt/format.h>

#include <functional>
#include <string>

#include "chapters/05_feed_forward/feed_forward.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {
namespace {

std::size_t up(std::size_t size, std::size_t m) { return (size + m - 1) / m * m; }

struct Mistake {
    std::string message;
    std::function<std::size_t(std::size_t, std::size_t)> size;  // of d_ff and multiple_of
};

std::vector<Mistake> mistakes() {
    const auto third = [](std::size_t d_ff) { return 2 * d_ff / 3; };
    std::vector<Mistake> all{
        {"2 / 3 of integers is 0: multiply first, then divide", [](auto, auto) { return 0; }},
        {"d_ff / 3 * 2 loses the remainder before it is doubled: multiply first, then divide",
         [](auto d_ff, auto m) { return up(d_ff / 3 * 2, m); }},
        {"two thirds were rounded up to a whole number; LLaMA cuts the fraction off",
         [](auto d_ff, auto m) { return up((2 * d_ff + 2) / 3, m); }},
        {"two thirds were rounded to the nearest whole number; LLaMA cuts the fraction off",
         [](auto d_ff, auto m) { return up((2 * d_ff + 1) / 3, m); }},
        {"rounded down to the multiple; it must be rounded up",
         [=](auto d_ff, auto m) { return third(d_ff) / m * m; }},
        {"rounded to the nearest multiple; it must be rounded up",
         [=](auto d_ff, auto m) { return (third(d_ff) + m / 2) / m * m; }},
        {"a size that is a multiple already must stay as it is; one multiple too many was added",
         [=](auto d_ff, auto m) { return (third(d_ff) / m + 1) * m; }},
        {"the remainder is added; it must be what is missing to the next multiple",
         [=](auto d_ff, auto m) { return third(d_ff) + third(d_ff) % m; }},
        {"a mask of bits, & ~(multiple_of - 1), finds multiples of powers of two only; any number may be "
         "wanted",
         [=](auto d_ff, auto m) { return (third(d_ff) + m - 1) & ~(m - 1); }},
        {"d_ff is rounded up before two thirds are taken; what is left of it must be rounded up",
         [=](auto d_ff, auto m) { return third(up(d_ff, m)); }},
        {"two thirds, but not rounded up to a multiple", [=](auto d_ff, auto) { return third(d_ff); }},
        {"two thirds of d_model were taken; they must be of d_ff, which is 4 d_model",
         [=](auto d_ff, auto m) { return up(third(d_ff / 4), m); }},
        {"two thirds of d_model were taken; they must be of d_ff, which is 4 d_model",
         [](auto d_ff, auto m) { return up(d_ff / 6, m); }},
        {"8/3 were taken, as of d_model; the function is given d_ff, 4 d_model, and takes 2/3 of that",
         [](auto d_ff, auto m) { return up(8 * d_ff / 3, m); }},
        {"8/3 were taken, as of d_model; the function is given d_ff, 4 d_model, and takes 2/3 of that",
         [](auto d_ff, auto) { return 8 * d_ff / 3; }},
        {"d_ff is rounded up, but not reduced to two thirds", [](auto d_ff, auto m) { return up(d_ff, m); }},
        {"3/2 of d_ff was taken, not 2/3", [](auto d_ff, auto m) { return up(3 * d_ff / 2, m); }}};
    const std::string floats =
        "two thirds are computed in floats, which hold 24 bits, so a large d_ff comes out wrong; compute in "
        "whole numbers";
    for (const auto& two_thirds : std::vector<std::function<float(float)>>{
             [](float d) { return 2.0f * d / 3.0f; }, [](float d) { return d / 3.0f * 2.0f; },
             [](float d) { return d * (2.0f / 3.0f); }})
        all.push_back({floats, [=](auto d_ff, auto m) {
                           return up(static_cast<std::size_t>(two_thirds(static_cast<float>(d_ff))), m);
                       }});
    for (const double decimal :
         {0.66, 0.67, 0.666, 0.667, 0.6666, 0.6667, 0.66666, 0.66667, 0.666666, 0.666667})
        all.push_back(
            {fmt::format("{} is used for 2/3, and is not equal to it: multiply by 2, then divide by "
                         "3, in whole numbers",
                         decimal),
             [=](auto d_ff, auto m) {
                 return up(static_cast<std::size_t>(decimal * static_cast<double>(d_ff)), m);
             }});
    return all;
}

// The mistake that gives the learner's sizes in all cases, also in those where they are right.
std::string likely_mistake() {
    for (const Mistake& mistake : mistakes()) {
        bool gives_all = true;
        for (const auto& cases : {llama, multiples_already, with_a_fraction})
            for (const HiddenSize& c : cases)
                gives_all = gives_all &&
                            swiglu_hidden_size(c.d_ff, c.multiple_of) == mistake.size(c.d_ff, c.multiple_of);
        if (gives_all) return mistake.message;
    }
    return "";
}

}  // namespace

void hidden_sizes_are(const std::vector<HiddenSize>& cases) {
    for (const HiddenSize& c : cases) {
        const std::size_t size = swiglu_hidden_size(c.d_ff, c.multiple_of);
        if (size == c.expected) continue;
        const std::string mistake = likely_mistake();
        ADD_FAILURE() << fmt::format("swiglu_hidden_size({}, {}) is {}, expected {}", c.d_ff, c.multiple_of,
                                     size, c.expected)
                      << likely_if(!mistake.empty(), mistake);
    }
}

}  // namespace tfs::test
