// tests/tools/runner_kernels_test.cpp · kernels of OpenBLAS for a processor that it does not know
#include <gtest/gtest.h>

#include "tests/tools/mini_tutorial.hpp"
#include "tests/tools/text_checks.hpp"
#include "tools/steps/text.hpp"

namespace tfs::tools_test {

namespace {

// A tutorial whose program of kernels is linked with a library that does what the variables say (fake_blas.cpp). It takes Prescott.
class TutorialWithFakeBlas {
  public:
    explicit TutorialWithFakeBlas(std::vector<std::string> environment)
        : environment_(std::move(environment)) {
        environment_.insert(environment_.end(),
                            {"MINI_BLAS_KERNELS=" TFS_FAKE_BLAS, "FAKE_LOG=" + log().string()});
        // The learner's step shows what the runner set.
        mini.write("double_it",
                   "    const char* kernels = std::getenv(\"OPENBLAS_CORETYPE\");\n"
                   "    std::printf(\"kernels: %s\\n\", kernels == nullptr ? \"none\" : kernels);\n    "
                   "return 2 * x;",
                   "#include <cstdio>\n#include <cstdlib>\n");
    }

    Result run(const std::vector<std::string>& words, const std::vector<std::string>& more = {}) const {
        Options options{.environment = environment_};
        options.environment.insert(options.environment.end(), more.begin(), more.end());
        return mini.run(words, options);
    }
    // What a check of a step computes with.
    std::string kernels_of_a_check(const std::vector<std::string>& more = {}) const {
        const Result checked = run({"check", "double_it"}, more);
        EXPECT_EQ(checked.code, 0) << checked.out << checked.err;
        const std::size_t begin = checked.out.find("kernels: ") + 9;
        return checked.out.substr(begin, checked.out.find('\n', begin) - begin);
    }
    std::string version(const std::vector<std::string>& more = {}) const {
        return run({"--version"}, more).out;
    }
    // With which kernels something was multiplied, and in which order.
    std::string tried() const { return fs::exists(log()) ? steps::read_text(log()) : ""; }

    const MiniTutorial mini;

  private:
    std::vector<std::string> environment_;

    fs::path log() const { return mini.root().parent_path() / "tried"; }
};

const std::string new_intel = "FAKE_PROCESSOR=avx2 avx512", new_amd = "FAKE_PROCESSOR=amd avx2";

}  // namespace

TEST(runner_kernels, better_ones_are_tried_once_and_set_for_all_that_is_started) {
    const TutorialWithFakeBlas tutorial({new_intel});
    EXPECT_TRUE(contains(tutorial.version(),
                         "Kernels of OpenBLAS: not known yet; the first ./tutorial run finds them out."));
    const Result first = tutorial.run({"check", "double_it"});
    EXPECT_TRUE(contains(first.out, "kernels: SkylakeX\n")) << first.out;
    const std::string why =
        "By default OpenBLAS chooses its code for Prescott, an old processor. Its code for SkylakeX computes "
        "the same products, ";
    EXPECT_TRUE(contains(first.err, why)) << first.err;
    EXPECT_EQ(tutorial.tried(), "none\nSkylakeX\n");

    const Result second = tutorial.run({"check", "double_it"});
    EXPECT_TRUE(contains(second.out, "kernels: SkylakeX\n"));
    EXPECT_FALSE(contains(second.err, "OpenBLAS"));
    EXPECT_EQ(tutorial.tried(), "none\nSkylakeX\n");
    EXPECT_TRUE(
        contains(tutorial.version(),
                 "Kernels of OpenBLAS 0.0.1: SkylakeX, chosen by ./tutorial (OPENBLAS_CORETYPE). " + why));

    // Another processor, another library: what was found out is of no use.
    EXPECT_EQ(tutorial.kernels_of_a_check({new_amd}), "Zen");
    EXPECT_EQ(tutorial.kernels_of_a_check({"FAKE_CONFIG=OpenBLAS 0.0.2 DYNAMIC_ARCH"}), "SkylakeX");
    EXPECT_EQ(tutorial.tried(), "none\nSkylakeX\nnone\nZen\nnone\nSkylakeX\n");
}

TEST(runner_kernels, those_that_are_wrong_or_crash_or_are_slow_are_left_out) {
    const TutorialWithFakeBlas tutorial({new_intel});
    EXPECT_EQ(tutorial.kernels_of_a_check({"FAKE_KERNELS=SkylakeX=wrong"}), "Haswell");
    const auto all_refused = [&](const std::string& kernels) {
        fs::remove(tutorial.mini.root() / "build/release/kernels.txt");
        EXPECT_EQ(tutorial.kernels_of_a_check({kernels}), "none");
        return tutorial.version({kernels});
    };
    EXPECT_TRUE(
        contains(all_refused("FAKE_KERNELS=SkylakeX=crash Haswell=threads"),
                 "Kernels of OpenBLAS 0.0.1: Prescott, chosen by OpenBLAS. They are for an old processor, "
                 "but better ones can't be used: a program with those for SkylakeX ended with exit code 132, "
                 "those for Haswell "
                 "compute a product of 1 x 1 and 1 x 1 wrong."));
    EXPECT_TRUE(contains(all_refused("FAKE_KERNELS=SkylakeX=absent Haswell=slow"),
                         "this library has no kernels for SkylakeX, those for Haswell are not faster."));
}

TEST(runner_kernels, what_the_learner_has_set_stays) {
    const TutorialWithFakeBlas tutorial({new_intel, "OPENBLAS_CORETYPE=Nehalem"});
    EXPECT_EQ(tutorial.kernels_of_a_check(), "Nehalem");
    EXPECT_EQ(tutorial.tried(), "");
    EXPECT_TRUE(contains(tutorial.version(), "Nehalem, chosen by your OPENBLAS_CORETYPE=Nehalem."));
}

TEST(runner_kernels, a_library_that_has_no_choice_and_an_old_processor_are_left_alone) {
    const TutorialWithFakeBlas tutorial({new_intel, "FAKE_CONFIG=OpenBLAS 0.0.1 PRESCOTT"});
    EXPECT_EQ(tutorial.kernels_of_a_check(), "none");
    EXPECT_TRUE(contains(tutorial.version(), "Kernels of OpenBLAS 0.0.1: Prescott, chosen by OpenBLAS."));
    EXPECT_EQ(tutorial.kernels_of_a_check({"FAKE_CONFIG=OpenBLAS 0.0.1 DYNAMIC_ARCH", "FAKE_PROCESSOR=amd"}),
              "none");
    EXPECT_EQ(tutorial.tried(), "");
}

TEST(runner_kernels, where_nothing_can_be_kept_they_are_tried_each_time) {
    const TutorialWithFakeBlas tutorial({new_amd});
    fs::create_directories(tutorial.mini.root() /
                           "build/release/kernels.txt");  // as good as a folder without a right to write
    EXPECT_EQ(tutorial.kernels_of_a_check(), "Zen");
    EXPECT_EQ(tutorial.kernels_of_a_check(), "Zen");
    EXPECT_EQ(tutorial.tried(), "none\nZen\nnone\nZen\n");
    const auto before = tree_of(tutorial.mini.root());
    EXPECT_TRUE(
        contains(tutorial.version(),
                 "Prescott, chosen by OpenBLAS. They are for an old processor; the next ./tutorial run "
                 "tries better ones."));
    EXPECT_EQ(tree_of(tutorial.mini.root()), before);
}

}  // namespace tfs::tools_test
