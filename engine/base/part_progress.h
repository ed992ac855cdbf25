// Progress of a part of a larger piece of work, as progress of the whole.
#pragma once

#include "base/progress.h"

#include <algorithm>

namespace blockloom {

/// What the part reports becomes steps `first` to `first + size` of `total`; the phase stays its
/// own.
class PartProgress final : public ProgressSink {
public:
    PartProgress(ProgressSink& whole, std::uint64_t first, std::uint64_t size, std::uint64_t total)
        : whole_(whole), first_(first), size_(size), total_(total) {}

    void report(const Progress& progress) override {
        const std::uint64_t steps =
            progress.total == 0 ? 0
                                : std::min(progress.done, progress.total) * size_ / progress.total;
        whole_.report({progress.phase, first_ + steps, total_});
    }

private:
    ProgressSink& whole_;
    std::uint64_t first_, size_, total_;
};

} // namespace blockloom
