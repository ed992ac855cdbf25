// Shared by the parts of a CUDA provider; buffers, kernels and lists keep it alive.
#pragma once

#include "base/clock.h"
#include "compute/cuda/driver.h"
#include "compute/provider.h"

#include <array>
#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace blockloom::compute::cuda {

/// A moment on both clocks.
struct Origin {
    Event event = nullptr;
    Nanoseconds at = 0;
};

struct Core : std::enable_shared_from_this<Core> {
    Core() = default;
    ~Core();
    Core(const Core&) = delete;
    Core& operator=(const Core&) = delete;

    /// Makes the context the thread's current one.
    class Current {
    public:
        explicit Current(const Core& core) : core_(core) {
            core_.driver->context_push(core_.context);
        }
        ~Current() {
            Context was = nullptr;
            core_.driver->context_pop(&was);
        }
        Current(const Current&) = delete;
        Current& operator=(const Current&) = delete;

    private:
        const Core& core_;
    };

    /// The error of a call. What is not the caller's or the memory's fault poisons the context:
    /// every later call fails.
    [[nodiscard]] Error failed(Code code, const char* what);
    /// Ok, or the error that poisoned the context.
    [[nodiscard]] Status alive() const;

    /// Device memory, or pinned memory of the host with its address on the device.
    struct Block {
        Pointer address = 0;
        void* host = nullptr;
        std::uint64_t bytes = 0; ///< of the driver's allocation
        std::uint64_t asked = 0; ///< of the buffer
    };
    [[nodiscard]] Result<Block> take_block(std::uint64_t bytes, bool on_host);
    void give_block(const Block& block) noexcept;

    [[nodiscard]] Result<Event> take_event(bool timed);
    void give_event(Event event, bool timed);

    /// Follows the device's clock; null: it could not be read now. The context is current.
    [[nodiscard]] std::shared_ptr<const Origin> origin();

    /// A submission that may be running.
    struct Pending {
        std::uint64_t value = 0;
        Event event = nullptr;
        std::shared_ptr<CommandList> list;
    };
    struct LaneState {
        Stream stream = nullptr;
        std::uint64_t submitted = 0, reached = 0;
        std::deque<Pending> pending;
    };
    [[nodiscard]] LaneState& lane(Lane which) { return lanes[static_cast<std::size_t>(which)]; }
    /// Notes what has ended; the lists that it returns are released without the lock.
    std::vector<std::shared_ptr<CommandList>> look(LaneState& lane);
    [[nodiscard]] bool done(Ticket ticket);
    /// Releases the lists of a lost device, which will never be seen to end.
    void drop_pending();

    std::shared_ptr<const Driver> driver;
    Description description;
    std::uint64_t memory_limit = 0;
    Context context = nullptr;
    std::string cache_folder;

    mutable std::mutex mutex; ///< guards everything below
    std::array<LaneState, 2> lanes;
    MemoryUse use;
    std::optional<Error> poison;
    std::array<std::vector<Event>, 2> events; ///< without and with times, unused
    std::multimap<std::uint64_t, Block> unused_device, unused_host;
    std::uint64_t unused_bytes = 0;
    Stream clock_stream = nullptr;
    std::shared_ptr<const Origin> last_origin;

private:
    void drop_unused() noexcept;
};

} // namespace blockloom::compute::cuda
