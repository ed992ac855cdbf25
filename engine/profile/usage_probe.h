// Resource usage reported by the system: one probe per source. What a platform does not report is
// stated in words, never silently left out.
#pragma once

#include "base/result.h"
#include "profile/usage.h"

#include <filesystem>
#include <memory>
#include <span>

namespace blockloom::profile {

/// Used by one thread.
class UsageProbe {
public:
    virtual ~UsageProbe() = default;
    /// Its lines, without values; always the same.
    [[nodiscard]] virtual std::vector<UsageLine> lines() const = 0;
    /// The shortest interval between two reads; until then its last values are used.
    [[nodiscard]] virtual Nanoseconds pace() const noexcept { return 0; }
    /// One value per line, including unavailable ones; `no_value` if there is none now.
    virtual void read(std::span<std::int64_t> values) = 0;
};

/// The device of a run, as its driver names it.
struct DeviceIdentity {
    std::string name;
    std::string uuid; ///< 32 hexadecimal digits; empty: unknown
};

/// Processor time and memory of this process and of the machine. `proc`: the folder of the
/// process file system.
[[nodiscard]] std::unique_ptr<UsageProbe> host_probe(const std::filesystem::path& proc = "/proc");

/// An NVIDIA device, through the management library, which is loaded on demand. `unavailable` if
/// there is no such library, or it does not list the device.
[[nodiscard]] Result<std::unique_ptr<UsageProbe>>
nvml_probe(const DeviceIdentity& device, const std::string& library = "libnvidia-ml.so.1");

/// A device of another vendor, through the files of its kernel driver (amdgpu; i915 reports less).
/// `drm`: the folder of the graphics cards. `unavailable` if none of them can be the device.
[[nodiscard]] Result<std::unique_ptr<UsageProbe>>
sysfs_probe(const DeviceIdentity& device, const std::filesystem::path& drm = "/sys/class/drm");

/// Whichever probe works; if none does, lines that say why.
[[nodiscard]] std::unique_ptr<UsageProbe> device_probe(const DeviceIdentity& device);

/// The lines of a device about which nothing is reported.
[[nodiscard]] std::unique_ptr<UsageProbe> silent_probe(const std::string& of, std::string why);

} // namespace blockloom::profile
