#version 330 core
// The developed picture; where two schedulers are compared, A left of the wipe and B right of it, with a line between them.
uniform sampler2D picture_a, picture_b;
uniform float wipe;        // 0..1 from the left; 2 where there is one picture
uniform float line_width;  // in the picture's width
in vec2 position;
out vec4 color;

void main() {
    vec3 pixel = position.x < wipe ? texture(picture_a, position).rgb : texture(picture_b, position).rgb;
    if (abs(position.x - wipe) < 0.5 * line_width) pixel = vec3(1.0, 0.85, 0.3);
    color = vec4(pixel, 1.0);
}
