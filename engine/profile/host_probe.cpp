#include "profile/usage_probe.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <thread>

#include <time.h>
#include <unistd.h>

namespace blockloom::profile {
namespace {

enum Line : std::size_t { process_cpu, machine_cpu, process_memory, machine_memory, line_count };

/// The process's time by the clock that counts nanoseconds: the files count hundredths of a second.
std::optional<Nanoseconds> process_time() {
    timespec time{};
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) != 0) return std::nullopt;
    return Nanoseconds{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

struct Jiffies {
    std::uint64_t busy = 0, all = 0;
};

/// The first line of `stat`: user nice system idle iowait irq softirq steal (guest is in user).
std::optional<Jiffies> machine_time(const std::filesystem::path& proc) {
    std::ifstream file(proc / "stat");
    std::string name;
    if (!(file >> name) || name != "cpu") return std::nullopt;
    Jiffies time;
    std::uint64_t value = 0;
    for (int i = 0; i < 8 && file >> value; ++i) {
        time.all += value;
        if (i != 3 && i != 4) time.busy += value;
    }
    return time.all == 0 ? std::nullopt : std::optional(time);
}

std::optional<std::int64_t> resident(const std::filesystem::path& proc) {
    std::ifstream file(proc / "self" / "statm");
    std::int64_t all = 0, pages = 0;
    if (!(file >> all >> pages)) return std::nullopt;
    return pages * sysconf(_SC_PAGESIZE);
}

struct Memory {
    std::int64_t total = 0, available = 0;
};

std::optional<Memory> memory(const std::filesystem::path& proc) {
    std::ifstream file(proc / "meminfo");
    Memory found{0, -1};
    std::string line;
    while (std::getline(file, line) && (found.total == 0 || found.available < 0)) {
        std::istringstream words(line);
        std::string name;
        std::int64_t kibibytes = 0;
        if (!(words >> name >> kibibytes)) continue;
        if (name == "MemTotal:") found.total = kibibytes * 1024;
        if (name == "MemAvailable:") found.available = kibibytes * 1024;
    }
    if (found.total == 0 || found.available < 0) return std::nullopt;
    return found;
}

class HostProbe final : public UsageProbe {
public:
    explicit HostProbe(std::filesystem::path proc) : proc_(std::move(proc)) {
        const auto there = memory(proc_);
        const auto why = [this](bool reported, const char* file) {
            return reported ? std::string() : (proc_ / file).string() + " does not report it";
        };
        machine_ = machine_time(proc_);
        process_ = process_time();
        const std::int64_t total = there ? there->total : 0;
        lines_ = {{"host", Quantity::process_cpu, 1000, {}, why(process_.has_value(), "self")},
                  {"host", Quantity::machine_cpu, 1000, {}, why(machine_.has_value(), "stat")},
                  {"host",
                   Quantity::process_memory,
                   total,
                   {},
                   why(resident(proc_).has_value(), "self/statm")},
                  {"host", Quantity::machine_memory, total, {}, why(there.has_value(), "meminfo")}};
    }

    [[nodiscard]] std::vector<UsageLine> lines() const override { return lines_; }
    /// Four files of the process file system cost more than all counters of a run.
    [[nodiscard]] Nanoseconds pace() const noexcept override { return 100'000'000; }

    void read(std::span<std::int64_t> values) override {
        const Nanoseconds now = now_ns();
        if (const auto time = process_time(); time && process_ && now > at_) {
            const Nanoseconds cores = (now - at_) * std::max(cores_, 1U);
            values[process_cpu] =
                std::clamp<std::int64_t>((*time - *process_) * 1000 / cores, 0, 1000);
            process_ = time;
            at_ = now;
        }
        if (const auto time = machine_time(proc_); time && machine_) {
            // Hundredths of a second: within one nothing may have been counted yet.
            const std::uint64_t all = time->all - machine_->all;
            if (time->all > machine_->all && time->busy >= machine_->busy) {
                last_machine_ =
                    static_cast<std::int64_t>((time->busy - machine_->busy) * 1000 / all);
                machine_ = time;
            }
            values[machine_cpu] = last_machine_;
        }
        if (const auto bytes = resident(proc_)) values[process_memory] = *bytes;
        if (const auto found = memory(proc_))
            values[machine_memory] = found->total - found->available;
    }

private:
    std::filesystem::path proc_;
    std::vector<UsageLine> lines_;
    unsigned cores_ = std::thread::hardware_concurrency();
    Nanoseconds at_ = now_ns();
    std::optional<Nanoseconds> process_;
    std::optional<Jiffies> machine_;
    std::int64_t last_machine_ = no_value;
};

} // namespace

std::unique_ptr<UsageProbe> host_probe(const std::filesystem::path& proc) {
    return std::make_unique<HostProbe>(proc);
}

} // namespace blockloom::profile
