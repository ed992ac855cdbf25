#include "compute/fake_cuda/machine.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace blockloom::fake_cuda {

using compute::cuda::ContextPart;
using compute::cuda::EventPart;
using compute::cuda::StreamPart;

namespace {

/// As measured on an H200, docs/compute.md#cuda.
constexpr std::string_view waiting_for_the_device[] = {
    "cuMemFree_v2", "cuMemFreeHost", "cuModuleLoadData", "cuModuleUnload", "cuCtxDestroy_v2"};
constexpr std::string_view waiting_for_a_stuck_launch[] = {
    "cuLaunchKernel", "cuMemcpyAsync",      "cuMemsetD32Async",  "cuStreamWaitEvent",
    "cuEventCreate",  "cuEventRecord",      "cuEventDestroy_v2", "cuMemAlloc_v2",
    "cuMemHostAlloc", "cuModuleGetFunction"};

} // namespace

Machine& Machine::instance() {
    static auto* const machine = new Machine;
    return *machine;
}

void Machine::kernel(const std::string& entry, Body body) {
    const std::lock_guard lock(mutex_);
    bodies_[entry] = std::move(body);
}

std::size_t Machine::bytes_from(std::uint64_t address) const {
    const std::lock_guard lock(mutex_);
    auto after = blocks_.upper_bound(address);
    if (after == blocks_.begin()) return 0;
    const auto& [begin, block] = *--after;
    return address - begin < block.bytes ? block.bytes - (address - begin) : 0;
}

void Machine::release() {
    const std::lock_guard lock(mutex_);
    released_ = true;
    changed_.notify_all();
}

Live Machine::live() const {
    const std::lock_guard lock(mutex_);
    return {.contexts = contexts_.size(),
            .streams = streams_.size(),
            .events = events_.size(),
            .modules = modules_.size(),
            .links = static_cast<std::size_t>(links_),
            .blocks = blocks_.size()};
}

std::vector<std::string> Machine::mistakes() const {
    const std::lock_guard lock(mutex_);
    return mistakes_;
}

Code Machine::begin(const char* function, Context context) {
    Faults* const faults = faults_;
    if (faults == nullptr) return not_initialized;
    const Code code = faults->of_call(function);
    if (context == nullptr) return code;
    if (ends_context(code)) end(context, code);
    const std::lock_guard lock(mutex_);
    const auto is_among = [&](const auto& functions) {
        return std::ranges::find(functions, function) != std::end(functions);
    };
    const bool waits_for_device = is_among(waiting_for_the_device);
    const bool waits = waits_for_device || is_among(waiting_for_a_stuck_launch);
    if ((waits && context->stuck != 0) || (waits_for_device && has_hung_launch(context)))
        mistakes_.push_back(std::string(function) + ": waits for a launch that does not end");
    return context->poison != 0 ? context->poison : code;
}

Code Machine::mistake(const char* function, Code code) {
    const std::lock_guard lock(mutex_);
    mistakes_.push_back(std::string(function) + ": " + std::to_string(code));
    return code;
}

void Machine::end(Context context, Code code) {
    const std::lock_guard lock(mutex_);
    if (context->poison == 0) context->poison = code;
    changed_.notify_all();
}

Context Machine::make_context(int device) {
    const std::lock_guard lock(mutex_);
    auto* const made = new ContextPart{device};
    contexts_.insert(made);
    return made;
}

bool Machine::has(Context context) const {
    const std::lock_guard lock(mutex_);
    return contexts_.contains(context);
}

bool Machine::has_hung_launch(Context context) const {
    if (released_ || context->poison != 0) return false;
    const auto hangs = [&](const auto& stream) {
        return stream->context == context &&
               std::ranges::any_of(stream->queue, [](const auto& each) { return each.hangs; });
    };
    return std::ranges::any_of(streams_, hangs, [](const auto& each) { return each.second; }) ||
           std::ranges::any_of(closing_, hangs);
}

void Machine::stick(Context context) {
    Lock lock(mutex_);
    ++context->stuck;
    changed_.wait(lock, [&] { return released_.load(); });
    --context->stuck;
}

bool Machine::destroy(Context context) {
    if (has(context)) (void)begin("cuCtxDestroy_v2", context);
    Lock lock(mutex_);
    if (contexts_.erase(context) == 0) return false;
    std::vector<std::shared_ptr<StreamPart>> its;
    for (const auto& [handle, stream] : streams_)
        if (stream->context == context) its.push_back(stream);
    for (const auto& stream : closing_)
        if (stream->context == context) its.push_back(stream);
    std::erase_if(streams_, [&](const auto& each) { return each.second->context == context; });
    std::erase_if(closing_, [&](const auto& each) { return each->context == context; });
    for (const auto& stream : its) close(lock, stream);
    std::erase_if(events_, [&](const auto& each) { return each.second->context == context; });
    std::erase_if(blocks_, [&](const auto& each) {
        if (each.second.context != context) return false;
        std::free(reinterpret_cast<void*>(each.first));
        return true;
    });
    modules_.erase(context);
    delete context;
    return true;
}

void Machine::add_module(Context context, std::shared_ptr<void> module) {
    const std::lock_guard lock(mutex_);
    modules_.emplace(context, std::move(module));
}

bool Machine::destroy_module(Context context, const void* module) {
    const std::lock_guard lock(mutex_);
    return std::erase_if(modules_, [&](const auto& each) {
               return each.first == context && each.second.get() == module;
           }) != 0;
}

std::uint64_t Machine::allocate(Context context, std::size_t bytes, bool on_host) {
    constexpr std::size_t alignment = 256;
    if (!on_host && bytes > faults()->memory - device_bytes()) return 0;
    void* const memory =
        std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (memory == nullptr) return 0;
    const auto address = reinterpret_cast<std::uint64_t>(memory);
    const std::lock_guard lock(mutex_);
    blocks_[address] = {bytes, on_host, context};
    return address;
}

bool Machine::free(std::uint64_t address, bool on_host) {
    const std::lock_guard lock(mutex_);
    const auto found = blocks_.find(address);
    if (found == blocks_.end() || found->second.on_host != on_host) return false;
    std::free(reinterpret_cast<void*>(address));
    blocks_.erase(found);
    return true;
}

std::size_t Machine::device_bytes() const {
    const std::lock_guard lock(mutex_);
    std::size_t sum = 0;
    for (const auto& [address, block] : blocks_) sum += block.on_host ? 0 : block.bytes;
    return sum;
}

bool Machine::is_on_host(std::uint64_t address) const {
    const std::lock_guard lock(mutex_);
    auto after = blocks_.upper_bound(address);
    return after != blocks_.begin() && (--after)->second.on_host;
}

std::byte* Machine::bytes_at(std::uint64_t address, std::size_t bytes) const {
    return bytes_from(address) >= bytes ? reinterpret_cast<std::byte*>(address) : nullptr;
}

Stream Machine::make_stream(Context context) {
    const std::lock_guard lock(mutex_);
    auto stream = std::make_shared<StreamPart>();
    stream->context = context;
    if (!faults()->immediate) stream->worker = std::thread([this, stream] { work(*stream); });
    streams_[stream.get()] = stream;
    return stream.get();
}

bool Machine::destroy(Stream stream) {
    const std::lock_guard lock(mutex_);
    const auto found = streams_.find(stream);
    if (found == streams_.end()) return false;
    found->second->closing = true; // what is in it still runs
    closing_.push_back(std::move(found->second));
    streams_.erase(found);
    changed_.notify_all();
    return true;
}

void Machine::close(Lock& lock, const std::shared_ptr<StreamPart>& stream) {
    stream->closing = true;
    changed_.notify_all();
    if (stream->worker.joinable()) {
        lock.unlock();
        stream->worker.join();
        lock.lock();
    } else {
        work_until_empty(lock, *stream);
    }
}

bool Machine::step(Lock& lock, StreamPart& stream) {
    if (stream.busy || stream.queue.empty()) return false;
    if (stream.context->poison != 0) {
        stream.queue.clear();
        return true;
    }
    if (const Command& next = stream.queue.front(); next.blocked && next.blocked()) return false;
    const Command command = std::move(stream.queue.front());
    stream.queue.pop_front();
    stream.busy = true;
    lock.unlock();
    command.run();
    lock.lock();
    stream.busy = false;
    changed_.notify_all();
    return true;
}

void Machine::work_until_empty(Lock& lock, StreamPart& stream) {
    while (!stream.closing || !stream.queue.empty() || stream.busy)
        if (!step(lock, stream)) changed_.wait(lock);
}

void Machine::work(StreamPart& stream) {
    Lock lock(mutex_);
    work_until_empty(lock, stream);
}

bool Machine::add(Stream stream, Command command) {
    Lock lock(mutex_);
    const auto found = streams_.find(stream);
    if (found == streams_.end()) return false;
    const std::shared_ptr<StreamPart> kept = found->second;
    const bool at_once = command.at_once && kept->queue.empty();
    kept->queue.push_back(std::move(command));
    if (at_once && step(lock, *kept)) return true;
    if (kept->worker.joinable())
        changed_.notify_all();
    else
        while (step(lock, *kept)) {
        }
    return true;
}

void Machine::damage(std::uint64_t to, std::size_t bytes) {
    constexpr std::size_t stride = 97;
    std::byte* const target = bytes_at(to, bytes);
    for (std::size_t at = 0; target != nullptr && at < bytes; at += stride)
        target[at] ^= std::byte{0x10};
}

Command Machine::copying(Context context, std::uint64_t to, std::uint64_t from, std::size_t bytes,
                         bool damaged) {
    return {[=, this] {
                std::byte* const target = bytes_at(to, bytes);
                const std::byte* const source = bytes_at(from, bytes);
                if (target == nullptr || source == nullptr) return end(context, illegal_address);
                std::memcpy(target, source, bytes);
                if (damaged) damage(to, bytes);
            },
            {}};
}

Command Machine::filling(Context context, std::uint64_t to, std::uint32_t word, std::size_t words) {
    return {[=, this] {
                std::byte* const target = bytes_at(to, words * sizeof word);
                if (target == nullptr) return end(context, illegal_address);
                for (std::size_t i = 0; i < words; ++i)
                    std::memcpy(target + i * sizeof word, &word, sizeof word);
            },
            {}};
}

Command Machine::launching(Context context, const std::string& entry, Launch launch, bool lost,
                           bool hung, bool damaged) {
    Command command;
    command.run = [=, this, launch = std::move(launch)] {
        Body body;
        {
            const std::lock_guard lock(mutex_);
            if (const auto found = bodies_.find(entry); found != bodies_.end())
                body = found->second;
        }
        if (lost) return end(context, launch_failed);
        if (body) body(launch);
        for (const std::uint64_t value : launch.parameters)
            if (damaged && bytes_from(value) != 0 && is_on_host(value))
                damage(value, bytes_from(value));
    };
    if (hung) {
        command.hangs = true;
        command.blocked = [this] { return !released_; };
    }
    return command;
}

Event Machine::make_event(Context context, bool timed) {
    const std::lock_guard lock(mutex_);
    auto event = std::make_unique<EventPart>();
    event->context = context;
    event->timed = timed;
    const Event handle = event.get();
    events_[handle] = std::move(event);
    return handle;
}

bool Machine::destroy(Event event) {
    const std::lock_guard lock(mutex_);
    return events_.erase(event) != 0;
}

bool Machine::record(Event event, Stream stream) {
    Command command;
    {
        const std::lock_guard lock(mutex_);
        const auto found = events_.find(event);
        if (found == events_.end()) return false;
        command.at_once = true;
        command.run = [this, state = found->second->state,
                       mark = ++found->second->state->recorded] {
            const std::lock_guard running(mutex_);
            state->reached = mark;
            state->at = now_ns();
        };
    }
    return add(stream, std::move(command));
}

bool Machine::hold_until(Event event, Stream stream) {
    Command command;
    {
        const std::lock_guard lock(mutex_);
        const auto found = events_.find(event);
        if (found == events_.end()) return false;
        command.run = [] {};
        command.blocked = [state = found->second->state, mark = found->second->state->recorded] {
            return state->reached < mark;
        };
    }
    return add(stream, std::move(command));
}

Code Machine::query(Event event) {
    Lock lock(mutex_);
    const auto found = events_.find(event);
    if (found == events_.end()) return invalid_handle;
    if (released_ && faults()->immediate) { // a launch that hung may run now
        const auto streams = streams_;
        for (const auto& [handle, stream] : streams)
            while (step(lock, *stream)) {
            }
        if (!events_.contains(event)) return invalid_handle;
    }
    const EventPart& part = *event;
    if (part.context->poison != 0) return part.context->poison;
    return part.state->reached == part.state->recorded ? compute::cuda::success
                                                       : compute::cuda::not_ready;
}

Code Machine::elapsed(float* milliseconds, Event begin, Event end) const {
    const std::lock_guard lock(mutex_);
    if (!events_.contains(begin) || !events_.contains(end)) return invalid_handle;
    for (const Event event : {begin, end}) {
        if (!event->timed || event->state->recorded == 0) return invalid_handle;
        if (event->state->reached != event->state->recorded) return compute::cuda::not_ready;
    }
    *milliseconds =
        static_cast<float>(static_cast<double>(end->state->at - begin->state->at) / 1e6);
    return compute::cuda::success;
}

} // namespace blockloom::fake_cuda
