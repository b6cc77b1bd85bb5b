// common/program/show.cpp · sections of a program, and the sentence that most of them begin with
#include "common/program/show.hpp"

#include <fmt/ostream.h>

#include <ostream>

#include "common/nn/layers.hpp"

namespace tfs {

Show::Show(const SharedOptions& shared, Tokens words, std::ostream& stream)
    : recorder_(*stream.rdbuf()),
      recorded_(&recorder_),
      options(shared),
      tokens(std::move(words)),
      out(recorded_),
      style(this_terminal(shared.show.ascii)),
      trace(recorded_),
      figures(shared.show.plots.empty() ? Figures() : Figures(shared.show.plots)) {}

void Show::section(std::string_view title, const std::function<void()>& body) { trace.section(title, body); }

void Show::deeper(std::string_view title, const std::function<void()>& body) {
    if (options.deeper) {
        trace.section(title, body);
    } else {
        ++left_out_;
    }
}

void Show::finish(Page page, std::string_view deeper_command) {
    if (left_out_ > 0) {
        fmt::print(out, "\n--deeper shows {} more section{}: {}\n", left_out_, left_out_ == 1 ? "" : "s",
                   deeper_command);
    }
    out.flush();
    page.transcript = recorder_.text();
    figures.finish(out, page, options.show.beside);
}

Tensor show_sentence(Show& show, Rng& rng) {
    const Vocabulary vocabulary = build_vocabulary(show.tokens);
    const Embedding embedding(vocabulary.words.size(), show.options.d_model, rng);
    const Tensor x = embedding(vocabulary.ids);
    const std::size_t tokens = show.tokens.size();
    show.trace.heading("The sentence");
    show.trace.note(
        fmt::format("{} token{}, {} different; seed {}; the weights are random, nothing is trained yet.",
                    tokens, tokens == 1 ? "" : "s", vocabulary.words.size(), show.options.seed));
    show.trace.step("x", x, {"batch", "seq", "d_model"}, "one row per token");
    return x;
}

}  // namespace tfs
