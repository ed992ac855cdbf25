#include "execute/device/device_executor.h"

#include "alkanes/host_functions.h"
#include "alkanes/transaction_run.h"
#include "base/contain.h"
#include "base/prefetch.h"
#include "execute/device/device_batch.h"
#include "execute/device/host_reasons.h"
#include "execute/device/worker_flights.h"
#include "execute/live_run.h"
#include "execute/recording.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <fmt/format.h>
#include <map>

namespace blockloom::execute {
namespace {

/// Sets a variable for the time of a scope, and clears it at the end.
template <typename T, typename Variable = T> class SetWhile {
public:
    SetWhile(Variable& variable, T value) : variable_(variable) { variable_ = value; }
    ~SetWhile() { variable_ = T(); }
    SetWhile(const SetWhile&) = delete;
    SetWhile& operator=(const SetWhile&) = delete;

private:
    Variable& variable_;
};

} // namespace

DeviceExecutor::DeviceExecutor(std::unique_ptr<DeviceCalls> device, CpuExecutor& host,
                               WorkerPool& pool,
                               const std::shared_ptr<alkanes::Contracts>& contracts,
                               alkanes::Engine engine, bool fallback, bool hybrid, bool flows)
    : device_(std::move(device)), host_(host), pool_(pool), fallback_(fallback), hybrid_(hybrid),
      flows_(flows) {
    const std::size_t parts = std::size_t{parts_a_worker} * pool.workers();
    for (std::size_t i = 0; i < parts; ++i)
        parts_.push_back(std::make_unique<DevicePart>(contracts, engine, most_waiting / parts + 1));
    device_->few_on_host = hybrid_;
    device_->spread = [this](std::size_t count, const std::function<void(std::size_t)>& work) {
        if (apart_.load(std::memory_order_relaxed)) {
            for (std::size_t i = 0; i < count; ++i) work(i);
            return;
        }
        DeviceRecording* const recording = device_->recording;
        pool_.each(count, 1, [&](unsigned worker, std::size_t from, std::size_t to) {
            const WorkerSpan span(recording, worker,
                                  recording == nullptr ? SpanName::takes : recording->stage(),
                                  to - from);
            for (std::size_t i = from; i < to; ++i) work(i);
        });
    };
}

DeviceExecutor::~DeviceExecutor() = default;

void DeviceExecutor::follow(LiveRun* live) noexcept {
    live_ = live;
    host_.follow(live);
    for (const auto& part : parts_) part->live = live;
}

/// The workers' share of a round, in as many pieces as the device has waves.
class DeviceExecutor::Rest {
public:
    Rest(DeviceExecutor& of, std::span<const Attempt> attempts, std::size_t first,
         std::size_t pieces, const alkanes::TransactionOptions& options, const AttemptDone& done)
        : of_(of), attempts_(attempts), first_(first), pieces_(pieces), options_(options),
          done_(done) {}

    /// Runs the next piece.
    void run_piece() { run_to(attempts_.size() * ++piece_ / pieces_); }
    /// Runs what is left.
    Status finish() {
        run_to(attempts_.size());
        return std::move(status_);
    }

private:
    void run_to(std::size_t end) {
        end = std::min(end, attempts_.size());
        if (next_ >= end || !status_) return;
        const std::size_t begin = std::exchange(next_, end);
        // A wave is running: what fails here ends the run only once the wave has ended.
        status_ = contain("executing the workers' share", [&] {
            return of_.run_on_host(attempts_.subspan(begin, end - begin), first_ + begin, options_,
                                   done_, host_reasons::workers_share);
        });
    }

    DeviceExecutor& of_;
    std::span<const Attempt> attempts_;
    std::size_t first_; ///< place of the first one in the round
    std::size_t pieces_, piece_ = 0, next_ = 0;
    const alkanes::TransactionOptions& options_;
    const AttemptDone& done_;
    Status status_;
};

std::size_t DeviceExecutor::share_of(std::size_t attempts) noexcept {
    if (attempts < fewest_offered) return 0;
    if (!hybrid_) return attempts;
    if (flies_apart()) return whole_.to_device(attempts, device_->shortest_flight()) ? attempts : 0;
    return placement_.device_share(attempts);
}

Status DeviceExecutor::run(std::span<const Attempt> attempts,
                           const alkanes::TransactionOptions& options, const AttemptDone& done) {
    const std::size_t share = share_of(attempts.size());
    if (share == 0) {
        placement_.note_declined();
        return run_on_host(attempts, 0, options, done, host_reasons::small_round);
    }
    std::atomic<bool> enough{false};
    const AttemptDone pass_on = [&](unsigned worker, std::size_t i, Result<Attempted>&& attempted) {
        const bool more = done(worker, i, std::move(attempted));
        if (!more) enough.store(true, std::memory_order_relaxed);
        return more;
    };
    std::size_t offered = lacks_code_ ? std::min(share, offered_meanwhile) : share;
    Rest rest(*this, attempts.subspan(share), share, waves_of(offered), options, pass_on);
    Stopwatch watch;
    const Nanoseconds busy_before = device_->work().times.busy();
    Nanoseconds waited = 0;
    if (const Status ran =
            run_waves(attempts.first(offered), options, pass_on, enough, rest, offered, waited);
        !ran)
        return ran;
    const Nanoseconds took = watch.lap();
    const Nanoseconds busy = device_->work().times.busy() - busy_before;
    if (!lacks_code_ && flies_apart() && !enough && busy != 0)
        whole_.note(true, attempts.size(), took);
    if (!lacks_code_ && !flies_apart())
        placement_.note_device(offered, took - waited, std::min(waited, busy));
    if (enough) return {};
    if (const Status ran = rest.finish(); !ran) return ran;
    if (enough || offered == share) return {};
    return run_on_host(attempts.subspan(offered, share - offered), offered, options, done,
                       host_reasons::no_code);
}

Status DeviceExecutor::run_on_host(std::span<const Attempt> attempts, std::size_t first,
                                   const alkanes::TransactionOptions& options,
                                   const AttemptDone& done, const char* why) {
    Stopwatch watch;
    const Status ran = host_.run(
        attempts, options, [&](unsigned worker, std::size_t i, Result<Attempted>&& attempted) {
            if (attempted) attempted->not_offered = why;
            return done(worker, first + i, std::move(attempted));
        });
    const Nanoseconds took = watch.lap();
    placement_.note_host(attempts.size(), took);
    if (ran) whole_.note(false, attempts.size(), took);
    return ran;
}

std::size_t DeviceExecutor::waves_of(std::size_t attempts) const noexcept {
    const std::size_t least = std::max(smallest_wave, attempts_a_worker * pool_.workers());
    const std::size_t waves = device_->most_flights() == 1 ? 1 : attempts / least;
    return std::max<std::size_t>({waves, (attempts + most_waiting - 1) / most_waiting, 1});
}

/// The same part has the same range of a wave's transactions and, unless another worker takes it
/// over, the same worker.
template <typename Work>
void DeviceExecutor::each_part(std::size_t parts, const std::stop_token& stop, const Work& work) {
    if (live_ != nullptr) live_->gate().pass(stop);
    pool_.each(parts, 1, [&](unsigned worker, std::size_t from, std::size_t to) {
        const Nanoseconds began = live_ == nullptr ? 0 : now_ns();
        for (std::size_t p = from; p < to; ++p) work(worker, p);
        if (live_ != nullptr) live_->worked(worker, now_ns() - began);
    });
}

void DeviceExecutor::meet_unknown(const std::stop_token& stop, const AttemptDone& done,
                                  std::atomic<bool>& settled) {
    if (std::ranges::none_of(parts_, [](const auto& part) { return part->has_unmet; })) return;
    std::map<CallKind, std::size_t> met;
    std::vector<DevicePart::Transactions> first(parts_.size());
    // One of each part in turn: the workers share them.
    for (std::size_t i = 0, seen = 1; seen != 0; ++i) {
        seen = 0;
        for (std::size_t p = 0; p < parts_.size(); ++p) {
            auto& waiting = parts_[p]->waiting;
            if (i >= waiting.size()) continue;
            ++seen;
            const DeviceCall& call = waiting[i]->call;
            if (call.kind_number == AccessPrediction::unmet && met[call.kind]++ < first_of_a_kind)
                first[p].push_back(std::move(waiting[i]));
        }
    }
    std::vector<AccessPrediction::Lessons> shown(parts_.size());
    each_part(parts_.size(), stop, [&](unsigned worker, std::size_t p) {
        DevicePart& part = *parts_[p];
        std::erase(part.waiting, nullptr);
        TransactionSpans spans;
        const SetWhile<alkanes::TaskWatch*> watched(part.runtime.tasks, &spans);
        for (std::unique_ptr<DeviceTransaction>& run : first[p]) {
            spans.begin();
            run->show(shown[p]);
            if (device_->recording != nullptr)
                spans.end(device_->recording->worker(worker), run->call.reader.height,
                          run->call.transaction, *run->result, false);
            part.look(std::move(run), worker, done, settled);
        }
    });
    for (AccessPrediction::Lessons& lessons : shown) device_->learn(lessons);
    each_part(parts_.size(), stop, [&](unsigned, std::size_t p) {
        for (const std::unique_ptr<DeviceTransaction>& run : parts_[p]->waiting)
            if (run->call.kind_number == AccessPrediction::unmet) device_->look_ahead(run->call);
        parts_[p]->has_unmet = false;
    });
}

Status DeviceExecutor::run_flights(std::span<const Attempt> attempts,
                                   const alkanes::TransactionOptions& options,
                                   const AttemptDone& done, std::atomic<bool>& settled) {
    if (live_ != nullptr) live_->gate().pass(options.stop);
    const SetWhile<bool, std::atomic<bool>> apart(apart_, true);
    WorkerFlights flights(*device_, parts_, pool_, live_);
    const Status ran = flights.run(attempts, options, done, settled);
    if (!ran || settled) return ran;
    meet_unknown(options.stop, done, settled);
    std::vector<DeviceCall*> left;
    for (const auto& part : parts_)
        for (const std::unique_ptr<DeviceTransaction>& run : part->waiting)
            left.push_back(&run->call);
    if (left.empty() || settled || !device_->upload_programs(left)) return ran;
    return flights.run({}, options, done, settled);
}

Status DeviceExecutor::run_waves(std::span<const Attempt> attempts,
                                 const alkanes::TransactionOptions& options,
                                 const AttemptDone& done, std::atomic<bool>& settled, Rest& rest,
                                 std::size_t& offered, Nanoseconds& waited) {
    for (const auto& part : parts_) part->clear(); // of a run that an exception ended
    const std::size_t count = attempts.size();
    std::size_t waves = waves_of(count);
    offered = 0;
    Status status;
    if (flies_apart() && !lacks_code_) {
        status = run_flights(attempts, options, done, settled);
        offered = count;
        waves = 0;
    }
    const auto begin = [&](std::size_t from, std::size_t to) {
        const std::size_t parts =
            std::min(parts_.size(), (to - from + begun_together - 1) / begun_together);
        each_part(parts, options.stop, [&](unsigned worker, std::size_t p) {
            DevicePart& part = *parts_[p];
            const std::size_t first = from + (to - from) * p / parts;
            const std::size_t end = from + (to - from) * (p + 1) / parts;
            const WorkerSpan span(device_->recording, worker, SpanName::begins, end - first);
            for (std::size_t i = first; i < end; ++i) {
                if (settled.load(std::memory_order_relaxed)) break;
                if (live_ != nullptr) live_->gate().pass(options.stop);
                if (i + 1 < end) expect(attempts[i + 1]);
                auto run = part.take_transaction();
                run->begin(i, attempts[i], options, *device_);
                part.look(std::move(run), worker, done, settled);
            }
            part.fetch_rest();
        });
    };
    Nanoseconds launched_at = 0; // until the first results are there
    const auto finish = [&](std::unique_ptr<DeviceCalls::Flight> flight, unsigned wave) {
        const auto resume = [&] {
            if (launched_at != 0) waited += now_ns() - std::exchange(launched_at, 0);
            each_part(parts_.size(), options.stop, [&](unsigned worker, std::size_t p) {
                const auto& asked = parts_[p]->asked[wave];
                WorkerSpan span(device_->recording, worker, SpanName::accepts, asked.size());
                parts_[p]->resume(wave, worker, done, settled);
                span.without(asked.size());
            });
        };
        const Status ran = device_->finish(std::move(flight), resume, [&] {
            launched_at = now_ns();
            rest.run_piece();
        });
        if (!ran && status) status = ran;
    };
    const auto without_code = [&] {
        std::size_t sum = 0;
        for (const auto& part : parts_)
            for (const DevicePart::Ejected& each : part->ejected)
                sum += each.why == gpuvm::name_of(gpuvm::Ejection::compiling) ? 1 : 0;
        return sum;
    };
    std::array<std::unique_ptr<DeviceCalls::Flight>, DevicePart::most_waves> flights;
    const auto finish_flight = [&](unsigned wave) {
        if (!flights[wave]) return;
        finish(std::move(flights[wave]), wave);
        lacks_code_ = 2 * without_code() > offered;
    };
    const unsigned depth = std::min(device_->most_flights(), DevicePart::most_waves);
    std::size_t begun = 0; // waves
    for (unsigned now = 0;; now = (now + 1) % depth) {
        finish_flight(now);
        const bool more = begun < waves && status && !settled && (begun == 0 || !lacks_code_);
        if (more) {
            begin(offered, count * (begun + 1) / waves);
            offered = count * ++begun / waves;
        }
        meet_unknown(options.stop, done, settled);
        std::vector<DeviceCall*> calls;
        for (const auto& part : parts_) {
            part->asked[now].swap(part->waiting);
            for (const std::unique_ptr<DeviceTransaction>& run : part->asked[now])
                calls.push_back(&run->call);
        }
        if (!calls.empty()) {
            if (live_ != nullptr) live_->gate().pass(options.stop);
            flights[now] = device_->launch(std::move(calls), options.stop);
            // The next wave's calls are given what this one learns of their kinds.
            if (!flights[now]->is_launched()) finish_flight(now);
        } else if (!more && std::ranges::none_of(
                                flights, &std::unique_ptr<DeviceCalls::Flight>::operator bool)) {
            break;
        }
    }
    lacks_code_ = 2 * without_code() > offered;
    std::vector<DevicePart::Ejected> ejected;
    for (const auto& part : parts_) {
        std::move(part->ejected.begin(), part->ejected.end(), std::back_inserter(ejected));
        part->ejected.clear();
    }
    if (!status) return status;
    if (!fallback_ && !device_->failure().empty())
        return Error{ErrorCode::unavailable,
                     "device: " + device_->failure() + " (fallback to the host is disabled)"};
    return settled ? Status() : redo(attempts, std::move(ejected), options, done);
}

Status DeviceExecutor::redo(std::span<const Attempt> attempts,
                            std::vector<DevicePart::Ejected> ejected,
                            const alkanes::TransactionOptions& options, const AttemptDone& done) {
    std::vector<Attempt> again;
    for (const DevicePart::Ejected& each : ejected) again.push_back(attempts[each.place]);
    return host_.run(again, options,
                     [&](unsigned worker, std::size_t i, Result<Attempted> attempted) {
                         if (attempted) attempted->ejection = std::move(ejected[i].why);
                         return done(worker, ejected[i].place, std::move(attempted));
                     });
}

Phases DeviceExecutor::take_phases() {
    const DeviceWork& now = device_->work();
    Phases phases;
    phases[Phase::pack] =
        now.pack - reported_.pack + (now.pack_apart - reported_.pack_apart) / pool_.workers();
    phases[Phase::upload] = now.times.upload - reported_.times.upload;
    phases[Phase::download] =
        now.times.readback + now.times.pages - reported_.times.readback - reported_.times.pages;
    reported_ = now;
    return phases;
}

} // namespace blockloom::execute
