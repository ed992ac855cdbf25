// Work for the CUDA provider over the fake driver, and what its errors are expected to be.
#pragma once

#include "compute/fake_cuda/fake_device.h"

#include <QString>

namespace blockloom::compute_tests {

/// A provider whose driver has these faults (compute/fake_cuda/faults.h); work runs on the thread
/// that submits it.
[[nodiscard]] compute::ProviderPtr opened(const std::string& faults,
                                          const compute::ProviderOptions& options = {});

/// Sixty-four numbers that are uploaded, mixed and downloaded: one launch.
struct MixWork {
    explicit MixWork(const compute::ProviderPtr& provider,
                     compute::Lane lane = compute::Lane::work);

    /// Submits the list and waits for it.
    [[nodiscard]] Status run();
    /// Every number of the last run is right.
    [[nodiscard]] bool is_right() const;

    compute::ProviderPtr on;
    compute::BufferPtr up, there, down;
    compute::KernelPtr kernel;
    compute::CommandListPtr list;
};

/// Nothing if the error has this code and a message with these words; else what it is.
[[nodiscard]] QString unlike(const Error& error, ErrorCode code, const char* expected);
template <typename T>
[[nodiscard]] QString unlike(const Result<T>& result, ErrorCode code, const char* expected) {
    return result ? QStringLiteral("no error") : unlike(result.error(), code, expected);
}

} // namespace blockloom::compute_tests
