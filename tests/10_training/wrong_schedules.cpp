// tests/10_training/wrong_schedules.cpp · learning rates with one thing done wrong
#include "tests/10_training/wrong_schedules.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/support/close.hpp"

namespace tfs::test {

Tensor rates_to(std::size_t last, const std::function<double(std::size_t step)>& rate) {
    std::vector<float> rates;
    for (std::size_t step = 1; step <= last; ++step) rates.push_back(static_cast<float>(rate(step)));
    return Tensor::from({last}, std::move(rates));
}

namespace {

// A schedule with one thing done wrong. All but `rises` and `falls` is for the whole of it.
struct WrongSchedule {
    std::string message;
    std::function<double(double step, double warmup, double peak, double final)> rises;
    std::function<double(double done)> falls;  // of 0 … 1, a share of peak - final
    double shift = 0.0;                        // of the step, in the cosine
    bool of_all = false;                       // the share done is step / total
    bool without_warmup_in_total = false;      // … is (step - warmup) / total
    bool goes_on = false, ends_at_0 = false;   // after total
    bool final_is_0 = false, final_on_top = false, final_and_peak_exchanged = false, larger_of_final = false;
};

double straight(double step, double warmup, double peak, double) { return peak * step / warmup; }
double half_cosine(double done) { return 0.5 * (1.0 + std::cos(std::numbers::pi * done)); }

double rate_of(const WrongSchedule& wrong, const WarmupCosine& right, std::size_t step) {
    double peak = right.peak, final = wrong.final_is_0 ? 0.0 : right.final;
    if (wrong.final_and_peak_exchanged) std::swap(peak, final);
    const auto s = static_cast<double>(step), warmup = static_cast<double>(right.warmup),
               total = static_cast<double>(right.total);
    if (step <= right.warmup) return wrong.rises(s, warmup, peak, final);
    if (wrong.ends_at_0 && step > right.total) return 0.0;
    double done = (s + wrong.shift - warmup) / (wrong.without_warmup_in_total ? total : total - warmup);
    if (wrong.of_all) done = s / total;
    if (!wrong.goes_on) done = std::min(1.0, done);
    if (wrong.larger_of_final) return std::max(final, peak * wrong.falls(done));
    if (wrong.final_on_top) return final + peak * wrong.falls(done);
    return final + (peak - final) * wrong.falls(done);
}

std::vector<WrongSchedule> wrong_schedules() {
    const auto constant = [](double, double, double peak, double) { return peak; };
    const std::string whole = "the quotient of two whole numbers is a whole number: ";
    std::vector<WrongSchedule> all{
        {"the warm-up is missing", constant, half_cosine},
        {"the warm-up is one step late: at step 1 the rate is peak / warmup, at step `warmup` it is the peak",
         [](double s, double w, double peak, double) { return peak * (s - 1.0) / w; }, half_cosine},
        {"the warm-up is one step late: at step 1 the rate is peak / warmup",
         [](double s, double w, double peak, double) { return s < w ? peak * (s - 1.0) / w : peak; },
         half_cosine},
        {"the warm-up ends below its peak: divide by warmup, not by warmup + 1",
         [](double s, double w, double peak, double) { return peak * s / (w + 1.0); }, half_cosine},
        {"the warm-up begins at `final`; it begins at 0",
         [](double s, double w, double peak, double final) { return final + (peak - final) * s / w; },
         half_cosine},
        {"the warm-up ends above its peak: step 1 is 1 / warmup of it",
         [](double s, double w, double peak, double) { return peak * (s + 1.0) / w; }, half_cosine},
        {whole + "step / warmup is 0 up to the peak; convert to double first",
         [](double s, double w, double peak, double) { return s < w ? 0.0 : peak; }, half_cosine},
        {"the warm-up is half a cosine; it is a straight line",
         [](double s, double w, double peak, double) { return peak * (1.0 - half_cosine(s / w)); },
         half_cosine},
        {whole + "the share of the cosine that is done is 0 up to `total`; convert to double first", straight,
         [](double done) { return done < 1.0 ? 1.0 : 0.0; }},
        {whole + "both shares are; convert to double first",
         [](double s, double w, double peak, double) { return s < w ? 0.0 : peak; },
         [](double done) { return done < 1.0 ? 1.0 : 0.0; }},
        {"the cosine makes a whole turn; half a turn (pi) ends at `final`", straight,
         [](double done) { return 0.5 * (1.0 + std::cos(2.0 * std::numbers::pi * done)); }},
        {"the cosine makes a quarter of a turn; half a turn (pi) ends at `final`", straight,
         [](double done) { return 0.5 * (1.0 + std::cos(0.5 * std::numbers::pi * done)); }},
        {"the cosine makes a quarter of a turn; half a turn (pi) ends at `final`", straight,
         [](double done) { return std::cos(0.5 * std::numbers::pi * done); }},
        {"the 1 is missing in (1 + cos) / 2", straight,
         [](double done) { return std::cos(std::numbers::pi * done); }},
        {"the 1 is missing in (1 + cos) / 2", straight,
         [](double done) { return 0.5 * std::cos(std::numbers::pi * done); }},
        {"the half is missing in (1 + cos) / 2", straight,
         [](double done) { return 1.0 + std::cos(std::numbers::pi * done); }},
        {"the cosine rises: (1 - cos) / 2", straight, [](double done) { return 1.0 - half_cosine(done); }},
        {"std::cos wants radians, half a turn is pi, not 180", straight,
         [](double done) { return 0.5 * (1.0 + std::cos(180.0 * done)); }},
        {"the pi is missing in the cosine", straight,
         [](double done) { return 0.5 * (1.0 + std::cos(done)); }},
        {"the rate falls in a straight line; it is half a cosine", straight,
         [](double done) { return 1.0 - done; }},
        {"the rate does not fall after the warm-up", straight, [](double) { return 1.0; }}};
    const auto falls = [&](const std::string& message, const std::function<void(WrongSchedule&)>& change) {
        all.push_back({message, straight, half_cosine});
        change(all.back());
    };
    falls("the cosine is one step late: it ends at step `total`", [](auto& s) { s.shift = -1.0; });
    falls("the cosine is one step early: at step `warmup` the rate is the peak",
          [](auto& s) { s.shift = 1.0; });
    falls("the cosine is counted from step 0; it begins behind the warm-up",
          [](auto& s) { s.of_all = true; });
    falls("the cosine is stretched over all `total` steps; it has the total - warmup behind the warm-up",
          [](auto& s) { s.without_warmup_in_total = true; });
    falls("the rate rises again after `total`: what is done is 1 at most", [](auto& s) { s.goes_on = true; });
    falls("the rate is 0 after `total`; it stays at `final`", [](auto& s) { s.ends_at_0 = true; });
    falls("`final` is not used: the cosine falls from peak to final", [](auto& s) { s.final_is_0 = true; });
    falls("`final` is added to a cosine from the peak to 0; the cosine has the height peak - final",
          [](auto& s) { s.final_on_top = true; });
    falls("the larger of `final` and a cosine to 0 is taken; the cosine has the height peak - final",
          [](auto& s) { s.larger_of_final = true; });
    falls("peak and final are exchanged", [](auto& s) { s.final_and_peak_exchanged = true; });
    return all;
}

}  // namespace

std::string likely_schedule() {
    for (const WrongSchedule& wrong : wrong_schedules()) {
        bool explains = true;
        for (const ScheduleCase& c : schedule_cases) {
            const WarmupCosine& schedule = c.schedule;
            const std::size_t last = schedule.total + 5;
            explains =
                explains && close(rates_to(last, [&](auto step) { return learning_rate(schedule, step); }),
                                  rates_to(last, [&](auto step) { return rate_of(wrong, schedule, step); }));
        }
        if (explains) return wrong.message;
    }
    return "";
}

}  // namespace tfs::test
