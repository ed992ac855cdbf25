// Shared by the parts of a CUDA provider; buffers, kernels and lists keep it alive.
#pragma once

#include "base/clock.h"
#include "compute/cuda/driver.h"
#include "compute/cuda/turn.h"
#include "compute/provider.h"

#include <array>
#include <atomic>
#include <condition_variable>
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

    /// A submission that may be running. It keeps what it uses.
    struct Pending {
        std::uint64_t value = 0;
        Event event = nullptr;
        std::shared_ptr<CommandList> list;
        std::size_t commands = 0;  ///< on the stream
        bool is_on_stream = false; ///< all of it, and the event
    };
    struct LaneState {
        std::mutex order;        ///< held by a submission: that on the stream is the one of tickets
        Stream stream = nullptr; ///< null: nothing was submitted
        std::uint64_t submitted = 0;
        std::atomic<std::uint64_t> reached = 0;
        std::uint64_t overdue = 0; ///< the last submission that a caller gave up
        std::deque<Pending> pending;
    };
    [[nodiscard]] LaneState& lane(Lane which) { return lanes[static_cast<std::size_t>(which)]; }
    /// Creates the lane's stream. The context is current.
    [[nodiscard]] Status open_lane(Lane which);
    /// Notes what has ended; the lists that it returns are released without the lock.
    std::vector<std::shared_ptr<CommandList>> look(LaneState& lane);
    [[nodiscard]] bool done(Ticket ticket);
    /// A caller gave up waiting for it.
    void give_up(Ticket ticket);
    /// Releases the lists of a lost device, which will never be seen to end.
    void drop_pending();

    struct Progress {
        std::uint64_t ended = 0; ///< submissions so far
        bool is_idle = true;
        bool hangs = false; ///< a submission is running that a caller gave up
    };
    [[nodiscard]] Progress progress();
    /// Such a submission is running on this lane, or on any.
    [[nodiscard]] bool hangs(std::optional<Lane> only);
    /// The error of work that takes longer than a caller waits.
    [[nodiscard]] Error overdue() const;

    /// The caller's turn to call the driver (turn.h), alone or with others. `timed_out` if it does
    /// not come in time.
    [[nodiscard]] Result<Turn> take_turn(bool is_shared = false);
    /// The same when the device is idle, for a call that waits for that.
    [[nodiscard]] Result<Turn> take_turn_when_idle();
    /// Unloads the module as soon as the device is idle.
    void discard(Module module) noexcept;
    /// Gives back what waits for an idle device, if it is idle. The caller has the turn alone.
    void tidy() noexcept;
    /// Unless another caller has the turn, who does it later.
    void tidy_if_idle() noexcept;
    /// Keeps the first error. With the lock held.
    void poison_with(Error error);

    std::shared_ptr<const Driver> driver;
    Description description;
    std::uint64_t memory_limit = 0;
    Nanoseconds time_limit = 0; ///< of a submission; 0: none but its caller's
    Context context = nullptr;
    std::string cache_folder;

    mutable std::mutex mutex; ///< guards everything below
    std::array<LaneState, 2 + further_lanes> lanes;
    MemoryUse use;
    std::optional<Error> poison;
    std::atomic<bool> is_poisoned{false};
    std::array<std::vector<Event>, 2> events; ///< without and with times, unused
    std::multimap<std::uint64_t, Block> unused_device, unused_host;
    std::uint64_t unused_bytes = 0;
    /// What the driver takes back only while the device is idle.
    std::vector<Block> surplus;
    std::vector<Module> discarded;
    bool turn_is_taken = false;
    unsigned turns_shared = 0, turns_wanted = 0; ///< wanted: alone, by callers that wait
    std::condition_variable turn_is_over;
    Stream clock_stream = nullptr;
    std::shared_ptr<const Origin> last_origin;

private:
    [[nodiscard]] Code new_block(Block& block, std::uint64_t bytes, bool on_host);
    /// The caller has the turn. False: the device does not become idle in time.
    bool free_unused();
    [[nodiscard]] Status await_idle();
    void collect_unused(std::vector<Block>& blocks) noexcept;
    /// The context is current, and the device idle.
    void free(const std::vector<Block>& blocks) noexcept;
};

} // namespace blockloom::compute::cuda
