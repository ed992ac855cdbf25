#include "execute/device/device_call.h"

#include "alkanes/message_run.h"
#include "alkanes/precompiles.h"
#include "alkanes/state_keys.h"

namespace blockloom::execute {

bool DeviceCall::has_known_calls() const noexcept {
    const alkanes::Surroundings& around = frame->run.surroundings();
    return !around.record && !around.events && around.answers == nullptr;
}

Status DeviceCall::log_reads() {
    for (const std::uint32_t place : reads) {
        if (place >= known_call) {
            frame->returndata =
                alkanes::precompile_response(frame->run.surroundings(), place - known_call);
            continue;
        }
        const auto value =
            frame->run.overlay().get(alkanes::storage_key(frame->myself, known[place].name));
        if (!value) return value.error();
    }
    reads.clear();
    return {};
}

} // namespace blockloom::execute
