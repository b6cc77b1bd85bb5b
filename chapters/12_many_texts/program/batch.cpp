// chapters/12_many_texts/program/batch.cpp · what each pass reads of three prompts, and what a pass over many texts costs
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "chapters/12_many_texts/given/many_texts.hpp"
#include "chapters/12_many_texts/program/options.hpp"
#include "common/measure.hpp"
#include "common/terminal/display.hpp"

namespace tfs {

namespace {

const std::vector<std::string> beginnings{"To be", "O", "My "};
constexpr std::size_t written_tokens = 4, ends_after = 2;  // text 1 ends before the others

// One pass: of each row the number of its prompt, the position where it begins, and how many columns it has.
struct ReadPass {
    std::vector<std::size_t> texts, begins;
    std::size_t columns = 0;
};

struct ReadTexts {
    std::vector<ReadPass> passes = {};
    std::vector<TokenIds> texts = {};  // with their prompts
};

ReadTexts read_three(const Characters& characters) {
    ReadTexts all;
    for (const std::string& text : beginnings) all.texts.push_back(characters.ids(text));
    const std::vector<TokenIds> prompts = all.texts;
    std::vector<std::size_t> going(prompts.size());
    std::iota(going.begin(), going.end(), std::size_t{0});
    std::vector<bool> goes(prompts.size(), true);
    LanguageModel model = characters.model;
    model.logits = [&](const Ids& tokens, const Pass& pass) {
        std::erase_if(going, [&](std::size_t text) { return !goes[text]; });
        ReadPass read{going, {}, tokens.shape()[1]};
        for (std::size_t row = 0; row < going.size(); ++row) read.begins.push_back(pass.offset[row]);
        all.passes.push_back(read);
        return characters.model.logits(tokens, pass);
    };
    std::vector<Rng> rngs(prompts.size(), Rng(1));
    (void)generate(model, prompts,
                   {.new_tokens = written_tokens,
                    .sampling = {.temperature = 0.0},
                    .on_token =
                        [&](std::size_t text, std::int64_t token) {
                            all.texts[text].push_back(token);
                            goes[text] = text != 1 || all.texts[1].size() < 1 + ends_after;
                            return static_cast<bool>(goes[text]);
                        }},
                   rngs);
    return all;
}

// The passes, one below the other: a row for each text.
PlaneFigure batch_figure(const Characters& characters, const ReadTexts& all) {
    PlaneFigure figure{
        .name = "batch",
        .title = "Three texts in one batch, each at its own position",
        .caption =
            "Dark: what a pass reads. Light: keys and values that the cache keeps. × fills up a shorter "
            "prompt, and is dropped from the cache after the first pass. The second text ends first, and its "
            "row goes."};
    constexpr std::size_t longest_text = 8;
    for (std::size_t i = 0; i < 4 && i < all.passes.size(); ++i) {
        const ReadPass& pass = all.passes[i];
        const double height = static_cast<double>(pass.texts.size());
        PlanePanel panel{.title = i == 0 ? "prefill" : fmt::format("decode {}", i),
                         .low_x = -1.2,
                         .high_x = static_cast<double>(longest_text),
                         .low_y = -height,
                         .high_y = 0.1};
        for (std::size_t row = 0; row < pass.texts.size(); ++row) {
            const std::size_t number = pass.texts[row];
            const double top = -static_cast<double>(row);
            panel.text(-0.6, top - 0.5, fmt::format("{}", number + 1));
            const std::size_t end = pass.begins[row] + pass.columns,
                              own = i == 0 ? characters.ids(beginnings[number]).size() : end;
            for (std::size_t t = 0; t < end; ++t) {
                const auto x = static_cast<double>(t);
                if (t < own)
                    panel
                        .rectangle(x + 0.06, top - 0.94, x + 0.94, top - 0.06, Hue::key,
                                   visible(characters.trained.tokenizer.token(all.texts[number][t])))
                        .light = t < pass.begins[row];
                else
                    panel.text(x + 0.5, top - 0.5, "×");
            }
        }
        figure.panels.push_back(std::move(panel));
    }
    return figure;
}

Report show_batch(const Request&) {
    const Characters characters;
    const ReadTexts all = read_three(characters);
    Table table{.columns = {{"pass"}, {"texts", whole()}, {"tokens of each", whole()}, {"at positions"}}};
    for (std::size_t i = 0; i < all.passes.size(); ++i) {
        std::string places;
        for (const std::size_t begin : all.passes[i].begins) places += fmt::format(" {}", begin);
        table.add({i == 0 ? "prefill" : fmt::format("decode {}", i), all.passes[i].texts.size(),
                   all.passes[i].columns, places.substr(1)});
    }
    Report report;
    report.add(table);
    report.add(batch_figure(characters, all));
    return report;
}

// --- alone, and together

Report show_together(const Request& request) {
    const Characters characters;
    constexpr std::size_t count = 8;
    const GenerationOptions options{.new_tokens = 100, .sampling = {.temperature = 0.8}};
    const std::vector<TokenIds> prompts(count, characters.ids("First Citizen:\n"));
    std::vector<Rng> rngs, same;
    for (std::size_t i = 0; i < count; ++i) rngs.emplace_back(request[options::seed] + i);
    same = rngs;
    std::vector<TokenIds> alone, together;
    const double begin = steady_seconds();
    for (std::size_t i = 0; i < count; ++i) {
        std::vector<Rng> own{rngs[i]};
        alone.push_back(generate(characters.model, {prompts[i]}, options, own)[0].tokens);
    }
    const double between = steady_seconds();
    for (const Generated& text : generate(characters.model, prompts, options, same))
        together.push_back(text.tokens);
    const double end = steady_seconds();
    Report report;
    report.note(fmt::format("{} texts of {} characters, one after the other and in one batch: {}.", count,
                            options.new_tokens,
                            alone == together ? "the texts are the same" : "the texts differ"));
    report.note(
        fmt::format("One after the other {:.2f} s, together {:.2f} s.", between - begin, end - between));
    return report;
}

// --- what a pass costs

// The seconds of a pass over one more token of each of so many texts.
double seconds_of_pass(const LanguageModel& model, std::size_t texts) {
    constexpr std::size_t earlier = 32;
    KeyValueCache cache(earlier + 1);
    (void)prefill(model, std::vector<TokenIds>(texts, TokenIds(earlier, 1)), cache);
    const Ids next = one_each(TokenIds(texts, 1));
    const Rounds times = measure_in_turns({[&] {
        (void)model.logits(next, {.offset = cache.next_position(), .earlier = &cache});
        cache.drop(std::vector<std::size_t>(texts, 1));
    }});
    return quartiles(times[0]).median;
}

Report show_costs(const Request& request) {
    const NoGrad no_grad;
    const Characters characters;
    Rng rng(1);
    request.tell({"progress", "draws the weights of GPT-2 small, 0.5 GB"});
    const Transformer gpt2(preset("gpt2"), rng);
    Table table{.columns = {{"tokens in a pass", whole()},
                            {"character model", significant(2), "ms"},
                            {"tokens a second", whole()},
                            {"GPT-2 small", significant(3), "ms"},
                            {"tokens a second", whole()}}};
    for (const std::size_t texts : {1U, 2U, 4U, 8U, 16U}) {
        const double small = seconds_of_pass(characters.model, texts),
                     large = seconds_of_pass(language_model(gpt2), texts);
        const auto rate = [&](double seconds) {
            return static_cast<std::size_t>(static_cast<double>(texts) / seconds);
        };
        table.add({texts, 1e3 * small, rate(small), 1e3 * large, rate(large)});
    }
    Report report;
    report.add(table);
    report.note(
        "One more token of each text, after 32 others, on one core. The weights of GPT-2 small are drawn at "
        "random.");
    return report;
}

}  // namespace

Sections batch_sections() {
    return {{"batch", "Three prompts in one batch", show_batch},
            {"together",
             "Eight texts, alone and together (times differ from run to run)",
             show_together,
             {options::seed}},
            {"costs",
             "A pass over many texts (times differ from run to run)",
             show_costs,
             {},
             Level::experiment}};
}

}  // namespace tfs
