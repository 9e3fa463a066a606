#include "importers/json_text.h"

#include <algorithm>
#include <set>
#include <vector>

#include "warpath/error.h"

namespace warpath {

namespace {

using nlohmann::json;

/// "LINE:COLUMN" of a byte counted from 1, as the parser reports the last byte that it read.
std::string line_and_column(const std::string& text, size_t byte) {
    const size_t end = std::min(byte > 0 ? byte - 1 : 0, text.size());
    const auto line = std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(end), '\n') + 1;
    const size_t line_start = end == 0 ? std::string::npos : text.rfind('\n', end - 1);
    const size_t column = line_start == std::string::npos ? end + 1 : end - line_start;
    return std::to_string(line) + ":" + std::to_string(column);
}

/// The library's message without its own code and position: "syntax error while parsing object - unexpected ...".
std::string without_position(const std::string& what) {
    const size_t colon = what.find(": ");
    return colon == std::string::npos ? what : what.substr(colon + 2);
}

/// Follows the parser into objects and refuses a key that an object already has.
class DuplicateKeys {
  public:
    explicit DuplicateKeys(const std::string& file) : file_(file) {}
    bool operator()(int, json::parse_event_t event, json& parsed) {
        if (event == json::parse_event_t::object_start) keys_.emplace_back();
        if (event == json::parse_event_t::object_end) keys_.pop_back();
        if (event == json::parse_event_t::key && !keys_.back().insert(parsed.get<std::string>()).second) {
            throw Error(ErrorCode::BadInput, file_ + ": the key " + parsed.dump() + " is given twice in one object");
        }
        return true;
    }

  private:
    const std::string& file_;
    std::vector<std::set<std::string>> keys_;
};

}  // namespace

json parse_json_text(const std::string& text, const std::string& file) {
    try {
        DuplicateKeys duplicates(file);
        return json::parse(text, std::ref(duplicates));
    } catch (const json::parse_error& error) {
        throw Error(ErrorCode::BadInput,
                    file + ":" + line_and_column(text, error.byte) + ": " + without_position(error.what()));
    } catch (const json::out_of_range& error) {
        // "number overflow parsing '1e400'": the library gives no place, so the number is looked up.
        const std::string what = without_position(error.what());
        const size_t open = what.find('\''), close = what.rfind('\'');
        const std::string number = open < close ? what.substr(open + 1, close - open - 1) : std::string();
        const size_t place = number.empty() ? std::string::npos : text.find(number);
        if (place == std::string::npos) throw Error(ErrorCode::BadInput, file + ": " + what);
        throw Error(ErrorCode::BadInput, file + ":" + line_and_column(text, place + 1) + ": the number " + number +
                                             " is too large for a double");
    } catch (const json::exception& error) {
        throw Error(ErrorCode::BadInput, file + ": " + without_position(error.what()));
    }
}

}  // namespace warpath
