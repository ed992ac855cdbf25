#include "range/trace_writer.h"

#include "range/protobuf_writer.h"

namespace blockloom::test {
namespace {

using alkanes::CallEvent;

std::string transfers_of(unsigned number, const std::vector<alkanes::Transfer>& transfers) {
    std::string bytes;
    for (const alkanes::Transfer& transfer : transfers)
        bytes +=
            field(number, field(1, id_message(transfer.id)) + field(2, message(transfer.value)));
    return bytes;
}

std::string entry(const CallEvent& event) {
    std::string context = field(1, id_message(event.myself)) + field(2, id_message(event.caller));
    for (const u128 input : event.inputs) context += field(3, message(input));
    context += number_field(4, event.vout) + transfers_of(5, event.transfers);
    return number_field(1, static_cast<std::uint64_t>(event.call) + 1) +
           field(2, field(1, context) + number_field(2, event.fuel));
}

std::string exit(const CallEvent& event) {
    std::string response = transfers_of(1, event.transfers);
    for (const auto& [key, value] : event.storage)
        response += field(2, field(1, key) + (value.empty() ? "" : field(2, value)));
    if (!event.data.empty()) response += field(3, event.data);
    return number_field(1, event.ok ? 0 : 1) + field(2, response);
}

} // namespace

std::string trace_bytes(const std::vector<CallEvent>& events) {
    std::string bytes;
    for (const CallEvent& event : events) {
        std::string inner;
        if (event.kind == CallEvent::Kind::enter) inner = field(1, entry(event));
        if (event.kind == CallEvent::Kind::exit) inner = field(2, exit(event));
        if (event.kind == CallEvent::Kind::created)
            inner = field(3, field(1, id_message(event.myself)));
        bytes += field(1, inner);
    }
    return bytes;
}

} // namespace blockloom::test
