// chapters/13_long_inputs/program/ring.cpp · a text on several machines, whose keys go round
#include <fmt/format.h>

#include <utility>

#include "chapters/13_long_inputs/program/options.hpp"

namespace tfs {

namespace {

constexpr std::size_t machines_shown = 4, positions_shown = 256;

std::size_t piece_of_text(std::size_t position, std::size_t length, std::size_t machines) {
    return position * machines / length;
}

// The share of its pairs of a query and a key that a machine computes in a round.
HeatMapPanel panel_of(const std::string& title, const Ring& ring) {
    constexpr float in_all = (positions_shown / machines_shown) * (positions_shown / machines_shown);
    HeatMapPanel panel{.title = title,
                       .values = Array::from_shape({machines_shown, machines_shown}),
                       .quantity = "share of its pairs that it computes"};
    for (std::size_t round = 0; round < machines_shown; ++round) {
        panel.rows.push_back(fmt::format("round {}", round + 1));
        panel.columns.push_back(fmt::format("machine {}", round + 1));
        for (std::size_t m = 0; m < machines_shown; ++m)
            panel.values(round, m) = static_cast<float>(ring.pairs[round][m]) / in_all;
    }
    return panel;
}

Report show_ring(const Request& request) {
    const Head head = drawn_head(positions_shown, 16, request[options::seed]);
    const Ring in_pieces = ring_attention(head, machines_shown, piece_of_text),
               yours = ring_attention(head, machines_shown, machine_of);
    const Matrix alone = attend_key_by_key(head, sees_earlier(positions_shown));
    Table table{.columns = {{"a machine keeps"},
                            {"positions of a machine"},
                            {"time, if always busy = 1", fixed(2)},
                            {"largest difference", magnitude()}}};
    for (const auto& [name, ring] : {std::pair<std::string, const Ring&>{"a piece of the text", in_pieces},
                                     {"what machine_of says", yours}})
        table.add({name,
                   ring.fewest_positions == ring.most_positions
                       ? fmt::format("{}", ring.most_positions)
                       : fmt::format("{} to {}", ring.fewest_positions, ring.most_positions),
                   ring.waiting(),
                   largest_difference(as_tensor(ring.output).array(), as_tensor(alone).array())});
    Report report;
    report.add(table);
    report.note("The last column compares them with one machine that has all keys.");
    report.add(HeatMapFigure{
        .name = "ring",
        .title = "In pieces of the text, some machines wait in every round but the first",
        .row_axis = "",
        .column_axis = "",
        .panels = {panel_of("a piece of the text each", in_pieces), panel_of("as machine_of says", yours)},
        .caption = "The share of all pairs of its queries and the visiting keys that a machine must compute "
                   "in each round; an empty cell: it waits. 256 positions. A round lasts as long as its "
                   "busiest machine. In the first round the share is a little more than half, because a "
                   "position sees itself. Left: the first machine has the earliest piece, and the keys that "
                   "visit it are all later."});
    return report;
}

}  // namespace

Sections ring_sections() {
    return {{"ring", "The puzzle: four machines in a ring", show_ring, {options::seed}}};
}

}  // namespace tfs
