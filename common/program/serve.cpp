// common/program/serve.cpp · requests in, answers out
#include "common/program/serve.hpp"

#include <omp.h>
#include <poll.h>
#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <deque>
#include <memory>

#include "common/base/errors.hpp"
#include "common/io/safetensors.hpp"
#include "common/program/run_json.hpp"
#include "common/program/weights.hpp"

namespace tfs {

namespace {

// All files of weights/ are read before the first request. One thread reads them: a process with more can't be copied.
void keep_models() {
    omp_set_num_threads(1);
    std::error_code absent;
    for (const auto& entry : std::filesystem::directory_iterator(weights_folder(), absent)) {
        if (entry.path().extension() != ".safetensors") continue;
        try {
            keep_weight_file(entry.path());
        } catch (const FileError&) {  // the section that needs it says so
        }
    }
}

class Server {
  public:
    Server(const Chapter& chapter, const ServeLimits& limits) : chapter_(chapter), limits_(limits) {}

    void run() {
        while (!unheard_ && (input_open_ || !waiting_.empty() || is_busy())) {
            wait();
            start_waiting();
        }
    }

  private:
    using Worker = std::unique_ptr<ServeWorker>;

    const Chapter& chapter_;
    ServeLimits limits_;
    bool input_open_ = true;
    bool unheard_ = false;              // nobody reads the answers any more
    bool too_long_ = false;             // the rest of this line is passed over
    std::string unread_;                // an unfinished line of the input
    std::deque<ServeRequest> waiting_;  // for a free worker
    std::vector<Worker> workers_;
    std::size_t last_session_ = 0;

    static void say(const Json& id, const char* kind, const Json& value) { pass_on(id, kind, dumped(value)); }

    // `value` is JSON. It goes past std::cout, which makes what people read harmless, letter by letter.
    static void pass_on(const Json& id, std::string_view kind, std::string_view value,
                        const std::string& printed = {}) {
        const std::string more = printed.empty() ? "" : ",\"printed\":" + dumped(printed);
        const std::string line = fmt::format("{{\"id\":{},\"{}\":{}{}}}\n", dumped(id), kind, value, more);
        std::fwrite(line.data(), 1, line.size(), stdout);
        std::fflush(stdout);
    }

    [[nodiscard]] bool is_busy() const {
        return std::any_of(workers_.begin(), workers_.end(),
                           [](const Worker& worker) { return worker->busy; });
    }

    [[nodiscard]] ServeWorker& session_numbered(std::size_t number) const {
        for (const Worker& worker : workers_)
            if (number > 0 && worker->session == number) return *worker;
        throw ValueError(fmt::format("there is no open session {}", number));
    }

    void end(const ServeWorker& worker) {
        std::erase_if(workers_, [&](const Worker& one) { return one.get() == &worker; });
    }

    // --- what comes in

    void take(const std::string& line) {
        try {
            const ServeRequest request = parse_serve_request(line);
            take(request);
        } catch (const std::exception& error) {
            say(id_in(line), "error", error.what());
        }
    }

    void take(const ServeRequest& request) {
        using Kind = ServeRequest::Kind;
        switch (request.kind) {
            case Kind::run:
            case Kind::open:
                queue(request);
                return;
            case Kind::step:
                step(request);
                return;
            case Kind::close:
                close(request);
                return;
            case Kind::cancel:
                cancel(request.id);
                return;
            case Kind::list:
                say(request.id, "result", Json::parse(list_json(chapter_)));
                return;
        }
    }

    void queue(const ServeRequest& request) {
        const Section& section = section_named(chapter_, request.section);
        (void)values_for(chapter_, section, request.options);
        if (request.kind == ServeRequest::Kind::open) {
            const auto sessions = static_cast<std::size_t>(std::count_if(
                workers_.begin(), workers_.end(), [](const Worker& worker) { return worker->session > 0; }));
            if (!section.open)
                throw ValueError(fmt::format("the section {} has no steps to go through", section.id));
            if (sessions >= limits_.sessions)
                throw ValueError(
                    fmt::format("{} sessions are open, and no more can be: close one", sessions));
            workers_.push_back(std::make_unique<ServeWorker>(chapter_, request, limits_));
            workers_.back()->session = ++last_session_;
            return;
        }
        if (waiting_.size() >= limits_.waiting)
            throw ValueError(fmt::format("{} requests wait already: ask again later", waiting_.size()));
        waiting_.push_back(request);
        start_waiting();
    }

    void step(const ServeRequest& request) {
        ServeWorker& worker = session_numbered(request.session);
        if (worker.busy)
            throw ValueError(fmt::format("session {} is at a step: wait for its answer", request.session));
        worker.step(request);
    }

    void close(const ServeRequest& request) {
        const ServeWorker& worker = session_numbered(request.session);
        if (worker.busy) say(worker.id, "error", "cancelled");
        end(worker);
        say(request.id, "result", Json::object());
    }

    void cancel(const Json& id) {
        const auto waits = std::find_if(waiting_.begin(), waiting_.end(),
                                        [&](const ServeRequest& request) { return request.id == id; });
        const auto works = std::find_if(workers_.begin(), workers_.end(), [&](const Worker& worker) {
            return worker->busy && worker->id == id;
        });
        if (waits == waiting_.end() && works == workers_.end()) {  // it has its answer, or never was
            say(id, "error", "there is no such request under way");
            return;
        }
        if (waits != waiting_.end()) waiting_.erase(waits);
        if (works != workers_.end()) workers_.erase(works);
        say(id, "error", "cancelled");
    }

    void start_waiting() {
        const auto computing = [&] {
            return static_cast<std::size_t>(std::count_if(
                workers_.begin(), workers_.end(), [](const Worker& worker) { return worker->session == 0; }));
        };
        while (!waiting_.empty() && computing() < limits_.workers) {
            const ServeRequest request = waiting_.front();
            waiting_.pop_front();
            try {
                workers_.push_back(std::make_unique<ServeWorker>(chapter_, request, limits_));
            } catch (const Error& error) {
                say(request.id, "error", error.what());
            }
        }
    }

    void refuse_long_line() const {
        say(nullptr, "error",
            fmt::format("a line of more than {} bytes is no request", limits_.request_bytes));
    }

    void read_input() {
        std::array<char, 65536> block{};
        const ssize_t count = ::read(STDIN_FILENO, block.data(), block.size());
        if (count < 0 && errno == EINTR) return;
        if (count <= 0) input_open_ = false;
        if (count > 0) unread_.append(block.data(), static_cast<std::size_t>(count));
        if (!input_open_ && !unread_.empty()) unread_ += '\n';
        for (std::size_t end = unread_.find('\n'); end != std::string::npos; end = unread_.find('\n')) {
            const std::string line = unread_.substr(0, end);
            unread_.erase(0, end + 1);
            if (std::exchange(too_long_, false)) continue;
            if (line.size() > limits_.request_bytes)
                refuse_long_line();
            else if (line.find_first_not_of(" \t\r") != std::string::npos)
                take(line);
        }
        if (unread_.size() <= limits_.request_bytes) return;
        if (!too_long_) refuse_long_line();
        too_long_ = true;
        unread_.clear();
    }

    // --- what goes out

    void wait() {
        std::vector<pollfd> all;
        if (input_open_) all.push_back({STDIN_FILENO, POLLIN, 0});
        for (const Worker& worker : workers_) {
            all.push_back({worker->answers(), POLLIN, 0});
            all.push_back({worker->printed(), POLLIN, 0});
        }
        all.push_back({STDOUT_FILENO, 0, 0});
        if (::poll(all.data(), all.size(), -1) < 0) return;
        unheard_ = (all.back().revents & POLLERR) != 0;  // a section without end would keep both processes
        std::vector<ServeWorker*> workers;
        for (const Worker& worker : workers_) workers.push_back(worker.get());
        const std::size_t first = input_open_ ? 1 : 0;
        for (std::size_t i = 0; i < workers.size(); ++i) {
            if (all[first + 2 * i + 1].revents != 0) workers[i]->read_printed();
            if (all[first + 2 * i].revents != 0) read_answers(*workers[i]);
        }
        if (first == 1 && all[0].revents != 0) read_input();
    }

    void read_answers(ServeWorker& worker) {
        const ServeWorker::Lines arrived = worker.read();
        for (const std::string& line : arrived.lines) pass_on(worker, line);
        if (!arrived.ended && !worker.failed) return;
        if (worker.busy) pass_on(worker.id, "error", dumped(worker.why_it_ended()), worker.take_printed());
        end(worker);
    }

    // A line is {"KIND":VALUE}.
    static void pass_on(ServeWorker& worker, const std::string& line) {
        const std::size_t colon = line.find(':');
        const std::string kind = line.substr(2, colon - 3);
        std::string value = line.substr(colon + 1, line.size() - colon - 2);
        if (kind == "event") return pass_on(worker.id, kind, value);
        worker.busy = false;
        worker.failed = worker.session > 0 && !worker.open && kind == "error";
        worker.open = true;
        if (kind == "result" && worker.session > 0)
            value.insert(value.size() - 1, fmt::format(",\"session\":{}", worker.session));
        pass_on(worker.id, kind, value, worker.take_printed());
    }
};

}  // namespace

void serve(const Chapter& chapter, const ServeLimits& limits) {
    ServeLimits own = limits;
    if (own.threads == 0) own.threads = omp_get_max_threads();  // OMP_NUM_THREADS counts
    keep_models();
    Server(chapter, own).run();
}

}  // namespace tfs
