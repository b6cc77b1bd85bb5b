// tools/tutorial/mine_passed.cpp · the commands that linked the solutions, with other objects
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "tools/tutorial/build.hpp"
#include "tools/tutorial/run_programs.hpp"

namespace tfs::tutorial {

namespace {

const std::string library_folder = "mine_passed";  // below build/release, as all names here

// The program of a chapter, or what later chapters link of it.
struct Product {
    std::string solutions;  // what ninja links
    std::string mine;       // the same on her steps
    Steps passed;           // those of this chapter
    bool is_program = false;
    std::vector<std::string> beside =
        {};  // of a program: files that it is linked with and the solutions' is not
};

void replace(std::string& text, const std::string& old, const std::string& now) {
    const std::size_t at = text.find(old);
    if (at == std::string::npos)
        throw Refusal(fmt::format("the command that links the program has no {}.", old));
    text.replace(at, old.size(), now);
}

std::string object(const steps::Step& step, const char* kind, const char* side, const char* ending = "") {
    return fmt::format("CMakeFiles/{0}.{1}.{2}.dir/{3}/{0}/{2}{4}.cpp.o", step.folder, kind, step.name, side,
                       ending);
}

std::string objects_of_learner(const steps::Step& step) { return object(step, "mine", "exercises"); }

// The program last: it is linked with the library of a later chapter that has steps in its models.
std::vector<Product> products_of(const steps::Tutorial& tutorial, const steps::Chapter& chapter,
                                 const Steps& passed) {
    Product program{"bin/" + chapter.folder, "bin/" + chapter.folder + mine_passed_suffix, {}, true};
    std::vector<Product> products;
    for (const steps::Chapter& one : tutorial.chapters) {
        Steps its;
        std::copy_if(passed.begin(), passed.end(), std::back_inserter(its),
                     [&](const steps::Step& step) { return step.folder == one.folder; });
        if (one.number == chapter.number) {
            program.passed = its;
            continue;
        }
        const std::string library = fmt::format("lib{}.library.so", one.folder);
        const bool is_later = one.number > chapter.number;
        if (is_later ? its.empty() : !fs::exists(build_folder / library))
            continue;  // nothing links chapter 00
        products.push_back({library, library_folder + "/" + library, its});
        if (is_later)
            program.beside = {
                fmt::format("CMakeFiles/{0}.in_models.dir/chapters/{0}/in_models.cpp.o", one.folder),
                products.back().mine};
    }
    products.push_back(program);
    return products;
}

// The command that links a product, with her objects in the place of the solutions', readable or fast.
std::string command_of_mine(std::string command, const Product& product) {
    for (const steps::Step& step : product.passed) {
        const std::string fast = object(step, "fast", "solutions", ".fast");
        replace(command,
                command.find(fast) != std::string::npos ? fast : object(step, "solution", "solutions"),
                objects_of_learner(step));
    }
    replace(command, "-o " + product.solutions + " ", "-o " + product.mine + ".new ");
    if (product.is_program) {
        // Her libraries are found first. One that is loaded already serves all that need it: so the program itself needs each
        // of them, whether it calls it or not.
        const std::string first = fmt::format("-Wl,--no-as-needed -Wl,-rpath,'$ORIGIN/../{}' {} ",
                                              library_folder, fmt::join(product.beside, " "));
        replace(command, "-o " + product.mine, first + "-o " + product.mine);
    }
    return command;
}

// What decides how a product comes out: its command, and when what goes into it was made.
std::string made_of(const std::string& command, const Product& product) {
    std::vector<std::string> files{product.solutions};  // newer than all that it is made of
    for (const steps::Step& step : product.passed) files.push_back(objects_of_learner(step));
    files.insert(files.end(), product.beside.begin(), product.beside.end());
    std::string text = command + "\n";
    for (const std::string& file : files)
        text +=
            fmt::format("{} {}\n", file, fs::last_write_time(build_folder / file).time_since_epoch().count());
    return text;
}

// A program that runs keeps the file that it has loaded.
void link(const std::string& command, const Product& product) {
    const fs::path mine = build_folder / product.mine,
                   note = build_folder / library_folder / (mine.filename().string() + ".made_of");
    const std::string made = made_of(command, product);
    if (fs::exists(mine) && fs::exists(note) && steps::read_text(note) == made) return;
    fs::remove(note);
    const Answer linked = ask({.words = {"sh", "-c", command}, .folder = build_folder});
    if (linked.code != 0) {
        fs::remove(mine);
        throw Refusal(fmt::format("the program on your steps could not be linked: {}", linked.output));
    }
    fs::rename(mine.string() + ".new", mine);
    steps::write_text(note, made);
}

}  // namespace

std::string target_of_mine(const steps::Step& step) { return step.folder + ".mine." + step.name; }

std::vector<std::string> targets_of_mine_passed(const steps::Chapter& chapter, const Steps& passed) {
    std::vector<std::string> targets{chapter.folder};
    for (const steps::Step& step : passed) targets.push_back(target_of_mine(step));
    if (!passed.empty() && passed.back().folder > chapter.folder)
        for (const char* kind : {".library", ".in_models"}) targets.push_back(passed.back().folder + kind);
    return targets;
}

void link_mine_passed(const steps::Tutorial& tutorial, const steps::Chapter& chapter, const Steps& passed) {
    const Descriptor lock = locked(build_folder, {});
    fs::create_directories(build_folder / library_folder);
    std::vector<Product> products = products_of(tutorial, chapter, passed);
    std::erase_if(products, [](const Product& one) {
        if (one.is_program || !one.passed.empty()) return false;
        fs::remove(build_folder / one.mine);  // the solutions' own library does
        return true;
    });
    std::vector<std::string> words{"cmake", "--build", "--preset", "release", "--", "-t", "commands", "-s"};
    for (const Product& one : products) words.push_back(one.solutions);
    const steps::Lines commands = steps::split_lines(ask({.words = words}).output);
    if (commands.size() < products.size()) throw Refusal("ninja does not say how the program is linked.");
    for (std::size_t i = 0; i < products.size(); ++i)
        link(command_of_mine(commands[commands.size() - products.size() + i], products[i]), products[i]);
}

}  // namespace tfs::tutorial
