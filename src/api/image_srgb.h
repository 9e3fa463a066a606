#pragma once

#include <cmath>

/// The sRGB transfer curve for values in 0..1.
/// Source:  IEC 61966-2-1:1999.
namespace warpath {

inline double srgb_encode(double linear) {
    return linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1.0 / 2.4) - 0.055;
}
inline double srgb_decode(double encoded) {
    return encoded <= 0.04045 ? encoded / 12.92 : std::pow((encoded + 0.055) / 1.055, 2.4);
}

}  // namespace warpath
