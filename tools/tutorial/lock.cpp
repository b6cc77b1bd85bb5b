// tools/tutorial/lock.cpp · one build at a time
#include "tools/tutorial/lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>

#include "tools/tutorial/signals.hpp"

namespace tfs::tutorial {

BuildLock::BuildLock(const fs::path& folder, const Stop& stop) {
    using namespace std::chrono_literals;
    const fs::path name = folder / "tutorial.lock";
    file_ = Descriptor(::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
    if (!file_.open())
        throw Refusal(fmt::format("cannot write to {}; is the folder yours?", fs::absolute(name).string()));
    const HeldSignals signals;
    for (int waited = 0; ::flock(file_.number(), LOCK_EX | LOCK_NB) != 0; ++waited) {
        if (errno != EWOULDBLOCK && errno != EINTR) return;  // a file system without locks
        if (waited == 10) fmt::print(stderr, "waiting for another build\n");
        std::this_thread::sleep_for(100ms);
        if (const int signal = signals.arrived(); signal != 0) throw Interrupted{signal};
        if (stop && stop()) throw Stopped{};
    }
}

}  // namespace tfs::tutorial
