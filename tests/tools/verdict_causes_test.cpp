// tests/tools/verdict_causes_test.cpp · which of the known mistakes a record is told to be; what a checklist writes of its tests
#include <gtest/gtest.h>
#include <unistd.h>

#include <functional>
#include <limits>

#include "tools/verdict/causes.hpp"
#include "tools/verdict/channel.hpp"

namespace tfs::tools_test {

namespace {

using verdict::Ending;
using verdict::Failure;
using verdict::Known;
using verdict::Outcome;
using verdict::Record;

Outcome passed(const std::string& name) { return {"add", name, true, true, {}}; }

// With one wrong comparison: this text, or this array, as number 1 of the test.
Outcome said(const std::string& name, const std::string& message) {
    return {"add", name, true, false, {{message, "add_test.cpp:7", "", "", 1, false}}};
}
Outcome failed(const std::string& name, const std::vector<float>& values) {
    Outcome test = said(name, "some values differ");
    test.failures[0].came = verdict::in_text({1e-5, 1e-6, "(2)", values, ""});
    return test;
}

Record record_of(const std::vector<Outcome>& tests) {
    Record record;
    record.done = true;
    record.outcomes = tests;
    return record;
}

Known known(const std::string& name, const std::vector<Outcome>& tests) {
    return {name, {"it is " + name}, record_of(tests)};
}

// The sentences, without "it is ".
std::string told(const std::vector<Outcome>& hers, const std::vector<Known>& mistakes) {
    std::string text;
    for (const verdict::Cause& cause : verdict::causes_of(record_of(hers), {}, mistakes))
        text += (text.empty() ? "" : ", ") + cause.sentence.substr(6);
    return text;
}

const std::vector<Outcome> all_right = {passed("a"), passed("b"), passed("c")};

}  // namespace

TEST(report_causes, the_same_values_in_the_same_comparisons_are_the_same_mistake) {
    const std::vector<Known> mistakes = {known("minus", {failed("a", {1, 2}), passed("b")}),
                                         known("twice", {failed("a", {3, 4}), passed("b")}),
                                         known("both", {failed("a", {1, 2}), said("b", "got 1")})};
    EXPECT_EQ(told({failed("a", {1, 2}), passed("b")}, mistakes), "minus");
    EXPECT_EQ(told({failed("a", {1, 2.00001f}), passed("b")}, mistakes), "minus");
    EXPECT_EQ(told({failed("a", {3, 4}), passed("b")}, mistakes), "twice");
    EXPECT_EQ(told({failed("a", {1, 2}), said("b", "got 1")}, mistakes), "both");
    EXPECT_EQ(told({failed("a", {1, 2.1f}), passed("b")}, mistakes), "");
    EXPECT_EQ(told({passed("a"), said("b", "got 1")}, mistakes), "");
    const auto causes = verdict::causes_of(record_of({failed("a", {1, 2}), passed("b")}), {}, mistakes);
    EXPECT_EQ(causes.at(0).tests, std::vector<std::string>{"a"});
}

TEST(report_causes, what_fails_alike_with_other_values_is_no_cause) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<Known> mistakes = {known("nan", {failed("a", {nan, nan})})};
    EXPECT_EQ(told({failed("a", {nan, nan})}, mistakes), "nan");
    EXPECT_EQ(told({failed("a", {nan, 1})}, mistakes), "");
    EXPECT_EQ(told({said("a", "NaN at (0)")}, mistakes), "");
}

TEST(report_causes, numbers_in_a_text_may_differ_by_rounding_and_whole_ones_not) {
    const std::vector<Known> mistakes = {known("text", {said("a", "got 0.500001 of 12, -nan")})};
    EXPECT_EQ(told({said("a", "got 0.5000012 of 12, nan")}, mistakes), "text");
    EXPECT_EQ(told({said("a", "got 0.51 of 12, nan")}, mistakes), "");
    EXPECT_EQ(told({said("a", "got 0.500001 of 13, nan")}, mistakes), "");
    EXPECT_EQ(told({said("a", "got 0.500001 of 12, nan!")}, mistakes), "");
}

TEST(report_causes, two_mistakes_are_told_together_where_each_explains_a_part) {
    const std::vector<Known> mistakes = {known("first", {failed("a", {1, 2}), passed("b"), passed("c")}),
                                         known("second", {passed("a"), failed("b", {3, 4}), passed("c")}),
                                         known("third", {passed("a"), passed("b"), said("c", "x")})};
    EXPECT_EQ(told({failed("a", {1, 2}), failed("b", {3, 4}), passed("c")}, mistakes), "first, second");
    EXPECT_EQ(told({failed("a", {1, 2}), failed("b", {3, 4}), said("c", "x")}, mistakes),
              "first, second, third");
    // The other half is none that is known.
    EXPECT_EQ(told({failed("a", {1, 2}), failed("b", {5, 6}), passed("c")}, mistakes), "first");
}

TEST(report_causes, a_few_comparisons_may_be_those_of_neither_where_two_meet) {
    const auto four = [](const Outcome& a, const Outcome& b, const Outcome& c, const Outcome& d) {
        return std::vector<Outcome>{a, b, c, d};
    };
    const std::vector<Known> mistakes = {
        known("first", four(failed("a", {1, 2}), failed("b", {1, 2}), passed("c"), failed("d", {1, 1}))),
        known("second", four(passed("a"), passed("b"), failed("c", {3, 4}), failed("d", {2, 2})))};
    EXPECT_EQ(told(four(failed("a", {1, 2}), failed("b", {1, 2}), failed("c", {3, 4}), failed("d", {9, 9})),
                   mistakes),
              "first, second");
    EXPECT_EQ(
        told(four(failed("a", {1, 2}), passed("b"), failed("c", {3, 4}), failed("d", {9, 9})), mistakes), "");
    const auto pairs = verdict::likely_pairs(
        record_of(four(failed("a", {7, 7}), failed("b", {7, 7}), failed("c", {7, 7}), failed("d", {7, 7}))),
        {}, mistakes);
    EXPECT_EQ(pairs, std::vector<std::string>{"first+second"});
}

TEST(report_causes, of_equally_good_ones_only_what_they_share_is_told) {
    const std::vector<Outcome> hers = {failed("a", {1, 2}), passed("b")};
    Known same = known("one", hers), alike = known("one", hers), other = known("other", hers);
    EXPECT_EQ(told(hers, {same, alike}), "one");
    EXPECT_EQ(told(hers, {same, other}), "");
    same.sentences.push_back("it is two");  // faults at once
    EXPECT_EQ(told(hers, {same}), "one, two");
}

TEST(report_causes, a_mistake_that_would_fail_one_test_more_is_told_if_nothing_else_explains_all) {
    const std::vector<Known> mistakes = {
        known("more", {failed("a", {1, 2}), failed("b", {1, 2}), said("c", "x")})};
    EXPECT_EQ(told({failed("a", {1, 2}), failed("b", {1, 2}), passed("c")}, mistakes), "more");
    EXPECT_EQ(told({failed("a", {1, 2}), passed("b"), passed("c")}, mistakes), "");
}

TEST(report_causes, what_waits_or_is_left_out_or_never_ran_says_nothing) {
    Outcome waits = said("b", "not started: step 0.3 copy"), left_out{"add", "c", true, false, {}, true};
    const std::vector<Known> mistakes = {
        known("one", {failed("a", {1, 2}), failed("b", {3, 4}), said("c", "x")})};
    EXPECT_EQ(told({failed("a", {1, 2}), waits, left_out}, mistakes), "one");
    EXPECT_EQ(told({failed("a", {1, 2})}, mistakes), "one");
    EXPECT_EQ(told({waits, left_out}, mistakes), "");
    EXPECT_EQ(told(all_right, mistakes), "");
}

TEST(report_causes, a_crash_is_the_same_in_the_same_test_by_the_same_signal) {
    const std::vector<Outcome> tests = {passed("a"), {"add", "b", false, false, {}}};
    Known crash = known("crash", tests);
    crash.record.ending = {Ending::Kind::signal, 11, ""};
    const auto told_of = [&](const Ending& ending) {
        return verdict::causes_of(record_of(tests), ending, {crash}).size();
    };
    EXPECT_EQ(told_of({Ending::Kind::signal, 11, ""}), 1U);
    EXPECT_EQ(told_of({Ending::Kind::signal, 6, ""}), 0U);
    crash.record.ending = {Ending::Kind::time_limit, 2, ""};
    EXPECT_EQ(told_of({Ending::Kind::time_limit, 20, ""}), 1U);
    EXPECT_EQ(told_of({Ending::Kind::exit, 0, ""}), 0U);
}

// After a comparison that ends its test, the others were not made.
TEST(report_causes, what_a_test_did_not_come_to_contradicts_nobody) {
    Outcome ended = failed("a", {1, 2}), went_on = failed("a", {1, 2});
    ended.failures[0].last = true;
    went_on.failures.push_back({"more", "add_test.cpp:9", "", "", 2, false});
    const std::vector<Known> mistakes = {known("one", {went_on})};
    EXPECT_EQ(told({ended}, mistakes), "one");
    EXPECT_EQ(told({failed("a", {1, 2})}, mistakes), "");
}

// ---- what a checklist writes, and what the runner reads of it -----------------------------------------------

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
