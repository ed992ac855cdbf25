// Work for a device, recorded once and submitted any number of times.
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "compute/buffer.h"
#include "compute/kernel.h"

#include <span>
#include <string>
#include <vector>

namespace blockloom::compute {

inline constexpr std::uint64_t whole_buffer = ~std::uint64_t{0};

/// A part of a buffer as a kernel sees it. `offset` must be a multiple of 256.
struct Binding {
    BufferPtr buffer;
    std::uint64_t offset = 0;
    std::uint64_t bytes = whole_buffer; ///< whole_buffer: from `offset` to the end
};

struct Groups {
    std::uint32_t x = 1, y = 1, z = 1;
};

/// A point in time of a submission on the host's steady clock (blockloom::now_ns()).
struct Timestamp {
    std::string label;
    Nanoseconds at = 0;
};

/// A recorder and its recording. One thread records; a list may be recorded again or resubmitted
/// once its last submission is done. Successive commands may overlap unless there is a barrier()
/// between them; a list sees everything that earlier lists of its lane did, and its writes are
/// visible to the host once it is done. It keeps the buffers and kernels that it uses alive. A
/// wrong call (foreign buffer, range beyond the end, missing binding) is recorded and reported by
/// submit().
class CommandList {
public:
    virtual ~CommandList() = default;
    CommandList(const CommandList&) = delete;
    CommandList& operator=(const CommandList&) = delete;

    /// Discards the recording. `misused` while the list is in flight.
    virtual Status clear() = 0;

    /// Offsets and sizes need no alignment; ranges of the same buffer must not overlap. 0 bytes:
    /// does nothing.
    virtual void copy(const BufferPtr& from, std::uint64_t from_offset, const BufferPtr& to,
                      std::uint64_t to_offset, std::uint64_t bytes) = 0;
    /// Fills the range with `word`; `offset` and `bytes` are multiples of 4.
    virtual void fill(const BufferPtr& to, std::uint64_t offset, std::uint64_t bytes,
                      std::uint32_t word) = 0;
    /// `bindings` and `push` as the kernel declares them. No groups: does nothing. Not allowed on
    /// the transfer lane.
    virtual void dispatch(const KernelPtr& kernel, std::span<const Binding> bindings,
                          std::span<const std::byte> push, Groups groups) = 0;
    /// Later commands see the effects of all earlier ones.
    virtual void barrier() = 0;
    /// Records the time when all earlier commands are done. No effect if the device has no clock.
    virtual void timestamp(std::string label) = 0;

    /// The timestamps of the last submission, which must be done, in the order of recording.
    [[nodiscard]] virtual Result<std::vector<Timestamp>> timestamps() const = 0;

protected:
    CommandList() = default;
};

using CommandListPtr = std::shared_ptr<CommandList>;

} // namespace blockloom::compute
