// chapters/10_training/program/character_heads_table.cpp · which head looks how far back, and which one finds repetitions
#include <fmt/ostream.h>

#include "chapters/10_training/program/character_sections.hpp"

namespace tfs {

namespace {

std::string name_of(const HeadScores& head) {
    return fmt::format("layer {}, head {}", head.layer + 1, head.head + 1);
}

}  // namespace

void print_heads(Show& show, const CharacterHeads& scores) {
    const auto print = [&](const std::string& name, const std::array<double, 3>& back, double induction) {
        fmt::print(show.out, "  {:<18} {:>8.2f} {:>8.2f} {:>8.2f} {:>11.2f}\n", name, back[0], back[1],
                   back[2], induction);
    };
    fmt::print(show.out, "  {:<18} {:>8} {:>8} {:>8} {:>11}\n", "mean weight", "1 back", "2 back", "3 back",
               "induction");
    for (const HeadScores& head : scores.heads) print(name_of(head), head.back, head.induction);
    print("an even spread", scores.back_by_chance, scores.induction_by_chance);
    fmt::print(
        show.out,
        "  1 back: from a position to the one before it, in held-out text; and so on.\n"
        "  induction: in random characters that are written twice, from the second time to what came after "
        "the\n  first time. The first time they cost {:.2f} bits each, the second time {:.2f}.\n",
        scores.bits_of_first, scores.bits_of_second);
}

}  // namespace tfs
