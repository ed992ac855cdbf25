// A host function's view of its call: arguments, the contract's memory, fees, failures.
#pragma once

#include "alkanes/call_event.h"
#include "alkanes/contract_read.h"
#include "alkanes/guest_memory.h"
#include "alkanes/message_run.h"

namespace blockloom::alkanes {

/// Steps return false, or nothing, on failure; the frame has then failed and the function returns
/// −1. The contract continues all the same.
class HostAccess {
public:
    HostAccess(Frame& frame, wasm::HostCall& call)
        : frame_(&frame), call_(&call), memory_(*call.instance.memory()) {}

    [[nodiscard]] Frame& frame() const noexcept { return *frame_; }
    [[nodiscard]] MessageRun& run() const noexcept { return frame_->run; }
    [[nodiscard]] const Surroundings& surroundings() const noexcept {
        return frame_->run.surroundings();
    }
    [[nodiscard]] std::uint32_t argument(std::size_t index) const noexcept {
        return static_cast<std::uint32_t>(call_->arguments[index]);
    }

    /// The bytes that the argument points to.
    [[nodiscard]] std::optional<std::string_view> read(std::size_t index);
    /// Writes bytes to the address in the argument.
    [[nodiscard]] bool write(std::size_t index, std::string_view bytes);

    /// Reads and logs a value of the state. A failure aborts the whole message.
    [[nodiscard]] std::optional<state::Value> get(const state::KeyView& key);

    /// Notifies whoever wants to know what contracts read.
    void note_read(ContractRead::Kind kind, std::string_view name = {}) {
        if (ReadWatch* const watch = run().runtime().reads; watch != nullptr)
            watch->contract_reads(*frame_, kind, name);
    }

    /// Charges a fee, or only checks it at heights where that is the rule.
    [[nodiscard]] bool charge(std::uint64_t fee);
    /// Charges fuel that a nested call used, at all heights; at most `fuel_left`.
    void spend(std::uint64_t fuel) noexcept { call_->fee += fuel; }
    /// After the fees so far.
    [[nodiscard]] std::uint64_t fuel_left() const noexcept { return call_->fuel_left - call_->fee; }

    void fail(std::string text);
    /// Stops the contract because reading the state failed.
    void break_off(Error error);

    /// Notes text about an argument, if host calls are recorded.
    template <typename Text> void note(const Text& text) {
        if (record_ != none) run().host_calls[record_].arguments.push_back(text());
    }
    void begin_record(const char* name);
    void end_record(std::optional<std::int32_t> result);

private:
    static constexpr std::size_t none = ~std::size_t{0};

    Frame* frame_;
    wasm::HostCall* call_;
    GuestMemory memory_;
    std::size_t record_ = none;
};

/// `__call`, `__delegatecall`, `__staticcall`: the length of the returned data, negative if the
/// callee failed.
[[nodiscard]] std::int32_t nested_call(HostAccess& access, NestedKind kind);

} // namespace blockloom::alkanes
