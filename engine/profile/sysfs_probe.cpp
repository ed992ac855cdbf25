#include "profile/usage_probe.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <utility>

namespace blockloom::profile {
namespace {

namespace fs = std::filesystem;

std::optional<std::int64_t> number_in(const fs::path& file) {
    std::ifstream stream(file);
    std::int64_t value = 0;
    if (!(stream >> value)) return std::nullopt;
    return value;
}

std::string text_in(const fs::path& file) {
    std::ifstream stream(file);
    std::string text;
    stream >> text;
    return text;
}

/// The first file of that name in a folder "hwmon/hwmonN" of a card; empty: none.
fs::path monitor_file(const fs::path& card, const char* name) {
    std::error_code failed;
    for (const auto& monitor : fs::directory_iterator(card / "hwmon", failed))
        if (fs::exists(monitor.path() / name, failed)) return monitor.path() / name;
    return {};
}

/// Where Mesa's driver for AMD says that the device is: its identity is the place on the bus, four
/// numbers of 32 bits, the lowest byte first.
std::string bus_address(std::string_view uuid) {
    if (uuid.size() != 32) return {};
    std::array<unsigned, 4> parts{};
    for (std::size_t part = 0; part < parts.size(); ++part)
        for (std::size_t byte = 4; byte-- > 0;) {
            const std::string digits(uuid.substr(part * 8 + byte * 2, 2));
            parts[part] = parts[part] << 8U |
                          static_cast<unsigned>(std::strtoul(digits.c_str(), nullptr, 16));
        }
    if (parts[0] > 0xffff || parts[1] > 0xff || parts[2] > 0x1f || parts[3] > 7) return {};
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%04x:%02x:%02x.%x", parts[0], parts[1], parts[2],
                  parts[3]);
    return text.data();
}

/// Cards of AMD and Intel: others report nothing here.
std::vector<fs::path> cards_of(const fs::path& drm) {
    std::vector<fs::path> cards;
    std::error_code failed;
    for (const auto& entry : fs::directory_iterator(drm, failed)) {
        const std::string name = entry.path().filename().string();
        if (name.rfind("card", 0) != 0 || name.find('-') != std::string::npos) continue;
        const fs::path card = entry.path() / "device";
        const std::string maker = text_in(card / "vendor");
        if (maker == "0x1002" || maker == "0x8086") cards.push_back(card);
    }
    std::sort(cards.begin(), cards.end());
    return cards;
}

class SysfsProbe final : public UsageProbe {
public:
    SysfsProbe(const fs::path& card, const std::string& name) {
        const auto add = [&](Quantity quantity, std::int64_t most, const fs::path& file) {
            files_.push_back(file);
            const bool reported = !file.empty() && number_in(file).has_value();
            lines_.push_back(
                {name, quantity, most, {}, reported ? "" : "not reported by this kernel driver"});
        };
        add(Quantity::device_busy, 1000, card / "gpu_busy_percent");
        add(Quantity::device_memory, number_in(card / "mem_info_vram_total").value_or(0),
            card / "mem_info_vram_used");
        add(Quantity::temperature, 0, monitor_file(card, "temp1_input"));
        fs::path power = monitor_file(card, "power1_average");
        if (power.empty()) power = monitor_file(card, "power1_input");
        if (power.empty()) {
            power = monitor_file(card, "energy1_input"); // i915: microjoules so far
            counts_energy_ = !power.empty();
        }
        add(Quantity::power, 0, power);
    }

    [[nodiscard]] std::vector<UsageLine> lines() const override { return lines_; }

    [[nodiscard]] Nanoseconds pace() const noexcept override { return 100'000'000; }

    void read(std::span<std::int64_t> values) override {
        for (std::size_t i = 0; i < files_.size(); ++i) {
            if (!lines_[i].is_available()) continue;
            const auto value = number_in(files_[i]);
            if (!value) continue;
            if (lines_[i].quantity == Quantity::device_busy)
                values[i] = *value * 10;
            else if (lines_[i].quantity != Quantity::power)
                values[i] = *value;
            else if (counts_energy_)
                values[i] = power_since(*value);
            else
                values[i] = *value / 1000; // microwatts
        }
    }

private:
    std::int64_t power_since(std::int64_t microjoules) {
        const Nanoseconds now = now_ns();
        const auto before = std::exchange(energy_, microjoules);
        const Nanoseconds time = now - std::exchange(at_, now);
        if (!before || time <= 0 || microjoules < *before) return no_value;
        return static_cast<std::int64_t>(static_cast<double>(microjoules - *before) * 1e6 /
                                         static_cast<double>(time));
    }

    std::vector<fs::path> files_;
    std::vector<UsageLine> lines_;
    bool counts_energy_ = false;
    std::optional<std::int64_t> energy_;
    Nanoseconds at_ = 0;
};

class SilentProbe final : public UsageProbe {
public:
    SilentProbe(std::string of, std::string why) : of_(std::move(of)), why_(std::move(why)) {}
    [[nodiscard]] std::vector<UsageLine> lines() const override {
        std::vector<UsageLine> all;
        for (const Quantity quantity : {Quantity::device_busy, Quantity::device_memory,
                                        Quantity::temperature, Quantity::power})
            all.push_back({of_, quantity, 0, {}, why_});
        return all;
    }
    void read(std::span<std::int64_t>) override {}

private:
    std::string of_, why_;
};

} // namespace

Result<std::unique_ptr<UsageProbe>> sysfs_probe(const DeviceIdentity& device,
                                                const std::filesystem::path& drm) {
    const auto cards = cards_of(drm);
    const std::string address = bus_address(device.uuid);
    const fs::path* chosen = cards.size() == 1 ? &cards.front() : nullptr;
    std::error_code failed;
    for (const fs::path& card : cards)
        if (!address.empty() && fs::canonical(card, failed).filename() == address) chosen = &card;
    if (chosen == nullptr)
        return Error{ErrorCode::unavailable,
                     cards.empty() ? drm.string() + " lists no card that reports its usage"
                                   : drm.string() + " lists " + std::to_string(cards.size()) +
                                         " cards, but none has the device's address"};
    return std::unique_ptr<UsageProbe>(std::make_unique<SysfsProbe>(*chosen, device.name));
}

std::unique_ptr<UsageProbe> silent_probe(const std::string& of, std::string why) {
    return std::make_unique<SilentProbe>(of, std::move(why));
}

std::unique_ptr<UsageProbe> device_probe(const DeviceIdentity& device) {
    auto found = nvml_probe(device);
    if (found) return *std::move(found);
    const std::string first = found.error().message;
    found = sysfs_probe(device);
    if (found) return *std::move(found);
    return silent_probe(device.name,
                        "not reported by this platform: " + first + "; " + found.error().message);
}

} // namespace blockloom::profile
