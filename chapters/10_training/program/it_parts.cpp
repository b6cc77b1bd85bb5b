// chapters/10_training/program/it_parts.cpp · the trained encoder of "it", part by part: its halves, its heads
#include <fmt/format.h>

#include "chapters/10_training/models/it_insides.hpp"
#include "chapters/10_training/program/shown_task.hpp"

namespace tfs {

namespace {

constexpr std::size_t sentences_asked = 500;

Table table_of(const std::vector<ItHalf>& halves) {
    Table table{
        .columns = {{"stream behind"}, {"added", fixed(2)}, {"size", fixed(2)}, {"% right", whole()}}};
    for (const ItHalf& half : halves) table.add({half.name, half.added, half.stream, 100.0 * half.right});
    return table;
}

Table table_of(const std::vector<ItHead>& heads) {
    Table table{.columns = {{"head"},
                            {"noun reads last word", fixed(2)},
                            {"\"it\" reads verb", fixed(2)},
                            {"its noun (the other)"},
                            {"% right without", whole()}}};
    for (const ItHead& one : heads)
        table.add({fmt::format("block {}, head {}", one.block + 1, one.head + 1), one.nouns_to_last,
                   one.it_to_action, fmt::format("{:.2f} ({:.2f})", one.it_to_right, one.it_to_other),
                   100.0 * one.right_without});
    return table;
}

Report show_parts(const Request&) {
    const auto model = load_network<ItReader>(weights_file("it"), it_reader_kind());
    const std::vector<ItSentence> sentences = it_sentences(1, sentences_asked, 7).held_out;
    Report report;
    report.add(table_of(halves_of(model, sentences)));
    report.note(
        fmt::format("At \"it\", means over {} held-out sentences. added, size: root mean square of what a "
                    "part adds, and of "
                    "the stream with it. % right: if the final norm and the output read the stream there.",
                    sentences.size()));
    report.add(table_of(heads_of(model, sentences)));
    report.note(fmt::format(
        "Attention weights, means over the sentences. % right without: if this head gives nothing; with all "
        "heads {:.0f}.",
        100.0 * accuracy_of(model, sentences)));
    return report;
}

}  // namespace

Sections it_parts_sections() {
    return {
        {"it-parts", "Who is \"it\"? What each sublayer and each head does", show_parts, {}, Level::deeper}};
}

}  // namespace tfs
