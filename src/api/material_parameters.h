#pragma once

#include <string>
#include <vector>

#include "scene/material.h"
#include "warpath/scene.h"

/// Between the public view of a material and the scene's own.
namespace warpath {

MaterialParameters parameters_of(const Material& material);
/// `material` with other parameters and, from them, the simplest kind that does for it; its textures and alpha mode stay.
Material with_parameters(const Material& material, const MaterialParameters& parameters);
/// Errors:  BadInput naming the parameter that is not finite, or negative where light would grow.
void check_parameters(const std::string& name, const MaterialParameters& parameters);
const char* alpha_mode_name(AlphaMode mode);
/// Names of the parameters that a texture multiplies.
std::vector<std::string> textured_parameters(const Material& material);

}  // namespace warpath
