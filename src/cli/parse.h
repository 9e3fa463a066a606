#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "warpath/scene.h"

/// Strict readers of option values. The whole text must be the value: no sign where none is meant, nothing after the
/// number. Errors:  BadOption naming the flag, the text, and what is accepted.
namespace warpath::cli {

struct FilmSize {
    uint32_t width = 0, height = 0;
};

/// A whole number in lo..hi, decimal digits only.
uint64_t parse_integer(const std::string& flag, const std::string& text, uint64_t lo, uint64_t hi);
/// Some of them, at least one, separated by commas; each may come more than once.
std::vector<uint32_t> parse_integers(const std::string& flag, const std::string& text, uint32_t lo, uint32_t hi);
/// A finite number in lo..hi; sign, point and exponent are allowed.
double parse_number(const std::string& flag, const std::string& text, double lo, double hi);
/// "WIDTHxHEIGHT", both at least 1.
FilmSize parse_size(const std::string& flag, const std::string& text);
/// "ex,ey,ez/tx,ty,tz/ux,uy,uz/vfov": eye and target differ, up is not along the view, 0 < vfov < 180.
CameraOption parse_camera(const std::string& flag, const std::string& text);
/// The inverse of `parse_camera`, to the last bit.
std::string format_camera(const CameraOption& camera);
/// One of `known`.
std::string parse_choice(const std::string& flag, const std::string& text, const std::vector<std::string>& known);
/// Several of `known`, separated by commas; each once.
std::vector<std::string> parse_choices(const std::string& flag, const std::string& text,
                                       const std::vector<std::string>& known);

/// "a, b and c".
std::string list_text(const std::vector<std::string>& names);

}  // namespace warpath::cli
