// chapters/11_generation/program/cache.cpp · what the model reads in each pass with a cache and without, and what a cache saves and takes
#include <fmt/format.h>

#include "chapters/11_generation/given/generation.hpp"
#include "chapters/11_generation/program/options.hpp"
#include "common/terminal/display.hpp"

namespace tfs {

namespace {

constexpr const char* prompt = "To be";
constexpr std::size_t passes = 4;

std::string name_of_pass(std::size_t pass) { return pass == 0 ? "prefill" : fmt::format("decode {}", pass); }

// A row for each pass, a column for each position: what it computes is dark, what the cache keeps is light.
PlanePanel panel_of(const std::string& title, const std::vector<std::string>& labels, std::size_t first,
                    bool cached) {
    const auto width = static_cast<double>(labels.size());
    const auto height = static_cast<double>(passes);
    PlanePanel panel{.title = title, .low_x = -2.2, .high_x = width, .low_y = -height, .high_y = 0.9};
    for (std::size_t i = 0; i < labels.size(); ++i) panel.text(static_cast<double>(i) + 0.5, 0.45, labels[i]);
    for (std::size_t pass = 0; pass < passes; ++pass) {
        const double top = -static_cast<double>(pass);
        panel.text(-1.1, top - 0.5, name_of_pass(pass));
        for (std::size_t i = 0; i < first + pass; ++i) {
            const bool kept = cached && pass > 0 && i + 1 < first + pass;
            const auto x = static_cast<double>(i);
            panel.rectangle(x + 0.06, top - 0.94, x + 0.94, top - 0.06, Hue::key).light = kept;
        }
    }
    return panel;
}

PlaneFigure cache_figure(const std::vector<std::string>& labels, std::size_t first) {
    return {
        .name = "cache",
        .title = "Without a cache each pass computes every position; with one, only the new one",
        .panels = {panel_of("without a cache", labels, first, false),
                   panel_of("with a cache", labels, first, true)},
        .caption =
            "Each row is a pass of the model, each column a character; ␣ is a space. Dark: keys and values "
            "that are computed in this pass. Light: kept from earlier passes, and only read."};
}

Report show_cache(const Request&) {
    const Writer writer = character_writer(prompt);
    Report report;
    std::vector<std::string> labels;
    for (const std::int64_t id : writer.prompt)
        labels.push_back(visible(writer.trained->tokenizer.token(id)));
    LanguageModel model = writer.model();
    Table table{.columns = {{"pass"},
                            {"tokens read", whole()},
                            {"at position", whole()},
                            {"keys and values after it", whole()},
                            {"next"}}};
    const auto read = model.logits;
    std::vector<std::pair<std::size_t, std::size_t>> seen;  // tokens, position
    model.logits = [&](const Ids& tokens, const Pass& pass) {
        seen.emplace_back(tokens.size(), pass.offset[0]);
        return read(tokens, pass);
    };
    std::vector<Rng> rngs{Rng(1)};
    std::vector<std::string> written;
    (void)generate(model, {writer.prompt},
                   {.new_tokens = passes,
                    .sampling = {.temperature = 0.0},
                    .on_token =
                        [&](std::size_t, std::int64_t token) {
                            written.push_back(visible(writer.trained->tokenizer.token(token)));
                            return true;
                        }},
                   rngs);
    for (std::size_t i = 0; i < seen.size(); ++i)
        table.add(
            {name_of_pass(i), seen[i].first, seen[i].second, seen[i].first + seen[i].second, written[i]});
    report.note(fmt::format("The prompt is \"{}\", and the likeliest character is taken.", prompt));
    report.add(table);
    labels.insert(labels.end(), written.begin(), written.end() - 1);
    report.add(cache_figure(labels, writer.prompt.size()));
    return report;
}

// --- what it saves in time, and what it takes in memory

// The time does not depend on which tokens they are.
TokenIds some_tokens(std::size_t count, std::size_t vocab) {
    TokenIds tokens;
    for (std::size_t i = 0; i < count; ++i) tokens.push_back(static_cast<std::int64_t>(i * 7 % vocab));
    return tokens;
}

Report show_times(const Request&) {
    const NoGrad no_grad;
    const Writer writer = character_writer("A");
    const LanguageModel model = writer.model();
    Table table{.columns = {{"text so far", whole(), "tokens"},
                            {"with a cache", significant(3), "ms"},
                            {"without", significant(3), "ms"},
                            {"without / with", ratios()}}};
    for (std::size_t length = 16; length < model.max_len; length *= 2) {
        const TokenIds text = some_tokens(length, model.vocab_size);
        KeyValueCache cache(length);
        (void)model.logits(columns({text}, 0, length - 1), {.earlier = &cache});
        const Ids last = columns({text}, length - 1, length), all = columns({text}, 0, length);
        const Rounds times =
            measure_in_turns({[&] {
                                  (void)model.logits(last, {.offset = length - 1, .earlier = &cache});
                                  cache.drop({1});
                              },
                              [&] { (void)model.logits(all, {}); }});
        table.add({length, 1e3 * quartiles(times[0]).median, 1e3 * quartiles(times[1]).median,
                   ratio(times[1], times[0])});
    }
    Report report;
    report.add(table);
    report.note("The time of one token of the character model, on one core.");
    Series with = series(table, "text so far", "with a cache"),
           without = series(table, "text so far", "without");
    with.hue = Hue::with, without.hue = Hue::without;
    report.add(LineFigure{
        .name = "time",
        .title = "Without a cache the time of a token grows with the text",
        .panels = {{.title = "character model, one core",
                    .x_axis = "length of the text, tokens",
                    .y_axis = "time of one token, ms",
                    .log_x = true,
                    .log_y = true,
                    .series = {with, without}}},
        .caption = "The time of the next token after a text of this length. Without a cache the model "
                   "reads the whole text again for each token."});
    return report;
}

// Bytes of the keys and values of one token in all layers, in numbers of 16 bits; `width` is that of all keys of a layer.
double bytes_of_token(const TransformerConfig& config, std::size_t width) {
    constexpr std::size_t keys_and_values = 2, bytes_of_number = 2;
    return static_cast<double>(config.num_layers * keys_and_values * width * bytes_of_number);
}

Report show_bytes(const Request&) {
    Table table{.columns = {{"model"},
                            {"layers", whole()},
                            {"heads", whole()},
                            {"kv heads", whole()},
                            {"bytes a token", bytes()},
                            {"4,096 tokens", bytes()},
                            {"with one kv head", bytes()}}};
    for (const char* name : {"gpt2", "llama-7b", "llama3-8b", "tinyllama-1.1b", "qwen-7b"}) {
        const TransformerConfig config = preset(name);
        const BlockConfig& block = config.block;
        const double bytes = bytes_of_token(config, block.d_kv());
        table.add({name, config.num_layers, block.num_heads, block.kv_heads(), bytes, 4096.0 * bytes,
                   4096.0 * bytes_of_token(config, block.d_model / block.num_heads)});
    }
    Report report;
    report.add(table);
    report.note(
        "Keys and values of all layers, numbers of 16 bits. One kv head for all heads of queries is "
        "multi-query "
        "attention (Shazeer 2019).");
    return report;
}

}  // namespace

Sections cache_sections() {
    return {{"cache", "What each pass reads", show_cache},
            {"times",
             "The time of a token with and without a cache (times differ from run to run)",
             show_times,
             {},
             Level::deeper},
            {"bytes", "The memory of the cache in published models", show_bytes, {}, Level::deeper}};
}

}  // namespace tfs
