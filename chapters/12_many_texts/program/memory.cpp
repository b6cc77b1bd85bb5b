// chapters/12_many_texts/program/memory.cpp · the memory of a cache, and a window that bounds it
#include <fmt/format.h>

#include "chapters/09_transformer/transformer.hpp"
#include "chapters/12_many_texts/program/options.hpp"

namespace tfs {

namespace {

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

// --- a window

constexpr std::size_t prompt = 3, window = 4, passes = 5;

// A row for each pass, a column for each position.
Report show_window(const Request&) {
    PlanePanel panel{
        .low_x = -2.2, .high_x = prompt + passes - 1, .low_y = -static_cast<double>(passes), .high_y = 0.9};
    for (std::size_t t = 0; t + 1 < prompt + passes; ++t)
        panel.text(static_cast<double>(t) + 0.5, 0.45, fmt::format("{}", t));
    for (std::size_t pass = 0; pass < passes; ++pass) {
        const double top = -static_cast<double>(pass);
        panel.text(-1.1, top - 0.5, pass == 0 ? "prefill" : fmt::format("decode {}", pass));
        const std::size_t end = prompt + pass;
        for (std::size_t t = 0; t < end; ++t) {
            const auto x = static_cast<double>(t);
            if (t + window < end)
                panel.text(x + 0.5, top - 0.5, "·");
            else
                panel.rectangle(x + 0.06, top - 0.94, x + 0.94, top - 0.06, Hue::key).light =
                    pass > 0 && t + 1 < end;
        }
    }
    Report report;
    report.note("The figure shows which positions the cache keeps.");
    report.add(
        PlaneFigure{.name = "window",
                    .title = "A window of 4: the cache forgets the oldest position when a new one comes",
                    .panels = {panel},
                    .caption = "Each row is a pass, each column a position. Dark: computed in this pass. "
                               "Light: kept. A dot: forgotten. So the memory "
                               "stays the same, however long the text is."});
    return report;
}

}  // namespace

Sections memory_sections() {
    return {{"window", "A window bounds the memory", show_window},
            {"bytes", "The memory of the cache in published models", show_bytes, {}, Level::deeper}};
}

}  // namespace tfs
