#include "compute/fault_cuda/faulty_driver.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
#include <utility>

namespace blockloom::fault_cuda {
namespace {

/// `wild` writes to the first page, which no process has; `slow` takes 20 s.
constexpr const char* kernels = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry wild()
{
    .reg .u64 %to;
    .reg .u32 %word;
    mov.u64 %to, 256;
    mov.u32 %word, 1;
    st.volatile.global.u32 [%to], %word;
    ret;
}
.visible .entry slow()
{
    .reg .u64 %begin, %now;
    .reg .pred %more;
    mov.u64 %begin, %globaltimer;
again:
    nanosleep.u32 100000;
    mov.u64 %now, %globaltimer;
    sub.u64 %now, %now, %begin;
    setp.lt.u64 %more, %now, 20000000000;
    @%more bra again;
    ret;
}
)";

const char* variable(const char* name) {
    const char* const text = std::getenv(name);
    return text != nullptr ? text : "";
}

} // namespace

FaultyDriver& FaultyDriver::instance() {
    static auto* const driver = new FaultyDriver;
    return *driver;
}

FaultyDriver::FaultyDriver() {
    auto real = load_driver(variable("FAULT_CUDA_DRIVER"));
    if (real)
        real_ = *std::move(real);
    else
        std::fprintf(stderr, "FAULT_CUDA_DRIVER: %s\n", real.error().message.c_str());
}

Code FaultyDriver::start(unsigned flags) {
    faults_ = new fake_cuda::Faults(variable("FAULT_CUDA"), "FAULT_CUDA");
    const fake_cuda::Faults& asked = *faults_;
    if (const fake_cuda::Faults none("");
        asked.devices != none.devices || asked.memory != none.memory || asked.major != none.major ||
        asked.prohibited || asked.apart || asked.immediate) {
        std::fprintf(stderr, "FAULT_CUDA: only a fake driver's devices can be chosen\n");
        std::abort();
    }
    for (const auto& [is, word] :
         {std::pair{asked.hang, "hang"}, {asked.crash, "crash"}, {asked.leave, "leave"}})
        if (is) say(word);
    while (asked.hang) ::pause();
    if (asked.crash) {
        std::signal(SIGSEGV, SIG_DFL);
        std::raise(SIGSEGV);
    }
    if (asked.leave) ::_exit(0);
    return call("cuInit", Works::anywhere, [&](const Driver& real) { return real.init(flags); });
}

void FaultyDriver::say(const char* what, Code code) {
    if (said_.exchange(true)) return;
    if (code == success)
        std::fprintf(stderr, "FAULT_CUDA: %s\n", what);
    else
        std::fprintf(stderr, "FAULT_CUDA: %s=%d\n", what, code);
}

void FaultyDriver::tell_if_slow(const char* function, Nanoseconds took) {
    constexpr Nanoseconds slow = 1'000'000'000;
    if (took >= slow)
        std::fprintf(stderr, "FAULT_CUDA waited: %s, %.1f s\n", function,
                     static_cast<double>(took) / 1e9);
}

int FaultyDriver::version(int real) {
    const int asked = faults_.load()->version;
    if (asked == fake_cuda::Faults("").version) return real;
    say("version");
    return asked;
}

const char* FaultyDriver::instead_of_launch() const {
    return faults_.load()->next_launch_is_lost() ? "wild" : nullptr;
}

const char* FaultyDriver::before_launch() const {
    return faults_.load()->next_launch_hangs() ? "slow" : nullptr;
}

Code FaultyDriver::stick(Stream stream) {
    if (!faults_.load()->next_launch_is_stuck()) return success;
    say("stuck");
    const Code code = launch("slow", stream);
    Module module = nullptr; // loading one waits for the kernel
    return code == success ? real_->module_load(&module, kernels) : code;
}

Code FaultyDriver::launch(const char* entry, Stream stream) {
    say(entry);
    Module module = nullptr; // stays loaded: once in a process at most
    Function function = nullptr;
    Code code = real_->module_load(&module, kernels);
    if (code == success) code = real_->module_function(&function, module, entry);
    if (code == success)
        code = real_->launch(function, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr);
    if (code != success)
        std::fprintf(stderr, "FAULT_CUDA: no kernel %s: %s\n", entry, real_->text_of(code).c_str());
    return code;
}

void FaultyDriver::add_host_memory(const void* begin, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    host_memory_[reinterpret_cast<Pointer>(begin)] = bytes;
}

void FaultyDriver::drop_host_memory(const void* begin) {
    const std::lock_guard lock(mutex_);
    host_memory_.erase(reinterpret_cast<Pointer>(begin));
}

void FaultyDriver::add_lanes(Function function) {
    const std::lock_guard lock(mutex_);
    lanes_.insert(function);
}

Code FaultyDriver::damage_results(Function function, void** parameters, Stream stream) {
    constexpr int first = 3, last = 4; // of LaneBuffers: its results and its log
    Code code = success;
    for (int i = first; i <= last && code == success; ++i) {
        Pointer to = 0;
        std::size_t bytes = 0;
        {
            const std::lock_guard lock(mutex_);
            if (!lanes_.contains(function)) return success;
            std::memcpy(&to, parameters[i], sizeof to);
            const auto range = host_memory_.find(to);
            if (range == host_memory_.end()) continue;
            bytes = range->second;
        }
        code = damage(to, bytes, stream);
    }
    return code;
}

Code FaultyDriver::damage(Pointer to, std::size_t bytes, Stream stream) {
    constexpr std::size_t most_words = 64;
    {
        const std::lock_guard lock(mutex_);
        const auto after = host_memory_.upper_bound(to);
        if (after == host_memory_.begin()) return success;
        const auto& [begin, size] = *std::prev(after);
        if (to - begin >= size) return success;
    }
    if (!faults_.load()->next_download_is_damaged()) return success;
    say("damaged");
    const std::size_t words = bytes / 4, step = std::max<std::size_t>(words / most_words, 1);
    Code code = success;
    for (std::size_t at = 0; at < words && code == success; at += step)
        code = real_->fill(to + at * 4, 0xda3a6edU, 1, stream);
    return code;
}

} // namespace blockloom::fault_cuda
