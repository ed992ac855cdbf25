#include "execute/phases.h"

namespace blockloom::execute {

const char* name_of(Phase phase) noexcept {
    static constexpr std::array<const char*, phase_count> names{
        "read",   "decode",  "trace",    "analyse", "schedule", "gather", "pack",
        "upload", "execute", "download", "verify",  "commit",   "other"};
    const auto at = static_cast<std::size_t>(phase);
    return at < names.size() ? names[at] : "unknown";
}

Phases waited_for(const Phases& work, Nanoseconds waited) noexcept {
    Phases shares;
    const Nanoseconds all = work.sum();
    if (all <= 0) {
        shares[Phase::other] = waited;
        return shares;
    }
    const double scale = static_cast<double>(waited) / static_cast<double>(all);
    Nanoseconds left = waited;
    for (std::size_t i = 0; i < phase_count; ++i) {
        shares.ns[i] = static_cast<Nanoseconds>(static_cast<double>(work.ns[i]) * scale);
        left -= shares.ns[i];
    }
    shares[Phase::other] += left; // what rounding left over
    shares.database = static_cast<Nanoseconds>(static_cast<double>(work.database) * scale);
    return shares;
}

} // namespace blockloom::execute
