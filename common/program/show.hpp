// common/program/show.hpp · what a chapter's program shows with: its sections, of which --deeper runs more, and figures
#pragma once

#include <functional>
#include <ostream>
#include <string_view>

#include "common/base/rng.hpp"
#include "common/program/figures.hpp"
#include "common/program/options.hpp"
#include "common/program/recorder.hpp"
#include "common/show/trace.hpp"
#include "common/tensor/tensor.hpp"
#include "common/terminal/terminal.hpp"

namespace tfs {

// The values of the options that the chapters share.
struct SharedOptions {
    std::string text = "The cat sat on the mat because it was tired";
    std::size_t heads = 4, d_model = 32;
    std::uint64_t seed = 1;
    bool deeper = false;
    ShowOptions show = {};
};

// The body of a program gets one of these.
//     show.section("One head, step by step", [&] { show.figures.save(show_one_head(show, x)); });
//     show.deeper("Claim: the cost is quadratic", [&] { show.figures.save(measure_cost(show)); });
class Show {
    Recorder recorder_;
    std::ostream recorded_;

  public:
    const SharedOptions options;
    const Tokens tokens;  // of --text; empty where the program has no such option
    std::ostream& out;
    const Terminal style;
    Trace trace;
    Figures figures;

    Show(const SharedOptions& shared, Tokens words, std::ostream& stream);
    Show(const Show&) = delete;
    Show& operator=(const Show&) = delete;

    // Whether the learner's own steps compute it (./tutorial run --mine).
    [[nodiscard]] bool on_own_steps() const { return !options.show.whose.empty(); }

    // A heading and what belongs below it; as Trace::section.
    void section(std::string_view title, const std::function<void()>& body);

    // The same for a section that a run leaves out where --deeper is not given.
    void deeper(std::string_view title, const std::function<void()>& body);

    // The end of a run: says how many sections were left out and how to see them, and writes the page of the figures.
    void finish(Page page, std::string_view deeper_command);

  private:
    std::size_t left_out_ = 0;
};

// The tokens of the text as random embeddings x (1, seq, d_model), drawn from `rng`. Prints the section "The sentence".
Tensor show_sentence(Show& show, Rng& rng);

}  // namespace tfs
