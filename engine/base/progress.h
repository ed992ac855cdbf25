// Long work reports its progress and can be stopped.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <stop_token>
#include <string>

namespace blockloom {

/// Progress of a piece of work. `total` 0: unknown.
struct Progress {
    std::string phase;
    std::uint64_t done = 0;
    std::uint64_t total = 0;
};

/// Receives progress, on the thread that does the work. Must be cheap: it is called per block.
class ProgressSink {
public:
    virtual ~ProgressSink() = default;
    virtual void report(const Progress& progress) = 0;
};

/// For callers that need no progress.
class SilentProgress final : public ProgressSink {
public:
    void report(const Progress&) override {}
};

/// What cancelled work returns.
[[nodiscard]] inline Error cancelled_error() {
    return {ErrorCode::cancelled, "cancelled"};
}

} // namespace blockloom
