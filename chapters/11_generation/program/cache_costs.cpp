// chapters/11_generation/program/cache_costs.cpp · what a cache saves in time, and what it takes in memory
#include <fmt/format.h>

#include <algorithm>

#include "chapters/11_generation/given/generation.hpp"
#include "chapters/11_generation/program/options.hpp"

namespace tfs {

namespace {

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

Sections cache_costs_sections() {
    return {{"times",
             "The time of a token with and without a cache (times differ from run to run)",
             show_times,
             {},
             Level::deeper},
            {"bytes", "The memory of the cache in published models", show_bytes, {}, Level::deeper}};
}

}  // namespace tfs
