// play/server.cpp · routes, and the guard before them
#include "play/server.hpp"

#include <chrono>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "play/lesson.hpp"

namespace tfs::play {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t largest_request = 1u << 20;  // bytes
// Connections: some are kept free for what is quick, and those that are silent end soon. All come from this machine.
constexpr std::size_t most_connections = 256, most_asking = 48;
constexpr auto longest_silence = 2s, longest_unread = 10s;

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

// A request of the page as words of a command line; none where it is no such request.
std::optional<std::vector<std::string>> words_of(const Json& asked) {
    if (!asked.is_object() || !asked.contains("section") || !asked["section"].is_string()) return {};
    std::vector<std::string> words{"--section", asked["section"]};
    if (asked.contains("report") && asked["report"] == true) words.emplace_back("--json");
    if (!asked.contains("options")) return words;
    if (!asked["options"].is_object()) return {};
    for (const auto& [flag, value] : asked["options"].items()) {
        if (value.is_structured() || value.is_null()) return {};
        const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
        if (value.is_boolean() && !value.get<bool>()) continue;
        if (text.empty() || value.is_boolean())
            words.push_back(flag);
        else
            words.push_back(flag + "=" + text);  // it may begin as a flag does
        if (text.empty()) words.push_back(text);
    }
    return words;
}

// As addressOf() of page/place.js makes it: a lesson has a page of its own.
std::string address_of(const std::string& path, const std::string& mark) {
    const auto [chapter, page] = chapter_of(path);
    std::string file = "text/file?path=";
    for (const char c : path) file += c == '/' ? "%2F" : std::string(1, c);
    return "#" + (chapter.empty() ? file : chapter + "/" + page) + (mark.empty() ? "" : "#" + mark);
}

}  // namespace

// A request that is under way. It is computed when it is its turn; whoever goes away ends it.
struct Server::Asking {
    Server& server;
    std::string program;
    std::vector<std::string> words;
    std::size_t number;
    std::optional<Answer> answer = {};

    Asking(Server& at, std::string asked, std::vector<std::string> with)
        : server(at), program(std::move(asked)), words(std::move(with)), number(++at.asking_) {}
    Asking(const Asking&) = delete;
    Asking& operator=(const Asking&) = delete;
    ~Asking() {
        if (std::exchange(answer, std::nullopt)) server.turns_.release();
        if (--server.asking_ == 0) server.programs_.start_ahead();
    }

    std::optional<Answer::Line> next() {
        if (!answer) {
            if (!server.turns_.try_acquire_for(200ms)) return std::nullopt;
            answer.emplace(server.programs_.take(program), words);
        }
        return answer->next(200ms);
    }
};

Server::Server(const fs::path& root, Programs& programs, Chapters& chapters, Learner& learner,
               Changes& changes, std::string token)
    : root_(root),
      programs_(programs),
      chapters_(chapters),
      learner_(learner),
      changes_(changes),
      token_(std::move(token)) {
    http_.new_task_queue = [] { return new httplib::ThreadPool(most_connections); };
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
                      {"solutions", learner_.solutions()},
                      {"root", root_.string()}});
}

void Server::list(const httplib::Request& request, httplib::Response& response) {
    const std::string name = request.get_param_value("chapter");
    if (!chapters_.has(name)) return refuse(response, 404, "there is no such chapter");
    chapters_.wants(name);
    const std::string program = chapters_.program(name, false);
    const std::string text = program.empty() ? "null" : programs_.list(program);
    if (text.empty()) return refuse(response, 500, "its program does not answer");
    response.set_content(text, "application/json");
}

// The answers go on as they come. Where the browser goes away, what is still computed for it ends.
void Server::ask(const httplib::Request& request, httplib::Response& response) {
    const auto words = words_of(Json::parse(request.body, nullptr, false));
    if (!words) return refuse(response, 400, "a request is {\"section\": …, \"options\": {…}}");
    const std::string name = request.get_param_value("chapter");
    if (!chapters_.has(name)) return refuse(response, 404, "there is no such chapter");
    const std::string program = chapters_.program(name, request.get_param_value("mine") == "1");
    if (program.empty()) {
        chapters_.wants(name);
        return refuse(response, 503, "its program is not built yet");
    }
    const auto asking = std::make_shared<Asking>(*this, program, *words);
    if (asking->number > most_asking) return refuse(response, 429, "too much is asked at once; ask again");
    response.set_chunked_content_provider("application/x-ndjson",
                                          [asking](std::size_t, httplib::DataSink& sink) {
                                              const std::optional<Answer::Line> line = asking->next();
                                              if (!line) return sink.is_writable();
                                              const std::string text = line->text + '\n';
                                              if (!sink.write(text.data(), text.size())) return false;
                                              if (line->last) sink.done();
                                              return true;
                                          });
}

void Server::text(const httplib::Request& request, httplib::Response& response) {
    const std::string html = text_html(root_, request.get_param_value("path"), {address_of});
    if (html.empty()) return refuse(response, 404, "play does not show this file");
    response.set_content(html, "text/html; charset=utf-8");
}

}  // namespace tfs::play
