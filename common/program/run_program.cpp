// common/program/run_program.cpp · options, their checks, the sections, and where their reports go
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <new>
#include <optional>
#include <set>
#include <utility>

#include "common/base/errors.hpp"
#include "common/figures/canvas.hpp"
#include "common/io/atomic_file.hpp"
#include "common/program/chapter.hpp"
#include "common/program/figure_folder.hpp"
#include "common/program/main_function.hpp"
#include "common/program/run_json.hpp"
#include "common/report/sinks.hpp"
#include "common/terminal/display.hpp"
#include "common/text/tokenizer.hpp"

namespace tfs {

namespace {

// What is asked of the program beside the options of its sections.
struct Asked {
    bool deeper = false, list = false, json = false, request = false, ascii = false;
    std::string section, experiment;  // ids; empty: none
    std::string plots;                // a folder for the figures and the page; empty: none are drawn
    std::string whose;   // steps computed it, for the page: "your steps 1.1 … 1.6"; empty: the solutions
    std::string beside;  // a folder with the page of the solutions; empty: it is not shown beside the own one
};

bool has_experiments(const Chapter& chapter) {
    return std::any_of(chapter.sections.begin(), chapter.sections.end(),
                       [](const Section& section) { return section.level == Level::experiment; });
}

void add_options(CommandLine& frame, const Chapter& chapter, Values& values, Asked& asked) {
    for (const Option& option : options_of(chapter)) {
        Value& value = values.emplace(flag_of(option), default_of(option)).first->second;
        std::visit([&](auto& place) { frame.option(flag_of(option), place, help_of(option)); }, value);
    }
    frame.option("--deeper", asked.deeper, "show all sections, also those that a run leaves out");
    if (has_experiments(chapter))
        frame.option("--experiment", asked.experiment,
                     "small trainings with and without a part: its name, or all");
    frame.option("--section", asked.section, "show this section alone");
    frame.option("--list", asked.list, "list the sections; with --json their options, too");
    frame.option("--json", asked.json, "print the reports as JSON (docs/reports.md)");
    frame.option("--request", asked.request, "answer a request from standard input (docs/reports.md)");
    frame.option("--plots", asked.plots, "folder for the figures and a page; none are drawn without it");
    frame.hidden_option("--whose", asked.whose);
    frame.hidden_option("--beside", asked.beside);
}

// The request that a section gets: nothing but the options that it lists.
Request request_for(const Section& section, const Request& all) {
    Request request = all;
    request.section = section.id;
    request.values.clear();
    for (const Option& option : section.options) request.values.insert(*all.values.find(flag_of(option)));
    return request;
}

// ValueError if two sections have one id.
void require_distinct(const Sections& sections) {
    std::set<std::string> ids;
    for (const Section& section : sections)
        if (!ids.insert(section.id).second)
            throw ValueError(fmt::format("two sections have the id {}", section.id));
}

// Throws ValueError, which lists them, if no section of this level has the id.
void require_section(const Chapter& chapter, const std::string& flag, const std::string& id,
                     bool experiments) {
    std::vector<std::string> ids;
    for (const Section& section : chapter.sections)
        if (!experiments || section.level == Level::experiment) ids.push_back(section.id);
    if (experiments) ids.emplace_back("all");
    if (std::find(ids.begin(), ids.end(), id) == ids.end())
        throw ValueError(fmt::format("{} {}: there is no such {}; there are: {}", flag, harmless(id),
                                     experiments ? "experiment" : "section", fmt::join(ids, ", ")));
}

// Whether a run shows this section.
bool is_shown(const Chapter& chapter, const Section& section, const Request& request, const Asked& asked) {
    if (!asked.section.empty()) return section.id == asked.section;
    if (!asked.experiment.empty())
        return section.level == Level::experiment &&
               (asked.experiment == "all" ? section.slow == Slow::no : asked.experiment == section.id);
    if (section.level == Level::experiment || (chapter.belongs && !chapter.belongs(section, request)))
        return false;
    return section.level == Level::always || asked.deeper;
}

// An experiment has settings of its own. ValueError for a value that none of those asked for reads.
void require_read(const Chapter& chapter, const Request& request, const Asked& asked) {
    std::set<std::string> read{options::seed.flag};
    for (const Section& section : chapter.sections)
        if (is_shown(chapter, section, request, asked))
            for (const Option& option : section.options) read.insert(flag_of(option));
    for (const Option& option : options_of(chapter))
        if (!read.contains(flag_of(option)) && request.values.at(flag_of(option)) != default_of(option))
            throw ValueError(fmt::format("--experiment {} has settings of its own: leave out {}",
                                         asked.experiment, flag_of(option)));
}

void check_values(const Chapter& chapter, const Request& request, const Asked& asked) {
    require_distinct(chapter.sections);
    for (const Option& option : options_of(chapter)) require_fit(option, request.values.at(flag_of(option)));
    if (!asked.section.empty() && !asked.experiment.empty())
        throw ValueError("--section and --experiment each choose what is shown: give one of them");
    if (!asked.section.empty()) require_section(chapter, "--section", asked.section, false);
    if (!asked.experiment.empty()) {
        require_section(chapter, "--experiment", asked.experiment, true);
        require_read(chapter, request, asked);
    }
    if (chapter.check) chapter.check(request);
}

// The sections that --deeper would show more.
std::size_t left_out(const Chapter& chapter, const Request& request, const Asked& asked) {
    if (asked.deeper || !asked.section.empty() || !asked.experiment.empty()) return 0;
    return static_cast<std::size_t>(
        std::count_if(chapter.sections.begin(), chapter.sections.end(), [&](const Section& section) {
            return section.level == Level::deeper && (!chapter.belongs || chapter.belongs(section, request));
        }));
}

// What a run was asked to compute: two runs with the same settings can be compared.
std::string settings_of(const Chapter& chapter, const Request& request, const Asked& asked) {
    std::string text;
    for (const Option& option : options_of(chapter)) {
        const Value& value = request.values.at(flag_of(option));
        if (std::holds_alternative<bool>(value))
            text += std::get<bool>(value) ? flag_of(option) + ' ' : "";
        else
            text += flag_of(option) + ' ' + text_of(value) + ' ';
    }
    text += asked.deeper ? "--deeper " : "";
    text += asked.section.empty() ? "" : "--section " + asked.section + ' ';
    return text + (asked.experiment.empty() ? "" : "--experiment " + asked.experiment + ' ');
}

// On a terminal one line, which is written over and over, or a text as it is written. When the section ends it is removed, because
// its report follows. It goes to standard output, as the report does.
class ProgressLine {
  public:
    ProgressLine(const Terminal& terminal, bool wanted)
        : shows_(wanted && terminal.output_is_terminal && !terminal.ascii),
          columns_(std::clamp<std::size_t>(terminal.columns.value_or(80), 20, 80)),
          rows_(std::max<std::size_t>(terminal.rows.value_or(24), 2)) {}
    ~ProgressLine() { clear(); }
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    void show(const Event& event) {
        if (!shows_) return;
        if (event.kind == "token" || event.kind == "prompt")
            for (const std::string& character : characters_of(event.text)) show_character(character);
        if (event.kind != "progress") return;
        clear();
        write("\r  " + truncate(harmless(event.text), columns_ - 3) + "\x1b[K");
        shown_ = true;
    }
    void clear() {
        if (std::exchange(shown_, false)) write("\r\x1b[K");
        if (lines_ == 0) return;
        if (lines_ > 1) write(fmt::format("\x1b[{}A", lines_ - 1));
        write("\r\x1b[J");
        lines_ = column_ = 0;
    }

  private:
    bool shows_, shown_ = false;
    std::size_t columns_, rows_;
    std::size_t lines_ = 0, column_ = 0;  // of a text

    void show_character(const std::string& character) {
        const std::size_t width = display_width(character);
        if (lines_ == 0 || character == "\n" || column_ + width > columns_ - 2) {
            if (lines_ + 1 == rows_)
                clear();  // what leaves the screen could not be removed: the screen begins anew
            write(lines_ == 0 ? "    " : "\n    ");
            ++lines_;
            column_ = 4;
        }
        if (character == "\n") return;
        write(harmless(character));
        column_ += width;
    }

    // Past std::cout, which shows no control characters.
    static void write(const std::string& text) {
        std::cout.flush();
        std::fwrite(text.data(), 1, text.size(), stdout);
        std::fflush(stdout);
    }
};

// Adds what a section shows to the page.
void add_to(Page& page, FigureFolder& figures, const std::string& title, const Report& report) {
    page.parts.emplace_back("<h2>" + escaped(title) + "</h2>\n");
    for (const Item& item : report.items) {
        if (const Drawing* drawing = std::get_if<Drawing>(&item))
            page.parts.emplace_back(figures.write(drawing->views));
        else
            page.parts.emplace_back(html(item));
    }
}

void print_list(std::ostream& out, const Chapter& chapter, const Values& values) {
    Table table{.columns = {{"section"}, {"shown"}, {"title"}}};
    for (const Section& section : chapter.sections) {
        const char* shown = section.level == Level::always   ? "always"
                            : section.level == Level::deeper ? "with --deeper"
                                                             : "with --experiment";
        table.add({section.id, shown, title_of(section, values)});
    }
    print(out, table);
}

// An error of the learner's steps ends their section alone: the other sections may need other steps.
Report report_of(const Section& section, const Request& request) {
    if (!request.on_own_steps) return run_section(section, request);
    try {
        return run_section(section, request);
    } catch (const Error& error) {
        Report report;
        report.note(fmt::format("an error: {}; this section ends here", harmless(error.what())));
        return report;
    }
}

// Runs the sections that are asked for.
std::vector<SectionRun> run_sections(const Chapter& chapter, Request request, const Asked& asked, Page& page,
                                     std::optional<FigureFolder>& figures) {
    const Terminal style = this_terminal(asked.ascii);
    ProgressLine line(style, !asked.json);
    request.listener = [&](const Event& event) { line.show(event); };
    std::vector<SectionRun> runs;
    for (const Section& section : chapter.sections) {
        if (!is_shown(chapter, section, request, asked)) continue;
        const std::string title = title_of(section, request.values);
        if (!asked.json) print_heading(std::cout, title);
        std::cout.flush();
        runs.push_back({section, title, report_of(section, request_for(section, request))});
        line.clear();
        if (!asked.json) print(std::cout, runs.back().report, style);
        if (figures) add_to(page, *figures, title, runs.back().report);
    }
    return runs;
}

void run(const Chapter& chapter, const Request& request, const Asked& asked, const std::string& command) {
    if (asked.list) {
        if (asked.json)
            std::cout << list_json(chapter) << '\n';
        else
            print_list(std::cout, chapter, request.values);
        return;
    }
    std::optional<FigureFolder> figures;
    if (!asked.plots.empty()) figures.emplace(asked.plots);
    Page page{.title = chapter_title(chapter.name),
              .about = {fmt::format("{} · seed {} · computed by {}", command, request[options::seed],
                                    asked.whose.empty() ? "the solutions" : asked.whose)},
              .settings = settings_of(chapter, request, asked)};
    const std::vector<SectionRun> runs = run_sections(chapter, request, asked, page, figures);
    if (figures)
        write_file_atomically(figures->path() / "report.json", run_json(chapter, request.values, runs));
    if (asked.json) {
        std::cout << run_json(chapter, request.values, runs) << '\n';
        if (figures) (void)figures->finish(page, asked.beside);
        return;
    }
    if (const std::size_t more = left_out(chapter, request, asked); more > 0)
        std::cout << fmt::format("\n--deeper shows {} more section{}: {}{}\n", more, more == 1 ? "" : "s",
                                 command,
                                 command.find(" -- ") == std::string::npos ? " -- --deeper" : " --deeper");
    if (figures) std::cout << figures->finish(page, asked.beside);
}

// What the words of a request ask for, as on a command line.
void answer_to(const std::string& line, const Chapter& chapter, const AnswerLines& answer) {
    Request request;
    Asked asked;
    CommandLine words(chapter.name, chapter.description);
    add_options(words, chapter, request.values, asked);
    words.parse(words_of_request(line));
    check_values(chapter, request, asked);
    for (const Option& option : options_of(chapter))
        if (const auto* text = std::get_if<TextOption>(&option);
            text && text->file && request[*text] != text->value)
            throw ValueError(fmt::format("{} names a file, which a request may not", text->flag));
    if (asked.section.empty()) throw ValueError("a request names its --section");
    const Section& section = *std::find_if(chapter.sections.begin(), chapter.sections.end(),
                                           [&](const Section& one) { return one.id == asked.section; });
    request.listener = [&](const Event& event) { answer.tell(event); };
    answer.result(
        {section, title_of(section, request.values), run_section(section, request_for(section, request))},
        asked.json);
}

// All that takes long and no request changes is done before one is read: a page starts this program ahead. `request` has the
// defaults, and their check loads the models that it needs.
void answer(const Chapter& chapter, const Request& request) {
    const AnswerLines answer;
    std::string line;
    try {
        if (chapter.check) chapter.check(request);
    } catch (const Error&) {  // the request is checked, too
    }
    if (!std::getline(std::cin, line)) return;
    try {
        answer_to(line, chapter, answer);
    } catch (const std::bad_alloc&) {
        answer.error("not enough memory");
    } catch (const std::exception& error) {
        answer.error(error.what());
    } catch (...) {
        answer.error("an unknown error");
    }
    std::_Exit(0);  // who asked need not wait until memory is in order
}

}  // namespace

int run_program(int argc, char** argv, const Chapter& chapter) {
    Request request;
    Asked asked;
    MainFunction frame(chapter.name, chapter.description);
    add_options(frame, chapter, request.values, asked);
    frame.ascii_option(asked.ascii);
    return frame.run(argc, argv, [&] {
        request.on_own_steps = !asked.whose.empty();
        request.folder = asked.plots;
        if (asked.request) return answer(chapter, request);
        check_values(chapter, request, asked);
        run(chapter, request, asked, command_of(chapter.name, argc, argv));
    });
}

}  // namespace tfs
