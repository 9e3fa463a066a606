#pragma once

/// The files of shaders/, taken in when the program is built.
namespace warpath::viewer::shader_text {

extern const char* const picture_vert;
extern const char* const picture_frag;

}  // namespace warpath::viewer::shader_text
