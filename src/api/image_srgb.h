#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

/// The sRGB transfer curve for values in 0..1.
/// Source:  IEC 61966-2-1:1999.
namespace warpath {

inline double srgb_encode(double linear) {
    return linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1.0 / 2.4) - 0.055;
}
inline double srgb_decode(double encoded) {
    return encoded <= 0.04045 ? encoded / 12.92 : std::pow((encoded + 0.055) / 1.055, 2.4);
}

/// The byte of a value in 0..1.
inline uint8_t srgb_byte(float linear) { return static_cast<uint8_t>(srgb_encode(linear) * 255.0 + 0.5); }

/// The table in which render/tone.h looks bytes up. Entry i: the smallest float whose byte is i + 1 or more.
std::vector<float> make_srgb_steps();

}  // namespace warpath
