#include "cli/parse.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "warpath/error.h"

namespace warpath::cli {
namespace {

[[noreturn]] void refuse(const std::string& flag, const std::string& text, const std::string& accepted) {
    throw Error(ErrorCode::BadOption, flag + " '" + text + "' is not accepted: give " + accepted);
}

/// False unless all of `text` is one value.
template <class T>
bool read_whole(const std::string& text, T& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
}

/// A finite number. Read as double, so that what is too small for a float becomes 0.
bool read_real(const std::string& text, double& value) {
    const bool has_plus = text.starts_with('+') && !text.starts_with("+-");  // from_chars knows no plus sign
    return read_whole(has_plus ? text.substr(1) : text, value) && std::isfinite(value);
}

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts(1);
    for (const char c : text) {
        if (c == separator)
            parts.emplace_back();
        else
            parts.back() += c;
    }
    return parts;
}

std::string shortest(double x) {
    std::array<char, 40> text;
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), x).ptr};
}
std::string shortest(float x) {
    std::array<char, 40> text;
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), x).ptr};
}

constexpr const char* camera_form =
    "ex,ey,ez/tx,ty,tz/ux,uy,uz/vfov (eye, target, up, vertical angle of view in degrees)";

std::array<float, 3> parse_vector(const std::string& flag, const std::string& whole, const std::string& part) {
    const std::vector<std::string> numbers = split(part, ',');
    std::array<float, 3> v{};
    if (numbers.size() != v.size()) refuse(flag, whole, camera_form);
    for (size_t i = 0; i < v.size(); ++i) {
        double x = 0;
        if (!read_real(numbers[i], x) || std::abs(x) > std::numeric_limits<float>::max())
            refuse(flag, whole, camera_form);
        v[i] = static_cast<float>(x);
    }
    return v;
}

/// Whether eye, target and up span a view: in double, so that no square of a float overflows.
bool spans_view(const CameraOption& camera) {
    std::array<double, 3> d{}, u{};
    for (size_t i = 0; i < 3; ++i) d[i] = static_cast<double>(camera.target[i]) - camera.eye[i], u[i] = camera.up[i];
    const double x = d[1] * u[2] - d[2] * u[1], y = d[2] * u[0] - d[0] * u[2], z = d[0] * u[1] - d[1] * u[0];
    const double lengths = std::hypot(d[0], d[1], d[2]) * std::hypot(u[0], u[1], u[2]);
    return lengths > 0 && std::hypot(x, y, z) > 1e-6 * lengths;
}

}  // namespace

uint64_t parse_integer(const std::string& flag, const std::string& text, uint64_t lo, uint64_t hi) {
    uint64_t value = 0;
    if (!read_whole(text, value) || value < lo || value > hi)
        refuse(flag, text, "a whole number from " + std::to_string(lo) + " to " + std::to_string(hi));
    return value;
}

std::vector<uint32_t> parse_integers(const std::string& flag, const std::string& text, uint32_t lo, uint32_t hi) {
    std::vector<uint32_t> values;
    for (const std::string& part : split(text, ',')) {
        uint32_t& value = values.emplace_back();
        if (!read_whole(part, value) || value < lo || value > hi)
            refuse(flag, text, "whole numbers from " + std::to_string(lo) + " to " + std::to_string(hi) + ", separated by commas");
    }
    return values;
}

double parse_number(const std::string& flag, const std::string& text, double lo, double hi) {
    double value = 0;
    if (!read_real(text, value) || !(value >= lo && value <= hi))
        refuse(flag, text, "a number from " + shortest(lo) + " to " + shortest(hi));
    return value;
}

FilmSize parse_size(const std::string& flag, const std::string& text) {
    const std::vector<std::string> sides = split(text, 'x');
    FilmSize size;
    if (sides.size() != 2 || !read_whole(sides[0], size.width) || !read_whole(sides[1], size.height) ||
        size.width == 0 || size.height == 0)
        refuse(flag, text, "WIDTHxHEIGHT in whole pixels, both at least 1, such as 1280x720");
    return size;
}

CameraOption parse_camera(const std::string& flag, const std::string& text) {
    const std::vector<std::string> parts = split(text, '/');
    if (parts.size() != 4) refuse(flag, text, camera_form);
    double vfov_deg = 0;
    if (!read_real(parts[3], vfov_deg) || !(vfov_deg > 0.0 && vfov_deg < 180.0))
        refuse(flag, text, "an angle of view above 0 and below 180 degrees, in the form " + std::string(camera_form));
    const CameraOption camera{parse_vector(flag, text, parts[0]), parse_vector(flag, text, parts[1]),
                              parse_vector(flag, text, parts[2]), static_cast<float>(vfov_deg)};
    if (!spans_view(camera))
        refuse(flag, text, "an eye and a target that differ, and an up that is not along the view");
    return camera;
}

std::string format_camera(const CameraOption& camera) {
    std::string text;
    for (const auto& v : {camera.eye, camera.target, camera.up})
        text += shortest(v[0]) + "," + shortest(v[1]) + "," + shortest(v[2]) + "/";
    return text + shortest(camera.vfov_deg);
}

std::string parse_choice(const std::string& flag, const std::string& text, const std::vector<std::string>& known) {
    if (std::find(known.begin(), known.end(), text) == known.end()) refuse(flag, text, "one of " + list_text(known));
    return text;
}

std::vector<std::string> parse_choices(const std::string& flag, const std::string& text,
                                       const std::vector<std::string>& known) {
    std::vector<std::string> chosen;
    for (const std::string& name : split(text, ',')) {
        if (std::find(known.begin(), known.end(), name) == known.end())
            refuse(flag, text, "some of " + list_text(known) + ", separated by commas");
        if (std::find(chosen.begin(), chosen.end(), name) == chosen.end()) chosen.push_back(name);
    }
    return chosen;
}

std::string list_text(const std::vector<std::string>& names) {
    std::string text;
    for (size_t i = 0; i < names.size(); ++i) {
        if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
        text += names[i];
    }
    return text;
}

}  // namespace warpath::cli
