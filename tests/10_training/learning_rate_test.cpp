// tests/10_training/learning_rate_test.cpp · step learning_rate: PyTorch's rates, properties, diagnosis
#include <fmt/format.h>

#include <cmath>

#include "tests/10_training/wrong_schedules.hpp"
#include "tests/support/close.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

TEST(learning_rate, warmup_and_cosine_equal_pytorch) {
    for (const ScheduleCase& one : schedule_cases) {
        const WarmupCosine& c = one.schedule;
        const Tensor rates = rates_to(c.total + 5, [&](std::size_t step) { return learning_rate(c, step); });
        const std::string what =
            fmt::format("the rates at step 1, 2, 3 … for peak {}, final {}, warmup {}, total {}", c.peak,
                        c.final, c.warmup, c.total);
        const testing::AssertionResult same =
            close_named(what, rates, optimizer_golden()["cosine." + one.name], {1e-5, 1e-7});
        if (same) continue;
        const std::string cause = likely_schedule();
        const bool divided = c.warmup == 0 && contains_nan(rates);
        FAIL() << same.message() << likely_if(!cause.empty(), cause)
               << likely_if(divided && cause.empty(),
                            "a warm-up of 0 steps is none: divide by warmup only in a warm-up");
    }
}

TEST(learning_rate, the_peak_is_at_the_end_of_the_warmup_and_final_at_the_end) {
    const WarmupCosine schedule{.peak = 3e-4, .final = 3e-5, .warmup = 2000, .total = 600'000};
    const auto at = [&](std::size_t step) { return learning_rate(schedule, step); };
    EXPECT_NEAR(at(1), 1.5e-7, 1e-11) << "at step 1";
    EXPECT_NEAR(at(1000), 1.5e-4, 1e-9) << "in the middle of the warm-up";
    EXPECT_NEAR(at(2000), 3e-4, 1e-9) << "at the end of the warm-up";
    EXPECT_NEAR(at(301'000), 1.65e-4, 1e-9) << "in the middle of the cosine";
    EXPECT_NEAR(at(600'000), 3e-5, 1e-11) << "at step `total`";
    EXPECT_NEAR(at(900'000), 3e-5, 1e-11) << "after `total`";
}

TEST(learning_rate, the_shortest_schedules_are_no_special_cases) {
    const auto cosine = [](std::size_t warmup, std::size_t total, std::size_t step) {
        return learning_rate(WarmupCosine{.peak = 0.5, .final = 0.1, .warmup = warmup, .total = total}, step);
    };
    EXPECT_NEAR(cosine(0, 1, 1), 0.1, 1e-7) << "of one step without warm-up, which is the last";
    EXPECT_NEAR(cosine(1, 2, 1), 0.5, 1e-7) << "of two steps, the first is the warm-up";
    EXPECT_NEAR(cosine(1, 2, 2), 0.1, 1e-7) << "of two steps, the second is the last";
    EXPECT_NEAR(learning_rate(Noam{.d_model = 1, .warmup = 1, .factor = 2.0}, 1), 2.0, 1e-7)
        << "Noam with d_model 1, warmup 1, factor 2, step 1";
}

TEST(learning_rate, noam_equals_pytorch_with_the_formula_of_the_paper) {
    const Noam noam{.d_model = 24, .warmup = 6, .factor = 3.0};
    EXPECT_TRUE(close_named("the rates at step 1, 2, 3 … for d_model 24, warmup 6, factor 3",
                            rates_to(20, [&](std::size_t step) { return learning_rate(noam, step); }),
                            optimizer_golden()["noam"], {1e-5, 1e-7}, noam_suspects(noam, 20)));
}

// d_model = 512 and 4000 steps of warm-up, as in the paper.
TEST(learning_rate, noam_has_its_peak_at_the_end_of_the_warmup) {
    EXPECT_NEAR(learning_rate(Noam{}, 1), 1.746928e-7, 1e-11) << "at step 1";
    EXPECT_NEAR(learning_rate(Noam{}, 4000), 6.987712e-4, 1e-9) << "at step 4000, the peak";
    EXPECT_NEAR(learning_rate(Noam{}, 100'000), 1.397542e-4, 1e-9)
        << "at step 100,000, the last of the base model";
}

TEST(learning_rate, refuses_step_0_and_schedules_that_make_no_sense) {
    (void)learning_rate(WarmupCosine{}, 1);
    (void)learning_rate(Noam{}, 1);
    EXPECT_TRUE(refuses<ValueError>([] { (void)learning_rate(WarmupCosine{}, 0); }, {"1"}, "step 0"));
    EXPECT_TRUE(refuses<ValueError>([] { (void)learning_rate(Noam{}, 0); }, {"1"}, "step 0"));
    EXPECT_TRUE(refuses<ValueError>([] { (void)learning_rate(WarmupCosine{.warmup = 7, .total = 7}, 1); },
                                    {"7"}, "a warm-up as long as all"));
    EXPECT_TRUE(
        refuses<ValueError>([] { (void)learning_rate(Noam{.d_model = 0}, 1); }, {"0", "4000"}, "d_model 0"));
    EXPECT_TRUE(
        refuses<ValueError>([] { (void)learning_rate(Noam{.warmup = 0}, 1); }, {"512", "0"}, "warmup 0"));
    for (const double bad : {double{INFINITY}, double{NAN}}) {
        EXPECT_TRUE(refuses<ValueError>([&] { (void)learning_rate(WarmupCosine{.peak = bad}, 1); },
                                        {"peak", "inf|nan"}, "a peak that is not finite"));
        EXPECT_TRUE(refuses<ValueError>([&] { (void)learning_rate(WarmupCosine{.final = bad}, 1); },
                                        {"final", "inf|nan"}, "a final rate that is not finite"));
        EXPECT_TRUE(refuses<ValueError>([&] { (void)learning_rate(Noam{.factor = bad}, 1); },
                                        {"factor", "inf|nan"}, "a factor that is not finite"));
    }
}

}  // namespace
}  // namespace tfs::test
