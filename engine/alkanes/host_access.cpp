#include "alkanes/host_access.h"

#include <fmt/format.h>

namespace blockloom::alkanes {

std::optional<std::string_view> HostAccess::read(std::size_t index) {
    const auto bytes = memory_.read(argument(index));
    if (!bytes)
        fail(fmt::format("argument {}: expected a buffer in memory, found {:#x}", index,
                         argument(index)));
    return bytes;
}

bool HostAccess::write(std::size_t index, std::string_view bytes) {
    if (memory_.write(argument(index), bytes)) return true;
    fail(fmt::format("argument {}: expected room for {} bytes in memory, found {:#x}", index,
                     bytes.size(), argument(index)));
    return false;
}

std::optional<state::Value> HostAccess::get(const state::KeyView& key) {
    auto value = run().overlay().get(key);
    if (value) return *std::move(value);
    break_off(value.error());
    return std::nullopt;
}

bool HostAccess::charge(std::uint64_t fee) {
    if (fee > fuel_left()) {
        frame_->fuel_missing = run().ran_out = true;
        fail(fmt::format("fuel: expected {}, found {}", fee, fuel_left()));
        return false;
    }
    run().note_left(fuel_left() - fee);
    if (surroundings().rules.host_fees_deducted) call_->fee += fee;
    return true;
}

void HostAccess::fail(std::string text) {
    if (!frame_->had_failure) frame_->failure = std::move(text);
    frame_->had_failure = true;
}

void HostAccess::break_off(Error error) {
    call_->error = error.message.empty() ? "state" : error.message;
    if (!run().broken) run().broken = std::move(error);
}

void HostAccess::begin_record(const char* name) {
    if (!surroundings().record) return;
    record_ = run().host_calls.size();
    HostCallRecord record;
    record.name = name;
    record.level = frame_->level;
    run().host_calls.push_back(std::move(record));
}

void HostAccess::end_record(std::optional<std::int32_t> result) {
    if (record_ == none) return;
    HostCallRecord& record = run().host_calls[record_];
    record.result = result;
    record.fee = call_->fee;
}

} // namespace blockloom::alkanes
