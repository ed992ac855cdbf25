// The fake driver's devices: contexts, streams, events and memory, which is the host's. Each stream
// has a thread, as on a device: work runs while the caller continues.
#pragma once

#include "base/clock.h"
#include "compute/fake_cuda/control.h"
#include "compute/fake_cuda/faults.h"

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <thread>

namespace blockloom::compute::cuda {

using fake_cuda::Code;

struct ContextPart {
    int device = 0;
    Code poison = 0; ///< what ended it
    int stuck = 0;   ///< launches from which the driver does not return
};

struct EventPart {
    /// Work that records it, or waits for it, may outlive the event.
    struct State {
        std::uint64_t recorded = 0, reached = 0;
        Nanoseconds at = 0;
    };
    Context context = nullptr;
    bool timed = false;
    std::shared_ptr<State> state = std::make_shared<State>();
};

struct StreamPart {
    struct Command {
        std::function<void()> run;     ///< called without the lock
        std::function<bool()> blocked; ///< may be empty; called with the lock
        /// An idle device does it at once, however busy the host's cores are.
        bool at_once = false;
        bool hangs = false;
    };
    Context context = nullptr;
    std::deque<Command> queue;
    bool busy = false, closing = false;
    std::thread worker; ///< none with `immediate`
};

} // namespace blockloom::compute::cuda

namespace blockloom::fake_cuda {

using compute::cuda::Context;
using compute::cuda::Event;
using compute::cuda::Stream;
using Command = compute::cuda::StreamPart::Command;

class Machine final : public Control {
public:
    /// Lives as long as the process: its threads may.
    static Machine& instance();

    void kernel(const std::string& entry, Body body) override;
    std::size_t bytes_from(std::uint64_t address) const override;
    void release() override;
    Live live() const override;
    std::vector<std::string> mistakes() const override;

    /// Takes no lock: a child process calls it, in which another thread's lock stays locked.
    void start(std::string_view faults) {
        released_ = false;
        faults_ = new Faults(faults); // others may still use the one before
    }
    [[nodiscard]] Faults* faults() const { return faults_; }

    /// Counts a call; its fault. Null `context`: it needs none. A call from which a real driver
    /// would not return before a launch ends, or another thread's call, is a mistake if that hangs.
    [[nodiscard]] Code begin(const char* function, Context context);
    Code mistake(const char* function, Code code);
    /// Ends the context: what is in its streams is dropped.
    void end(Context context, Code code);

    [[nodiscard]] Context make_context(int device);
    [[nodiscard]] bool has(Context context) const;
    /// Waits for its streams, and gives back everything of it.
    bool destroy(Context context);

    [[nodiscard]] std::uint64_t allocate(Context context, std::size_t bytes, bool on_host);
    bool free(std::uint64_t address, bool on_host);
    [[nodiscard]] std::size_t device_bytes() const;
    [[nodiscard]] bool is_on_host(std::uint64_t address) const;

    [[nodiscard]] Stream make_stream(Context context);
    bool destroy(Stream stream);
    /// False: there is no such stream.
    bool add(Stream stream, Command command);
    /// An error of a command ends its context.
    [[nodiscard]] Command copying(Context context, std::uint64_t to, std::uint64_t from,
                                  std::size_t bytes, bool damaged);
    [[nodiscard]] Command filling(Context context, std::uint64_t to, std::uint32_t word,
                                  std::size_t words);
    [[nodiscard]] Command launching(Context context, const std::string& entry, Launch launch,
                                    bool lost, bool hung, bool damaged);
    /// Returns after release().
    void stick(Context context);

    [[nodiscard]] Event make_event(Context context, bool timed);
    bool destroy(Event event);
    bool record(Event event, Stream stream);
    /// What follows in the stream waits for the event.
    bool hold_until(Event event, Stream stream);
    [[nodiscard]] Code query(Event event);
    /// Both have been reached.
    [[nodiscard]] Code elapsed(float* milliseconds, Event begin, Event end) const;

    /// A module ends with its context at the latest.
    void add_module(Context context, std::shared_ptr<void> module);
    bool destroy_module(Context context, const void* module);
    /// Links are counted only.
    void count_links(int more) { links_ += more; }

private:
    void damage(std::uint64_t to, std::size_t bytes);
    struct Block {
        std::size_t bytes;
        bool on_host;
        Context context;
    };
    using Lock = std::unique_lock<std::mutex>;

    [[nodiscard]] bool has_hung_launch(Context context) const; ///< with the lock
    [[nodiscard]] std::byte* bytes_at(std::uint64_t address, std::size_t bytes) const;
    /// Runs the next command; false: there is none that can run.
    bool step(Lock& lock, compute::cuda::StreamPart& stream);
    /// Runs commands until the stream is closed and empty.
    void work_until_empty(Lock& lock, compute::cuda::StreamPart& stream);
    void work(compute::cuda::StreamPart& stream);
    void close(Lock& lock, const std::shared_ptr<compute::cuda::StreamPart>& stream);

    std::atomic<Faults*> faults_{nullptr};
    std::atomic<int> links_{0};
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::set<Context> contexts_;
    std::map<Stream, std::shared_ptr<compute::cuda::StreamPart>> streams_;
    std::vector<std::shared_ptr<compute::cuda::StreamPart>> closing_; ///< of living contexts
    std::map<Event, std::unique_ptr<compute::cuda::EventPart>> events_;
    std::multimap<Context, std::shared_ptr<void>> modules_;
    std::map<std::uint64_t, Block> blocks_;
    std::map<std::string, Body, std::less<>> bodies_;
    std::vector<std::string> mistakes_;
    std::atomic<bool> released_{false};
};

} // namespace blockloom::fake_cuda
