// bench/table.hpp · the benchmarks as lines of one table, each beside the line that it is compared with
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace tfs::bench {

// What a line counts as its work: floating-point operations (an addition and a multiplication are two), or bytes that
// are read and written.
enum class Work { flops, bytes };

// The line that everything made of products is compared with: OpenBLAS's own product of two 1024 x 1024 matrices.
inline constexpr const char* sgemm = "sgemm 1024 x 1024";
// The line that everything is compared with that takes as long as it takes to read weights; what is read comes behind it.
inline constexpr const char* plain_read_line = "plain read";

// A line that another one is compared with: the ratio is the rate of the one over that of the other.
struct Comparison {
    std::string baseline;  // the name of an earlier line
    double goal = 0.0;     // the ratio to reach; 0 where it is only printed
};

struct Line {
    std::string name;
    double amount = 0.0;  // of work in one call
    Work work = Work::flops;
    std::string baseline = {};  // as in Comparison
    double goal = 0.0;
    std::vector<Comparison> also = {};  // further comparisons of the same times
};

// Seconds of one call, over the repetitions.
struct Time {
    double best = 0.0, median = 0.0;
};

class Table {
  public:
    // A line, and the call that it times. `body` returns nothing: what it computes must reach keep().
    void add(Line line, std::function<void()> body);

    bool has(const std::string& name) const;

    // Times all lines and prints the table. Returns the exit code: 0, also where a goal is missed (the figures are
    // those of one machine in one hour); 2 where an argument is unknown.
    int run(int argc, char** argv);

  private:
    struct Entry {
        Line line;
        std::function<void()> body;
    };
    std::vector<Entry> entries_;

    void print(const std::map<std::string, Time>& times) const;
};

// Makes the compiler believe that the value is used.
void keep(const void* value);

// Each adds the lines of its chapter.
void add_tensor_lines(Table& table);
void add_attention_lines(Table& table);
void add_positional_lines(Table& table);
void add_normalization_lines(Table& table);
void add_feed_forward_lines(Table& table);
void add_dropout_lines(Table& table);
void add_block_lines(Table& table);
void add_training_lines(Table& table, bool large);  // large: GPT-2 small as well, which takes 2 GB
void add_generation_lines(Table& table);

}  // namespace tfs::bench
