#pragma once

#include "viewer/picture_view.h"
#include "viewer/session.h"

namespace warpath::viewer {

/// The two sides of the window: who renders, and what is looked at. Rectangles are in window coordinates.
void draw_schedule_side(const Rectangle& where, Session& session);
void draw_scene_side(const Rectangle& where, Session& session);
/// Over the picture: a scene that loads, messages, labels of the split view, help.
void draw_overlays(const Rectangle& picture, const Rectangle& window, Session& session);

// Their parts, one file each.
void draw_schedulers_panel(Session& session);
void draw_throughput_panel(Session& session);
void draw_comparison_panel(Session& session);
void draw_occupancy_panel(Session& session);
void draw_queues_panel(Session& session);
void draw_parameters_panel(Session& session);
void draw_camera_panel(Session& session);
void draw_picture_panel(Session& session);
void draw_environment_panel(Session& session);
void draw_surface_panel(Session& session);
void draw_help(const Rectangle& window, Session& session);

}  // namespace warpath::viewer
