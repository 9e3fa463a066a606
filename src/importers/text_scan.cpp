#include "importers/text_scan.h"

namespace warpath {

void join_lines(std::string& text) {
    if (text.starts_with("\xEF\xBB\xBF")) text.replace(0, 3, "   ");
    if (text.find('\n') == std::string::npos) std::replace(text.begin(), text.end(), '\r', '\n');
    size_t line_begin = 0, looked_at = 0;  // of the line that `i` is in; looking only forward keeps long chains linear
    for (size_t i = text.find('\\'); i != std::string::npos; i = text.find('\\', i + 1)) {
        size_t end = i + 1;
        while (end < text.size() && (text[end] == ' ' || text[end] == '\t' || text[end] == '\r')) ++end;
        if (end >= text.size() || text[end] != '\n') continue;
        const size_t line_break = std::string_view(text).substr(looked_at, i - looked_at).rfind('\n');
        if (line_break != std::string_view::npos) line_begin = looked_at + line_break + 1;
        looked_at = i;
        // A comment may end in a backslash by chance (a Windows folder); the line after it is a statement all the same.
        if (text[text.find_first_not_of(" \t", line_begin)] == '#') continue;
        text[i] = ' ', text[end] = joined_line;
    }
}

}  // namespace warpath
