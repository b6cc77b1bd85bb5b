// tests/13_long_inputs/ring_of_machines_test.cpp · step ring_of_machines: by how busy the machines are
#include <fmt/format.h>

#include "chapters/13_long_inputs/models/long_attention.hpp"
#include "tests/13_long_inputs/checklist.hpp"

namespace tfs::test {
namespace {

struct RingSize {
    std::size_t length, machines;
};

const RingSize ring_sizes[] = {{64, 2}, {64, 8}, {100, 3}, {250, 4}, {250, 7}, {1000, 4}, {1000, 8}};

Ring ring_of(const RingSize& size) {
    return ring_attention(random_head(size.length, size.length, 2, 2), size.machines, machine_of);
}

std::string named(const RingSize& size) {
    return fmt::format("{} positions on {} machines", size.length, size.machines);
}

TEST(ring_of_machines, every_machine_keeps_as_many_positions) {
    for (const RingSize& size : ring_sizes) {
        const Ring ring = ring_of(size);
        EXPECT_LE(ring.most_positions - ring.fewest_positions, 1U)
            << named(size) << ": one machine keeps " << ring.most_positions << ", another "
            << ring.fewest_positions;
    }
}

TEST(ring_of_machines, in_each_round_all_machines_are_about_as_busy) {
    for (const RingSize& size : ring_sizes)
        EXPECT_LE(ring_of(size).waiting(), 1.25)
            << named(size) << ": how many times as long all rounds last as if no machine ever waited";
}

TEST(ring_of_machines, the_result_is_that_of_one_machine) {
    const Head head = random_head(100, 100, 4, 4);
    const Ring ring = ring_attention(head, 4, machine_of);
    const Matrix alone = attention_in_loops(head, {0, 100}, sees_earlier(100)).output;
    EXPECT_TRUE(close(tensor_of(ring.output), tensor_of(alone)));
}

TEST(ring_of_machines, one_machine_keeps_everything) {
    EXPECT_EQ(machine_of(0, 5, 1), 0U) << "the machine of position 0 of 5, on 1 machine";
    EXPECT_EQ(machine_of(4, 5, 1), 0U) << "the machine of position 4 of 5, on 1 machine";
}

}  // namespace
}  // namespace tfs::test
