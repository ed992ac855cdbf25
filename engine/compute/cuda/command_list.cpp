#include "compute/cuda/command_list.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>

namespace blockloom::compute::cuda {

CudaCommandList::~CudaCommandList() {
    keep_events();
    for (const Event event : spare_) core_->give_event(event, true);
}

void CudaCommandList::keep_events() {
    for (const auto& command : commands_)
        if (const auto* stamp = std::get_if<Stamp>(&command))
            if (stamp->event != nullptr) spare_.push_back(stamp->event);
}

Status CudaCommandList::clear() {
    const bool is_idle = idle();
    if (Status fine = core_->alive(); !fine) return fine;
    if (!is_idle) return Error{misused, "command list: cleared while it is running"};
    keep_events();
    commands_.clear();
    wrong_.reset();
    ended_ = false;
    last_value_ = 0;
    return {};
}

void CudaCommandList::wrong(const std::string& what) {
    if (!wrong_) wrong_ = Error{misused, "command list: " + what};
}

bool CudaCommandList::fits(const BufferPtr& buffer, std::uint64_t offset, std::uint64_t bytes,
                           const char* what) {
    if (ended_)
        wrong("recorded after it was submitted; clear() it first");
    else if (!buffer || buffer->owner() != core_.get())
        wrong(fmt::format("{}: {}", what, buffer ? "a buffer of another provider" : "no buffer"));
    else if (offset > buffer->bytes() || bytes > buffer->bytes() - offset)
        wrong(fmt::format("{}: bytes {} + {} of a buffer of {}", what, offset, bytes,
                          buffer->bytes()));
    else
        return true;
    return false;
}

void CudaCommandList::copy(const BufferPtr& from, std::uint64_t from_offset, const BufferPtr& to,
                           std::uint64_t to_offset, std::uint64_t bytes) {
    if (!fits(from, from_offset, bytes, "copy from") || !fits(to, to_offset, bytes, "copy to"))
        return;
    if (bytes == 0) return;
    if (from == to && from_offset < to_offset + bytes && to_offset < from_offset + bytes)
        return wrong("copy: the ranges overlap");
    commands_.emplace_back(
        Copy{from, to, from->address() + from_offset, to->address() + to_offset, bytes});
}

void CudaCommandList::fill(const BufferPtr& to, std::uint64_t offset, std::uint64_t bytes,
                           std::uint32_t word) {
    if (!fits(to, offset, bytes, "fill")) return;
    if (offset % 4 != 0 || bytes % 4 != 0)
        return wrong(fmt::format("fill: {} + {} bytes, expected multiples of 4", offset, bytes));
    if (bytes != 0) commands_.emplace_back(Fill{to, to->address() + offset, bytes / 4, word});
}

void CudaCommandList::dispatch(const KernelPtr& kernel, std::span<const Binding> bindings,
                               std::span<const std::byte> push, Groups groups) {
    if (lane_ == Lane::transfer) return wrong("dispatch: not allowed on the transfer lane");
    if (!kernel || kernel->owner() != core_.get() ||
        !static_cast<const CudaKernel&>(*kernel).is_of(core_))
        return wrong("dispatch: not a kernel of this device");
    if (bindings.size() != kernel->buffers() || push.size() != kernel->push_bytes())
        return wrong(fmt::format("dispatch of {}: {} buffers and {} push bytes, expected {} and {}",
                                 kernel->name(), bindings.size(), push.size(), kernel->buffers(),
                                 kernel->push_bytes()));
    Launch launch;
    launch.kernel = std::static_pointer_cast<const CudaKernel>(kernel);
    for (const Binding& binding : bindings) {
        const std::uint64_t bytes = binding.bytes != whole_buffer ? binding.bytes
                                    : binding.buffer && binding.offset < binding.buffer->bytes()
                                        ? binding.buffer->bytes() - binding.offset
                                        : 1;
        if (!fits(binding.buffer, binding.offset, bytes, "dispatch")) return;
        if (bytes == 0 || binding.offset % 256 != 0)
            return wrong(fmt::format("dispatch of {}: binding {} of {} bytes at {}, expected 1 or "
                                     "more at a multiple of 256",
                                     kernel->name(), launch.addresses.size(), bytes,
                                     binding.offset));
        launch.kept.push_back(binding);
        launch.addresses.push_back(binding.buffer->address() + binding.offset);
    }
    launch.words.resize(push.size() / 4);
    if (!push.empty()) std::memcpy(launch.words.data(), push.data(), push.size() / 4 * 4);
    launch.groups = groups;
    if (groups.x != 0 && groups.y != 0 && groups.z != 0) commands_.emplace_back(std::move(launch));
}

void CudaCommandList::timestamp(std::string label) {
    if (ended_) return wrong("recorded after it was submitted; clear() it first");
    commands_.emplace_back(Stamp{std::move(label)});
}

bool CudaCommandList::has_new_kernel() const {
    return std::ranges::any_of(commands_, [](const auto& command) {
        const auto* launch = std::get_if<Launch>(&command);
        return launch != nullptr && !launch->kernel->was_launched();
    });
}

Status CudaCommandList::play(Stream stream, std::shared_ptr<const Origin> origin) {
    const Driver& driver = *core_->driver;
    origin_ = std::move(origin);
    for (auto& command : commands_) {
        Code code = success;
        const char* what = "a copy";
        if (const auto* copy = std::get_if<Copy>(&command)) {
            code = driver.copy(copy->at_to, copy->at_from, copy->bytes, stream);
        } else if (const auto* fill = std::get_if<Fill>(&command)) {
            code = driver.fill(fill->at, fill->word, fill->words, stream);
        } else if (auto* launch = std::get_if<Launch>(&command)) {
            what = "a launch";
            std::vector<void*> parameters;
            for (Pointer& address : launch->addresses) parameters.push_back(&address);
            for (std::uint32_t& word : launch->words) parameters.push_back(&word);
            code = driver.launch(launch->kernel->function(), launch->groups.x, launch->groups.y,
                                 launch->groups.z, launch->kernel->threads(), 1, 1, 0, stream,
                                 parameters.data(), nullptr);
            if (code == success) launch->kernel->launched();
        } else if (auto* stamp = std::get_if<Stamp>(&command)) {
            what = "a timestamp";
            if (stamp->event == nullptr && !spare_.empty()) {
                stamp->event = spare_.back();
                spare_.pop_back();
            }
            if (stamp->event == nullptr) {
                auto event = core_->take_event(true);
                if (!event) return event.error();
                stamp->event = *event;
            }
            code = driver.event_record(stamp->event, stream);
        }
        if (code != success) return core_->failed(code, what);
    }
    return {};
}

Result<std::vector<Timestamp>> CudaCommandList::timestamps() const {
    const bool ended = last_value_ != 0 && idle();
    if (Status fine = core_->alive(); !fine) return fine.error();
    if (!ended)
        return Error{misused, "command list: timestamps requested before the submission is done"};
    std::vector<Timestamp> taken;
    if (!origin_) return taken;
    const Core::Current current(*core_);
    for (const auto& command : commands_) {
        const auto* stamp = std::get_if<Stamp>(&command);
        if (stamp == nullptr) continue;
        float after = 0;
        if (const Code code = core_->driver->event_elapsed(&after, origin_->event, stamp->event);
            code != success)
            return core_->failed(code, "a timestamp");
        taken.push_back({stamp->label, origin_->at + std::llround(double{after} * 1e6)});
    }
    return taken;
}

} // namespace blockloom::compute::cuda
