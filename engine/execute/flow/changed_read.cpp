#include "execute/flow/changed_read.h"

namespace blockloom::execute {

std::optional<Rejection> changed_read(const ExecutionResult& made, std::uint32_t task,
                                      const LiveVersions& versions, const FlowStart& start) {
    for (const Probe& probe : made.probes) {
        if (probe.kind == Probe::Kind::write) break; // they are the last
        const state::Key& key = key_of(made, probe);
        const auto found = versions.latest_below(task, key);
        if (found.writer != LiveVersions::nobody) {
            if (found.value != nullptr && holds(made, probe, *found.value)) continue;
        } else if (start.accepted == 0) { // below is the state before the block window
            if (probe.holds_before) continue;
        } else {
            const auto below = start.below.get(key);
            if (below && holds(made, probe, *below)) continue;
        }
        static_assert(Rejection::nobody == LiveVersions::nobody);
        return Rejection{reason_of(probe.kind), key.bytes(), found.writer};
    }
    return std::nullopt;
}

} // namespace blockloom::execute
