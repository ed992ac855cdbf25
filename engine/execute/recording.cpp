#include "execute/recording.h"

#include <fmt/format.h>

namespace blockloom::execute {
namespace {

std::vector<std::string> span_names() {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < phase_count; ++i)
        names.emplace_back(name_of(static_cast<Phase>(i)));
    for (const char* name : {"round",
                             "message",
                             "check",
                             "batch",
                             "upload",
                             "run",
                             "download",
                             "paused",
                             "wave",
                             "tokens moved",
                             "dry run",
                             "no result",
                             "assemble",
                             "waiting",
                             "compiled lanes",
                             "profiled lanes",
                             "begin transactions",
                             "lay out calls",
                             "take results",
                             "accept answers"})
        names.emplace_back(name);
    return names;
}

} // namespace

Recording::Recording(std::size_t most)
    : recorder_(span_names(), most), driver_(recorder_.lane("driver", profile::LaneKind::driver)) {}

void Recording::prepare(unsigned workers) {
    while (workers_.size() < workers)
        workers_.push_back(
            &recorder_.lane(fmt::format("worker {}", workers_.size()), profile::LaneKind::worker));
}

void Recording::begins(SpanName name, profile::Category category, Nanoseconds begin,
                       std::uint32_t detail, std::uint32_t height) {
    recorder_.open(driver_, begin,
                   {static_cast<std::uint16_t>(name), category, height, profile::none, detail});
}

void Recording::ends(SpanName name, profile::Category category, Nanoseconds begin, Nanoseconds end,
                     std::uint32_t detail, std::uint32_t height) {
    recorder_.close(driver_, begin, end,
                    {static_cast<std::uint16_t>(name), category, height, profile::none, detail});
    recorder_.calibrate();
}

void Recording::note(SpanName name, profile::Category category, Nanoseconds begin, Nanoseconds end,
                     std::uint32_t detail, std::uint32_t height) {
    driver_.add_ns(begin, end,
                   {static_cast<std::uint16_t>(name), category, height, profile::none, detail});
    recorder_.calibrate();
}

DeviceRecording& Recording::device(const std::string& name, const std::string& waves,
                                   unsigned first_worker) {
    profile::LaneWriter& parts = recorder_.lane(name, profile::LaneKind::device);
    profile::LaneWriter& each = recorder_.lane(waves, profile::LaneKind::wave);
    const std::scoped_lock lock(devices_guard_);
    return devices_.emplace_back(name, parts, each,
                                 recorder_.lane("profiling", profile::LaneKind::beside), *this,
                                 first_worker);
}

profile::LaneWriter& DeviceRecording::worker(unsigned number) const {
    return host_.worker(first_worker_ + number);
}

std::uint32_t DeviceRecording::launched(std::uint32_t messages) {
    const std::uint32_t number = host_.next_submission();
    activity_.launched(number, messages);
    return number;
}

void DeviceRecording::note_submission(const gpuvm::SubmissionTimes& times) {
    const std::scoped_lock lock(guard_);
    const auto label = [&](SpanName name) {
        return profile::SpanLabel{static_cast<std::uint16_t>(name), profile::Category::slice,
                                  profile::none, times.number, times.invocations};
    };
    if (times.lanes == gpuvm::Lanes::profiled)
        return profiled_.add_ns(times.begin, times.read, label(SpanName::profiled));
    const auto add = [&](SpanName name, Nanoseconds begin, Nanoseconds end) {
        parts_.add_ns(begin, end, label(name));
    };
    add(SpanName::upload, times.begin, times.uploaded);
    add(times.lanes == gpuvm::Lanes::compiled ? SpanName::lanes : SpanName::run, times.uploaded,
        times.executed);
    add(SpanName::download, times.executed, times.read);
    activity_.ended(times);
}

std::vector<LiveDevice> Recording::devices_now(Nanoseconds at) const {
    std::vector<LiveDevice> found;
    const std::scoped_lock lock(devices_guard_);
    for (const DeviceRecording& device : devices_) {
        found.push_back(device.activity().now(at, start()));
        found.back().name = device.name();
    }
    return found;
}

void DeviceRecording::note_wave(Nanoseconds begin, Nanoseconds end,
                                std::span<const WaveMessage> messages) {
    const std::scoped_lock lock(guard_);
    waves_.add_ns(begin, end,
                  {static_cast<std::uint16_t>(SpanName::wave), profile::Category::slice,
                   profile::none, profile::none, static_cast<std::uint32_t>(messages.size())});
    for (const WaveMessage& message : messages)
        waves_.add_ns(begin, message.end,
                      {static_cast<std::uint16_t>(SpanName::message), profile::Category::message,
                       message.height, message.transaction, 0});
}

void TransactionSpans::end(profile::LaneWriter& lane, std::uint64_t height,
                           std::uint32_t transaction, const Result<alkanes::TransactionResult>& ran,
                           bool dry) {
    const profile::Tick now = profile::tick();
    const auto place = static_cast<std::uint32_t>(height);
    if (!ran || dry || ran->records.empty()) {
        const SpanName name = dry ? SpanName::trial : !ran ? SpanName::refused : SpanName::tokens;
        lane.add(begins_.front(), now,
                 {static_cast<std::uint16_t>(name), profile::Category::other, place, transaction,
                  transaction});
        return;
    }
    for (std::uint32_t task = 0; task < begins_.size(); ++task)
        lane.add(begins_[task], task + 1 < begins_.size() ? begins_[task + 1] : now,
                 {static_cast<std::uint16_t>(SpanName::message), profile::Category::message, place,
                  transaction, task});
}

void Recording::note_compilations(std::span<const ContractCode> code) {
    profile::LaneWriter* lane = nullptr;
    const auto add = [&](Nanoseconds begin, Nanoseconds end, const std::string& name) {
        if (end <= start()) return; // for an earlier replay
        if (lane == nullptr) lane = &recorder_.lane("compilation", profile::LaneKind::beside);
        lane->add_ns(
            std::max(begin, start()), end,
            {recorder_.name(name), profile::Category::other, profile::none, profile::none, 0});
    };
    for (const ContractCode& contract : code)
        for (const gpuvm::CodeFacts& facts : contract.code) {
            for (const gpuvm::Compilation& made : facts.compilations)
                add(made.begin, made.end, (made.kept ? "load " : "compile ") + name_of(contract));
            if (facts.compiling_since != 0)
                add(facts.compiling_since, now_ns(), "compile " + name_of(contract));
        }
}

void Recording::tasks_of(const alkanes::BlockExecution& block) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> first;
    first.reserve(block.transactions.size());
    std::uint32_t task = 0;
    for (const alkanes::TransactionResult& result : block.transactions) {
        if (result.records.empty()) continue;
        first.emplace_back(result.transaction, task);
        task += static_cast<std::uint32_t>(result.records.size());
    }
    recorder_.set_tasks(block.height, std::move(first));
}

void Recording::accepted(std::uint64_t count) {
    recorder_.count("transactions accepted", "", static_cast<std::int64_t>(count));
}

} // namespace blockloom::execute
