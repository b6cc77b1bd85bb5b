// tests/tools/runner_mine_passed_test.cpp · ./tutorial run --mine=passed: her steps that pass, also those of earlier chapters
#include <gtest/gtest.h>

#include "tests/tools/mini_tutorial.hpp"
#include "tests/tools/text_checks.hpp"
#include "tools/steps/gaps.hpp"

namespace tfs::tools_test {

namespace {

// Chapter 01 calls a step of chapter 00, and the program of chapter 02 calls chapter 01 alone.
constexpr const char* treble =
    "// Step 1.1 · treble_it · ●○○ · 5 min\n// solutions/01_more/treble_it.cpp\n"
    "int double_it(int x);\nint treble_it(int x);\n"
    "int treble_it(int x) {\n    // begin: Three times x.\n    return double_it(x) + x;\n    // end\n}\n";
constexpr const char* quadruple =
    "// Step 2.1 · quadruple_it · ●○○ · 5 min\n// solutions/02_most/quadruple_it.cpp\n"
    "int treble_it(int x);\nint quadruple_it(int x);\n"
    "int quadruple_it(int x) {\n    // begin: Four times x.\n    return treble_it(x) + x;\n    // end\n}\n";
constexpr const char* program =
    "#include <stdio.h>\nint quadruple_it(int x);\n"
    "int main() { printf(\"four times 4 is %d\\n\", quadruple_it(4)); }\n";
constexpr const char* targets = R"(
set_target_properties(00_little.solution.double_it 00_little.solution.halve_it 00_little.mine.double_it
    00_little.mine.halve_it PROPERTIES POSITION_INDEPENDENT_CODE ON)
add_library(00_little.library SHARED ${solutions})
set_target_properties(00_little.library PROPERTIES LINKER_LANGUAGE CXX)
add_library(01_more.library SHARED solutions/01_more/treble_it.cpp)
target_link_libraries(01_more.library PUBLIC 00_little.library)
add_library(02_most.solution.quadruple_it OBJECT solutions/02_most/quadruple_it.cpp)
add_executable(02_most chapters/02_most/main.cpp $<TARGET_OBJECTS:02_most.solution.quadruple_it>)
target_link_options(02_most PRIVATE LINKER:--as-needed)
target_link_libraries(02_most PRIVATE 01_more.library)
)";

class ThreeChapters : public MiniTutorial {
  public:
    ThreeChapters() {
        add("01_more", "treble_it", treble);
        add("02_most", "quadruple_it", quadruple);
        steps::write_text(root() / "chapters/02_most/main.cpp", program);
        steps::write_text(root() / "CMakeLists.txt", text_of("CMakeLists.txt") + targets);
    }

    // Her step, which is right and says a word, passes.
    void pass(const std::string& word) const {
        write("double_it", "    puts(\"" + word + "\");\n    return 2 * x;", "#include <stdio.h>\n");
        EXPECT_EQ(run({"check", "0.1"}).code, 0);
    }

    fs::path variant() const { return root() / "build/release/mine_passed/lib00_little.library.so"; }

  private:
    void add(const std::string& chapter, const std::string& step, const std::string& solution) const {
        const std::string name = chapter + "/" + step;
        steps::write_text(root() / "chapters" / chapter / "README.md", "# More numbers\n");
        steps::write_text(root() / "solutions" / (name + ".cpp"), solution);
        steps::write_text(root() / "exercises" / (name + ".cpp"), steps::exercise_of(solution, step));
    }
};

}  // namespace

TEST(runner_mine_passed, a_step_of_an_earlier_chapter_computes_in_a_later_one) {
    const ThreeChapters mini;
    EXPECT_EQ(mini.run({"run", "2", "--mine=passed"}).out, "four times 4 is 16\n") << "no step passes";
    mini.pass("this is hers");
    const Result told = mini.run({"run", "2", "--mine=passed"});
    EXPECT_TRUE(begins_with(told.out, "on your steps 0.1 (1 of 1 pass)\nthis is hers\nfour times 4 is 16\n"));
    EXPECT_EQ(mini.run({"run", "2"}).out, "four times 4 is 16\n") << "the solutions' own program";
    const std::string alone = (mini.root() / "build/release/bin/02_most_mine_passed").string();
    EXPECT_EQ(mini.start_program({alone}, {.caller = mini.root() / "chapters"}).finish().out,
              "this is hers\nfour times 4 is 16\n");

    const auto linked = fs::last_write_time(mini.variant());
    EXPECT_EQ(mini.run({"run", "2", "--mine=passed"}).code, 0);
    EXPECT_EQ(fs::last_write_time(mini.variant()), linked) << "nothing has changed";
    mini.pass("this is hers, too");
    EXPECT_TRUE(contains(mini.run({"run", "2", "--mine=passed"}).out, "\nthis is hers, too\n"));
}

TEST(runner_mine_passed, a_step_that_passes_no_more_is_not_used) {
    const ThreeChapters mini;
    mini.pass("this is hers");
    EXPECT_TRUE(contains(mini.run({"run", "2", "--mine=passed"}).out, "this is hers\n"));
    mini.write("double_it", "    return 5 * x;");
    EXPECT_EQ(mini.run({"run", "2", "--mine=passed"}).out, "four times 4 is 16\n") << "not checked";
    EXPECT_FALSE(fs::exists(mini.variant()));
    EXPECT_NE(mini.run({"check", "0.1"}).code, 0);
    EXPECT_EQ(mini.run({"run", "2", "--mine=passed"}).out, "four times 4 is 16\n") << "wrong";
    mini.pass("this is hers");
    EXPECT_TRUE(contains(mini.run({"run", "2", "--mine=passed"}).out, "this is hers\n"));
}

TEST(runner_mine_passed, a_step_that_is_saved_while_it_is_built_is_not_used) {
    const ThreeChapters mini;
    mini.pass("this is hers");
    steps::write_text(
        mini.root() / "CMakeLists.txt",
        mini.text_of("CMakeLists.txt") +
            "add_custom_target(saved COMMAND cmake -E echo_append \"//\" >> ${CMAKE_SOURCE_DIR}/"
            "exercises/00_little/double_it.cpp)\nadd_dependencies(02_most saved)\n");
    const Result told = mini.run({"run", "2", "--mine=passed"});
    EXPECT_EQ(told.code, 2);
    EXPECT_TRUE(ends_with(told.err, "tutorial: step 0.1 was saved meanwhile: ./tutorial check 0.1\n"));
    EXPECT_EQ(mini.run({"run", "2", "--mine=passed"}).out, "four times 4 is 16\n");
}

TEST(runner_mine_passed, in_its_own_chapter_it_stands_beside_the_solutions) {
    const ThreeChapters mini;
    mini.pass("this is hers");
    EXPECT_TRUE(contains(mini.run({"run", "0", "--mine=passed"}).out,
                         " this is hers\ntwice 4 is 8, half of it 2, and nothing\n"));
}

}  // namespace tfs::tools_test
