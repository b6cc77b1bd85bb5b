// tests/tools/verdict_channel_test.cpp · what a checklist writes, and what the runner reads of it
#include <gtest/gtest.h>
#include <unistd.h>

#include <functional>

#include "tools/verdict/channel.hpp"

namespace tfs::tools_test {

namespace {

// What comes of what is written to a channel.
verdict::Record passed_on(const std::function<void(const verdict::Channel&)>& write) {
    int ends[2];
    if (::pipe(ends) != 0) throw std::runtime_error("no pipe could be made");
    write(verdict::Channel(ends[1]));
    ::close(ends[1]);
    std::string text;
    char block[4096];
    for (ssize_t count; (count = ::read(ends[0], block, sizeof block)) > 0;)
        text.append(block, static_cast<std::size_t>(count));
    ::close(ends[0]);
    return verdict::read_record(text);
}

}  // namespace

TEST(report_channel, what_is_written_is_what_is_read) {
    const verdict::Record record = passed_on([](const verdict::Channel& channel) {
        channel.plan(2);
        channel.start("add", "of_zero");
        channel.end("passed");
        channel.start("add", "of_one");
        channel.failure(
            {"got 1", "add_test.cpp:7", "", verdict::in_text({1e-5, 0.5, "(2)", {-0.5f, 1}, ""}), 12, true});
        channel.failure({"got 2", "", "tfs::ShapeError"});
        channel.end("failed");
        channel.cause("an index");
        channel.done();
    });
    EXPECT_EQ(record.planned, 2U);
    EXPECT_TRUE(record.done);
    EXPECT_EQ(record.crash_cause, "an index");
    EXPECT_EQ(record.interrupted(), nullptr);
    EXPECT_FALSE(record.all_passed());
    ASSERT_EQ(record.outcomes.size(), 2U);
    EXPECT_EQ(record.outcomes[0].step, "add");
    EXPECT_EQ(record.outcomes[0].name, "of_zero");
    EXPECT_TRUE(record.outcomes[0].finished && record.outcomes[0].passed);
    EXPECT_TRUE(record.outcomes[1].finished && !record.outcomes[1].passed);
    ASSERT_EQ(record.outcomes[1].failures.size(), 2U);
    const verdict::Failure &first = record.outcomes[1].failures[0], &second = record.outcomes[1].failures[1];
    EXPECT_EQ(first.message, "got 1");
    EXPECT_EQ(first.where, "add_test.cpp:7");
    EXPECT_EQ(first.number, 12U);
    EXPECT_TRUE(first.last && !second.last);
    EXPECT_EQ(second.exception, "tfs::ShapeError");
    const verdict::Came came = verdict::came_of(first.came);
    EXPECT_EQ(came.relative, 1e-5);
    EXPECT_EQ(came.absolute, 0.5);
    EXPECT_EQ(came.shape, "(2)");
    EXPECT_EQ(came.values, (std::vector<float>{-0.5f, 1}));
}

TEST(report_channel, a_message_comes_through_whatever_is_in_it) {
    for (const std::string message :
         {"a\tb\nc\\d", "\\n is no line end, \\t no tab", "\\", "\n\n", "é … €", "\nend\tpassed\ndone\n"}) {
        const verdict::Record record = passed_on([&](const verdict::Channel& channel) {
            channel.start("add", "of_zero");
            channel.failure({message});
        });
        ASSERT_EQ(record.outcomes.size(), 1U) << message;
        EXPECT_EQ(record.outcomes[0].failures.at(0).message, message);
        EXPECT_FALSE(record.done);
        ASSERT_NE(record.interrupted(), nullptr);
        EXPECT_EQ(record.interrupted()->name, "of_zero");
    }
}

TEST(report_channel, all_passed_only_where_every_planned_test_came_to_its_end) {
    const std::string one = "start\tadd\tof_zero\nend\tpassed\n";
    EXPECT_TRUE(verdict::read_record("plan\t1\n" + one + "done\n").all_passed());
    for (const std::string& text :
         {"plan\t2\n" + one + "done\n", "plan\t1\n" + one, "plan\t1\n" + one + "done",
          std::string("plan\t0\ndone\n"), std::string()})
        EXPECT_FALSE(verdict::read_record(text).all_passed()) << text;
}

TEST(report_channel, events_that_are_not_known_or_cut_short_or_come_too_early_do_no_harm) {
    const verdict::Record record =
        verdict::read_record("\nfailure\tx\nend\tpassed\nnews\ta\tb\nstart\tadd\ndone\nstart\tadd\tof_");
    EXPECT_TRUE(record.done);
    EXPECT_TRUE(record.outcomes.empty());
}

}  // namespace tfs::tools_test
