#include "profile/tuning.h"

#include <algorithm>
#include <numeric>
#include <random>

namespace blockloom::profile {
namespace {

/// Of those with the most samples: a lucky point that was dropped early does not count. Samples
/// beyond those of an interval improve no point.
void find_best(Tuning& tuning) {
    std::size_t most = 0;
    for (TunedPoint& point : tuning.points) {
        point.median = median_of(point.samples);
        most = std::max(most, point.samples.size());
    }
    // A budget may end in the middle of a round: one sample fewer makes no difference.
    const std::size_t enough = std::clamp<std::size_t>(most, 2, fewest_samples + 1) - 1;
    bool any = false;
    for (std::size_t i = 0; i < tuning.points.size(); ++i) {
        const TunedPoint& point = tuning.points[i];
        if (point.samples.size() < enough) continue;
        if (!any || point.median < tuning.points[tuning.best].median) tuning.best = i;
        any = true;
    }
}

std::optional<Interval> against_best(const Tuning& tuning, const TunedPoint& point,
                                     std::uint64_t seed) {
    BootstrapOptions how;
    how.seed = seed;
    how.resamples = 1000;
    return ratio_interval(point.samples, tuning.points[tuning.best].samples, how);
}

class Search {
public:
    Search(std::size_t points, const MeasurePoint& measure, const TuningOptions& options,
           ProgressSink& progress, const std::stop_token& stop)
        : measure_(measure), options_(options), progress_(progress), stop_(stop),
          random_(options.seed), left_(options.begin_with) {
        tuning_.points.resize(points);
        if (!left_.empty()) return;
        left_.resize(points);
        std::iota(left_.begin(), left_.end(), 0);
    }

    Result<Tuning> perform() {
        if (left_.empty())
            return Error{ErrorCode::wrong_usage, "tune: expected points to measure, found none"};
        if (const Status begun = first_round(); !begun) return begun.error();
        unsigned taken = options_.first;
        while (!tuning_.out_of_budget && taken < options_.most) {
            keep_the_better_half();
            const unsigned now = std::min(std::max(taken, 1U), options_.most - taken);
            if (const Status measured = measure_all(now, true); !measured) return measured.error();
            taken += now;
            find_best(tuning_);
        }
        tuning_.measuring.reset();
        settle(tuning_, options_.seed);
        if (options_.seen) options_.seen(tuning_);
        return std::move(tuning_);
    }

private:
    /// The initial points, then those that the results make worth measuring.
    Status first_round() {
        std::vector<std::size_t> all;
        for (bool asked = false; !left_.empty() && !tuning_.out_of_budget; asked = true) {
            asked_ = asked;
            // The first measurement of a point compiles, maps and fills caches: it is no sample.
            if (const Status warm = measure_all(1, false); !warm) return warm;
            if (const Status measured = measure_all(options_.first, true); !measured)
                return measured;
            find_best(tuning_);
            all.insert(all.end(), left_.begin(), left_.end());
            left_ = joining();
        }
        asked_ = false;
        left_ = std::move(all);
        return {};
    }

    [[nodiscard]] std::vector<std::size_t> joining() const {
        std::vector<std::size_t> found;
        if (!options_.more) return found;
        for (const std::size_t point : options_.more(tuning_))
            if (point < tuning_.points.size() && tuning_.points[point].samples.empty() &&
                std::find(found.begin(), found.end(), point) == found.end())
                found.push_back(point);
        return found;
    }

    Status measure_all(unsigned times, bool counts) {
        for (unsigned i = 0; i < times; ++i) {
            std::shuffle(left_.begin(), left_.end(), random_);
            for (std::size_t k = 0; k < left_.size(); ++k) {
                if (stop_.stop_requested()) return cancelled_error();
                progress_.report({"Measuring", i * left_.size() + k, times * left_.size()});
                // Each initial point gets a sample before the budget counts; otherwise there would
                // be no answer.
                const bool enough = asked_ || (counts && !tuning_.points[left_[k]].samples.empty());
                if (enough && options_.budget != 0 && tuning_.spent >= options_.budget) {
                    tuning_.out_of_budget = true;
                    return {};
                }
                tuning_.measuring = left_[k];
                if (options_.seen) {
                    find_best(tuning_);
                    options_.seen(tuning_);
                }
                const auto measured = measure_(left_[k]);
                if (!measured) return measured.error();
                ++tuning_.measurements;
                tuning_.spent += *measured;
                if (counts) tuning_.points[left_[k]].samples.push_back(*measured);
            }
        }
        if (counts)
            for (const std::size_t point : left_) ++tuning_.points[point].rounds;
        return {};
    }

    void keep_the_better_half() {
        std::sort(left_.begin(), left_.end(), [&](std::size_t a, std::size_t b) {
            const double x = tuning_.points[a].median, y = tuning_.points[b].median;
            return x != y ? x < y : a < b;
        });
        const std::size_t half = (left_.size() + 1) / 2;
        std::vector<std::size_t> kept(left_.begin(), left_.begin() + static_cast<long>(half));
        for (std::size_t i = half; i < left_.size(); ++i) {
            const TunedPoint& point = tuning_.points[left_[i]];
            const auto interval = against_best(tuning_, point, options_.seed);
            // With too few samples for an interval, what is within a tenth of the best stays.
            const bool worse = interval ? interval->low > 1
                                        : point.median > 1.1 * tuning_.points[tuning_.best].median;
            if (!worse) kept.push_back(left_[i]);
        }
        left_ = std::move(kept);
    }

    const MeasurePoint& measure_;
    const TuningOptions& options_;
    ProgressSink& progress_;
    const std::stop_token& stop_;
    std::mt19937_64 random_;
    std::vector<std::size_t> left_;
    bool asked_ = false; ///< the remaining ones joined later
    Tuning tuning_;
};

} // namespace

void settle(Tuning& tuning, std::uint64_t seed) {
    find_best(tuning);
    for (std::size_t i = 0; i < tuning.points.size(); ++i) {
        TunedPoint& point = tuning.points[i];
        point.against_best =
            i == tuning.best ? std::optional(Interval{1, 1}) : against_best(tuning, point, seed);
        point.in_band = point.against_best && point.against_best->low <= 1;
    }
}

Result<Tuning> tune(std::size_t points, const MeasurePoint& measure, const TuningOptions& options,
                    ProgressSink& progress, const std::stop_token& stop) {
    return Search(points, measure, options, progress, stop).perform();
}

} // namespace blockloom::profile
