#include "execute/device/device_calls.h"

#include "alkanes/context_bytes.h"
#include "alkanes/message_run.h"
#include "execute/device/device_batch.h"
#include "execute/recording.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace blockloom::execute {
namespace {

/// Longer values are not sent ahead.
constexpr std::size_t most_value = 4096;

bool goes_before(const DeviceCall* a, const DeviceCall* b) {
    return a->kind < b->kind;
}

/// By the number of their kind, which is below `kinds`; those of a kind stay in order.
std::vector<DeviceCall*> sorted_by_kind(std::vector<DeviceCall*> calls,
                                        std::span<const std::uint32_t> numbers, std::size_t kinds) {
    std::vector<std::size_t> next(kinds + 1);
    for (const std::uint32_t number : numbers) ++next[number + 1];
    if (next[numbers.front() + 1] == numbers.size()) return calls;
    std::partial_sum(next.begin(), next.end(), next.begin());
    std::vector<DeviceCall*> sorted(calls.size());
    for (std::size_t i = 0; i < calls.size(); ++i) sorted[next[numbers[i]]++] = calls[i];
    return sorted;
}

} // namespace

Result<std::unique_ptr<DeviceCalls>> DeviceCalls::make(compute::ProviderPtr provider,
                                                       const gpuvm::Options& options) {
    std::unique_ptr<DeviceCalls> calls(new DeviceCalls);
    gpuvm::Options with = options;
    with.keep_memories = false; // of a call that returned only its response is read
    if (!with.spread)
        with.spread = [self = calls.get()](std::size_t count,
                                           const std::function<void(std::size_t)>& work) {
            spread_over(self->spread, count, 1, work);
        };
    auto programs = DevicePrograms::make(std::move(provider), with);
    if (!programs) return programs.error();
    calls->programs_ = *std::move(programs);
    calls->flying_.resize(calls->programs_->batches());
    return calls;
}

DeviceCalls::~DeviceCalls() = default;

void DeviceCalls::fail(const Error& error, std::size_t calls) {
    if (failed_ && failed_->first != error.message) note_failed();
    failed_.emplace(error.message, calls + (failed_ ? failed_->second : 0));
    failure_ = error.message;
    if (error.code == compute::device_lost || error.code == compute::timed_out ||
        error.code == compute::corrupted)
        lost_ = error.message;
}

void DeviceCalls::note_failed() {
    if (failed_)
        notes_.push_back(fmt::format("device: {}; {} messages run on the host", failed_->first,
                                     failed_->second));
    failed_.reset();
}

std::vector<std::string> DeviceCalls::take_notes() {
    note_failed();
    return std::exchange(notes_, {});
}

void DeviceCalls::expect_keys(DeviceCall& call) const {
    const alkanes::Frame& frame = *call.frame;
    const auto& inputs = frame.calldata.inputs;
    call.kind = {call.contract->hash, inputs.empty() ? u128{0} : inputs.front()};
    call.kind_number = prediction_.number_of(call.kind);
    call.context.clear();
    alkanes::append_context(call.context, {frame.myself, frame.caller, frame.run.vout()},
                            frame.calldata.incoming, frame.calldata.inputs);
    call.known.clear();
    call.is_fetched = false;
    call.takes_block = false;
    if (frame.run.surroundings().record) return; // the host answers all
    state::Overlay& overlay = frame.run.overlay();
    prediction_.expect(call.kind, call.reader, [&](ContractRead::Kind kind, std::string_view name) {
        if (kind == ContractRead::Kind::block) {
            call.takes_block = true;
            return;
        }
        call.known.push_back({kind, overlay.expect(call.key_of(kind, name))});
    });
}

void DeviceCalls::expect_values(const DeviceCall& call) const noexcept {
    const state::Overlay& overlay = call.frame->run.overlay();
    for (const DeviceCall::Known& known : call.known) overlay.expect_value(known.key);
}

void DeviceCalls::fetch_values(DeviceCall& call) const {
    state::Overlay& overlay = call.frame->run.overlay();
    std::erase_if(call.known, [&](const DeviceCall::Known& known) {
        return !overlay.fetch_ahead(known.key) || overlay.value_at(known.key).size() > most_value;
    });
    call.is_fetched = true;
}

DeviceCalls::Flight::Flight(DeviceCalls& of) : of_(of) {
    const std::lock_guard lock(of.guard_);
    const auto free = std::ranges::find(of.flying_, false);
    number_ = static_cast<unsigned>(free - of.flying_.begin());
    *free = true;
}

DeviceCalls::Flight::~Flight() {
    batch_.reset(); // it uses the one of this number
    const std::lock_guard lock(of_.guard_);
    of_.flying_[number_] = false;
}

bool DeviceCalls::Flight::has_landed() const {
    return batch_->has_landed();
}

bool DeviceCalls::sort_known(std::vector<DeviceCall*>& calls, const Spread& among) const {
    if (calls.empty()) return true;
    std::vector<std::uint32_t> numbers(calls.size());
    spread_over(among, calls.size(), 64,
                [&](std::size_t i) { numbers[i] = calls[i]->kind_number; });
    if (std::ranges::find(numbers, AccessPrediction::unmet) != numbers.end()) return false;
    // Neighbouring lanes run the same instructions.
    calls = sorted_by_kind(std::move(calls), numbers, prediction_.count());
    return true;
}

std::unique_ptr<DeviceBatch> DeviceCalls::batch_of(Flight& flight,
                                                   std::span<DeviceCall* const> calls) {
    static const Spread alone;
    // No other batch may hold lanes then.
    if (!flight.apart_ && std::ranges::count(flying_, true) == 1) programs_->make_room();
    return std::make_unique<DeviceBatch>(
        DeviceBatch::Shared{*programs_, flight.lessons_, flight.work_,
                            flight.apart_ ? alone : spread, flight.apart_ ? nullptr : recording,
                            few_on_host},
        programs_->batch(flight.number_), calls, flight.stop_);
}

std::unique_ptr<DeviceCalls::Flight> DeviceCalls::launch_apart(std::vector<DeviceCall*> calls,
                                                               std::vector<DeviceCall*>& unknown,
                                                               const std::stop_token& stop) {
    bool is_lost = false;
    {
        const std::lock_guard lock(guard_);
        is_lost = !lost_.empty();
    }
    DevicePrograms::Finder programs(*programs_);
    std::erase_if(calls, [&](DeviceCall* const call) {
        if (!is_lost && call->kind_number != AccessPrediction::unmet &&
            programs.find(*call) != DevicePrograms::unknown)
            return false;
        unknown.push_back(call);
        return true;
    });
    if (calls.empty()) return nullptr;
    (void)sort_known(calls, {});
    std::unique_ptr<Flight> flight(new Flight(*this));
    flight->apart_ = true;
    flight->stop_ = stop;
    flight->calls_ = std::move(calls);
    flight->batch_ = batch_of(*flight, flight->calls_);
    flight->batch_->launch();
    return flight;
}

bool DeviceCalls::upload_programs(std::span<DeviceCall* const> calls) {
    if (!lost_.empty()) return false;
    programs_->make_room();
    return std::ranges::all_of(calls, [&](const DeviceCall* call) {
        return static_cast<bool>(programs_->number_of(*call));
    });
}

std::unique_ptr<DeviceCalls::Flight> DeviceCalls::launch(std::vector<DeviceCall*> calls,
                                                         const std::stop_token& stop) {
    std::unique_ptr<Flight> flight(new Flight(*this));
    flight->stop_ = stop;
    const bool known = sort_known(calls, spread);
    if (!known) std::stable_sort(calls.begin(), calls.end(), goes_before);
    flight->calls_ = std::move(calls);
    if (most_flights() == 1 || !known || !lost_.empty() || flight->calls_.size() > most_calls())
        return flight;
    flight->batch_ = batch_of(*flight, flight->calls_);
    flight->batch_->launch();
    return flight;
}

Status DeviceCalls::finish(std::unique_ptr<Flight> flight, const CallsEnded& ended,
                           const std::function<void()>& launched) {
    Status status;
    if (flight->batch_)
        status = perform(*flight, *flight->batch_, ended, launched);
    else
        status = run_batches(*flight, flight->calls_, ended, launched);
    if (flight->apart_) return status;
    for (std::string& note : programs_->take_compiled()) notes_.push_back(std::move(note));
    return status;
}

Status DeviceCalls::run_batches(Flight& flight, std::span<DeviceCall* const> calls,
                                const CallsEnded& ended, std::function<void()> launched) {
    const std::size_t most = most_calls();
    Status status;
    for (std::size_t begin = 0; begin < calls.size(); begin += most) {
        const auto part = calls.subspan(begin, std::min(most, calls.size() - begin));
        if (!status || !lost_.empty()) {
            for (DeviceCall* const call : part) {
                call->ejection = status ? "device_lost" : "cancelled";
                programs_->count_ejected(*call, call->ejection.c_str());
            }
            ended();
            continue;
        }
        status = perform(flight, *batch_of(flight, part), ended, std::exchange(launched, {}));
    }
    return status;
}

/// Fails if the work is cancelled.
Status DeviceCalls::perform(Flight& flight, DeviceBatch& batch, const CallsEnded& ended,
                            const std::function<void()>& launched) {
    const Status ran = batch.perform(ended, launched);
    const std::lock_guard lock(guard_);
    if (flight.apart_) std::swap(flight.work_.pack, flight.work_.pack_apart);
    if (const Nanoseconds busy = flight.work_.times.busy(); busy != 0)
        shortest_flight_ = shortest_flight_ == 0 ? busy : std::min(shortest_flight_, busy);
    work_ += std::exchange(flight.work_, {});
    if (flight.apart_) {
        for (auto& read : flight.lessons_.reads) lessons_.reads.push_back(std::move(read));
        flight.lessons_ = {};
    } else {
        prediction_.learn(flight.lessons_);
    }
    if (ran) return {};
    if (recording != nullptr) recording->activity().abandoned();
    if (ran.error().code == ErrorCode::cancelled) return ran;
    fail(ran.error(), batch.unfinished());
    return {};
}

} // namespace blockloom::execute
