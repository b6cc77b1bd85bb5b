// common/program/chapter_program.cpp · options, their checks, the body, the end
#include "common/program/chapter_program.hpp"

#include <fmt/format.h>

#include <iostream>

#include "common/program/command.hpp"

namespace tfs {

namespace {

void add_options(Program& program, SharedOptions& options, const ChapterProgram& chapter) {
    const Limits& limits = chapter.limits;
    if (limits.max_tokens > 0) {
        program.option("--text", options.text,
                       fmt::format("the sentence, at most {} tokens", limits.max_tokens));
    }
    if (limits.heads) program.option("--heads", options.heads, "number of heads; must divide --d-model");
    if (limits.max_d_model > 0) {
        program.option("--d-model", options.d_model,
                       fmt::format("width of the model, {} to {}", limits.min_d_model, limits.max_d_model));
    }
    if (chapter.own_options) chapter.own_options(program);
    program.option("--seed", options.seed, "seed of the random numbers");
    program.option("--deeper", options.deeper, "show all sections, also those that a run leaves out");
    add_show_options(program, options.show);
}

// The tokens of the text, after all checks.
Tokens checked_tokens(const SharedOptions& options, const ChapterProgram& chapter) {
    const Limits& limits = chapter.limits;
    if (limits.max_d_model > 0) {
        require_between("--d-model", options.d_model, limits.min_d_model, limits.max_d_model);
    }
    if (limits.heads) require_heads(options.heads, options.d_model);
    const Tokens tokens = limits.max_tokens > 0 ? tokens_of_text(options.text, limits.max_tokens) : Tokens{};
    if (chapter.own_checks) chapter.own_checks(options);
    return tokens;
}

}  // namespace

int run_chapter(int argc, char** argv, const ChapterProgram& chapter) {
    SharedOptions options;
    Program program(chapter.name, chapter.description);
    add_options(program, options, chapter);
    return program.run(argc, argv, [&] {
        Show show(options, checked_tokens(options, chapter), std::cout);
        chapter.body(show);
        const std::string& whose = options.show.whose;
        const std::string command = command_of(chapter.name, argc, argv);
        show.finish({.title = chapter_title(chapter.name),
                     .about = {fmt::format("{} · seed {} · computed by {}", command, options.seed,
                                           whose.empty() ? "the solutions" : whose)},
                     .settings = program.settings()},
                    command + (command.find(" -- ") == std::string::npos ? " -- --deeper" : " --deeper"));
    });
}

}  // namespace tfs
