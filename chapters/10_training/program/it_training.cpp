// chapters/10_training/program/it_training.cpp · the training of the model that says who "it" is, as it is shown
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include "chapters/10_training/program/it_sections.hpp"

namespace tfs {

namespace {

void show_it_task(Show& show, const ItTask& it) {
    for (std::size_t i = 0; i < 4; ++i) {
        const ItSentence& sentence = it.sentences.held_out[i];
        fmt::print(show.out, "  {:<97} {}\n", fmt::format("{}", fmt::join(sentence.words, " ")),
                   sentence.words[sentence.noun()]);
    }
    fmt::print(show.out,
               "  {} sentences to learn from; {} held out, whose pairs of animals never occur in them.\n"
               "  The model: {} words, {} layers, {} heads, {} parameters.\n",
               it.sentences.training.size(), it.sentences.held_out.size(), it.model.tokenizer.size(),
               it.model.blocks.size(), it.model.blocks[0].config.num_heads,
               count_parameters(it.model.parameters()));
}

}  // namespace

ShownTraining shown_it(Show& show, const TaskOptions& options) {
    const auto it = std::make_shared<const ItTask>(it_task(options));
    return {.task = it->task,
            .title = "The task: which of two animals is \"it\"?",
            .introduce = [&show, it] { show_it_task(show, *it); },
            .finish =
                [&show, it, options] {
                    show.section("Where the answer comes from", [&] {
                        print_it_answers(show, it->model);
                        print_it_shares(show, score_of(it->model, it->sentences.held_out));
                        show.figures.save(it_figure(it->model));
                    });
                    show.deeper("Claim: without attention, a model of the same kind guesses",
                                [&] { compare_bags(show, options); });
                }};
}

}  // namespace tfs
