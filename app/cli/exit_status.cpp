// The exit status of each kind of error (docs/cli.md#exit-status).
#include "command.h"
#include "compute/errors.h"

namespace blockloom::cli {

int status_of(ErrorCode code) noexcept {
    switch (code) {
    case ErrorCode::verification:
        return 1;
    case ErrorCode::wrong_usage:
        return 2;
    case ErrorCode::bad_input:
    case ErrorCode::system:
        return 3;
    case ErrorCode::unavailable:
        return 4;
    case ErrorCode::cancelled:
        return 130;
    }
    if (compute::is_device_error(code)) return 4;
    return 3;
}

} // namespace blockloom::cli
