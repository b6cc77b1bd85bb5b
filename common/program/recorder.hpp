// common/program/recorder.hpp · passes text on, and remembers it
#pragma once

#include <streambuf>
#include <string>

namespace tfs {

// A buffer for a stream of its own: what is written to it goes to the buffer behind it, and stays here as well.
class Recorder : public std::streambuf {
  public:
    explicit Recorder(std::streambuf& behind) : behind_(behind) {}

    const std::string& text() const { return text_; }

  protected:
    int_type overflow(int_type character) override {
        if (traits_type::eq_int_type(character, traits_type::eof())) return traits_type::not_eof(character);
        text_ += traits_type::to_char_type(character);
        return behind_.sputc(traits_type::to_char_type(character));
    }
    std::streamsize xsputn(const char* text, std::streamsize size) override {
        text_.append(text, static_cast<std::size_t>(size));
        return behind_.sputn(text, size);
    }
    int sync() override { return behind_.pubsync(); }

  private:
    std::streambuf& behind_;
    std::string text_;
};

}  // namespace tfs
