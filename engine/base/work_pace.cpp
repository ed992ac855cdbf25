#include "base/work_pace.h"

namespace blockloom {

WorkPace::Estimate WorkPace::follow(const Progress& progress, Nanoseconds now) noexcept {
    if (!begun_ || progress.total != total_ || progress.done < done_) {
        begun_ = true;
        begin_ = now;
        first_ = progress.done;
        total_ = progress.total;
    }
    done_ = progress.done;
    const Nanoseconds elapsed = now - begin_;
    if (elapsed < steady_after || done_ == first_) return {};
    const double each = static_cast<double>(elapsed) / static_cast<double>(done_ - first_);
    Estimate estimate{1e9 / each, std::nullopt};
    if (total_ >= done_ && total_ != 0)
        estimate.left = static_cast<Nanoseconds>(each * static_cast<double>(total_ - done_));
    return estimate;
}

} // namespace blockloom
