// A real CUDA driver with faults in front of it, for a machine with a GPU: docs/compute.md.
#pragma once

#include "base/clock.h"
#include "compute/fake_cuda/faults.h"

#include <map>
#include <mutex>
#include <set>

namespace blockloom::fault_cuda {

using namespace compute::cuda;

/// Whether an error that ended the context is all that a function returns afterwards.
enum class Works { anywhere, in_a_context };

/// FAULT_CUDA_DRIVER is the path of the real driver, FAULT_CUDA has the words of fake_cuda::Faults
/// but for those that describe a fake device, which end the process. Calls are counted from cuInit
/// on.
///   lost@N       a kernel is launched instead that writes where no memory is: the device fails
///   hung@N       a kernel that takes 20 s is launched before
///   stuck@N      the call returns after 20 s
///   damaged@N    after this copy to the host, and all later ones, words of it are overwritten; a
///                launch of lanes is a copy to its results and its log, which are there
///   the rest     as in the fake driver
class FaultyDriver {
public:
    /// Lives as long as the process.
    static FaultyDriver& instance();

    Code start(unsigned flags);
    /// Counts a call; its fault, or else what the real driver answers.
    template <typename Answer> Code call(const char* function, Works where, const Answer& answer) {
        if (real_ == nullptr) return no_library;
        fake_cuda::Faults* const faults = faults_;
        if (faults == nullptr) return fake_cuda::not_initialized;
        Code code = faults->of_call(function);
        if (where == Works::in_a_context) {
            if (fake_cuda::ends_context(code)) ended_ = code;
            if (const Code ended = ended_) code = ended;
        }
        if (code != success) {
            say(function, code);
            return code;
        }
        const Nanoseconds begin = now_ns();
        code = answer(*real_);
        tell_if_slow(function, now_ns() - begin);
        return code;
    }

    /// The context that an injected error ended is replaced. (There is one at a time.)
    void begin_context() { ended_ = success; }
    [[nodiscard]] int version(int real);
    /// What is launched instead of the next launch, or before it; null: nothing.
    [[nodiscard]] const char* instead_of_launch() const;
    [[nodiscard]] const char* before_launch() const;
    /// Waits for 20 s, if the next launch shall be stuck.
    Code stick(Stream stream);
    /// Launches one of these.
    Code launch(const char* entry, Stream stream);
    void add_host_memory(const void* begin, std::size_t bytes);
    void drop_host_memory(const void* begin);
    /// Follows a copy in its stream.
    Code damage(Pointer to, std::size_t bytes, Stream stream);
    /// A function of the name that compiled lanes have.
    void add_lanes(Function function);
    /// Follows a launch in its stream: what such a function has written to the host.
    Code damage_results(Function function, void** parameters, Stream stream);

private:
    static constexpr Code no_library = 303; ///< CUDA_ERROR_SHARED_OBJECT_INIT_FAILED

    /// The first fault of a process, on standard error.
    void say(const char* what, Code code = success);
    /// A call of the real driver that waited for a kernel, most likely.
    static void tell_if_slow(const char* function, Nanoseconds took);

    FaultyDriver();

    std::shared_ptr<const Driver> real_;
    std::atomic<fake_cuda::Faults*> faults_{nullptr}; ///< kept for ever: others may still use them
    std::atomic<Code> ended_{success};
    std::atomic<bool> said_{false};
    std::mutex mutex_;
    std::map<Pointer, std::size_t> host_memory_; ///< pinned: address → bytes
    std::set<Function> lanes_;
};

} // namespace blockloom::fault_cuda
