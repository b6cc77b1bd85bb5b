// tests/tools/endless_steps.cpp · steps that do not end, and how a test knows that they have begun
#include "tests/tools/endless_steps.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tfs::tools_test {

EndlessCompilation::EndlessCompilation(const MiniTutorial& mini) : pipe_(mini.root() / "endless") {
    if (::mkfifo(pipe_.c_str(), 0666) != 0) ADD_FAILURE() << "no pipe could be made";
    mini.write("double_it", "    return x;", "#include \"" + pipe_.string() + "\"");
}

EndlessCompilation::~EndlessCompilation() {
    if (writer_ >= 0) ::close(writer_);
    fs::remove(pipe_);
}

bool EndlessCompilation::has_begun() {
    return becomes_true([&] {
        writer_ = ::open(pipe_.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
        return writer_ >= 0;
    });
}

fs::path write_endless_check(const MiniTutorial& mini) {
    const fs::path begun = mini.root() / ".tutorial/begun";
    mini.write("double_it",
               "    fclose(fopen(\"" + begun.string() + "\", \"w\"));\n    while (true) pause();",
               "#include <stdio.h>\n#include <unistd.h>");
    return begun;
}

}  // namespace tfs::tools_test
