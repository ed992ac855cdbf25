// A device that runs kernels, whatever its backend. Knows no blockchain.
#pragma once

#include "base/bytes.h"
#include "compute/buffer.h"
#include "compute/command_list.h"
#include "compute/description.h"
#include "compute/errors.h"
#include "compute/kernel.h"

#include <memory>
#include <optional>
#include <span>
#include <stop_token>

namespace blockloom::compute {

/// Streams of work. Lists of one lane run in the order of submission; lists of different lanes may
/// run at the same time unless a ticket orders them. If the device has only one queue, all lanes
/// are the same.
enum class Lane : std::uint8_t {
    work,     ///< kernels and copies
    transfer, ///< copies and fills only: uploads the next batch while one is running
    // Those above are further lanes for kernels and copies: further_lane().
};

/// The number of further lanes.
inline constexpr unsigned further_lanes = 64;
/// One of them, by any number: small kernels of different lanes share the device, where it can run
/// several at once. On other devices it is the same as Lane::work.
[[nodiscard]] constexpr Lane further_lane(unsigned number) noexcept {
    return static_cast<Lane>(2 + number % further_lanes);
}
/// For devices with two lanes: the one of those that serves this one.
[[nodiscard]] constexpr Lane one_of_two(Lane lane) noexcept {
    return lane == Lane::transfer ? lane : Lane::work;
}

/// Identifies a submission. Value 0 is always done.
struct Ticket {
    Lane lane = Lane::work;
    std::uint64_t value = 0;
};

/// One open device. All calls are thread-safe. Buffers, kernels and lists keep the parts they need
/// alive and may outlive it. Errors are those of compute/errors.h; after `device_lost` every call
/// fails with it.
class Provider {
public:
    virtual ~Provider() = default;
    Provider() = default;
    Provider(const Provider&) = delete;
    Provider& operator=(const Provider&) = delete;

    [[nodiscard]] virtual const Description& description() const noexcept = 0;
    [[nodiscard]] virtual MemoryUse memory() const = 0;

    /// Contents are undefined. `out_of_memory` beyond the device's memory or the configured limit.
    [[nodiscard]] virtual Result<BufferPtr> allocate(std::uint64_t bytes, BufferUse use) = 0;
    /// Compiles a kernel; slow the first time, and asked for again it may be the same one.
    /// `kernel_refused` with the driver's message.
    [[nodiscard]] virtual Result<KernelPtr> kernel(const KernelSource& source) = 0;
    [[nodiscard]] virtual Result<CommandListPtr> commands(Lane lane = Lane::work) = 0;

    /// Starts a list of this provider after the submissions named by `after`, and returns at once.
    [[nodiscard]] virtual Result<Ticket> submit(const CommandListPtr& list,
                                                std::span<const Ticket> after = {}) = 0;
    /// Returns when the submission is done, or with `timed_out` after `timeout` (the work
    /// continues), `cancelled` when a stop is requested, or `device_lost`.
    [[nodiscard]] virtual Status wait(Ticket ticket, Nanoseconds timeout,
                                      const std::stop_token& stop = {}) = 0;
    /// True if the submission is done; also false if that is no longer known.
    [[nodiscard]] virtual bool done(Ticket ticket) = 0;

    /// What a caller learned about a kernel and wants to know at the next start, kept where the
    /// provider keeps compiled kernels. `key` is hexadecimal. Empty: nothing is kept.
    [[nodiscard]] virtual Bytes note(const std::string& /*key*/) const { return {}; }
    /// Replaces a note; on failure nothing is kept.
    virtual void keep_note(const std::string& /*key*/, ByteView /*content*/) {}

    /// Warnings and errors of the validation layer so far; nothing if no layer is active.
    [[nodiscard]] virtual std::optional<std::uint64_t> validation_messages() const noexcept {
        return std::nullopt;
    }
};

using ProviderPtr = std::shared_ptr<Provider>;

/// How a provider is opened.
struct ProviderOptions {
    bool validation = false;        ///< enable a layer that checks every call
    std::uint64_t memory_limit = 0; ///< bytes of all its buffers; 0: all that the device has
    Nanoseconds time_limit = 0; ///< of a submission, however long its caller would wait; 0: none
    std::uint32_t threads = 0;  ///< of the processor; 0: one per core
    std::string cache_folder;   ///< where compiled kernels are cached; empty: nowhere
};

} // namespace blockloom::compute
