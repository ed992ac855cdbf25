#include "execute/device/device_batch.h"

#include "alkanes/message_run.h"
#include "alkanes/precompiles.h"
#include "base/progress.h"
#include "execute/device/device_rules.h"
#include "execute/device/host_reasons.h"
#include "execute/recording.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>
#include <string>
#include <utility>

namespace blockloom::execute {
namespace {

/// Calls whose memories are on the host at once: each occupies an instance.
constexpr std::size_t chunk = 1024;
/// Calls whose responses are on their way at once.
constexpr std::size_t responses_chunk = 8192;
/// Calls that a thread looks at together.
constexpr std::size_t calls_a_part = 64;
/// Calls whose inputs one thread lays out: those of equal values share them.
constexpr std::size_t calls_laid_out = 64;

/// While it exists, workers that serve the device are recorded as laying out.
class LaysOut {
public:
    explicit LaysOut(DeviceRecording* recording) : recording_(recording) {
        if (recording_ != nullptr) recording_->set_stage(SpanName::lays_out);
    }
    ~LaysOut() {
        if (recording_ != nullptr) recording_->set_stage(SpanName::takes);
    }
    LaysOut(const LaysOut&) = delete;
    LaysOut& operator=(const LaysOut&) = delete;

private:
    DeviceRecording* recording_;
};

bool know_the_same(const DeviceCall& a, const DeviceCall& b) {
    return std::ranges::equal(a.known, b.known, [&](const auto& x, const auto& y) {
        return x.kind == y.kind && a.name_of(x) == b.name_of(y) && a.value_of(x) == b.value_of(y);
    });
}

std::uint64_t memory_of(const alkanes::MachineRun& ran) {
    return std::uint64_t{ran.pages} << 16;
}

template <typename Work>
Status in_chunks(const std::vector<std::uint32_t>& all, std::size_t most, const Work& work) {
    for (std::size_t begin = 0; begin < all.size(); begin += most)
        if (const Status done = work(std::span<const std::uint32_t>(all).subspan(
                begin, std::min(most, all.size() - begin)));
            !done)
            return done;
    return {};
}

} // namespace

DeviceBatch::DeviceBatch(const Shared& shared, gpuvm::Batch& batch,
                         std::span<DeviceCall* const> calls, std::stop_token stop)
    : shared_(shared), batch_(batch), calls_(calls), stop_(std::move(stop)), lanes_(calls.size()) {}

void DeviceBatch::launch() {
    const LaysOut stage(shared_.recording);
    started_ = start();
    if (*started_) started_ = batch_.launch();
}

Status DeviceBatch::perform(const CallsEnded& ended, const std::function<void()>& launched) {
    const Status ran = run_all(ended, launched);
    shared_.work.instructions += batch_.work().instructions;
    shared_.work.times += batch_.times();
    // Whatever has not ended by now is left to the host.
    unfinished_ = calls_.size() - count_;
    const char* code = "cancelled";
    if (!ran && ran.error().code != ErrorCode::cancelled) {
        code = compute::device_error_name(ran.error().code);
        if (*code == '\0') code = "device";
    }
    for (std::size_t i = 0; i < calls_.size(); ++i)
        if (lanes_[i] != LaneState::over) eject(static_cast<std::uint32_t>(i), code);
    if (unfinished_ != 0) ended();
    return ran;
}

Status DeviceBatch::run_all(const CallsEnded& ended, const std::function<void()>& launched) {
    const auto start_now = [&] {
        const LaysOut stage(shared_.recording);
        return start();
    };
    const Status started = started_ ? *std::move(started_) : start_now();
    if (!started) return started;
    for (bool first = true; count_ < calls_.size(); first = false) {
        const auto more = batch_.advance(stop_, first ? launched : std::function<void()>());
        if (!more) return more.error();
        record_waves();
        std::vector<std::uint32_t> returned, asking;
        const std::size_t before = count_;
        for (const gpuvm::Stop& at : batch_.stops()) {
            if (at.kind == gpuvm::StopKind::ejected) {
                eject(at.invocation, name_of(at.ejection));
            } else if (at.kind == gpuvm::StopKind::host_call) {
                asking.push_back(at.invocation);
                imports_[at.invocation] = at.import;
            } else {
                returned.push_back(at.invocation);
            }
        }
        if (shared_.few_on_host && count_ + returned.size() + asking.size() == calls_.size() &&
            asking.size() < fewest_continued)
            for (const std::uint32_t lane : std::exchange(asking, {})) {
                batch_.drop(lane);
                eject(lane, host_reasons::few_lanes);
            }
        if (returned.empty() && count_ != before) ended();
        if (const Status done = in_chunks(returned, responses_chunk,
                                          [&](auto part) { return finish(part, ended); });
            !done)
            return done;
        if (const Status done = in_chunks(asking, chunk, [&](auto part) { return answer(part); });
            !done)
            return done;
        if (!*more && returned.empty() && asking.empty() && count_ < calls_.size())
            return Error{compute::misused, "no lane is running, but not all have ended"};
    }
    return {};
}

void DeviceBatch::record_waves() {
    if (shared_.recording == nullptr) return;
    std::vector<DeviceRecording::WaveMessage> messages;
    for (const gpuvm::WaveTime& wave : batch_.wave_times()) {
        messages.clear();
        for (const gpuvm::LaneTime& lane : batch_.lane_times(wave)) {
            const DeviceCall& call = *calls_[lane.invocation];
            messages.push_back(
                {lane.end, static_cast<std::uint32_t>(call.reader.height), call.transaction});
        }
        shared_.recording->note_wave(wave.begin, wave.end, messages);
    }
}

struct DeviceBatch::Part {
    std::size_t begin = 0, end = 0; ///< its calls
    std::vector<Byte> bytes;        ///< zeros from `used` on
    std::size_t used = 0;           ///< in multiples of 4
    std::vector<gpuvm::KnownValue> values;
    const DeviceCall* last = nullptr; ///< whose values were put last, and the names of those
    std::vector<gpuvm::Piece> last_names;
    std::uint32_t last_owner = 0, owner_count = 0;
    bool unknown_program = false;                                 ///< of some of its calls
    std::size_t first_byte = 0, first_value = 0, first_owner = 0; ///< in the whole
    std::vector<ByteView> blocks; ///< until join_parts, a blob of one has its index as offset

    gpuvm::Piece put(ByteView from) {
        const gpuvm::Piece piece{static_cast<std::uint32_t>(used),
                                 static_cast<std::uint32_t>(from.size())};
        const std::size_t after = used + (from.size() + 3) / 4 * 4;
        if (after > bytes.size()) bytes.resize(std::max(after, 2 * bytes.size()));
        if (!from.empty()) std::memcpy(bytes.data() + used, from.data(), from.size());
        used = after;
        return piece;
    }
    /// The name of a call's value; most calls know values of the same names as the one before.
    gpuvm::Piece put_name(std::size_t i, std::string_view name) {
        if (i == last_names.size())
            last_names.push_back(put(as_bytes(name)));
        else if (const gpuvm::Piece& same = last_names[i];
                 same.bytes != name.size() ||
                 std::memcmp(bytes.data() + same.offset, name.data(), name.size()) != 0)
            last_names[i] = put(as_bytes(name));
        return last_names[i];
    }
    /// Neighbours that know the same values share them. What is not storage belongs to the next
    /// owner (gpuvm::Invocation::owner).
    std::uint32_t owner_of(const DeviceCall& call) {
        using Kind = ContractRead::Kind;
        if (last != nullptr && know_the_same(*last, call)) return last_owner;
        last = &call;
        last_owner = owner_count;
        owner_count += 2;
        for (std::uint32_t i = 0; i < call.known.size(); ++i) {
            const DeviceCall::Known& known = call.known[i];
            const bool counts = known.kind == Kind::sequence;
            const state::Value& value = call.value_of(known);
            const u128 counter = counts ? state::counter_of(value) : 0;
            const gpuvm::Piece name = put_name(i, call.name_of(known));
            values.push_back({last_owner + (known.kind != Kind::storage ? 1 : 0), name,
                              put(as_bytes(counts ? u128_view(counter) : value.bytes())), i});
        }
        return last_owner;
    }
    gpuvm::Piece block_of(ByteView block) {
        if (blocks.empty() || blocks.back().data() != block.data()) blocks.push_back(block);
        return {static_cast<std::uint32_t>(blocks.size() - 1),
                static_cast<std::uint32_t>(block.size())};
    }
    /// Of what precompiled contracts answer in the block.
    std::uint32_t owner_of_calls(const alkanes::Surroundings& around) {
        for (std::uint32_t n = 0; n < alkanes::precompile_count; ++n) {
            const gpuvm::Piece key = put(as_bytes(alkanes::precompile_cellpack(n)));
            values.push_back({owner_count, key,
                              put(as_bytes(alkanes::precompile_response(around, n))),
                              DeviceCall::known_call + n});
        }
        return owner_count++;
    }
};

void DeviceBatch::lay_out(Part& part, std::span<gpuvm::Invocation> invocations) {
    ByteView transaction;
    gpuvm::Piece of_transaction, of_height;
    std::uint64_t height = 0;
    constexpr std::size_t bytes_a_call = 512, values_a_call = 6; // about
    part.bytes.resize((part.end - part.begin) * bytes_a_call);
    part.values.reserve((part.end - part.begin) * values_a_call);
    const Byte* header = nullptr; // of the block whose calls have this owner
    std::uint32_t calls = gpuvm::no_owner;
    DevicePrograms::Finder programs(shared_.programs);
    for (std::size_t i = part.begin; i < part.end; ++i) {
        DeviceCall& call = *calls_[i];
        call.batch = this;
        call.lane = static_cast<std::uint32_t>(i);
        const alkanes::Surroundings& around = call.frame->run.surroundings();
        gpuvm::Invocation& to = invocations[i];
        to.program = programs.find(call);
        part.unknown_program |= to.program == DevicePrograms::unknown;
        to.function = call.contract->execute;
        to.fuel = call.fuel;
        to.values = !call.known.empty();
        if (to.values) to.owner = part.owner_of(call);
        if (call.has_known_calls()) {
            if (around.header.data() != header) {
                header = around.header.data();
                calls = part.owner_of_calls(around);
            }
            to.calls = calls;
        }
        to.blobs[static_cast<std::size_t>(Blob::context)] = part.put(as_bytes(call.context));
        if (around.transaction.data() != transaction.data()) {
            transaction = around.transaction;
            of_transaction = part.put(transaction);
        }
        to.blobs[static_cast<std::size_t>(Blob::transaction)] = of_transaction;
        if (of_height.bytes == 0 || around.height != height) {
            height = around.height;
            of_height = part.put({reinterpret_cast<const Byte*>(&height), sizeof height});
        }
        to.blobs[static_cast<std::size_t>(Blob::height)] = of_height;
        to.blobs[static_cast<std::size_t>(Blob::block)] =
            call.takes_block ? part.block_of(around.block) : gpuvm::no_blob;
    }
}

Status DeviceBatch::join_parts(std::span<Part> parts, std::span<gpuvm::Invocation> invocations) {
    const Part& last = parts.back();
    // Blocks follow what the parts have: each once, however many parts its calls are in.
    std::map<const Byte*, std::pair<ByteView, std::uint64_t>> blocks;
    std::uint64_t all = last.first_byte + last.used;
    for (const Part& part : parts)
        for (const ByteView block : part.blocks)
            if (blocks.try_emplace(block.data(), block, all).second)
                all += (block.size() + 3) / 4 * 4;
    if (all > 0xffff'ffff)
        return Error{compute::out_of_memory, "device: the inputs of a batch exceed 4 GiB"};
    const bool alone = parts.size() == 1; // what it has lies where it is to lie
    const std::size_t value_count = last.first_value + last.values.size();
    if (alone) {
        bytes_.swap(parts.front().bytes);
        values_.swap(parts.front().values);
    }
    bytes_.resize(all);
    values_.resize(value_count);
    for (const auto& [data, block] : blocks)
        std::ranges::copy(block.first, bytes_.begin() + static_cast<std::ptrdiff_t>(block.second));
    if (alone && blocks.empty()) return {};
    spread_over(shared_.spread, parts.size(), 1, [&](std::size_t p) {
        const Part& part = parts[p];
        const auto byte = static_cast<std::uint32_t>(part.first_byte);
        const auto owner = static_cast<std::uint32_t>(part.first_owner);
        if (!alone) {
            std::copy_n(part.bytes.begin(), part.used,
                        bytes_.begin() + static_cast<std::ptrdiff_t>(part.first_byte));
            for (std::size_t k = 0; k < part.values.size(); ++k) {
                gpuvm::KnownValue& value = values_[part.first_value + k] = part.values[k];
                value.owner += owner;
                value.key.offset += byte;
                value.value.offset += byte;
            }
        }
        for (std::size_t i = part.begin; i < part.end; ++i) {
            gpuvm::Invocation& to = invocations[i];
            if (to.values) to.owner += owner;
            if (to.calls != gpuvm::no_owner) to.calls += owner;
            for (const Blob blob : {Blob::context, Blob::transaction, Blob::height})
                to.blobs[static_cast<std::size_t>(blob)].offset += byte;
            if (!calls_[i]->takes_block) continue;
            std::uint32_t& block = to.blobs[static_cast<std::size_t>(Blob::block)].offset;
            block = static_cast<std::uint32_t>(blocks.at(part.blocks[block].data()).second);
        }
    });
    return {};
}

Status DeviceBatch::start() {
    const Nanoseconds begin = now_ns();
    std::vector<gpuvm::Invocation> invocations(calls_.size());
    imports_.resize(calls_.size());
    const std::size_t together =
        shared_.spread ? calls_laid_out : std::max(calls_.size(), std::size_t{1});
    std::vector<Part> parts((calls_.size() + together - 1) / together);
    spread_over(shared_.spread, parts.size(), 1, [&](std::size_t p) {
        parts[p].begin = p * together;
        parts[p].end = std::min(calls_.size(), parts[p].begin + together);
        lay_out(parts[p], invocations);
    });
    for (const Part& part : parts)
        for (std::size_t i = part.begin; part.unknown_program && i < part.end; ++i) {
            auto program = shared_.programs.number_of(*calls_[i]);
            if (!program) return program.error();
            invocations[i].program = *program;
        }
    for (std::size_t p = 1; p < parts.size(); ++p) {
        const Part& before = parts[p - 1];
        parts[p].first_byte = before.first_byte + before.used;
        parts[p].first_value = before.first_value + before.values.size();
        parts[p].first_owner = before.first_owner + before.owner_count;
    }
    if (!parts.empty())
        if (const Status joined = join_parts(parts, invocations); !joined) return joined;
    ++shared_.work.batches;
    shared_.work.calls += calls_.size();
    const Status started = batch_.start(invocations, {bytes_, values_});
    shared_.work.pack += now_ns() - begin;
    return started;
}

void DeviceBatch::Taker::take(DeviceCall& call) {
    if (call.batch != &batch_ || batch_.lanes_[call.lane] != LaneState::returned || !status_)
        return;
    const std::uint32_t lane = call.lane;
    const std::size_t before = call.reads.size();
    status_ = batch_.take_reads(lane);
    if (!status_) return;
    reads_ += call.reads.size() - before;
    batch_.batch_.read_end(lane, end_);
    alkanes::MachineRun& ran = call.ran;
    call.has_run = true;
    ran.engine = end_.on_host ? alkanes::Engine::native : batch_.shared_.programs.engine();
    ran.pages = end_.pages;
    ran.fuel_read = end_.fuel_read;
    ran.least_left = end_.least_left;
    call.submission = end_.submission;
    std::swap(ran.result, end_.run);
    bool inside = false;
    if (ran.result.outcome == wasm::Outcome::returned) {
        const auto pointer = static_cast<std::uint32_t>(ran.result.results.front());
        inside = pointer >= length_bytes && pointer <= memory_of(ran);
        if (inside) {
            if (!ran.response) ran.response.emplace();
            if (!batch_.batch_.read_kept(lane, pointer, *ran.response)) {
                batch_.lanes_[lane] = LaneState::fetched;
                fetched_.push_back(lane);
                return;
            }
        }
    }
    if (!inside) ran.response.reset();
    batch_.lanes_[lane] = LaneState::over;
    call.batch = nullptr;
    ends_.add(call, end_.on_host);
    ++ended_;
}

void DeviceBatch::Taker::finish() {
    const std::lock_guard lock(batch_.guard_);
    batch_.fetched_.insert(batch_.fetched_.end(), fetched_.begin(), fetched_.end());
    batch_.count_ += ended_;
    batch_.shared_.work.known_reads += reads_;
    batch_.shared_.programs.count(ends_);
    if (batch_.taken_) batch_.taken_ = std::move(status_);
}

/// Responses that did not come with their lanes.
Status DeviceBatch::fetch_responses(std::span<const std::uint32_t> lanes) {
    std::vector<BufferAt> wanted;
    for (const std::uint32_t lane : lanes) {
        const alkanes::MachineRun& ran = calls_[lane]->ran;
        wanted.push_back(
            {lane, static_cast<std::uint32_t>(ran.result.results.front()), memory_of(ran)});
    }
    auto responses = read_buffers(batch_, wanted);
    if (!responses) return responses.error();
    DevicePrograms::Ends ends;
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        DeviceCall& call = *calls_[lanes[i]];
        const Buffer& response = (*responses)[i];
        if (response.state == Buffer::State::too_long) {
            eject(lanes[i], "long_response");
            continue;
        }
        call.ran.response.reset();
        if (response.state == Buffer::State::there)
            call.ran.response = response.bytes.substr(length_bytes);
        lanes_[lanes[i]] = LaneState::over;
        call.batch = nullptr;
        ++count_;
        ends.add(call, call.ran.engine == alkanes::Engine::native);
    }
    shared_.programs.count(ends);
    return {};
}

Status DeviceBatch::finish(std::span<const std::uint32_t> part, const CallsEnded& ended) {
    if (const Status fetched = fetch_reads(part); !fetched) return fetched;
    for (const std::uint32_t lane : part) lanes_[lane] = LaneState::returned;
    ended();
    Taker taker(*this);
    const std::size_t before = count_;
    for (const std::uint32_t lane : part)
        if (lanes_[lane] == LaneState::returned) taker.take(*calls_[lane]); // nobody else did
    taker.finish();
    if (!taken_) return std::move(taken_);
    std::ranges::sort(fetched_);
    if (const Status fetched = fetch_responses(std::exchange(fetched_, {})); !fetched)
        return fetched;
    if (count_ != before) ended();
    return {};
}

/// Reads that the device has answered since the last call.
Status DeviceBatch::take_reads(std::uint32_t lane) {
    DeviceCall& call = *calls_[lane];
    if (call.known.empty() && !call.has_known_calls()) return {};
    const std::size_t before = call.reads.size();
    if (const Status read = batch_.read_log(lane, call.reads); !read) return read;
    if (call.reads.size() < before) return Error{compute::corrupted, "a read log became shorter"};
    for (std::size_t k = before; k < call.reads.size(); ++k) {
        const std::uint32_t id = call.reads[k];
        if (id >= DeviceCall::known_call
                ? id - DeviceCall::known_call >= alkanes::precompile_count ||
                      !call.has_known_calls()
                : id >= call.known.size())
            return Error{compute::corrupted, "a read log contains an unknown value"};
    }
    return {};
}

Status DeviceBatch::fetch_reads(std::span<const std::uint32_t> part) {
    const bool any = std::any_of(part.begin(), part.end(), [&](std::uint32_t lane) {
        return !calls_[lane]->known.empty() || calls_[lane]->has_known_calls();
    });
    return any ? batch_.fetch_reads() : Status();
}

Status DeviceBatch::take_all_reads(std::span<const std::uint32_t> part) {
    if (part.empty()) return {};
    const auto logged = [&] {
        std::size_t sum = 0;
        for (const std::uint32_t lane : part) sum += calls_[lane]->reads.size();
        return sum;
    };
    const std::size_t before = logged();
    std::vector<Status> found(part.size());
    if (const Status fetched = fetch_reads(part); !fetched) return fetched;
    spread_over(shared_.spread, part.size(), calls_a_part,
                [&](std::size_t k) { found[k] = take_reads(part[k]); });
    for (Status& each : found)
        if (!each) return std::move(each);
    shared_.work.known_reads += logged() - before;
    return {};
}

void DeviceBatch::eject(std::uint32_t lane, const char* code) {
    DeviceCall& call = *calls_[lane];
    lanes_[lane] = LaneState::over;
    call.batch = nullptr;
    ++count_;
    call.has_run = false;
    call.ejection = code;
    shared_.programs.count_ejected(call, code);
}

} // namespace blockloom::execute
