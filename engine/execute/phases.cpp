#include "execute/phases.h"

namespace blockloom::execute {

const char* name_of(Phase phase) noexcept {
    static constexpr std::array<const char*, phase_count> names{
        "read",   "decode",  "trace",    "analyse", "schedule", "gather", "pack",
        "upload", "execute", "download", "verify",  "commit",   "other"};
    const auto at = static_cast<std::size_t>(phase);
    return at < names.size() ? names[at] : "unknown";
}

} // namespace blockloom::execute
