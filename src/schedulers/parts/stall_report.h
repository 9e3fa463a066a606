#pragma once

#include <string>

#include "schedulers/parts/wait.h"

namespace warpath {

/// What report_stall() was told, in words; empty for 0.
inline std::string describe_wait(uint64_t where) {
    switch (where) {
        case 0: return {};
        case wait_for_reader: return "a wait for the reader of a ring's place passed its limit; ";
        case wait_for_writer: return "a wait for the writer of a ring's place passed its limit; ";
        case wait_for_host: return "the host's heartbeat stood still; ";
        default: return "a wait for work passed its limit; ";
    }
}

}  // namespace warpath
