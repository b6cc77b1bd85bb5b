// tools/verdict/channel.hpp · how a checklist tells the runner what its tests came to
//
// A check writes its events to a file descriptor of its own, one a line, so that a step may print what it likes, and so
// that a step that ends the program or crashes can't look like one that passed:
//
//     plan 9 · start softmax rows_sum_to_one · failure TEXT softmax_test.cpp:83 TYPE CAME 12 last · end passed · cause TEXT · done
//
// TYPE is that of the exception which ended the test, CAME the array that was compared (in_text); both may be
// empty. 12 counts the comparisons of the test, of which this may be the last. So events say enough to tell two wrong answers
// apart (causes.hpp). Whoever starts an answer and writes its events to a file, adds how its
// process ended: ended signal 11.
//
// The fields of a line are separated by tabs; tabs, line ends and backslashes in them are escaped.
//
// What a step prints takes another way. Only to label it, the start of each test is also marked among it: `mark`, the
// test's name, a line end.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tfs::verdict {

// The array that came in a wrong comparison, or a text that says all. What is off by no more than its tolerance (close.hpp) is the
// same.
struct Came {
    double relative = 0.0, absolute = 0.0;
    std::string shape{};          // "(2, 3)"; empty where no array was compared
    std::vector<float> values{};  // all, or of a large array 1024, evenly spread
    std::string text{};
};

// A comparison that came out wrong, or an exception that ended the test.
struct Failure {
    std::string message;      // as gtest says it
    std::string where{};      // "softmax_test.cpp:83"
    std::string exception{};  // its type; empty where none ended the test
    std::string came{};       // in_text of a Came, where the message does not say all
    std::size_t number = 0;   // of the comparison in its test
    bool last = false;        // the test ended there
};

// One test: softmax.rows_sum_to_one is of the step softmax.
struct Outcome {
    std::string step;
    std::string name;
    bool finished = false, passed = false;
    std::vector<Failure> failures;
    bool left_out = false;  // it needs what fails elsewhere

    // The step whose NotImplemented came through to this test, as "1.1 attention_loops"; empty where none did.
    std::string waits_for() const;
    // The test failed because this very step is not started.
    bool not_started() const;
    // Something in it is wrong.
    bool failed() const;
};

// How the program of a check ended.
struct Ending {
    enum class Kind { exit, signal, time_limit };
    Kind kind = Kind::exit;
    int code = 0;        // of the exit, or the number of the signal
    std::string errors;  // what it wrote to standard error, for the cause of a crash
};

// "rows_sum_to_one" -> "rows sum to one"
std::string in_words(std::string test_name);

// A mask, a bias, an end_id: what may be left out is empty in some checks.
inline constexpr std::string_view empty_optional =
    "an optional has no value: it was read while empty; ask first, as in if (mask)";

inline constexpr char mark = '\x1e';  // the record separator of ASCII, which nobody prints

// The end that writes. Events are dropped where the descriptor is -1.
class Channel {
  public:
    explicit Channel(int descriptor = -1) : descriptor_(descriptor) {}

    bool is_open() const { return descriptor_ >= 0; }
    void plan(std::size_t tests) const;
    void start(std::string_view step, std::string_view test) const;
    void failure(const Failure& failure) const;
    void end(
        std::string_view result) const;  // "passed", "failed", or "left out": it needs what fails elsewhere
    void cause(std::string_view likely_cause) const;  // of the crash that follows
    void done() const;

  private:
    int descriptor_;

    void write(const std::vector<std::string_view>& fields) const;
};

// What came over the channel until the check ended, in whatever way.
struct Record {
    std::size_t planned = 0;
    bool done = false;
    std::vector<Outcome> outcomes;
    std::string crash_cause;
    Ending ending{};               // of the process; what a learner's check came to, its runner knows
    bool causes_left_out = false;  // of an untouched step, where the causes would say what is to be found

    // Every planned test reported success, or was left out for what fails elsewhere.
    bool all_passed() const;
    // The test that had begun and did not end; null where there is none.
    const Outcome* interrupted() const;
};
Record read_record(std::string_view events);

// The line that tells how the process ended; without what it wrote.
std::string event_of(const Ending& ending);

// "1e-05 1e-06 (2, 3) 3f800000…" or "= its text", and back.
std::string in_text(const Came& came);
Came came_of(std::string_view text);

}  // namespace tfs::verdict
