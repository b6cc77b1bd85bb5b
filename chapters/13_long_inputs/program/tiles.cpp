// chapters/13_long_inputs/program/tiles.cpp · which tiles are computed, what is kept in memory, and how long each way takes
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "chapters/01_attention/attention.hpp"
#include "chapters/02_masks/masks.hpp"
#include "chapters/07_block/block.hpp"
#include "chapters/13_long_inputs/given/tiles.hpp"
#include "chapters/13_long_inputs/program/options.hpp"
#include "common/base/parallel.hpp"
#include "common/tensor/tiled_attention.hpp"

namespace tfs {

Tensor as_tensor(const Matrix& matrix) {
    return Tensor::from({1, 1, matrix.rows, matrix.width}, matrix.numbers);
}

namespace {

// --- which tiles are computed

struct NamedMask {
    std::string name;
    Visible visible;
};

Report show_tiles(const Request& request) {
    constexpr std::size_t size = 10 * tile_keys;
    const Head head = drawn_head(size, 16, request[options::seed]);
    const NamedMask masks[] = {{"nothing hidden", sees_all(size, size)},
                               {"causal", sees_earlier(size)},
                               {"window of 200", sees_window(size, 200)},
                               {"documents", sees_documents({300, 500, 480})}};
    Table table{.columns = {{"mask"},
                            {"tiles", whole()},
                            {"computed", whole()},
                            {"of these at an edge", whole()},
                            {"largest difference", magnitude()}}};
    SmallMapsFigure figure{
        .name = "tiles",
        .title = "What a mask hides is not computed",
        .caption = fmt::format(
            "A row is a block of {} queries, a column a tile of {} keys, of {} positions. Dark: every "
            "query "
            "sees every key. Light: a tile at an edge, where the mask is looked at. Grey: not computed.",
            block_queries, tile_keys, size)};
    const std::vector<Range> blocks = pieces_of(size, block_queries), tiles = pieces_of(size, tile_keys);
    for (const auto& [name, visible] : masks) {
        SmallMap map{name, Array::from_shape({blocks.size(), tiles.size()})};
        std::size_t edges = 0;
        for (std::size_t b = 0; b < blocks.size(); ++b)
            for (std::size_t t = 0; t < tiles.size(); ++t) {
                const Sees sees =
                    tile_sees(std::span(visible).subspan(blocks[b].begin, blocks[b].size()), tiles[t]);
                map.values(b, t) = sees == Sees::all ? 1.0f : sees == Sees::some ? 0.4f : 0.0f;
                edges += sees == Sees::some ? 1 : 0;
            }
        const LongOutput result = attend_in_tiles(head, visible);
        const Matrix plain = attend_key_by_key(head, visible);
        table.add({name, blocks.size() * tiles.size(), result.tiles, edges,
                   largest_difference(as_tensor(result.output).array(), as_tensor(plain).array())});
        figure.panels.push_back(std::move(map));
    }
    Report report;
    report.add(table);
    report.note("The last column compares them with one key at a time (step streaming_softmax).");
    report.add(figure);
    return report;
}

// --- memory

// 12 heads of width 64, as in GPT-2 small: what attention keeps beside q, k, v and the output.
constexpr double heads_shown = 12.0;

double bytes_of_square(double length) { return 4.0 * heads_shown * length * length; }

Report show_memory(const Request&) {
    Table table{.columns = {{"positions", thousands()},
                            {"all weights", bytes()},
                            {"a tile and sums for each of 8 threads, and a number a row", bytes()}}};
    Series square{"all weights", {}, {}, Hue::without}, tiles{"in tiles", {}, {}, Hue::with};
    constexpr double tile = 32.0 * block_queries * (tile_keys + 64.0);  // scores, and sums of the block
    for (double length = 1024.0; length <= 131072.0; length *= 2.0) {
        const double in_tiles = tile + 4.0 * heads_shown * length;
        square.add(length / 1024.0, bytes_of_square(length) / 1e9);
        tiles.add(length / 1024.0, in_tiles / 1e9);
        table.add({length, bytes_of_square(length), in_tiles});
    }
    Report report;
    report.add(table);
    report.add(
        LineFigure{.name = "memory",
                   .title = "Twice the length: four times the weights, or in tiles at most twice as much",
                   .panels = {{.title = "12 heads, one layer",
                               .x_axis = "thousand positions (1,024)",
                               .y_axis = "GB",
                               .log_x = true,
                               .log_y = true,
                               .series = {square, tiles},
                               .limits = {{16.0, {}, "16 GB, as a laptop has"}}}},
                   .panels_per_row = 1,
                   .caption = "What attention keeps beside queries, keys, values and output, in 32 bits: all "
                              "weights; or in tiles, for each of 8 threads a tile and the sums of a block, "
                              "which do not grow, and a number for each query and head. Both axes are "
                              "logarithmic."});
    return report;
}

// --- each way, measured

Cell memory_cell(const std::optional<double>& memory) {
    if (!memory) return "not told";
    return *memory < 1 << 20 ? Cell("under 1 MiB") : Cell(*memory);
}

Report show_ways(const Request& request) {
    const std::size_t size = request[options::positions];
    const Head head = drawn_head(size, 64, request[options::seed]);
    const Visible all = sees_all(size, size), earlier = sees_earlier(size);
    Table table{.columns = {{"causal, one head of width 64"},
                            {"ms", significant(2)},
                            {"memory beside q, k, v", bytes()},
                            {"step"}}};
    const auto add = [&](const std::string& name, const std::string& step,
                         const std::function<void()>& work) {
        request.tell({"progress", name});
        const NoGrad no_grad;
        const double begin = steady_seconds();
        const auto memory = peak_memory(work);
        table.add({name, 1e3 * (steady_seconds() - begin), memory_cell(memory), step});
    };
    const Threads one(1);
    const Tensor q = as_tensor(head.q), k = as_tensor(head.k), v = as_tensor(head.v);
    const Mask mask = causal_mask(size);
    add("all scores, then all weights", "1.3 scaled_dot_product_attention",
        [&] { (void)scaled_dot_product_attention(q, k, v, mask); });
    add("one key at a time", "13.1 streaming_softmax", [&] { (void)attend_key_by_key(head, earlier); });
    // As it would be without step hidden_tiles: as many tiles as without a mask.
    add("in tiles, as if nothing were hidden", "13.3 attention_in_tiles",
        [&] { (void)attend_in_tiles(head, all); });
    add("in tiles, hidden ones left out", "13.4 hidden_tiles", [&] { (void)attend_in_tiles(head, earlier); });
    add("the kernel that our models use", "",
        [&] { (void)scaled_dot_product_attention(q, k, v, mask, std::nullopt, Weights::none); });
    Report report;
    report.add(table);
    report.note(
        fmt::format("{} positions, one core, one run each. Memory is what the process had at its peak beyond "
                    "what it had before.",
                    size));
    return report;
}

// A block of GPT-2 small; for training 13.5 is needed, too.
Report show_block(const Request& request) {
    const std::size_t size = request[options::block_positions];
    Rng rng(request[options::seed]);
    const TransformerBlock block(BlockConfig{}, rng);
    const Tensor x = parameter(Tensor(rng.normal_array({1, size, block.config.d_model})));
    const Mask mask = causal_mask(size);
    Table table{.columns = {{"a block of GPT-2 small"},
                            {.name = "ms", .format = whole(), .group = "reads"},
                            {.name = "memory", .format = bytes(), .group = "reads"},
                            {.name = "ms", .format = whole(), .group = "and learns"},
                            {.name = "memory", .format = bytes(), .group = "and learns"},
                            {"largest difference", magnitude()}}};
    struct Way {
        std::string name;
        Pass pass;
        AttentionOfModels::Function attention;  // empty: that of the model
    };
    const Way ways[] = {{"all weights", with_weights, {}},
                        {"the kernel that our models use", {}, {}},
                        {"the steps of this chapter", {}, attend_on_tape}};
    const auto read = [&](const Way& way) {
        const AttentionOfModels attention(way.attention);
        return block(x, mask, way.pass).output;
    };
    std::vector<std::function<void()>> works;  // of each way: it reads; it learns
    for (const Way& way : ways) {
        works.push_back([&] {
            const NoGrad no_grad;
            (void)read(way);
        });
        works.push_back([&] { sum(read(way)).backward(); });
    }
    const Threads one(1);
    works[1]();  // so that the gradients of the parameters are there
    std::vector<Cell> memory;
    for (std::size_t i = 0; i < works.size(); ++i) {
        request.tell({"progress", ways[i / 2].name});
        memory.push_back(memory_cell(peak_memory(works[i])));
    }
    request.tell({"progress", "all in turns"});
    const Rounds rounds = measure_in_turns(works, usual_turns({.rounds = 3}));
    const NoGrad no_grad;
    const Tensor expected = read(ways[0]);
    for (std::size_t i = 0; i < std::size(ways); ++i)
        table.add({ways[i].name, 1e3 * quartiles(rounds[2 * i]).median, memory[2 * i],
                   1e3 * quartiles(rounds[2 * i + 1]).median, memory[2 * i + 1],
                   largest_difference(read(ways[i]).array(), expected.array())});
    Report report;
    report.add(table);
    report.note(fmt::format("{} positions, 12 heads of width 64, causal, one core.", size));
    return report;
}

Report show_long(const Request& request) {
    constexpr std::size_t size = 65536;
    const Head head = drawn_head(size, 64, request[options::seed]);
    Table table{.columns = {{"positions", thousands()},
                            {"mask"},
                            {"tiles", thousands()},
                            {"seconds", fixed(1)},
                            {"memory beside q, k, v", bytes()}}};
    for (const NamedMask& one :
         {NamedMask{"causal", sees_earlier(size)}, NamedMask{"window of 1,024", sees_window(size, 1024)}}) {
        request.tell({"progress", one.name});
        std::size_t tiles = 0;
        const double begin = steady_seconds();
        const auto memory = peak_memory([&] { tiles = attend_in_tiles(head, one.visible).tiles; });
        table.add({size, one.name, tiles, steady_seconds() - begin, memory_cell(memory)});
    }
    Report report;
    report.add(table);
    report.note("One head of width 64, all cores. All its weights would be 17 GB.");
    return report;
}

}  // namespace

Sections tiles_sections() {
    return {{"tiles", "Which tiles are computed", show_tiles, {options::seed}},
            {"memory", "What attention keeps, computed", show_memory},
            {"ways",
             "The same attention in five ways (times differ from run to run)",
             show_ways,
             {options::positions, options::seed}},
            {"block",
             "Your tiles in a block (times differ from run to run)",
             show_block,
             {options::block_positions, options::seed},
             Level::experiment},
            {"long",
             "65,536 positions (times differ from run to run)",
             show_long,
             {options::seed},
             Level::experiment}};
}

}  // namespace tfs
