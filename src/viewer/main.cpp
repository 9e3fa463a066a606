#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "cli/report_errors.h"
#include "viewer/app.h"
#include "viewer/script_runner.h"
#include "viewer/view_flags.h"
#include "warpath/error.h"

/// `warpath-view`: the window. `warpath view ...` starts it.
namespace warpath::viewer {
namespace {

using cli::exit_failure, cli::exit_usage;
constexpr double closing_s = 0.9;  // threads get so long to end

/// Shows the window until it closes. The exit status.
int run_window(App& app, ScriptRunner* script, const ViewOptions& options) {
    const auto start = std::chrono::steady_clock::now();
    bool wants_screenshot = options.screenshot.has_value();
    const bool ends_by_itself = wants_screenshot || options.exit_after > 0;
    while (!app.wants_to_close()) {
        if (script) script->advance();
        app.frame();
        if (options.time_limit_s > 0 && std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() > options.time_limit_s)
            throw Error(ErrorCode::Unavailable, "the time limit of " + std::to_string(static_cast<int>(options.time_limit_s)) + " s has passed");
        if (!ends_by_itself || (script && !script->is_done())) continue;
        const Session& session = app.session;
        const bool is_refined = options.exit_after == 0 ? script || session.is_settled()
                                                        : session.is_settled() && session.picture.num_samples >= options.exit_after;
        if (!is_refined) {
            if (session.scene.number == 0 && !session.loader.is_loading()) return exit_failure;  // it was said why
            continue;
        }
        if (wants_screenshot) {
            app.screenshot(*options.screenshot);
            wants_screenshot = false;
            app.frame();
        }
        break;
    }
    return 0;
}

int run(int argc, char** argv) {
    CLI::App program("warpath view: fly through a scene, flip schedulers, see the difference", "warpath view");
    ViewFlags flags;
    flags.add_to(program);
    try {
        program.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        return program.exit(e) == 0 ? 0 : exit_usage;
    }
    const ViewOptions options = flags.options();
    std::vector<Step> steps;
    if (options.script) steps = read_script(*options.script);

    Window window(options.window, "warpath", options.full_screen);
    App app(options, window);
    std::optional<ScriptRunner> script;
    if (options.script) script.emplace(app, std::move(steps), options.script->string());
    if (!options.scene.empty()) app.session.open(options.scene);
    int status = exit_failure;
    try {
        status = run_window(app, script ? &*script : nullptr, options);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "error: %s\n", e.what());
    }
    window.hide();
    window.poll(0);
    if (!app.session.close(closing_s)) {
        std::fprintf(stderr, "warning: a thread did not end within a second; leaving without it\n");
        std::fflush(nullptr);
        std::_Exit(status);  // files are whole or absent at any time
    }
    return status;
}

}  // namespace
}  // namespace warpath::viewer

int main(int argc, char** argv) {
    return warpath::cli::report_errors([=] { return warpath::viewer::run(argc, argv); });
}
