#version 330 core
// Two triangles over the rectangle where the picture is shown, in clip space; (0, 0) of the picture is its upper left corner.
uniform vec4 rectangle;  // left, bottom, right, top
out vec2 position;

void main() {
    position = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    gl_Position = vec4(mix(rectangle.xy, rectangle.zw, vec2(position.x, 1.0 - position.y)), 0.0, 1.0);
}
