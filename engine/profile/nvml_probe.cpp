#include "profile/usage_probe.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <dlfcn.h>

namespace blockloom::profile {
namespace {

// The few parts of NVML's stable interface that are used, as its reference describes them.
using Device = void*;
using Answer = int; ///< 0: success
struct Utilization {
    unsigned gpu = 0, memory = 0; ///< percent
};
struct DeviceMemory {
    unsigned long long total = 0, free = 0, used = 0; ///< bytes
};
constexpr int on_the_chip = 0; ///< which of the temperatures

using Init = Answer (*)();
using Shutdown = Answer (*)();
using ErrorString = const char* (*)(Answer);
using GetCount = Answer (*)(unsigned*);
using GetHandle = Answer (*)(unsigned, Device*);
using GetText = Answer (*)(Device, char*, unsigned);
using GetUtilization = Answer (*)(Device, Utilization*);
using GetMemory = Answer (*)(Device, DeviceMemory*);
using GetTemperature = Answer (*)(Device, int, unsigned*);
using GetPower = Answer (*)(Device, unsigned*);

struct Library {
    void* handle = nullptr;
    Shutdown shutdown = nullptr;

    Library() = default;
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;
    ~Library() {
        if (shutdown != nullptr) shutdown();
        if (handle != nullptr) dlclose(handle);
    }
    template <typename Function> [[nodiscard]] Function find(const char* name) const {
        return reinterpret_cast<Function>(dlsym(handle, name));
    }
    [[nodiscard]] std::string words(Answer answer) const {
        const auto text = find<ErrorString>("nvmlErrorString");
        const char* said = text == nullptr ? nullptr : text(answer);
        return said == nullptr ? "error " + std::to_string(answer) : std::string(said);
    }
};

/// The hexadecimal digits of "GPU-4cf8db2d-06c0-…".
std::string digits_of(std::string_view uuid) {
    if (const auto dash = uuid.find('-'); dash != std::string_view::npos && dash < 8)
        uuid.remove_prefix(dash + 1); // "GPU", or "MIG-GPU" of a part of one
    std::string digits;
    for (const char c : uuid)
        if (std::isxdigit(static_cast<unsigned char>(c)) != 0)
            digits.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
    return digits;
}

class NvmlProbe final : public UsageProbe {
public:
    NvmlProbe(std::unique_ptr<Library> library, Device device, std::string name)
        : library_(std::move(library)), device_(device), name_(std::move(name)),
          utilization_(library_->find<GetUtilization>("nvmlDeviceGetUtilizationRates")),
          memory_(library_->find<GetMemory>("nvmlDeviceGetMemoryInfo")),
          temperature_(library_->find<GetTemperature>("nvmlDeviceGetTemperature")),
          power_(library_->find<GetPower>("nvmlDeviceGetPowerUsage")) {
        std::int64_t bytes = 0;
        if (DeviceMemory found; memory_ != nullptr && memory_(device_, &found) == 0)
            bytes = static_cast<std::int64_t>(found.total);
        std::array<std::int64_t, 4> values{};
        std::array<std::string, 4> why;
        ask(values, &why);
        lines_ = {{name_, Quantity::device_busy, 1000, {}, why[0]},
                  {name_, Quantity::device_memory, bytes, {}, why[1]},
                  {name_, Quantity::temperature, 0, {}, why[2]},
                  {name_, Quantity::power, 0, {}, why[3]}};
    }

    [[nodiscard]] std::vector<UsageLine> lines() const override { return lines_; }
    /// Queries to a driver are expensive.
    [[nodiscard]] Nanoseconds pace() const noexcept override { return 100'000'000; }
    void read(std::span<std::int64_t> values) override { ask(values, nullptr); }

private:
    /// Leaves out what is unavailable; the reasons are added to `why`.
    void ask(std::span<std::int64_t> values, std::array<std::string, 4>* why) const {
        const auto get = [&](std::size_t at, auto function, auto& to, auto... middle) {
            if (function == nullptr) {
                if (why != nullptr) (*why)[at] = "this version of NVML does not report it";
                return false;
            }
            const Answer answer = function(device_, middle..., &to);
            if (answer != 0 && why != nullptr) (*why)[at] = "NVML: " + library_->words(answer);
            return answer == 0;
        };
        Utilization use;
        if (get(0, utilization_, use)) values[0] = std::int64_t{use.gpu} * 10;
        DeviceMemory memory;
        if (get(1, memory_, memory)) values[1] = static_cast<std::int64_t>(memory.used);
        unsigned value = 0;
        if (get(2, temperature_, value, on_the_chip)) values[2] = std::int64_t{value} * 1000;
        if (get(3, power_, value)) values[3] = value;
    }

    std::unique_ptr<Library> library_;
    Device device_;
    std::string name_;
    GetUtilization utilization_;
    GetMemory memory_;
    GetTemperature temperature_;
    GetPower power_;
    std::vector<UsageLine> lines_;
};

Error not_there(const std::string& text) {
    return {ErrorCode::unavailable, text};
}

} // namespace

Result<std::unique_ptr<UsageProbe>> nvml_probe(const DeviceIdentity& device,
                                               const std::string& name) {
    auto library = std::make_unique<Library>();
    library->handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library->handle == nullptr) return not_there(name + " is not installed");
    const auto init = library->find<Init>("nvmlInit_v2");
    const auto count_of = library->find<GetCount>("nvmlDeviceGetCount_v2");
    const auto handle_of = library->find<GetHandle>("nvmlDeviceGetHandleByIndex_v2");
    const auto uuid_of = library->find<GetText>("nvmlDeviceGetUUID");
    const auto name_of_device = library->find<GetText>("nvmlDeviceGetName");
    if (init == nullptr || count_of == nullptr || handle_of == nullptr)
        return not_there(name + " is not NVML version 2");
    if (const Answer answer = init(); answer != 0)
        return not_there("NVML: " + library->words(answer));
    library->shutdown = library->find<Shutdown>("nvmlShutdown");
    unsigned count = 0;
    if (const Answer answer = count_of(&count); answer != 0)
        return not_there("NVML: " + library->words(answer));
    std::vector<Device> same_name;
    for (unsigned i = 0; i < count; ++i) {
        Device handle = nullptr;
        if (handle_of(i, &handle) != 0) continue;
        const auto text = [&](GetText get) {
            std::array<char, 128> buffer{};
            if (get == nullptr || get(handle, buffer.data(), buffer.size() - 1) != 0)
                return std::string();
            return std::string(buffer.data());
        };
        if (!device.uuid.empty() && digits_of(text(uuid_of)) == digits_of(device.uuid))
            return std::unique_ptr<UsageProbe>(
                std::make_unique<NvmlProbe>(std::move(library), handle, device.name));
        if (text(name_of_device) == device.name) same_name.push_back(handle);
    }
    // A driver's interfaces may identify its devices differently; a name that only one device has
    // suffices.
    if (same_name.size() == 1)
        return std::unique_ptr<UsageProbe>(
            std::make_unique<NvmlProbe>(std::move(library), same_name.front(), device.name));
    return not_there("NVML: expected the device \"" + device.name + "\", found " +
                     std::to_string(count) + " others");
}

} // namespace blockloom::profile
