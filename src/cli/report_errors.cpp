#include "cli/report_errors.h"

#include <new>

#include "cli/log.h"
#include "warpath/error.h"

namespace warpath::cli {

int report_errors(const std::function<int()>& run, int failure_status) {
    try {
        return run();
    } catch (const Error& e) {
        log_error(e.what());
        return e.code() == ErrorCode::BadOption ? exit_usage : failure_status;
    } catch (const std::bad_alloc&) {
        log_error("out of memory");
    } catch (const std::exception& e) {
        log_error(e.what());
    }
    return failure_status;
}

}  // namespace warpath::cli
