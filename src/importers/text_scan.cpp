#include "importers/text_scan.h"

#include <algorithm>

namespace warpath {

void join_lines(std::string& text) {
    if (text.starts_with("\xEF\xBB\xBF")) text.replace(0, 3, "   ");
    if (text.find('\n') == std::string::npos) std::replace(text.begin(), text.end(), '\r', '\n');
    for (size_t i = text.find('\\'); i != std::string::npos; i = text.find('\\', i + 1)) {
        size_t end = i + 1;
        while (end < text.size() && (text[end] == ' ' || text[end] == '\t' || text[end] == '\r')) ++end;
        if (end < text.size() && text[end] == '\n') text[i] = ' ', text[end] = joined_line;
    }
}

}  // namespace warpath
