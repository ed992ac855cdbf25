#include "execute/device/device_call.h"

#include "alkanes/message_run.h"
#include "alkanes/state_keys.h"

namespace blockloom::execute {

Status DeviceCall::log_reads() {
    for (const std::uint32_t place : reads) {
        const auto value =
            frame->run.overlay().get(alkanes::storage_key(frame->myself, known[place].name));
        if (!value) return value.error();
    }
    reads.clear();
    return {};
}

} // namespace blockloom::execute
