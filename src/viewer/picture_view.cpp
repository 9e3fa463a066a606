#include "viewer/picture_view.h"

#include <epoxy/gl.h>

#include <string>

#include "viewer/shader_text.h"
#include "warpath/error.h"

namespace warpath::viewer {
namespace {

GLuint compile(GLenum kind, const char* text) {
    const GLuint shader = glCreateShader(kind);
    glShaderSource(shader, 1, &text, nullptr);
    glCompileShader(shader);
    GLint works = 0;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &works);
    if (works) return shader;
    std::string log(1024, '\0');
    GLsizei length = 0;
    glGetShaderInfoLog(shader, static_cast<GLsizei>(log.size()), &length, log.data());
    throw Error(ErrorCode::Internal, "OpenGL does not compile a shader: " + log.substr(0, static_cast<size_t>(length)));
}

GLuint link(const char* vertex_text, const char* fragment_text) {
    const GLuint program = glCreateProgram(), vertex = compile(GL_VERTEX_SHADER, vertex_text),
                 fragment = compile(GL_FRAGMENT_SHADER, fragment_text);
    glAttachShader(program, vertex), glAttachShader(program, fragment);
    glLinkProgram(program);
    glDeleteShader(vertex), glDeleteShader(fragment);
    GLint works = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &works);
    if (!works) throw Error(ErrorCode::Internal, "OpenGL does not link the shaders of the picture");
    return program;
}

}  // namespace

PictureView::PictureView() : program_(link(shader_text::picture_vert, shader_text::picture_frag)) {
    glGenVertexArrays(1, &vertices_);
    glGenTextures(2, textures_.data());
}

PictureView::~PictureView() {
    glDeleteTextures(2, textures_.data());
    glDeleteVertexArrays(1, &vertices_);
    glDeleteProgram(program_);
}

void PictureView::take(PictureStore& store, int slot, const Picture& picture) {
    if (size_[0] != picture.width || size_[1] != picture.height) {
        for (const GLuint texture : textures_) {
            glBindTexture(GL_TEXTURE_2D, texture);
            glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, static_cast<GLsizei>(picture.width), static_cast<GLsizei>(picture.height), 0, GL_RGBA,
                         GL_UNSIGNED_BYTE, nullptr);
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
        }
        size_ = {picture.width, picture.height};
    }
    store.upload(slot, picture, textures_);
    picture_ = picture;
}

void PictureView::draw(const Rectangle& where, int framebuffer_width, int framebuffer_height, float wipe) const {
    if (picture_.width == 0 || framebuffer_width <= 0 || framebuffer_height <= 0) return;
    glUseProgram(program_);
    glBindVertexArray(vertices_);
    // Pixel for pixel where sizes agree, pixels as squares where the picture is enlarged by much, and smooth otherwise.
    const float zoom = where.width / static_cast<float>(picture_.width);
    const GLint filter = zoom == 1 || zoom >= 8 ? GL_NEAREST : GL_LINEAR;
    for (int unit = 0; unit < 2; ++unit) {
        glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
        glBindTexture(GL_TEXTURE_2D, textures_[picture_.num_planes == 2 ? static_cast<size_t>(unit) : 0]);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
    }
    glActiveTexture(GL_TEXTURE0);
    const float width = static_cast<float>(framebuffer_width), height = static_cast<float>(framebuffer_height);
    glUniform4f(glGetUniformLocation(program_, "rectangle"), 2 * where.left / width - 1, 1 - 2 * (where.top + where.height) / height,
                2 * (where.left + where.width) / width - 1, 1 - 2 * where.top / height);
    glUniform1i(glGetUniformLocation(program_, "picture_a"), 0);
    glUniform1i(glGetUniformLocation(program_, "picture_b"), 1);
    glUniform1f(glGetUniformLocation(program_, "wipe"), picture_.num_planes == 2 ? wipe : 2.0f);
    glUniform1f(glGetUniformLocation(program_, "line_width"), picture_.num_planes == 2 ? 2 / where.width : 0.0f);
    glViewport(0, 0, framebuffer_width, framebuffer_height);
    glDisable(GL_BLEND), glDisable(GL_SCISSOR_TEST), glDisable(GL_DEPTH_TEST);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glBindVertexArray(0);
}

}  // namespace warpath::viewer
