#pragma once

#include <cstdint>
#include <iterator>

namespace warpath::viewer {

/// What the picture can show, in the order of DisplayLayer.
struct LayerName {
    const char* script;  ///< in scripts
    const char* label;
    const char* meaning;  ///< of the colour scale; empty where the layer has none
};
inline constexpr LayerName layer_names[] = {
    {"color", "colour", ""},
    {"albedo", "albedo", ""},
    {"normal", "normal", ""},
    {"depth", "depth", "distance of the first hit"},
    {"samples", "samples", "finished samples"},
    {"cost", "cost", "node steps and triangle tests of a sample"},
    {"node-steps", "cost: node steps", "node steps of a sample"},
    {"triangle-tests", "cost: triangle tests", "triangle tests of a sample"},
    {"bounces", "cost: bounces", "rays of a sample after the camera's, shadow rays aside"},
};
inline constexpr uint32_t num_layers = std::size(layer_names);

}  // namespace warpath::viewer
