// What the system tells about its use: one probe a source. What a platform does not tell is said in
// words, never left out in silence.
#pragma once

#include "base/result.h"
#include "profile/usage.h"

#include <filesystem>
#include <memory>
#include <span>

namespace blockloom::profile {

/// Read by one thread.
class UsageProbe {
public:
    virtual ~UsageProbe() = default;
    /// Its lines, without values; always the same ones.
    [[nodiscard]] virtual std::vector<UsageLine> lines() const = 0;
    /// It is not asked again sooner: its last values stand until then.
    [[nodiscard]] virtual Nanoseconds pace() const noexcept { return 0; }
    /// One value a line, those that are not told included; `untold` where there is none now.
    virtual void read(std::span<std::int64_t> values) = 0;
};

/// The device of a run, as its driver names it.
struct DeviceIdentity {
    std::string name;
    std::string uuid; ///< 32 hexadecimal digits; empty: not known
};

/// Processor time and memory of this process and of the machine. `proc`: the folder of the
/// process file system.
[[nodiscard]] std::unique_ptr<UsageProbe> host_probe(const std::filesystem::path& proc = "/proc");

/// A device of NVIDIA, through its management library, loaded now. `unavailable` where there is no
/// such library, or no such device in it.
[[nodiscard]] Result<std::unique_ptr<UsageProbe>>
nvml_probe(const DeviceIdentity& device, const std::string& library = "libnvidia-ml.so.1");

/// A device of another maker, through the files of its kernel driver (amdgpu; i915 tells less).
/// `drm`: the folder of the graphics cards. `unavailable` where none of them can be the device.
[[nodiscard]] Result<std::unique_ptr<UsageProbe>>
sysfs_probe(const DeviceIdentity& device, const std::filesystem::path& drm = "/sys/class/drm");

/// Whichever tells; lines that say why not where none does.
[[nodiscard]] std::unique_ptr<UsageProbe> device_probe(const DeviceIdentity& device);

/// The lines of a device of which nothing is told.
[[nodiscard]] std::unique_ptr<UsageProbe> silent_probe(const std::string& of, std::string why);

} // namespace blockloom::profile
