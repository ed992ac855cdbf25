// Overlays that are used again: one for each transaction that a thread has open.
#pragma once

#include "state/overlay.h"

#include <memory>
#include <utility>
#include <vector>

namespace blockloom::state {

/// One a thread. Must outlive its leases.
class OverlayPool {
public:
    OverlayPool() { keep(usual_idle); }

    /// Keeps the memory of so many overlays that are not in use: of as many transactions as this
    /// thread has open at once.
    void keep(std::size_t most) {
        most_idle_ = most;
        idle_.reserve(most);
    }

    /// An overlay for one transaction.
    class Lease {
    public:
        Lease(Lease&& other) noexcept : pool_(other.pool_), overlay_(std::move(other.overlay_)) {}
        Lease& operator=(Lease&&) = delete;
        ~Lease() {
            if (overlay_) pool_->take_back(std::move(overlay_));
        }
        [[nodiscard]] Overlay& operator*() const noexcept { return *overlay_; }

    private:
        friend class OverlayPool;
        Lease(OverlayPool& pool, std::unique_ptr<Overlay> overlay) noexcept
            : pool_(&pool), overlay_(std::move(overlay)) {}

        OverlayPool* pool_;
        std::unique_ptr<Overlay> overlay_;
    };

    /// `below` must outlive the lease.
    [[nodiscard]] Lease acquire(const StateView& below) {
        if (idle_.empty()) return {*this, std::make_unique<Overlay>(below)};
        std::unique_ptr<Overlay> overlay = std::move(idle_.back());
        idle_.pop_back();
        overlay->restart(below);
        return {*this, std::move(overlay)};
    }

private:
    /// A transaction of more keys gives its memory back.
    static constexpr std::size_t most_kept_keys = 4096, usual_idle = 64;
    static constexpr std::size_t most_kept_scratch = std::size_t{1} << 20U;

    void take_back(std::unique_ptr<Overlay> overlay) noexcept {
        if (overlay->room() > most_kept_keys || overlay->scratch().size() > most_kept_scratch ||
            idle_.size() >= most_idle_)
            return;
        overlay->clear();
        idle_.push_back(std::move(overlay));
    }

    std::vector<std::unique_ptr<Overlay>> idle_;
    std::size_t most_idle_ = 0;
};

} // namespace blockloom::state
