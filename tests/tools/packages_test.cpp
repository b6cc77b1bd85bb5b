// tests/tools/packages_test.cpp · the script tools/packages: what it names on each system, and what it refuses as too old
#include <gtest/gtest.h>

#include "tests/tools/process.hpp"
#include "tests/tools/temporary_folder.hpp"
#include "tests/tools/text_checks.hpp"

namespace tfs::tools_test {
namespace {

// A system without any of the libraries; its programs are this one's, but for those in the folder `bin`.
class EmptySystem {
  public:
    explicit EmptySystem(std::string manager) : manager_(std::move(manager)) {
        fs::create_directories(folder_.path() / "tools");
        fs::create_directories(folder_.path() / "cmake");
        const fs::path source = TFS_TOOLS_SOURCE_DIR;
        fs::copy_file(source / "tools/packages", folder_.path() / "tools/packages");
        fs::copy_file(source / "cmake/fetch_headers.cmake", folder_.path() / "cmake/fetch_headers.cmake");
        folder_.write("os-release", "ID=debian\nVERSION_ID=\"12\"\n");
    }

    void write(const std::string& file, const std::string& text) const { folder_.write(file, text); }
    void program(const std::string& name, const std::string& says) const {
        const fs::path file = folder_.write("bin/" + name, "#!/bin/sh\necho '" + says + "'\n");
        fs::permissions(file, fs::perms::owner_all);
    }
    void has_all_but_xtensor() const {
        for (const std::string library : {"gtest/gtest.h", "fmt/format.h", "CLI/CLI.hpp", "utf8proc.h",
                                          "nlohmann/json.hpp", "benchmark/benchmark.h"})
            write("usr/include/" + library, "");
        write("usr/lib/libopenblaso.so", "");
    }
    Result run(std::vector<std::string> words, std::vector<std::string> environment = {}) const {
        words.insert(words.begin(), (folder_.path() / "tools/packages").string());
        const std::string here = folder_.path().string();
        for (const std::string& variable :
             {"TFS_PACKAGE_MANAGER=" + manager_, "TFS_PREFIXES=" + here + "/usr",
              "TFS_OS_RELEASE=" + here + "/os-release", "PATH=" + here + "/bin:/usr/bin:/bin",
              std::string("CXX")})
            environment.insert(environment.begin(), variable);
        return Process({.words = words, .folder = folder_.path(), .environment = environment}).finish();
    }
    bool has(const fs::path& file) const { return fs::exists(folder_.path() / file); }
    std::string path(const fs::path& file) const { return (folder_.path() / file).string(); }

  private:
    TemporaryFolder folder_;
    std::string manager_;
};

struct Names {
    std::string manager, install, fetched;
};

const std::vector<Names> names_of_systems = {
    {"apt",
     "apt-get install --no-install-recommends libxtensor-dev libxtensor-blas-dev libopenblas-openmp-dev "
     "libgtest-dev libfmt-dev "
     "libcli11-dev libutf8proc-dev nlohmann-json3-dev libbenchmark-dev\n",
     ""},
    {"dnf",
     "dnf install xtensor-devel openblas-devel gtest-devel fmt-devel cli11-devel utf8proc-devel json-devel "
     "google-benchmark-devel\n",
     "xtensor-blas"},
    {"pacman", "pacman -S --needed xtensor openblas gtest fmt cli11 libutf8proc nlohmann-json benchmark\n",
     "xtensor-blas"},
    {"brew",
     "brew install libomp xtensor openblas googletest fmt cli11 utf8proc nlohmann-json google-benchmark\n",
     "xtensor-blas"},
    {"conda",
     "conda install -c conda-forge xtensor xtensor-blas openblas gtest fmt cli11 libutf8proc nlohmann_json "
     "benchmark\n",
     ""},
    {"another", "These are Debian's names; your package manager may have others: libopenblas-openmp-dev ",
     "xtensor xtensor-blas"}};

TEST(packages, are_named_as_the_system_names_them) {
    for (const Names& names : names_of_systems) {
        const Result result = EmptySystem(names.manager).run({"--no-install"});
        EXPECT_EQ(result.code, 2) << names.manager;
        EXPECT_TRUE(begins_with(result.err, "Some packages are not installed.\nMissing: ")) << names.manager;
        EXPECT_TRUE(contains(result.err, names.install)) << names.manager;
        const std::string fetched = "tools/packages --fetch gets the headers of: ";
        EXPECT_TRUE(names.fetched.empty() || contains(result.err, fetched + names.fetched + "\n"))
            << names.manager;
    }
}

TEST(packages, are_printed_alone_for_another_program) {
    const Result result = EmptySystem("pacman").run({"--names"});
    EXPECT_EQ(result.code, 0);
    EXPECT_EQ(result.out, "xtensor openblas gtest fmt cli11 libutf8proc nlohmann-json benchmark\n");
    EXPECT_EQ(result.err, "");
}

TEST(packages, of_a_system_that_is_too_old_are_not_installed) {
    for (const std::string release :
         {"ID=ubuntu\nVERSION_ID=\"22.04\"\nUBUNTU_CODENAME=jammy\n",
          "ID=linuxmint\nVERSION_ID=\"21.3\"\nUBUNTU_CODENAME=jammy\n", "ID=debian\nVERSION_ID=\"11\"\n"}) {
        const EmptySystem system("apt");
        system.write("os-release", release);
        system.program("apt-get", "this must not be called");
        const Result result = system.run({});
        EXPECT_EQ(result.code, 2);
        EXPECT_TRUE(
            begins_with(result.err,
                        "The packages of this system are too old: g++ 12, CMake 3.25 and xtensor 0.24 come "
                        "with Debian 12 and "
                        "Ubuntu 24.04.\nTo have all of it: the container of .devcontainer, or conda"));
        EXPECT_EQ(result.out, "");
    }
}

TEST(packages, that_are_there_must_be_new_enough) {
    const EmptySystem system("apt");
    system.program("cmake", "cmake version 3.22.1");
    Result result = system.run({});
    EXPECT_EQ(result.code, 2);
    EXPECT_TRUE(begins_with(result.err, "CMake is of version 3.22.1; this project needs 3.25 or later.\n"));

    system.program("cmake", "cmake version 4.0.2");
    system.program("g++", "11.4.0");
    result = system.run({"--no-install"});
    EXPECT_EQ(result.code, 2);
    EXPECT_TRUE(begins_with(
        result.err,
        "The compiler g++ is of version 11.4.0; this project needs g++ 12 or clang 14, or later.\n"));

    system.program("g++", "12.2.0");
    for (const std::string folder : {"", "core/"}) {
        system.write("usr/include/xtensor/" + folder + "xtensor_config.hpp",
                     "#define XTENSOR_VERSION_MAJOR 0\n#define XTENSOR_VERSION_MINOR 23\n#define "
                     "XTENSOR_VERSION_PATCH 10\n");
        result = system.run({"--no-install"});
        EXPECT_EQ(result.code, 2);
        EXPECT_TRUE(
            begins_with(result.err, "xtensor is of version 0.23.10; this project needs 0.24 or later.\n"));
    }
}

TEST(packages, that_are_there_are_found_on_each_system) {
    for (const Names& names : names_of_systems) {
        const EmptySystem system(names.manager);
        system.has_all_but_xtensor();
        system.write("usr/include/xtensor/xarray.hpp", "");
        system.write("usr/include/xtensor-blas/xlinalg.hpp", "");
        if (names.manager == "brew") system.write("usr/opt/libomp/lib/libomp.dylib", "");
        const Result result = system.run({"--no-install"});
        EXPECT_EQ(result.code, 0) << names.manager << ": " << result.err;
    }
}

TEST(packages, of_the_first_folder_are_those_that_count) {
    const EmptySystem system("conda");
    for (const std::string where : {"old/23", "new/27"})
        system.write(where.substr(0, 3) + "/include/xtensor/xtensor_config.hpp",
                     "#define XTENSOR_VERSION_MAJOR 0\n#define XTENSOR_VERSION_MINOR " + where.substr(4) +
                         "\n#define XTENSOR_VERSION_PATCH 0\n");
    const std::string both = system.path("new") + ":" + system.path("old");
    EXPECT_FALSE(
        contains(system.run({"--no-install"}, {"TFS_PREFIXES=" + both}).err, "xtensor is of version"));
    const std::string none = std::string("TFS_PREFIXES");  // taken out: CMake's folder comes before /usr
    EXPECT_TRUE(contains(system.run({"--no-install"}, {none, "CMAKE_PREFIX_PATH=" + system.path("old")}).err,
                         "xtensor is of version 0.23.0"));
}

TEST(packages, the_compiler_may_be_several_words_and_must_be_there) {
    const EmptySystem system("apt");
    EXPECT_FALSE(contains(system.run({"--names"}, {"CXX=g++ -pipe"}).out, "g++"));
    EXPECT_TRUE(begins_with(system.run({"--names"}, {"CXX=clang++"}).out, "libomp-dev "));
    const Result result = system.run({"--no-install"}, {"CXX=/none/g++ -pipe"});
    EXPECT_EQ(result.code, 2);
    EXPECT_EQ(result.err, "The variable CXX is \"/none/g++ -pipe\", and there is no program /none/g++.\n");
}

TEST(packages, that_are_fetched_must_be_the_expected_files) {
    const EmptySystem system("another");
    for (const std::string archive : {"xtl-0.7.7", "xtensor-0.25.0", "xtensor-blas-0.21.0"})
        system.write("archives/" + archive + ".tar.gz", "another file\n");
    system.has_all_but_xtensor();
    const std::string archives = "TFS_ARCHIVES=" + system.path("archives");

    Result result = system.run({}, {archives});  // nobody is there to be asked
    EXPECT_EQ(result.code, 2);
    EXPECT_TRUE(
        begins_with(result.err, "Some libraries have no package here.\nMissing: xtensor xtensor-blas\n"));
    EXPECT_FALSE(system.has("build/headers"));

    result = system.run({"--fetch"}, {archives});
    EXPECT_EQ(result.code, 2);
    EXPECT_TRUE(contains(result.err, "is another file than expected"));
    EXPECT_TRUE(contains(result.err, "The headers could not be fetched.\n"));
    EXPECT_FALSE(system.has("build/headers/include/xtl"));
}

}  // namespace
}  // namespace tfs::tools_test
