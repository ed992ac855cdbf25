#include "range/node_trace.h"

#include "range/protobuf.h"

#include <fmt/format.h>

namespace blockloom::range {
namespace {

using alkanes::AlkaneId;
using alkanes::CallEvent;
using alkanes::NestedKind;
using alkanes::Transfer;

/// Reads one trace. A step that returns false has said in `expected_` what it did not find.
class TraceReader {
public:
    Result<std::vector<CallEvent>> read(std::string_view bytes) {
        std::vector<CallEvent> events;
        std::size_t number = 0;
        const bool whole = each(bytes, "events", [&](std::uint32_t field, std::string_view event) {
            if (field != 1) return true;
            ++number;
            return read_event(event, events);
        });
        if (whole) return events;
        return Error{ErrorCode::bad_input,
                     fmt::format("trace of {} bytes: event {}: expected {}, found other bytes",
                                 bytes.size(), number, expected_)};
    }

private:
    bool fail(const char* expected) {
        if (expected_ == nullptr) expected_ = expected;
        return false;
    }

    /// Calls `take(number, bytes)` for the fields with contents, `number_of(number, value)` for
    /// numbers.
    template <typename Take, typename Numbers>
    bool each(std::string_view message, const char* what, const Take& take,
              const Numbers& number_of) {
        ProtobufReader reader(message);
        while (const auto field = reader.next()) {
            const bool taken = field->value ? number_of(field->number, *field->value)
                                            : take(field->number, field->bytes);
            if (!taken) return fail(what);
        }
        return reader.failed() ? fail(what) : true;
    }
    template <typename Take>
    bool each(std::string_view message, const char* what, const Take& take) {
        return each(message, what, take, [](std::uint32_t, std::uint64_t) { return true; });
    }

    bool read_number(std::string_view message, u128& into) {
        const auto number = u128_from_protobuf(message);
        if (!number) return fail("a number of 128 bits {1 low, 2 high}");
        into = *number;
        return true;
    }
    bool read_id(std::string_view message, AlkaneId& id) {
        return each(message, "an id {1 block, 2 tx}",
                    [&](std::uint32_t field, std::string_view part) {
                        if (field == 1) return read_number(part, id.block);
                        return field != 2 || read_number(part, id.tx);
                    });
    }
    bool read_transfer(std::string_view message, std::vector<Transfer>& transfers) {
        Transfer& transfer = transfers.emplace_back();
        return each(message, "a transfer {1 id, 2 value}",
                    [&](std::uint32_t field, std::string_view part) {
                        if (field == 1) return read_id(part, transfer.id);
                        return field != 2 || read_number(part, transfer.value);
                    });
    }

    bool read_context(std::string_view message, CallEvent& event) {
        return each(
            message, "a context {1 myself, 2 caller, 3 inputs, 4 vout, 5 incoming}",
            [&](std::uint32_t field, std::string_view part) {
                if (field == 1) return read_id(part, event.myself);
                if (field == 2) return read_id(part, event.caller);
                if (field == 3) return read_number(part, event.inputs.emplace_back());
                return field != 5 || read_transfer(part, event.transfers);
            },
            [&](std::uint32_t field, std::uint64_t value) {
                if (field == 4) event.vout = static_cast<std::uint32_t>(value);
                return field != 4 || value <= 0xffffffffU;
            });
    }
    bool read_enter(std::string_view message, CallEvent& event) {
        return each(
            message, "an entry {1 type of call: 1 to 3, 2 context and fuel}",
            [&](std::uint32_t field, std::string_view part) {
                if (field != 2) return true;
                return each(
                    part, "a context and its fuel {1 context, 2 fuel}",
                    [&](std::uint32_t inner, std::string_view context) {
                        return inner != 1 || read_context(context, event);
                    },
                    [&](std::uint32_t inner, std::uint64_t value) {
                        if (inner == 2) event.fuel = value;
                        return true;
                    });
            },
            [&](std::uint32_t field, std::uint64_t value) {
                if (field != 1) return true;
                event.call = value == 2   ? NestedKind::delegate
                             : value == 3 ? NestedKind::fixed
                                          : NestedKind::call;
                return value >= 1 && value <= 3;
            });
    }

    bool read_response(std::string_view message, CallEvent& event) {
        return each(message, "a response {1 transfers, 2 storage, 3 data}",
                    [&](std::uint32_t field, std::string_view part) {
                        if (field == 1) return read_transfer(part, event.transfers);
                        if (field == 3) event.data = part;
                        if (field != 2) return true;
                        auto& entry = event.storage.emplace_back();
                        return each(part, "an entry of the storage {1 key, 2 value}",
                                    [&](std::uint32_t inner, std::string_view bytes) {
                                        if (inner == 1) entry.first = bytes;
                                        if (inner == 2) entry.second = bytes;
                                        return true;
                                    });
                    });
    }
    bool read_exit(std::string_view message, CallEvent& event) {
        event.ok = true; // the default of the field
        return each(
            message, "an exit {1 status: 0 or 1, 2 response}",
            [&](std::uint32_t field, std::string_view part) {
                return field != 2 || read_response(part, event);
            },
            [&](std::uint32_t field, std::uint64_t value) {
                if (field != 1) return true;
                event.ok = value == 0;
                return value <= 1;
            });
    }

    /// One of {1 entry, 2 exit, 3 created}.
    bool read_event(std::string_view message, std::vector<CallEvent>& events) {
        return each(message, "an event", [&](std::uint32_t field, std::string_view part) {
            CallEvent event;
            bool read = true;
            switch (field) {
            case 1:
                read = read_enter(part, event);
                break;
            case 2:
                event.kind = CallEvent::Kind::exit;
                read = read_exit(part, event);
                break;
            case 3:
                event.kind = CallEvent::Kind::created;
                read = each(part, "a contract that was created {1 id}",
                            [&](std::uint32_t inner, std::string_view id) {
                                return inner != 1 || read_id(id, event.myself);
                            });
                break;
            default:
                return true;
            }
            if (read) events.push_back(std::move(event));
            return read;
        });
    }

    const char* expected_ = nullptr; ///< the innermost message that was malformed
};

} // namespace

Result<std::vector<alkanes::CallEvent>> read_node_trace(std::string_view bytes) {
    return TraceReader().read(bytes);
}

} // namespace blockloom::range
