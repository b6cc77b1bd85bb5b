// play/server.hpp · what the page may ask, and who may ask it
#pragma once

#include <httplib.h>

#include <atomic>
#include <semaphore>

#include "play/chapters.hpp"
#include "play/learner.hpp"

namespace tfs::play {

// Pages on this machine: the files of play/page, the lessons, and the answers of the chapters' programs.
//
//   GET  /?token=T            gives the browser the key of this repository, and leads to the page; all else needs the key
//   GET  /api/state?seen=V    chapters and steps, as soon as something has changed since version V; `solutions`: whether these
//                             alone compute
//   GET  /api/list?chapter=N  sections and options of a chapter's program; null while it is not built, and it is built next
//   POST /api/ask?chapter=N   {"section": "heads", "options": {"--heads": 2}, "report": true}: what its program answers
//                             (docs/reports.md), a line each, as they come. With &mine=1 of that on the learner's steps
//   POST /api/check?step=1.1  checks a step now
//   POST /api/hint?step=1.1   one more hint
//   GET  /api/text?path=P     a lesson, a document or a file of code, as HTML; of a folder the list of those in it
class Server {
  public:
    Server(const std::filesystem::path& root, Programs& programs, Chapters& chapters, Learner& learner,
           Changes& changes, std::string token);

    // At 127.0.0.1. The port: `wanted`, or if that is taken a free one.
    int bind(int wanted);
    void listen();  // until stop()
    void stop();

  private:
    struct Asking;

    std::filesystem::path root_;
    Programs& programs_;
    Chapters& chapters_;
    Learner& learner_;
    Changes& changes_;
    std::string token_;
    int port_ = 0;
    std::atomic<std::size_t> asking_ = 0;  // requests that are computed or wait for their turn
    std::counting_semaphore<> turns_{4};   // so many are computed at once

    // More connections may wait than the five that the library lets wait: a page asks for all its sections at once.
    struct Http : httplib::Server {
        void let_wait(int connections) { (void)::listen(svr_sock_, connections); }
    };
    Http http_;

    [[nodiscard]] std::string cookie() const;
    [[nodiscard]] bool has_key(const httplib::Request& request) const;
    httplib::Server::HandlerResponse guard(const httplib::Request& request, httplib::Response& response);
    void add_routes();
    void ask(const httplib::Request& request, httplib::Response& response);
    void state(const httplib::Request& request, httplib::Response& response);
    void list(const httplib::Request& request, httplib::Response& response);
    void text(const httplib::Request& request, httplib::Response& response);
};

}  // namespace tfs::play
