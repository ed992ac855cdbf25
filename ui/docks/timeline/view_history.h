// A history of views with back and forward, like a browser's.
#pragma once

#include "base/clock.h"

#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace blockloom::ui {

/// Moves of one kind in quick succession (notches of a wheel) form one step.
template <class Place> class ViewHistory {
public:
    explicit ViewHistory(std::function<Nanoseconds()> clock = now_ns) : clock_(std::move(clock)) {}
    void clear(Place place) {
        places_.assign(1, std::move(place));
        at_ = 0;
        last_.reset();
    }
    void visit(Place place, std::optional<int> kind = {}) {
        const Nanoseconds now = clock_();
        const bool continues = kind && last_ == kind && now - last_visit_ <= together;
        last_ = kind;
        last_visit_ = now;
        if (places_.empty()) return clear(std::move(place));
        if (place == places_[at_]) return;
        places_.resize(at_ + 1);
        if (continues && at_ > 0) {
            places_[at_] = std::move(place);
            return;
        }
        places_.push_back(std::move(place));
        if (places_.size() > most) places_.erase(places_.begin());
        at_ = places_.size() - 1;
    }
    [[nodiscard]] bool canGoBack() const { return at_ > 0; }
    [[nodiscard]] bool canGoForward() const { return at_ + 1 < places_.size(); }
    const Place& back() {
        last_.reset();
        return places_[--at_];
    }
    const Place& forward() {
        last_.reset();
        return places_[++at_];
    }

private:
    static constexpr std::size_t most = 200;
    static constexpr Nanoseconds together = 1'000'000'000;
    std::vector<Place> places_;
    std::size_t at_ = 0;
    std::optional<int> last_;
    Nanoseconds last_visit_ = 0;
    std::function<Nanoseconds()> clock_;
};

} // namespace blockloom::ui
