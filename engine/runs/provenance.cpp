#include "runs/provenance.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <fstream>
#include <sys/utsname.h>
#include <thread>

namespace blockloom::runs {
namespace {

/// The value after the colon of the first line of a /proc file that begins with `name`.
std::string proc_value(const char* path, const std::string& name) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with(name)) continue;
        const auto colon = line.find(':');
        const auto begin =
            colon == std::string::npos ? colon : line.find_first_not_of(" \t", colon + 1);
        return begin == std::string::npos ? std::string() : line.substr(begin);
    }
    return {};
}

std::uint64_t memory_bytes() {
    const std::string kib = proc_value("/proc/meminfo", "MemTotal");
    return kib.empty() ? 0 : std::strtoull(kib.c_str(), nullptr, 10) * 1024;
}

std::string compiler() {
#if defined(__clang__)
    return fmt::format("clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
    return fmt::format("GCC {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
}

} // namespace

Machine this_machine() {
    Machine machine;
    utsname system{};
    if (::uname(&system) == 0)
        machine.kernel = fmt::format("{} {} {}", system.sysname, system.release, system.machine);
    machine.processor = proc_value("/proc/cpuinfo", "model name");
    machine.cores = std::thread::hardware_concurrency();
    machine.memory = memory_bytes();
    machine.compiler = compiler();
    return machine;
}

Provenance provenance_now(const std::string& version) {
    const std::time_t now = std::time(nullptr);
    return {version, fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(now)), this_machine()};
}

} // namespace blockloom::runs
