#include <cmath>
#include <map>
#include <unordered_map>

#include "importers/obj_data.h"
#include "importers/text_scan.h"
#include "warpath/error.h"

// The statements of an OBJ file are read here rather than by tinyobjloader 2.0: that knows no joined lines, rounds
// numbers by powers of ten instead of correctly, takes a wrong word as 0, accepts indices past the end, and gives no
// line numbers. It still reads the materials (mtl_parse.cpp).
namespace warpath {

namespace {

/// Triangulating takes a time that may grow with the square of the corners.
constexpr size_t max_face_corners = 65536;

/// The largest index that was used before its element was defined, with the line that used it.
struct ForwardUse {
    uint32_t index = 0;
    size_t line = 0;
};

class ObjParser {
  public:
    ObjParser(std::string_view text, const std::filesystem::path& path, std::vector<std::string>& warnings)
        : reader_(text), size_(text.size()), path_(path), warnings_(warnings) {}

    ObjData run(const LoadWatch& watch) {
        std::string_view line;
        constexpr uint32_t lines_between_looks = 1u << 16;
        for (uint32_t n = 0; reader_.next(line); ++n) {
            if (n % lines_between_looks == 0) watch.at(LoadStep::Reading, share_read(), path_.filename().string());
            statement(line);
        }
        check_forward(forward_position_, data_.positions.size(), "vertex");
        check_forward(forward_uv_, data_.uvs.size(), "texture coordinate");
        check_forward(forward_normal_, data_.normals.size(), "normal");
        finish_colors();
        report();
        return std::move(data_);
    }

  private:
    double share_read() const { return 1.0 - static_cast<double>(reader_.num_left()) / static_cast<double>(size_); }
    [[noreturn]] void fail(const std::string& what) const {
        throw Error(ErrorCode::BadInput, path_.string() + ":" + std::to_string(reader_.number()) + ": " + what);
    }

    void statement(std::string_view line) {
        const std::string_view keyword = next_word(line);
        if (keyword.empty() || keyword[0] == '#') return;
        if (keyword == "v") return position(line);
        if (keyword == "vt") return texture_coordinate(line);
        if (keyword == "vn") return normal(line);
        if (keyword == "f" || keyword == "fo") return face(line);
        if (keyword == "usemtl") return use_material(trimmed(line));
        if (keyword == "mtllib") return data_.libraries.emplace_back(trimmed(line)), void();
        if (keyword == "s") return smoothing(next_word(line));
        if (keyword == "o" || keyword == "g" || keyword == "vp" || keyword == "mg") return;
        other(keyword);
    }

    void other(std::string_view keyword) {
        for (const unsigned char c : keyword)
            if (c < 0x20 || c == 0x7f)
                fail("binary data where a statement is expected; the file is damaged or not an OBJ file");
        const auto [it, is_new] = ignored_.try_emplace(std::string(keyword.substr(0, 40)), 0, reader_.number());
        ++it->second.first;
    }

    /// Up to `max` numbers; stops at a comment. Fails on fewer than `min` and on a word that is no number.
    int numbers(std::string_view line, float* values, int min, int max, const char* what) const {
        int n = 0;
        while (n < max) {
            const std::string_view word = next_word(line);
            if (word.empty() || word[0] == '#') break;
            if (!parse_number(word, values[n])) fail(quoted(word) + " is not a number (" + what + ")");
            ++n;
        }
        if (n < min)
            fail(std::string(what) + " needs " + std::to_string(min) + " numbers, but has " + std::to_string(n));
        return n;
    }

    void position(std::string_view line) {
        float v[6];
        const int n = numbers(line, v, 3, 6, "a vertex");
        if (n == 6) {
            data_.colors.resize(data_.positions.size(), Vec4(1.0f));
            const auto channel = [](float c) { return c >= 0.0f && c < infinity ? c : 1.0f; };
            data_.colors.emplace_back(channel(v[3]), channel(v[4]), channel(v[5]), 1.0f);
        }
        data_.positions.emplace_back(v[0], v[1], v[2]);
    }

    /// White where the file gives no colour; values up to 255 are bytes.
    void finish_colors() {
        if (data_.colors.empty()) return;
        data_.colors.resize(data_.positions.size(), Vec4(1.0f));
        float largest = 0.0f;
        for (const Vec4& c : data_.colors) largest = max_of(largest, max_component(Vec3(c)));
        if (largest <= 1.0f) return;
        for (Vec4& c : data_.colors) c = {saturate(c.x / 255.0f), saturate(c.y / 255.0f), saturate(c.z / 255.0f), 1.0f};
    }

    void texture_coordinate(std::string_view line) {
        float v[3] = {0.0f, 0.0f, 0.0f};
        numbers(line, v, 1, 3, "a texture coordinate");
        for (float& x : v) x = is_finite(x) ? x : 0.0f;
        data_.uvs.emplace_back(v[0], v[1]);
    }

    void normal(std::string_view line) {
        float v[3];
        numbers(line, v, 3, 3, "a normal");
        const double length = std::sqrt(double{v[0]} * v[0] + double{v[1]} * v[1] + double{v[2]} * v[2]);
        const bool usable = length > 0.0 && std::isfinite(length);
        data_.normals.push_back(usable ? Vec3(glm::dvec3(v[0], v[1], v[2]) / length) : Vec3(0.0f));
    }

    /// One index of a corner, made absolute from 0. Negative ones count back from where the face stands.
    uint32_t index(const char*& at, const char* end, size_t num_defined, ForwardUse& forward, const char* what) const {
        int64_t value = 0;
        if (at != end && *at == '+') ++at;
        const auto [stop, error] = std::from_chars(at, end, value);
        if (error == std::errc::invalid_argument)
            fail("a face has a corner without a number for its " + std::string(what));
        at = stop;
        const auto defined = static_cast<int64_t>(num_defined);
        if (error == std::errc() && value > 0 && value < int64_t{invalid_id}) {
            const auto i = static_cast<uint32_t>(value - 1);
            if (value > defined && (forward.line == 0 || i > forward.index)) forward = {i, reader_.number()};
            return i;
        }
        if (error == std::errc() && value < 0 && value >= -defined) return static_cast<uint32_t>(defined + value);
        if (error == std::errc() && value == 0)
            fail("a face refers to " + std::string(what) + " 0; indices count from 1");
        fail("a face refers to " + std::string(what) + " " +
             (error == std::errc() ? std::to_string(value) : "of an impossible index") + ", but " +
             std::to_string(defined) + " are defined");
    }

    ObjCorner corner(std::string_view word) {
        ObjCorner c{invalid_id, invalid_id, invalid_id};
        const char *at = word.data(), *end = at + word.size();
        c.position = index(at, end, data_.positions.size(), forward_position_, "vertex");
        if (at != end && *at == '/') {
            ++at;
            if (at != end && *at != '/') c.uv = index(at, end, data_.uvs.size(), forward_uv_, "texture coordinate");
            if (at != end && *at == '/') {
                ++at;
                if (at != end) c.normal = index(at, end, data_.normals.size(), forward_normal_, "normal");
            }
        }
        if (at != end) fail(quoted(word) + " is not a corner of a face (v, v/vt, v//vn or v/vt/vn)");
        return c;
    }

    void face(std::string_view line) {
        const size_t first = data_.corners.size();
        for (std::string_view word = next_word(line); !word.empty() && word[0] != '#'; word = next_word(line))
            data_.corners.push_back(corner(word));
        if (data_.corners.size() >= invalid_id) fail("the file has more corners than 32-bit indices can count");
        if (data_.corners.size() - first > max_face_corners)
            fail("a face has " + std::to_string(data_.corners.size() - first) + " corners; at most " +
                 std::to_string(max_face_corners) + " can be triangulated");
        if (data_.corners.size() - first < 3) {
            if (!reader_.complete()) fail("the file ends in the middle of a face; it may have been cut short");
            data_.corners.resize(first);
            if (num_short_faces_++ == 0) first_short_face_ = reader_.number();
            return;
        }
        data_.faces.push_back({static_cast<uint32_t>(first), material_, smoothing_});
    }

    void use_material(std::string_view name) {
        const auto [it, is_new] =
            material_ids_.try_emplace(std::string(name), static_cast<uint32_t>(data_.material_names.size()));
        if (is_new) data_.material_names.emplace_back(name);
        material_ = it->second;
    }

    void smoothing(std::string_view word) {
        data_.has_smoothing = true;
        smoothing_ = 0;
        if (word == "on") smoothing_ = 1;
        if (word.empty() || word == "on" || word == "off" || word[0] == '#') return;
        const auto [at, error] = std::from_chars(word.data(), word.data() + word.size(), smoothing_);
        if (error != std::errc() || at != word.data() + word.size())
            fail(quoted(word) + " is not a smoothing group (a number, on or off)");
    }

    void check_forward(const ForwardUse& use, size_t num_defined, const std::string& what) const {
        if (use.line == 0 || use.index < num_defined) return;
        throw Error(ErrorCode::BadInput, path_.string() + ":" + std::to_string(use.line) + ": a face refers to " +
                                             what + " " + std::to_string(uint64_t{use.index} + 1) +
                                             ", but the file defines only " + std::to_string(num_defined));
    }

    void report() {
        const std::string file = path_.filename().string();
        if (num_short_faces_ > 0)
            warnings_.push_back(file + ": " + std::to_string(num_short_faces_) +
                                " faces have fewer than three corners and are left out (the first in line " +
                                std::to_string(first_short_face_) + ")");
        std::string text;
        for (const auto& [keyword, use] : ignored_) {
            if (text.size() > 200) continue;
            text += (text.empty() ? "" : ", ") + std::to_string(use.first) + " x '" + keyword + "' from line " +
                    std::to_string(use.second);
        }
        if (!text.empty())
            warnings_.push_back(
                file +
                ": statements that are not supported (lines, points, curves and the like) are left out: " + text);
    }

    LineReader reader_;
    size_t size_;
    const std::filesystem::path& path_;
    std::vector<std::string>& warnings_;
    ObjData data_;
    std::unordered_map<std::string, uint32_t> material_ids_;
    std::map<std::string, std::pair<size_t, size_t>> ignored_;  ///< keyword to how often and the first line
    ForwardUse forward_position_, forward_uv_, forward_normal_;
    uint32_t material_ = invalid_id, smoothing_ = 0;
    size_t num_short_faces_ = 0, first_short_face_ = 0;
};

}  // namespace

ObjData parse_obj(std::string& text, const std::filesystem::path& path, std::vector<std::string>& warnings,
                  const LoadWatch& watch) {
    join_lines(text);
    return ObjParser(text, path, warnings).run(watch);
}

}  // namespace warpath
