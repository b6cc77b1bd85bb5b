// common/io/header_names.cpp · a walk over the JSON text that watches names and depth
#include "common/io/header_names.hpp"

#include <nlohmann/json.hpp>
#include <set>

#include "common/io/safetensors_header.hpp"

namespace tfs {
namespace {

using Json = nlohmann::json;

// The JSON library calls these functions while it reads; false ends the reading. It has a parser with a callback, too, but
// that one walks over all earlier entries whenever an object ends.
class NameWatcher {
  public:
    explicit NameWatcher(std::filesystem::path path) : path_(std::move(path)) {}

    std::vector<std::string> outermost;

    bool start_object(std::size_t) {
        names_.emplace_back();
        return deeper();
    }
    bool key(std::string& name) {
        if (!names_.back().insert(name).second)
            refuse_file(path_, "the name " + in_quotes(name) + " occurs twice");
        if (names_.size() == 1) outermost.push_back(name);
        return true;
    }
    bool end_object() {
        names_.pop_back();
        --depth_;
        return true;
    }
    bool start_array(std::size_t) { return deeper(); }
    bool end_array() {
        --depth_;
        return true;
    }
    bool null() { return true; }
    bool boolean(bool) { return true; }
    bool number_integer(Json::number_integer_t) { return true; }
    bool number_unsigned(Json::number_unsigned_t) { return true; }
    bool number_float(Json::number_float_t, const std::string&) { return true; }
    bool string(std::string&) { return true; }
    bool binary(Json::binary_t&) { return true; }
    bool parse_error(std::size_t, const std::string&, const Json::exception&) { return false; }

  private:
    bool deeper() {
        constexpr std::size_t most = 8;
        if (++depth_ > most) refuse_file(path_, "the header is nested too deeply");
        return true;
    }

    std::filesystem::path path_;
    std::vector<std::set<std::string>> names_;  // of each object that is open
    std::size_t depth_ = 0;
};

}  // namespace

std::vector<std::string> header_names(const std::filesystem::path& path, std::string_view text) {
    NameWatcher watcher(path);
    if (!Json::sax_parse(text, &watcher)) refuse_file(path, "the header is not valid JSON");
    return watcher.outermost;
}

}  // namespace tfs
