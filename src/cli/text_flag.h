#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace warpath::cli {

/// A flag that takes one value. The value stays text until `parse.h` reads it, so that every message names flag and
/// text alike.
class TextFlag {
  public:
    explicit TextFlag(std::string name) : name_(std::move(name)) {}
    TextFlag(const TextFlag&) = delete;  // the parser writes into text_
    TextFlag& operator=(const TextFlag&) = delete;

    void add_to(CLI::App& flags, const std::string& form, const std::string& meaning) {
        option_ = flags.add_option(name_, text_, meaning)->type_name(form);
    }
    bool given() const { return option_ && option_->count() > 0; }
    /// The long name, as messages show it.
    std::string name() const { return name_.substr(name_.find("--")); }
    const std::string& text() const { return text_; }

  private:
    std::string name_, text_;
    CLI::Option* option_ = nullptr;
};

}  // namespace warpath::cli
