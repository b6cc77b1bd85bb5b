// chapters/13_long_inputs/program/by_hand.cpp · one query and three keys, with numbers for pencil and paper; two halves merged
#include <fmt/format.h>

#include <cmath>

#include "chapters/13_long_inputs/program/options.hpp"

namespace tfs {

namespace {

const float scores_by_hand[] = {std::log(2.0f), std::log(4.0f), std::log(2.0f)},
            values_by_hand[] = {8.0f, 16.0f, 24.0f};

Partial after(std::size_t first, std::size_t end) {
    Partial partial(1);
    for (std::size_t i = first; i < end; ++i)
        add_key(partial, scores_by_hand[i], std::span(&values_by_hand[i], 1));
    return partial;
}

void add_row(Table& table, const std::string& name, const Partial& partial) {
    table.add({name, std::exp(partial.largest), partial.sum, partial.weighted[0], result_of(partial)[0]});
}

Report show_by_hand(const Request&) {
    Table table{.columns = {{"what the query knows"},
                            {"largest exp(score)", fixed(1)},
                            {"sum", fixed(2)},
                            {"weighted", fixed(2)},
                            {"mean", fixed(2)}}};
    for (std::size_t i = 0; i < 3; ++i)
        add_row(table, i == 0 ? "after key 1" : fmt::format("after keys 1 to {}", i + 1), after(0, i + 1));
    add_row(table, "key 3 alone", after(2, 3));
    add_row(table, "keys 1 to 2, and key 3, merged", merged(after(0, 2), after(2, 3)));
    table.totals = 2;
    Report report;
    report.note("exp(score) is 2, 4, 2, and the values are 8, 16, 24.");
    report.add(table);
    return report;
}

}  // namespace

Sections by_hand_sections() {
    return {{"by-hand", "By hand: three keys, one after the other", show_by_hand}};
}

}  // namespace tfs
