// bench/main.cpp · the benchmarks: ./tutorial bench
//
// Ratios are taken from the best of many interleaved repetitions, because what else runs on a machine only adds time.
// Where median and best lie far apart, the machine was busy: measure again. A chapter's lines are in NN_name_bench.cpp.
#include <algorithm>
#include <exception>
#include <string_view>

#include <fmt/format.h>

#include "bench/table.hpp"

int main(int argc, char** argv) {
    using namespace tfs::bench;
    try {
        // Ours alone: what Google Benchmark does not know.
        const bool large = argc > 1 && std::string_view(argv[1]) == "--large";
        if (large) std::rotate(argv + 1, argv + 2, argv + argc--);
        Table table;
        add_tensor_lines(table);
        add_attention_lines(table);
        add_positional_lines(table);
        add_normalization_lines(table);
        add_feed_forward_lines(table);
        add_dropout_lines(table);
        add_block_lines(table);
        add_training_lines(table, large);
        add_generation_lines(table);
        return table.run(argc, argv);
    } catch (const std::exception& error) {
        fmt::print(stderr, "bench: {}\n", error.what());
        return 1;
    }
}
