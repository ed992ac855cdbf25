#include "execute/device/device_call.h"

#include "alkanes/message_run.h"
#include "alkanes/precompiles.h"
#include "alkanes/state_keys.h"

namespace blockloom::execute {

bool DeviceCall::has_known_calls() const noexcept {
    const alkanes::Surroundings& around = frame->run.surroundings();
    return !around.record && !around.events && around.answers == nullptr;
}

state::Key DeviceCall::key_of(const ContractRead& read) const {
    if (read.kind == ContractRead::Kind::sequence) return alkanes::sequence_key();
    if (read.kind == ContractRead::Kind::storage)
        return alkanes::storage_key(frame->myself, read.name);
    const auto id_at = [&](std::size_t at) {
        return alkanes::id_from_bytes(std::string_view(read.name).substr(at, alkanes::id_size))
            .value_or(alkanes::AlkaneId{});
    };
    return alkanes::balance_key(id_at(0), id_at(alkanes::id_size));
}

Status DeviceCall::log_reads() {
    for (const std::uint32_t place : reads) {
        if (place >= known_call) {
            frame->returndata =
                alkanes::precompile_response(frame->run.surroundings(), place - known_call);
            continue;
        }
        const auto value = frame->run.overlay().get(key_of(known[place].read));
        if (!value) return value.error();
    }
    reads.clear();
    return {};
}

} // namespace blockloom::execute
