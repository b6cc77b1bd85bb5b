// play/server.cpp · routes, and the guard before them
#include "play/server.hpp"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

#include "play/lesson.hpp"
#include "play/threads.hpp"

namespace tfs::play {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t largest_request = 1u << 20;  // as the programs': docs/reports.md
constexpr int deepest_request = 4;                 // brackets in brackets
// Connections: some are kept free for what is quick, and those that are silent end soon. All come from this machine.
constexpr std::size_t most_connections = 256, most_asking = 48;
constexpr auto longest_silence = 2s, longest_unread = 10s;

// One of the requests that are under way.
struct Place {
    explicit Place(std::atomic<std::size_t>& all) : all(all), number(++all) {}
    ~Place() { --all; }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    std::atomic<std::size_t>& all;
    std::size_t number;
};

// Scripts and styles of this server alone: a figure brings its style as a text, which the page adds itself (page/pieces.js).
constexpr const char* policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

// "localhost:8000" without the port. People forward ports, so any will do.
bool is_this_machine(std::string_view host) {
    const std::size_t end = host.starts_with('[') ? host.find(']') + 1 : host.find(':');
    const std::string_view name = host.substr(0, end), port = end < host.size() ? host.substr(end) : "";
    if (name != "localhost" && name != "127.0.0.1" && name != "[::1]") return false;
    return port.empty() ||
           (port.size() > 1 && port[0] == ':' && port.find_first_not_of("0123456789", 1) == port.npos);
}

void answer(httplib::Response& response, const Json& json) {
    response.set_content(in_a_line(json), "application/json");
}

void refuse(httplib::Response& response, int status, const std::string& sentence) {
    response.status = status;
    answer(response, {{"error", sentence}});
}

// Where a browser would show the answer itself, it is a page. `sentence`: one of ours, without characters of HTML.
void refuse(const httplib::Request& request, httplib::Response& response, const char* sentence) {
    refuse(response, 403, sentence);
    if (request.method != "GET" || request.get_header_value("Accept").find("text/html") == std::string::npos)
        return;
    response.set_content(
        std::string("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                    "<title>./tutorial play</title></head>\n<body><h1>./tutorial play</h1>\n<p>") +
            sentence + ".</p></body></html>\n",
        "text/html; charset=utf-8");
}

}  // namespace

Server::Server(const fs::path& root, Chapters& chapters, Learner& learner, Changes& changes,
               std::string token)
    : root_(root), chapters_(chapters), learner_(learner), changes_(changes), token_(std::move(token)) {
    http_.new_task_queue = [] { return new Threads(most_connections); };
    http_.set_payload_max_length(largest_request);
    http_.set_keep_alive_timeout(longest_silence.count());  // before the first word
    http_.set_read_timeout(longest_silence);
    http_.set_write_timeout(longest_unread);
    // The library's own choice lets two servers share a port: a browser would then ask now this one, now that one.
    http_.set_socket_options([](socket_t socket) {
        const int yes = 1;
        (void)::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    http_.set_keep_alive_max_count(1);  // a connection that waits would keep a thread
    http_.set_default_headers({{"Content-Security-Policy", policy},
                               {"X-Content-Type-Options", "nosniff"},
                               {"Referrer-Policy", "no-referrer"},
                               {"Cache-Control", "no-store"}});
    http_.set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
        return guard(request, response);
    });
    http_.set_error_handler([](const httplib::Request&, httplib::Response& response) {
        if (!response.body.empty()) return;
        refuse(response, response.status,
               response.status == 413   ? "the request is longer than 1 MiB"
               : response.status == 404 ? "there is nothing here"
                                        : "this is no request that play knows");
    });
    http_.set_exception_handler(
        [](const httplib::Request&, httplib::Response& response, std::exception_ptr thrown) {
            try {
                std::rethrow_exception(thrown);
            } catch (const std::exception& error) {
                refuse(response, 500, error.what());
            } catch (...) {
                refuse(response, 500, "something went wrong");
            }
        });
    add_routes();
}

int Server::bind(int wanted) {
    if (wanted > 0 && http_.bind_to_port("127.0.0.1", wanted)) port_ = wanted;
    if (port_ == 0) port_ = http_.bind_to_any_port("127.0.0.1");
    if (port_ <= 0) throw std::runtime_error("no port of 127.0.0.1 is free");
    http_.let_wait(1024);
    return port_;
}

void Server::listen() { http_.listen_after_bind(); }
void Server::stop() { http_.stop(); }

// Browsers keep one set of cookies for all ports of a machine.
std::string Server::cookie() const { return "play_" + std::to_string(port_) + '=' + token_; }

bool Server::has_key(const httplib::Request& request) const {
    const std::string cookies = "; " + request.get_header_value("Cookie") + ';';
    return cookies.find("; " + cookie() + ';') != std::string::npos;
}

httplib::Server::HandlerResponse Server::guard(const httplib::Request& request, httplib::Response& response) {
    using Handled = httplib::Server::HandlerResponse;
    const std::string host = request.get_header_value("Host"), origin = request.get_header_value("Origin");
    if (request.get_header_value_count("Host") != 1 || !is_this_machine(host)) {
        refuse(request, response, "play answers only at localhost, 127.0.0.1 and [::1]");
        return Handled::Handled;
    }
    if (!origin.empty() && origin != "http://" + host) {
        refuse(request, response, "play answers only its own page");
        return Handled::Handled;
    }
    if (request.has_header("Transfer-Encoding")) {  // it would be read whole, however long it is
        refuse(response, 411, "a request says how long it is");
        return Handled::Handled;
    }
    if (request.path == "/" && request.has_param("token")) {
        if (request.get_param_value("token") != token_) {
            refuse(request, response,
                   "this address has another key: open the one that ./tutorial play printed");
            return Handled::Handled;
        }
        response.set_header("Set-Cookie", cookie() + "; HttpOnly; SameSite=Strict; Path=/; Max-Age=31536000");
        response.set_redirect("/");
        return Handled::Handled;
    }
    if (has_key(request)) return Handled::Unhandled;
    refuse(request, response, "open the address that ./tutorial play printed: it has the key");
    return Handled::Handled;
}

void Server::add_routes() {
    http_.set_file_extension_and_mimetype_mapping("js", "text/javascript");
    http_.set_mount_point("/", (root_ / "play/page").string());
    http_.set_mount_point("/report",
                          (root_ / "common/report").string());  // style and script of the page of a run
    const fs::path katex = "/usr/share/javascript/katex";
    if (fs::exists(katex)) http_.set_mount_point("/katex", katex.string());
    http_.Get("/api/state", [this](const auto& request, auto& response) { state(request, response); });
    http_.Post("/api/check", [this](const httplib::Request& request, httplib::Response& response) {
        const std::string step = request.get_param_value("step");
        if (!learner_.has(step)) return refuse(response, 404, "there is no such step");
        learner_.check(step);
        answer(response, Json::object());
    });
    http_.Post("/api/hint", [this](const httplib::Request& request, httplib::Response& response) {
        const std::string step = request.get_param_value("step");
        if (!learner_.has(step)) return refuse(response, 404, "there is no such step");
        response.set_content(learner_.hint(step), "text/plain; charset=utf-8");
    });
    http_.Get("/api/list", [this](const auto& request, auto& response) { list(request, response); });
    http_.Get("/api/text", [this](const auto& request, auto& response) { text(request, response); });
    http_.Post("/api/ask", [this](const httplib::Request& request, httplib::Response& response) {
        ask(request, response);
    });
}

void Server::state(const httplib::Request& request, httplib::Response& response) {
    const std::string seen = request.get_param_value("seen");
    const std::size_t version = changes_.wait(std::strtoul(seen.c_str(), nullptr, 10), 15s);
    answer(response, {{"version", version},
                      {"chapters", chapters_.list()},
                      {"steps", learner_.steps()},
                      {"solutions", learner_.solutions()}});
}

std::shared_ptr<ChapterProgram> Server::program_for(const httplib::Request& request,
                                                    httplib::Response& response) {
    const std::string name = request.get_param_value("chapter");
    if (!chapters_.has(name)) {
        refuse(response, 404, "there is no such chapter");
        return nullptr;
    }
    auto program = chapters_.program(name, request.get_param_value("mine") == "1");
    if (!program) {
        chapters_.wants(name);
        refuse(response, 503, "its program is not built yet");
    }
    return program;
}

void Server::list(const httplib::Request& request, httplib::Response& response) {
    const std::string name = request.get_param_value("chapter");
    if (!chapters_.has(name)) return refuse(response, 404, "there is no such chapter");
    chapters_.wants(name);
    const auto program = chapters_.program(name, request.get_param_value("mine") == "1");
    if (!program) return answer(response, {{"result", nullptr}});
    const auto answers = program->ask({{"list", true}});
    const auto line = answers->next(20s);
    if (!line) return refuse(response, 504, "its program does not answer");
    response.set_content(line->text, "application/json");
}

// The answers go on as they come. Where the browser goes away, what is still computed for it ends.
void Server::ask(const httplib::Request& request, httplib::Response& response) {
    bool deep = false;  // what goes through such a one would exhaust the stack
    const auto shallow = [&](int depth, Json::parse_event_t, Json&) {
        deep = deep || depth > deepest_request;
        return !deep;
    };
    Json asked = Json::parse(request.body, shallow, false);
    if (deep || !asked.is_object())
        return refuse(response, 400, "a request is a JSON object: docs/reports.md");
    if (asked.contains("cancel")) return refuse(response, 400, "a request ends with its connection");
    if (in_a_line(asked).size() + 32 > largest_request)  // with its id; letters beyond ASCII are longer there
        return refuse(response, 413, "the request is longer than 1 MiB");
    const auto program = program_for(request, response);
    if (!program) return;
    const auto place = std::make_shared<Place>(asking_);
    if (place->number > most_asking) return refuse(response, 429, "too much is asked at once; ask again");
    const std::shared_ptr<Answers> answers = program->ask(std::move(asked));
    response.set_chunked_content_provider(
        "application/x-ndjson",
        [answers](std::size_t, httplib::DataSink& sink) {
            const std::optional<Answers::Line> line = answers->next(200ms);
            if (!line) return sink.is_writable();
            const std::string text = line->text + '\n';
            if (!sink.write(text.data(), text.size())) return false;
            if (line->last) sink.done();
            return true;
        },
        [program, answers, place](bool complete) {
            if (!complete) program->cancel(answers);
        });
}

void Server::text(const httplib::Request& request, httplib::Response& response) {
    const std::string path = request.get_param_value("path");
    const fs::path file = shown_file(root_, path);
    const std::string html = file.empty()                ? folder_html(root_, path)
                             : file.extension() == ".md" ? lesson_html(file)
                                                         : source_html(file);
    if (html.empty()) return refuse(response, 404, "play does not show this file");
    response.set_content(html, "text/html; charset=utf-8");
}

}  // namespace tfs::play
