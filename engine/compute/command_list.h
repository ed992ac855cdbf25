// What a device is asked to do, written down once and submitted as often as wanted.
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

/// A moment of a submission on the host's steady clock (blockloom::now_ns()).
struct Timestamp {
    std::string label;
    Nanoseconds at = 0;
};

/// A recorder and what it recorded. One thread records; a list may be recorded anew or submitted
/// again once its last submission is done. Commands after one another may overlap unless barrier()
/// stands between them; a list sees everything that earlier lists of its lane did, and what it
/// wrote is visible to the host once it is done. It keeps the buffers and kernels it names. A wrong
/// call (foreign buffer, range beyond the end, missing binding) is remembered and told by submit().
class CommandList {
public:
    virtual ~CommandList() = default;
    CommandList(const CommandList&) = delete;
    CommandList& operator=(const CommandList&) = delete;

    /// Forgets what was recorded. `misused` while the list is in flight.
    virtual Status clear() = 0;

    /// Offsets and bytes of any value; ranges of the same buffer must not overlap. 0 bytes:
    /// nothing.
    virtual void copy(const BufferPtr& from, std::uint64_t from_offset, const BufferPtr& to,
                      std::uint64_t to_offset, std::uint64_t bytes) = 0;
    /// Writes `word` again and again; `offset` and `bytes` are multiples of 4.
    virtual void fill(const BufferPtr& to, std::uint64_t offset, std::uint64_t bytes,
                      std::uint32_t word) = 0;
    /// `bindings` and `push` as the kernel says. No groups: nothing. Not on the transfer lane.
    virtual void dispatch(const KernelPtr& kernel, std::span<const Binding> bindings,
                          std::span<const std::byte> push, Groups groups) = 0;
    /// What follows sees everything that came before.
    virtual void barrier() = 0;
    /// The moment when everything before is done. Free of effect where the device has no clock.
    virtual void timestamp(std::string label) = 0;

    /// The moments of the last submission, which must be done, in the order of recording.
    [[nodiscard]] virtual Result<std::vector<Timestamp>> timestamps() const = 0;

protected:
    CommandList() = default;
};

using CommandListPtr = std::shared_ptr<CommandList>;

} // namespace blockloom::compute
