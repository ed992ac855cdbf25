#include "execute/device/shared_executor.h"

#include "base/contain.h"
#include "compute/errors.h"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <thread>

namespace blockloom::execute {
namespace {

/// Fewer are not worth a separate batch.
constexpr std::size_t smallest_part = 32;
/// Of its share, what a device of known throughput takes at once; one of unknown throughput.
constexpr double first_part = 0.75, first_try = 0.125;
/// Weight of the latest measurement.
constexpr double newest = 0.5;

/// Whether a device gets no more work after it (docs/execution.md).
bool means_lost(const std::string& ejection) {
    return ejection == compute::device_error_name(compute::device_lost) ||
           ejection == compute::device_error_name(compute::timed_out) ||
           ejection == compute::device_error_name(compute::corrupted);
}

} // namespace

void Shares::begin(std::size_t transactions) noexcept {
    all_ = left_ = transactions;
    for (Device& device : devices_) device.began = false;
}

double Shares::share_of(std::size_t device) const noexcept {
    double known = 0;
    std::size_t measured = 0, alive = 0;
    for (const Device& each : devices_) {
        if (each.lost) continue;
        ++alive;
        known += each.throughput;
        measured += each.throughput > 0;
    }
    const double mean = measured == 0 ? 1 : known / static_cast<double>(measured);
    const double own = devices_[device].throughput > 0 ? devices_[device].throughput : mean;
    return own / (known + mean * static_cast<double>(alive - measured));
}

std::size_t Shares::take(std::size_t device) noexcept {
    Device& own = devices_[device];
    if (own.lost || left_ == 0) return 0;
    const double share = share_of(device);
    double part = share * static_cast<double>(left_) / 2;
    if (!own.began)
        part = share * static_cast<double>(all_) * (own.throughput > 0 ? first_part : first_try);
    own.began = true;
    const std::size_t count =
        std::min(left_, std::max(smallest_part, static_cast<std::size_t>(part)));
    left_ -= count;
    return count;
}

void Shares::measured(std::size_t device, std::size_t done, Nanoseconds time) noexcept {
    Device& own = devices_[device];
    // A device that does nothing itself keeps a little, to be measured again.
    const double now = std::max<double>(static_cast<double>(done), 0.1) * 1e9 /
                       static_cast<double>(std::max<Nanoseconds>(time, 1));
    own.throughput = own.throughput > 0 ? newest * now + (1 - newest) * own.throughput : now;
}

/// A run's attempts, and how it goes.
struct SharedExecutor::Batch {
    std::span<const Attempt> attempts;
    const alkanes::TransactionOptions& options;
    const AttemptDone& done;
    std::size_t next = 0; ///< the first one not yet taken
    std::atomic<bool> enough{false};
    Status status;
};

SharedExecutor::SharedExecutor(std::vector<Device> devices, Executor& host,
                               std::vector<std::string> notes)
    : devices_(std::move(devices)), host_(host), shares_(devices_.size()),
      notes_(std::move(notes)) {}

SharedExecutor::~SharedExecutor() = default;

void SharedExecutor::follow(LiveRun* live) noexcept {
    for (const Device& device : devices_) device.executor->follow(live);
}

Status SharedExecutor::run_part(std::size_t device, Batch& batch, std::size_t first,
                                std::size_t count) {
    std::atomic<std::size_t> done{0};
    std::atomic<bool> lost{false};
    Stopwatch watch;
    const Status ran = devices_[device].executor->run(
        batch.attempts.subspan(first, count), batch.options,
        [&](unsigned worker, std::size_t i, Result<Attempted> attempted) {
            if (attempted && attempted->ejection.empty()) ++done;
            if (attempted && means_lost(attempted->ejection)) lost = true;
            const bool more = batch.done(worker, first + i, std::move(attempted));
            if (!more) batch.enough = true;
            return more;
        });
    const Nanoseconds time = watch.lap();
    const std::lock_guard lock(guard_);
    shares_.measured(device, done, time);
    if (lost) {
        shares_.lose(device);
        notes_.push_back(
            fmt::format("device {} of {} ({}) was lost; the others take over its share", device + 1,
                        devices_.size(), devices_[device].name));
    }
    return ran;
}

void SharedExecutor::serve(std::size_t device, Batch& batch) {
    while (!batch.enough) {
        std::size_t first = 0, count = 0;
        {
            const std::lock_guard lock(guard_);
            count = batch.status ? shares_.take(device) : 0;
            first = batch.next;
            batch.next += count;
        }
        if (count == 0) return;
        const Status ran = contain("device", [&] { return run_part(device, batch, first, count); });
        const std::lock_guard lock(guard_);
        if (!ran && batch.status) batch.status = ran;
    }
}

Status SharedExecutor::run(std::span<const Attempt> attempts,
                           const alkanes::TransactionOptions& options, const AttemptDone& done) {
    Batch batch{attempts, options, done, 0, false, {}};
    shares_.begin(attempts.size());
    {
        std::vector<std::jthread> threads;
        for (std::size_t device = 1; device < devices_.size(); ++device)
            threads.push_back(start_thread([&, device] { serve(device, batch); }));
        serve(0, batch);
    }
    if (!batch.status || batch.enough || batch.next == attempts.size()) return batch.status;
    const std::size_t first = batch.next;
    return host_.run(attempts.subspan(first), options,
                     [&](unsigned worker, std::size_t i, Result<Attempted> attempted) {
                         if (attempted)
                             attempted->ejection = compute::device_error_name(compute::device_lost);
                         return done(worker, first + i, std::move(attempted));
                     });
}

unsigned SharedExecutor::workers() const noexcept {
    unsigned most = host_.workers();
    for (const Device& device : devices_) most = std::max(most, device.executor->workers());
    return most;
}

double SharedExecutor::width() const noexcept {
    // A round on two devices is hardly shorter than on one: they share the host, which limits it.
    double most = host_.width();
    for (std::size_t i = 0; i < devices_.size(); ++i)
        if (!shares_.is_lost(i)) most = std::max(most, devices_[i].executor->width());
    return most;
}

std::size_t SharedExecutor::largest_batch() const noexcept {
    std::size_t all = 0;
    for (const Device& device : devices_) {
        const std::size_t own = device.executor->largest_batch();
        if (own == 0) return 0;
        all += own;
    }
    return all;
}

std::vector<std::string> SharedExecutor::take_notes() {
    std::vector<std::string> notes = std::exchange(notes_, {});
    for (const Device& device : devices_)
        for (std::string& note : device.executor->take_notes()) notes.push_back(std::move(note));
    return notes;
}

std::vector<ContractCode> SharedExecutor::contract_code() {
    std::vector<ContractCode> all;
    for (const Device& device : devices_) add(all, device.executor->contract_code());
    return all;
}

Phases SharedExecutor::take_phases() {
    Phases most;
    for (const Device& device : devices_)
        if (const Phases own = device.executor->take_phases(); own.sum() > most.sum()) most = own;
    return most;
}

} // namespace blockloom::execute
