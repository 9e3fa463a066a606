#pragma once

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>

/// Small scanners for the line-based text of OBJ and MTL files. A line is a string_view that shrinks from the front.
namespace warpath {

/// Stands for the line break after a trailing backslash; counts as white space within the joined line.
inline constexpr char joined_line = '\x01';

inline bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v' || c == joined_line;
}

inline void skip_blanks(std::string_view& text) {
    size_t n = 0;
    while (n < text.size() && is_blank(text[n])) ++n;
    text.remove_prefix(n);
}

inline std::string_view trimmed(std::string_view text) {
    skip_blanks(text);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

/// The next word, without blanks; empty at the end of the line.
inline std::string_view next_word(std::string_view& text) {
    skip_blanks(text);
    size_t n = 0;
    while (n < text.size() && !is_blank(text[n])) ++n;
    const std::string_view word = text.substr(0, n);
    text.remove_prefix(n);
    return word;
}

/// Reads a whole word as a number. Takes what exporters write: a leading plus, ".5", "3.", exponents beyond the range
/// (0 or infinity), "nan" and "inf" in the spellings of several C libraries. False for anything else.
inline bool parse_number(std::string_view word, float& value) {
    if (word.starts_with('+') && word.size() > 1 && word[1] != '-' && word[1] != '+') word.remove_prefix(1);
    const char* end = word.data() + word.size();
    const auto [at, error] = std::from_chars(word.data(), end, value);
    if (error == std::errc::result_out_of_range && at == end) {
        value = std::strtof(std::string(word).c_str(), nullptr);
        return true;
    }
    if (error != std::errc()) return false;
    if (at == end) return true;
    if (*at != '#') return false;  // "1.#IND", "-1.#INF" of older Windows libraries
    value = std::numeric_limits<float>::quiet_NaN();
    return true;
}

/// The start of a word between quotes, for messages.
inline std::string quoted(std::string_view word) {
    std::string text(1, '\'');
    text.append(word.substr(0, 40));
    text.push_back('\'');
    return text;
}

/// Joins lines that end in a backslash, in place and without changing the size: the backslash becomes a blank and the
/// line break `joined_line`. Drops a byte order mark and turns lone carriage returns of old files into line breaks.
void join_lines(std::string& text);

/// Walks over the lines of a text that went through join_lines.
class LineReader {
  public:
    explicit LineReader(std::string_view text) : rest_(text) {}

    /// False at the end. `line` excludes the line break and is valid as long as the text.
    bool next(std::string_view& line) {
        if (rest_.empty()) return false;
        number_ = next_number_;
        const size_t end = rest_.find('\n');
        complete_ = end != std::string_view::npos;
        line = rest_.substr(0, end);
        rest_.remove_prefix(complete_ ? end + 1 : rest_.size());
        next_number_ += 1 + static_cast<size_t>(std::count(line.begin(), line.end(), joined_line));
        return true;
    }
    size_t number() const { return number_; }    ///< of the last line, from 1
    size_t num_left() const { return rest_.size(); }  ///< characters not read yet
    bool complete() const { return complete_; }  ///< the last line had a line break

  private:
    std::string_view rest_;
    size_t number_ = 0, next_number_ = 1;
    bool complete_ = true;
};

}  // namespace warpath
