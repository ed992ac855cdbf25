// Long work tells how far it is and can be stopped.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <stop_token>
#include <string>

namespace blockloom {

/// How far a piece of work is. `total` 0: not known.
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

/// For callers that do not want to know.
class SilentProgress final : public ProgressSink {
public:
    void report(const Progress&) override {}
};

/// What cancelled work returns.
[[nodiscard]] inline Error cancelled_error() {
    return {ErrorCode::cancelled, "cancelled"};
}

} // namespace blockloom
