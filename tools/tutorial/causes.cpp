// tools/tutorial/causes.cpp · why a check failed: what the step's mistakes come to on the same tests
#include "tools/tutorial/causes.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <set>

#include "tools/steps/mistake.hpp"
#include "tools/tutorial/build.hpp"
#include "tools/tutorial/checklist.hpp"
#include "tools/tutorial/process.hpp"

namespace tfs::tutorial {

namespace {

fs::path mistakes_of(const steps::Step& step) {
    return fs::path("tests") / step.folder / (step.name + ".mistakes");
}

std::string target_of(const steps::Step& step) { return "records_" + step.folder + "_" + step.name; }

fs::path records_of(const steps::Step& step) { return build_folder / "records" / step.folder / step.name; }

fs::path stamp_of(const steps::Step& step) { return records_of(step) / ".stamp"; }

// All that the records depend on: the program, which is linked anew when a library has changed, and the kernels of BLAS.
std::string stamp(const steps::Step& step) {
    std::string text;
    const auto add = [&](const fs::path& file) {
        std::error_code absent;
        const auto size = fs::file_size(file, absent);
        const auto time = fs::last_write_time(file, absent).time_since_epoch().count();
        text += fmt::format("{} {} {}\n", file.filename().string(), absent ? 0 : size, absent ? 0 : time);
    };
    add(program_folder / target_of(step));
    add(build_folder / "kernels.txt");
    const char* const kernels = std::getenv("OPENBLAS_CORETYPE");
    return text + (kernels == nullptr ? "" : kernels) + "\n";
}

std::vector<verdict::Known> read_known(const steps::Step& step) {
    std::vector<verdict::Known> known;
    std::set<std::string> pairs;  // what else is there
    for (const auto& entry : fs::directory_iterator(records_of(step)))
        pairs.insert(entry.path().filename().string());
    const auto record = [&](const std::string& name) {
        return verdict::read_record(steps::read_text(records_of(step) / name));
    };
    for (const steps::Mistake& mistake : steps::read_mistakes(mistakes_of(step)))
        if (pairs.erase(mistake.title()) > 0)
            known.push_back({mistake.title(), mistake.sentences, record(mistake.title())});
    const std::vector<verdict::Known> single = known;
    for (const std::string& pair : pairs)
        if (pair.find('+') != std::string::npos)
            known.push_back(verdict::pair_of(single, pair, record(pair)));
    return known;
}

bool run_records(const steps::Step& step, const std::vector<std::string>& pairs, const Stop& stop) {
    Command command;
    command.words = {(program_folder / target_of(step)).string(), records_of(step).string()};
    command.words.insert(command.words.end(), pairs.begin(), pairs.end());
    command.memory_limit = memory_limit_of_checks();
    command.environment = without_settings_of_threads();
    command.environment.emplace_back("OMP_NUM_THREADS=1");  // several mistakes run at once
    return ask(command, stop).code == 0;
}

}  // namespace

bool has_mistakes(const Session& session, const steps::Step& step) {
    return session.causes && fs::exists(mistakes_of(step));
}

std::string target_of_kept_records(const Session& session, const steps::Step& step) {
    return has_mistakes(session, step) && fs::exists(stamp_of(step)) ? target_of(step) : "";
}

std::optional<std::vector<verdict::Known>> kept_mistakes(const steps::Step& step) {
    if (!fs::exists(stamp_of(step)) || steps::read_text(stamp_of(step)) != stamp(step)) return std::nullopt;
    return read_known(step);
}

std::optional<std::vector<verdict::Known>> run_mistakes(const Session& session, const steps::Step& step,
                                                        const Stop& stop) {
    if (!build(session, {target_of(step)}, stop).complete) return std::nullopt;
    if (!run_records(step, {}, stop)) return std::nullopt;
    steps::write_text(stamp_of(step), stamp(step));
    return read_known(step);
}

void run_pairs(const steps::Step& step, const std::vector<std::string>& pairs,
               std::vector<verdict::Known>& known, const Stop& stop) {
    if (!pairs.empty() && run_records(step, pairs, stop)) known = read_known(step);
}

}  // namespace tfs::tutorial
