// chapters/07_block/program/attention_maps.cpp · what "it" looks at in two trained blocks, and in two with weights by hand
#include <fmt/format.h>

#include "chapters/01_attention/models/feature_words.hpp"
#include "chapters/07_block/models/hand_made_blocks.hpp"
#include "chapters/07_block/models/it_reader.hpp"
#include "chapters/07_block/program/options.hpp"

namespace tfs {

namespace {

// A sentence, and the weights of each block, (1, heads, query, key).
struct ItMaps {
    Tokens sentence;
    std::vector<Tensor> weights;

    // What a word of the sentence looks at most in head 1 of a block.
    [[nodiscard]] std::size_t most_seen(std::size_t block, std::size_t word) const {
        std::size_t most = 0;
        for (std::size_t key = 1; key < sentence.size(); ++key)
            if (weights[block].at({0, 0, word, key}) > weights[block].at({0, 0, word, most})) most = key;
        return most;
    }
    // The head of block 1 in which a word looks most at the last one.
    [[nodiscard]] std::size_t head_for_last_word(std::size_t word) const {
        const Tensor& first = weights.front();
        std::size_t most = 0;
        for (std::size_t head = 1; head < first.size(1); ++head)
            if (first.at({0, head, word, sentence.size() - 1}) >
                first.at({0, most, word, sentence.size() - 1}))
                most = head;
        return most;
    }
};

// Above, the last block: "it" looks at a word. Below, the first one: what this word reads of the last word.
ArcFigure it_blocks_figure(const std::vector<ItMaps>& maps) {
    ArcFigure figure{.name = "attention",
                     .title = "In block 1 the animal reads the last word; in block 2 \"it\" finds the animal",
                     .caption =
                         "A model of two blocks was trained to say which animal \"it\" is. An arrow points "
                         "from a word to the one that it reads. Begin below: in block 1 both animals read "
                         "the last word; the arrow of the correct one is drawn. In block 2 \"it\" reads the "
                         "correct animal. The numbers are attention weights of the head that is named."};
    for (const ItMaps& one : maps) {
        const std::size_t last = one.sentence.size() - 1, it = place_of_it(one.sentence);
        const std::size_t animal = one.most_seen(one.weights.size() - 1, it);
        const std::size_t head = one.head_for_last_word(animal);
        const std::vector<Arc> reading{{animal, last, one.weights.front().at({0, head, animal, last})}};
        const auto row_of_it =
            one.weights.back().values().subspan(it * one.sentence.size(), last);  // of head 1
        figure.panels.push_back({.title = "… it was " + one.sentence.back(),
                                 .words = one.sentence,
                                 .storeys = {reading, arcs_of(it, row_of_it)},
                                 .names = {fmt::format("block 1, head {}: \"{}\" reads \"{}\"", head + 1,
                                                       one.sentence[animal], one.sentence.back()),
                                           fmt::format("block {}, head 1: \"it\" finds \"{}\"",
                                                       one.weights.size(), one.sentence[animal])}});
    }
    return figure;
}

// The sentence that is asked for; in place of the default one of the trained model, with two last words.
std::vector<Tokens> sentences_to_map(const Request& request) {
    if (request[options::text] != options::text.value) return {request.words(options::text)};
    return {split_words("the wolf attacked the mouse because it was hungry"),
            split_words("the wolf attacked the mouse because it was weak")};
}

std::vector<ItMaps> trained_maps(const Request& request) {
    const std::size_t heads = request[options::heads], d_model = request[options::d_model];
    if (heads != options::heads.value || d_model != options::d_model.value)
        throw ValueError(fmt::format("no trained blocks for --heads {} and --d-model {}", heads, d_model));
    const auto reader = load_network<ItReader>(weights_file("it"), it_reader_kind());
    std::vector<ItMaps> all;
    const NoGrad no_grad;
    for (const Tokens& sentence : sentences_to_map(request)) {
        const Ids ids = reader.encode(sentence);
        (void)place_of_it(sentence);
        all.push_back({sentence, reader.read(reader.embed(ids), std::nullopt, with_weights).weights});
    }
    return all;
}

// Two blocks that chapter 10 trained, where they can do what is asked; else a line that says why not.
Report show_trained_attention(const Request& request) {
    Report report;
    const auto maps = trained_or_reason(report, "nothing is drawn", [&] { return trained_maps(request); });
    if (!maps) return report;
    for (const ItMaps& one : *maps)
        for (std::size_t block = 0; block < one.weights.size(); ++block) {
            const std::size_t it = place_of_it(one.sentence), seen = one.most_seen(block, it);
            report.note(fmt::format("… {}, block {}, head 1 of {}: \"it\" looks at {} ({:.2f})",
                                    one.sentence.back(), block + 1, one.weights[block].size(1),
                                    one.sentence[seen], one.weights[block].at({0, 0, it, seen})));
        }
    report.add(it_blocks_figure(*maps));
    return report;
}

Report show_two_blocks(const Request&) {
    Report report;
    ArcFigure figure{
        .name = "by_hand",
        .title = "By hand: \"it\" reads the adjective in block 1, and finds its noun in block 2",
        .caption =
            "Drawn from the weights of the puzzle; nothing was trained. Begin with block 1, below. "
            "(Your block 1 may do it in another way.)"};
    for (const std::string adjective : {"tired", "soft"}) {
        const Tokens sentence = split_words("the cat sat on the mat because it was " + adjective);
        const HandMadeMaps maps = maps_of(two_blocks_by_hand(), sentence);
        const std::vector<float> first = row_of_it(maps.first, sentence),
                                 second = row_of_it(maps.second, sentence);
        const std::size_t noun = noun_spoken_of(sentence);
        report.note(fmt::format("… {}: \"it\" gives {} {:.2f} in block 1, and {} {:.2f} in block 2",
                                adjective, adjective, first.back(), sentence[noun], second[noun]));
        const std::size_t it = place_of_it(sentence);
        figure.panels.push_back({.title = fmt::format("it → {}", sentence[noun]),
                                 .words = sentence,
                                 .storeys = {arcs_of(it, first), arcs_of(it, second)},
                                 .names = {"block 1", "block 2"}});
    }
    report.add(figure);
    return report;
}

}  // namespace

Sections attention_maps_sections() {
    return {{"trained-attention",
             "What two trained blocks look at",
             show_trained_attention,
             {options::text, options::heads, options::d_model}},
            {"puzzle", "Two blocks with weights by hand", show_two_blocks}};
}

}  // namespace tfs
