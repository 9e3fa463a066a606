#include "cli/report_errors.h"
#include "experiments/bench_flags.h"
#include "experiments/service_times.h"
#include "experiments/sweep_flags.h"
#include "experiments/tune_flags.h"
#include "warpath/file.h"

/// `warpath-bench`: experiments, and measurements that take the renderer apart. `warpath bench ...` starts it.
namespace warpath::experiments {
namespace {

using cli::exit_failure, cli::exit_usage;

/// The flags of `warpath bench service`.
struct ServiceFlags {
    ServiceRequest request;
    std::string bvh = "fast";

    void add_to(CLI::App& flags) {
        flags.add_option("scene", request.scene, "scene file, seen by its own camera")->required();
        flags.add_option("--tasks", request.num_tasks, "empty tasks of each kind (default: 10000)")->check(CLI::Range(1u, 10000000u));
        flags.add_option("--passes", request.num_passes, "progressive frames of one sample (default: 256)")->check(CLI::Range(1u, 65536u));
        flags.add_option("--repeats", request.repeats, "measurements of the progressive frames (default: 10)")->check(CLI::Range(1u, 10000u));
        flags.add_option("--max-depth", request.options.max_depth, "depth limit (default: 16)");
        flags.add_option("--backend", request.options.backend, "cpu or cuda (default: cuda if there is a device, else cpu)");
        flags.add_option("--threads", request.options.num_threads, "CPU threads (default: all cores)");
        flags.add_option("--bvh", bvh, "fast (default), balanced or best")->check(CLI::IsMember(bvh_quality_names()));
        flags.add_option("-o,--output", request.output, "JSON file to write")->required();
    }
    int run() {
        request.bvh = bvh_quality_of(bvh);
        check_file_writable(request.output);
        return run_service(request) ? 0 : exit_failure;
    }
};

/// The command for the record, without the folder of the program.
std::string command_text(int argc, char** argv) {
    std::string text = "warpath bench";
    for (int i = 1; i < argc; ++i) text.append(" ").append(argv[i]);
    return text;
}

int run(int argc, char** argv) {
    CLI::App program("warpath-bench: experiments on schedulers, and measurements that take the renderer apart. Without a subcommand: the experiments.");
    program.require_subcommand(0, 1);
    BenchFlags bench;
    bench.add_to(program);
    CLI::App* sweep_flags = program.add_subcommand("schedulers", "time every scheduler on the same frames, in turn");
    SweepFlags sweep;
    sweep.add_to(*sweep_flags);
    CLI::App* service_flags = program.add_subcommand("service", "time the resident kernel's tasks and its progressive frames");
    ServiceFlags service;
    service.add_to(*service_flags);
    CLI::App* tune_flags = program.add_subcommand("tune", "find the fastest batch, blocks, refill threshold and pool for a scene, and keep them");
    TuneFlags tune;
    tune.add_to(*tune_flags);
    try {
        program.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        return program.exit(e) == 0 ? 0 : exit_usage;
    }
    if (service_flags->parsed()) return service.run();
    if (sweep_flags->parsed()) {
        sweep.complete();
        return run_sweep(sweep.request) ? 0 : exit_failure;
    }
    if (tune_flags->parsed()) return tune.run(command_text(argc, argv));
    return bench.run(command_text(argc, argv));
}

}  // namespace
}  // namespace warpath::experiments

int main(int argc, char** argv) {
    return warpath::cli::report_errors([=] { return warpath::experiments::run(argc, argv); });
}
