// The phases of a block's wall time (docs/definitions.md#phases).
#pragma once

#include "base/clock.h"

#include <array>
#include <cstddef>
#include <numeric>

namespace blockloom::execute {

/// In the order in which a block goes through them.
enum class Phase : std::uint8_t {
    read,
    decode,
    trace,
    analyse,
    schedule,
    gather,
    pack,
    upload,
    execute,
    download,
    verify,
    commit,
    other, ///< the rest of the wall time
    count
};

inline constexpr std::size_t phase_count = static_cast<std::size_t>(Phase::count);

/// "read" … "other".
[[nodiscard]] const char* name_of(Phase phase) noexcept;

/// Wall time of each phase, nanoseconds; each instant belongs to one of them.
struct Phases {
    std::array<Nanoseconds, phase_count> ns{};
    /// The part of `execute` on one thread, whatever the strategy; the rest ran on several threads
    /// or on a device.
    Nanoseconds execute_serial = 0;
    /// The part of `commit` that the database of a workspace took.
    Nanoseconds database = 0;

    [[nodiscard]] Nanoseconds& operator[](Phase phase) noexcept {
        return ns[static_cast<std::size_t>(phase)];
    }
    [[nodiscard]] Nanoseconds operator[](Phase phase) const noexcept {
        return ns[static_cast<std::size_t>(phase)];
    }
    [[nodiscard]] Nanoseconds sum() const noexcept {
        return std::accumulate(ns.begin(), ns.end(), Nanoseconds{0});
    }
    Phases& operator+=(const Phases& more) noexcept {
        for (std::size_t i = 0; i < phase_count; ++i) ns[i] += more.ns[i];
        execute_serial += more.execute_serial;
        database += more.database;
        return *this;
    }
};

/// The time that a thread waited for work, distributed among its phases as the work's own times
/// are.
[[nodiscard]] Phases waited_for(const Phases& work, Nanoseconds waited) noexcept;

} // namespace blockloom::execute
