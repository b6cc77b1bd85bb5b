// chapters/06_residual_dropout/program/deciding_parts.cpp · which part of the stream decided about the next character, in the recording
#include <fmt/format.h>

#include <algorithm>

#include "chapters/06_residual_dropout/given/residual_dropout.hpp"
#include "common/base/array.hpp"
#include "common/base/errors.hpp"
#include "common/program.hpp"

namespace tfs {

namespace {

// A position, with what each part has added to the lead of the likeliest character over the second one.
struct Decision {
    RecordedStream stream;
    Tensor shares;             // (parts, vocab)
    std::size_t best, second;  // ids
    std::vector<float> lead;   // of each part
    std::size_t part, largest_share;

    // ValueError if a step of the learner's gives another shape, or a part that is not there.
    explicit Decision(std::size_t position)
        : stream(recorded_stream(position)),
          shares(logit_shares(stream.parts, stream.norm, stream.table)),
          best(stream.likeliest[0]),
          second(stream.likeliest[1]),
          part(deciding_part(shares)) {
        const Shape wanted{stream.names.size(), stream.table.size(0)};
        if (shares.shape() != wanted)
            throw ValueError(
                fmt::format("logit_shares gives {}, not {}", to_string(shares.shape()), to_string(wanted)));
        if (part >= stream.names.size())
            throw ValueError(fmt::format("deciding_part gives {}: there is no such part", part));
        std::vector<float> of_best;
        for (std::size_t i = 0; i < shares.size(0); ++i) {
            lead.push_back(shares.at({i, best}) - shares.at({i, second}));
            of_best.push_back(shares.at({i, best}));
        }
        largest_share = largest_of(of_best, 1)[0];
    }
    [[nodiscard]] double logit(std::size_t id) const { return sum(slice(shares, 1, id, id + 1)).item(); }
    [[nodiscard]] const std::string& name(std::size_t one) const { return stream.names[one]; }
    [[nodiscard]] std::string character(std::size_t id) const {
        const char one = stream.characters[id];
        if (one == '\n') return "new line";
        if (one == ' ') return "space";
        const bool letter = (one >= 'a' && one <= 'z') || (one >= 'A' && one <= 'Z');
        return letter ? std::string(1, one) : fmt::format("\"{}\"", one);
    }
    // The last characters, quoted; a new line is a stroke.
    [[nodiscard]] std::string ending(std::size_t length) const {
        std::string text = stream.text.substr(stream.text.size() - length);
        std::replace(text.begin(), text.end(), '\n', '/');
        return '"' + text + '"';
    }
};

const CountOption chosen{"--position", 6, 1, recorded_streams,
                         "the recorded text whose next character is guessed"};

// Chosen so that each sublayer that ever decides is there: block 1's attention never does.
constexpr std::size_t shown[] = {44, 8, 40, 5, 21, 26, 7};

HeatMapFigure lead_figure(const std::vector<Decision>& decisions) {
    const std::size_t parts = decisions[0].lead.size();
    HeatMapPanel panel{.values = Array::from_shape({decisions.size(), parts}),
                       .scale = ColourScale::diverging,
                       .quantity = "share of the lead"};
    for (std::size_t row = 0; row < decisions.size(); ++row) {
        const Decision& one = decisions[row];
        for (std::size_t part = 0; part < parts; ++part) panel.values(row, part) = one.lead[part];
        panel.rows.push_back(one.ending(10));
        panel.answers.push_back(
            fmt::format("→ {}, not {}", one.character(one.best), one.character(one.second)));
    }
    panel.columns = {"embedding"};
    for (std::size_t block = 1; 2 * block < parts; ++block)
        for (const char* half : {"attention", "feed-fwd."})
            panel.columns.push_back(fmt::format("{} {}", half, block));
    panel.columns.push_back("beta");
    return {.name = "lead",
            .title = "Seven guesses, chosen so that another sublayer decides each time",
            .row_axis = "the text so far",
            .column_axis = "part of the stream",
            .panels = {panel},
            .caption =
                "What each part adds to the lead of the likeliest character over the second one. Brown "
                "speaks for the likeliest, blue "
                "for the second. / is a new line. Of all 50 positions, feed-forward 4 decides at 14."};
}

Report show_decisions(const Request&) {
    std::vector<Decision> decisions;
    Table table{.columns = {{"the text so far"},
                            {"likeliest, second"},
                            {"lead", fixed(2)},
                            {"largest share of the logit"},
                            {"what decided"}}};
    for (const std::size_t position : shown) {
        decisions.emplace_back(position);
        const Decision& one = decisions.back();
        table.add({one.ending(10), fmt::format("{}, {}", one.character(one.best), one.character(one.second)),
                   one.logit(one.best) - one.logit(one.second),
                   fmt::format("{} {:+.2f}", one.name(one.largest_share),
                               one.shares.at({one.largest_share, one.best})),
                   fmt::format("{} {:+.2f}", one.name(one.part), one.lead[one.part])});
    }
    Report report;
    report.note("/ is a new line. What decided: with its share of the lead.\n");
    report.add(table);
    report.add(lead_figure(decisions));
    return report;
}

Report show_one_decision(const Request& request) {
    const Decision one(request[chosen] - 1);
    Table table{.columns = {{"part"},
                            {fmt::format("of the logit of {}", one.character(one.best)), fixed(2)},
                            {fmt::format("of {}", one.character(one.second)), fixed(2)},
                            {"of the lead", fixed(2)}}};
    for (std::size_t part = 0; part < one.lead.size(); ++part)
        table.add({one.name(part), one.shares.at({part, one.best}), one.shares.at({part, one.second}),
                   one.lead[part]});
    const double best = one.logit(one.best), second = one.logit(one.second);
    table.add({"all", best, second, best - second});
    Report report;
    report.note(fmt::format("{} goes on with {}, not with {}; {} decided.\n",
                            one.ending(one.stream.text.size()), one.character(one.best),
                            one.character(one.second), one.name(one.part)));
    report.add(table);
    return report;
}

Report show_counts(const Request&) {
    std::vector<std::size_t> largest, decided;
    std::size_t both = 0, more_than_all = 0;
    std::vector<std::string> names;
    for (std::size_t position = 0; position < recorded_streams; ++position) {
        const Decision one(position);
        names = one.stream.names;
        largest.resize(names.size());
        decided.resize(names.size());
        ++largest[one.largest_share];
        ++decided[one.part];
        both += one.part == one.largest_share;
        more_than_all +=
            static_cast<double>(one.lead[one.part]) > one.logit(one.best) - one.logit(one.second);
    }
    Table table{.columns = {{"part"}, {"largest share of the logit", whole()}, {"decided", whole()}}};
    for (std::size_t part = 0; part < names.size(); ++part)
        table.add({names[part], largest[part], decided[part]});
    Report report;
    report.note(fmt::format("Of {} positions:", recorded_streams));
    report.add(table);
    report.note(fmt::format(
        "at {} of them both are the same part; at {} the part that decided has more than the whole lead: "
        "without it the second character would be ahead",
        both, more_than_all));
    return report;
}

}  // namespace

Sections deciding_parts_sections() {
    return {{"lead", "What decided about the next character", show_decisions},
            {"one-guess",
             "The shares of one guess: text {position} of 50",
             show_one_decision,
             {chosen},
             Level::deeper},
            {"deciding-parts", "Which part decides how often", show_counts, {}, Level::deeper}};
}

}  // namespace tfs
