#include "execute/device/device_call.h"

#include "alkanes/message_run.h"
#include "alkanes/precompiles.h"
#include "alkanes/state_keys.h"

namespace blockloom::execute {

bool DeviceCall::has_known_calls() const noexcept {
    const alkanes::Surroundings& around = frame->run.surroundings();
    return !around.record && !around.events && around.answers == nullptr;
}

std::string_view DeviceCall::name_of(const Known& value) const noexcept {
    const std::string_view bytes = frame->run.overlay().key_at(value.key).bytes();
    if (value.kind == ContractRead::Kind::storage) return bytes.substr(1 + alkanes::id_size);
    return bytes.substr(1); // the sequence's key has one byte
}

const state::Value& DeviceCall::value_of(const Known& value) const noexcept {
    return frame->run.overlay().value_at(value.key);
}

state::Key DeviceCall::key_of(ContractRead::Kind of, std::string_view name) const {
    if (of == ContractRead::Kind::sequence) return alkanes::sequence_key();
    if (of == ContractRead::Kind::storage) return alkanes::storage_key(frame->myself, name);
    const auto id_at = [&](std::size_t at) {
        return alkanes::id_from_bytes(name.substr(at, alkanes::id_size))
            .value_or(alkanes::AlkaneId{});
    };
    return alkanes::balance_key(id_at(0), id_at(alkanes::id_size));
}

Status DeviceCall::log_reads() {
    for (; logged < reads.size(); ++logged) {
        const std::uint32_t place = reads[logged];
        if (place >= known_call) {
            frame->returndata =
                alkanes::precompile_response(frame->run.surroundings(), place - known_call);
            continue;
        }
        // Once logged, a read is logged for the whole task.
        const std::uint64_t bit = place < 64 ? std::uint64_t{1} << place : 0;
        if ((has_logged & bit) != 0) continue;
        has_logged |= bit;
        if (const Status read = frame->run.overlay().read_at(known[place].key); !read) return read;
    }
    return {};
}

void CallReads::contract_reads(const alkanes::Frame& by, ContractRead::Kind kind,
                               std::string_view name) {
    if (by.level == 0) to_.reads.push_back({call_.kind, {kind, std::string(name)}, call_.reader});
}

} // namespace blockloom::execute
