// bench/main.cpp · the benchmarks: ./tutorial bench
//
// Ratios are taken from the best of many interleaved repetitions, because what else runs on a machine only adds time.
// Where median and best lie far apart, the machine was busy: measure again. A chapter's lines are in NN_name_bench.cpp.
#include <exception>

#include <fmt/format.h>

#include "bench/table.hpp"

int main(int argc, char** argv) {
    using namespace tfs::bench;
    try {
        Table table;
        add_tensor_lines(table);
        add_attention_lines(table);
        add_positional_lines(table);
        add_normalization_lines(table);
        add_feed_forward_lines(table);
        add_dropout_lines(table);
        add_block_lines(table);
        return table.run(argc, argv);
    } catch (const std::exception& error) {
        fmt::print(stderr, "bench: {}\n", error.what());
        return 1;
    }
}
