#include "compute/cuda/probe.h"

#include "base/bytes.h"
#include "compute/cuda/driver.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace blockloom::compute::cuda {
namespace {

constexpr int most_devices = 16;

/// What the child writes: plain bytes.
struct Found {
    struct One {
        char name[256];
        Uuid uuid;
        std::uint64_t memory;
        std::int32_t threads, grid, shared, warp, processors, integrated, mode, engines, unified,
            major, minor;
    };
    std::int32_t version, count;
    char why[256]; ///< empty: it answered
    One devices[most_devices];
};

void say(Found& found, const std::string& why) {
    std::memcpy(found.why, why.data(), std::min(why.size(), sizeof found.why - 1));
}

void ask(Found& found, const std::string& library) {
    const auto driver = load_driver(library);
    if (!driver) return say(found, driver.error().message);
    const Driver& call = **driver;
    if (const Code code = call.init(0); code != success)
        return say(found, "the CUDA driver does not start: " + call.text_of(code));
    if (call.driver_version(&found.version) != success || found.version < least_version)
        return say(found, fmt::format("the CUDA driver is too old: expected version {}.{} or "
                                      "newer, found {}.{}",
                                      least_version / 1000, least_version % 1000 / 10,
                                      found.version / 1000, found.version % 1000 / 10));
    if (const Code code = call.device_count(&found.count); code != success)
        return say(found, "the CUDA driver does not count its devices: " + call.text_of(code));
    if (found.count <= 0) return say(found, "the CUDA driver has no device");
    found.count = std::min(found.count, most_devices);
    for (int i = 0; i < found.count; ++i) {
        Found::One& one = found.devices[i];
        Device device = 0;
        std::size_t memory = 0;
        if (call.device(&device, i) != success ||
            call.device_name(one.name, sizeof one.name - 1, device) != success ||
            call.device_memory(&memory, device) != success)
            return say(found, fmt::format("the CUDA driver does not describe device {}", i));
        one.memory = memory;
        (void)call.device_uuid(&one.uuid, device);
        for (const auto& [to, attribute] : {std::pair{&one.threads, max_threads_per_block},
                                            {&one.grid, max_grid_x},
                                            {&one.shared, max_shared_per_block},
                                            {&one.warp, warp_size},
                                            {&one.processors, multiprocessors},
                                            {&one.integrated, integrated},
                                            {&one.mode, compute_mode},
                                            {&one.engines, async_engines},
                                            {&one.unified, unified_addressing},
                                            {&one.major, capability_major},
                                            {&one.minor, capability_minor}})
            (void)call.device_attribute(to, attribute, device);
    }
}

/// The child's answer; false: it crashed, or did not answer in time, as `why` says.
bool answer_of(int from, pid_t child, Nanoseconds limit, Found& found, std::string& why) {
    auto* to = reinterpret_cast<char*>(&found);
    std::size_t got = 0;
    const Nanoseconds end = now_ns() + limit;
    while (got < sizeof found) {
        const Nanoseconds left = end - now_ns();
        pollfd waiting{from, POLLIN, 0};
        const int ready =
            left <= 0 ? 0 : ::poll(&waiting, 1, static_cast<int>(left / 1'000'000 + 1));
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) {
            why = fmt::format("the CUDA driver did not answer within {} s", limit / 1'000'000'000);
            ::kill(child, SIGKILL);
            break;
        }
        const ssize_t count = ::read(from, to + got, sizeof found - got);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        got += static_cast<std::size_t>(count);
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (got == sizeof found) return true;
    if (why.empty())
        why = WIFSIGNALED(status)
                  ? fmt::format("the CUDA driver crashed (signal {})", WTERMSIG(status))
                  : "the CUDA driver ended its process";
    return false;
}

Description described(const Found& found, int index) {
    const Found::One& one = found.devices[index];
    Description made;
    made.backend = "cuda";
    made.index = static_cast<std::uint32_t>(index);
    made.name = one.name;
    made.kind = one.integrated != 0 ? DeviceKind::shared_gpu : DeviceKind::gpu;
    made.driver = fmt::format("CUDA {}.{}", found.version / 1000, found.version % 1000 / 10);
    made.api = fmt::format("compute capability {}.{}", one.major, one.minor);
    made.identity =
        fmt::format("{}-{}", to_hex({one.uuid.bytes, sizeof one.uuid.bytes}), found.version);
    made.memory_bytes = one.memory;
    const auto number = [](std::int32_t value) { return static_cast<std::uint32_t>(value); };
    Limits& limits = made.limits;
    limits.max_buffer_bytes = limits.max_binding_bytes = one.memory;
    limits.max_bindings = 64;
    limits.max_push_bytes = 1024;
    limits.max_workgroup_invocations = number(one.threads);
    limits.max_groups = number(one.grid);
    limits.max_shared_bytes = number(one.shared);
    limits.subgroup_size = number(one.warp);
    limits.queues = 2;
    limits.cores = number(one.processors);
    Features& features = made.features;
    features.int64 = features.int16 = features.int8 = true;
    features.storage_16bit = features.storage_8bit = features.int64_atomics = true;
    features.buffer_address = features.memory_model = features.scalar_layout = true;
    features.memory_budget = true;
    made.clock = ClockSource::measured;
    if (one.major < 7)
        made.why = fmt::format("expected compute capability 7.0 or newer, found {}.{}", one.major,
                               one.minor);
    else if (one.mode == 2)
        made.why = "its compute mode is set to prohibited";
    else if (one.unified == 0)
        made.why = "it does not share addresses with the host";
    return made;
}

} // namespace

CudaDevices probe(const std::string& library, Nanoseconds limit) {
    CudaDevices devices;
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) {
        devices.why = fmt::format("no pipe to a child process: {}", std::strerror(errno));
        return devices;
    }
    // The child calls nothing but the loader and the driver and leaves with _exit. A lock that
    // another thread held at the fork stays locked there: then it does not answer, and is ended.
    const pid_t child = ::fork();
    if (child < 0) {
        ::close(ends[0]), ::close(ends[1]);
        devices.why = fmt::format("no child process: {}", std::strerror(errno));
        return devices;
    }
    if (child == 0) {
        ::close(ends[0]);
        static Found found{};
        ask(found, library);
        const auto* from = reinterpret_cast<const char*>(&found);
        std::size_t sent = 0;
        while (sent < sizeof found) {
            const ssize_t count = ::write(ends[1], from + sent, sizeof found - sent);
            if (count <= 0) break;
            sent += static_cast<std::size_t>(count);
        }
        ::_exit(sent == sizeof found ? 0 : 1);
    }
    ::close(ends[1]);
    static thread_local Found found;
    found = {};
    const bool answered = answer_of(ends[0], child, limit, found, devices.why);
    ::close(ends[0]);
    if (!answered) return devices;
    found.why[sizeof found.why - 1] = '\0';
    devices.why = found.why;
    if (!devices.why.empty()) return devices;
    for (int i = 0; i < std::clamp(found.count, 0, most_devices); ++i) {
        found.devices[i].name[sizeof found.devices[i].name - 1] = '\0';
        devices.devices.push_back(described(found, i));
    }
    return devices;
}

} // namespace blockloom::compute::cuda
