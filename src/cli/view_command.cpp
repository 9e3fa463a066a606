#include "cli/command.h"
#include "cli/sibling_program.h"

namespace warpath::cli {

Command add_view_command(CLI::App& program) {
    CLI::App* flags = program.add_subcommand(
        "view", "look at a scene in a window, by the program warpath-view; see `warpath view --help`");
    flags->prefix_command();
    flags->set_help_flag();
    return {flags, [flags]() -> int {
                start_sibling("warpath-view", "warpath_view", flags->remaining(),
                              "it is built where libglfw3-dev, libimgui-dev and libepoxy-dev (Debian's names) are installed: install them and configure again; ");
            }};
}

}  // namespace warpath::cli
