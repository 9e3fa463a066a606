#include "viewer/json_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "warpath/error.h"

namespace warpath::viewer {

nlohmann::json read_json(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    if (!file || !(text << file.rdbuf()))
        throw Error(ErrorCode::Io, "cannot read " + path.string() + ": " + (errno ? std::strerror(errno) : "it is empty"));
    try {
        return nlohmann::json::parse(text.str());
    } catch (const nlohmann::json::parse_error& e) {
        const std::string what = e.what();
        const size_t begin = what.find("at line");
        throw Error(ErrorCode::BadInput, path.string() + " is no JSON: " + (begin == std::string::npos ? what : what.substr(begin)));
    }
}

}  // namespace warpath::viewer
