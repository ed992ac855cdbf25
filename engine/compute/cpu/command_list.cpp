#include "compute/cpu/command_list.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace blockloom::compute {

Status CpuCommandList::clear() {
    if (!idle()) return Error{misused, "command list: cleared while it is running"};
    commands_.clear();
    taken_.clear();
    wrong_.reset();
    ended_ = false;
    last_value_ = 0;
    return {};
}

void CpuCommandList::wrong(const std::string& what) {
    if (!wrong_) wrong_ = Error{misused, "command list: " + what};
}

bool CpuCommandList::fits(const BufferPtr& buffer, std::uint64_t offset, std::uint64_t bytes,
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

void CpuCommandList::copy(const BufferPtr& from, std::uint64_t from_offset, const BufferPtr& to,
                          std::uint64_t to_offset, std::uint64_t bytes) {
    if (!fits(from, from_offset, bytes, "copy from") || !fits(to, to_offset, bytes, "copy to"))
        return;
    if (bytes == 0) return;
    if (from == to && from_offset < to_offset + bytes && to_offset < from_offset + bytes)
        return wrong("copy: the ranges overlap");
    commands_.push_back(
        {[=] {
             std::memcpy(reinterpret_cast<void*>(to->address() + to_offset),
                         reinterpret_cast<const void*>(from->address() + from_offset), bytes);
         },
         {}});
}

void CpuCommandList::fill(const BufferPtr& to, std::uint64_t offset, std::uint64_t bytes,
                          std::uint32_t word) {
    if (!fits(to, offset, bytes, "fill")) return;
    if (offset % 4 != 0 || bytes % 4 != 0)
        return wrong(fmt::format("fill: {} + {} bytes, expected multiples of 4", offset, bytes));
    commands_.push_back({[=] {
                             auto* at = reinterpret_cast<std::uint32_t*>(to->address() + offset);
                             std::fill_n(at, bytes / 4, word);
                         },
                         {}});
}

void CpuCommandList::dispatch(const KernelPtr& kernel, std::span<const Binding> bindings,
                              std::span<const std::byte> push, Groups groups) {
    if (lane_ == Lane::transfer) return wrong("dispatch: not allowed on the transfer lane");
    if (!kernel || kernel->owner() != core_.get())
        return wrong("dispatch: not a kernel of this device");
    if (bindings.size() != kernel->buffers() || push.size() != kernel->push_bytes())
        return wrong(fmt::format("dispatch of {}: {} buffers and {} push bytes, expected {} and {}",
                                 kernel->name(), bindings.size(), push.size(), kernel->buffers(),
                                 kernel->push_bytes()));
    std::vector<std::span<std::byte>> views;
    for (const Binding& binding : bindings) {
        const std::uint64_t bytes = binding.bytes != whole_buffer ? binding.bytes
                                    : binding.buffer && binding.offset < binding.buffer->bytes()
                                        ? binding.buffer->bytes() - binding.offset
                                        : 1;
        if (!fits(binding.buffer, binding.offset, bytes, "dispatch")) return;
        if (bytes == 0 || binding.offset % 256 != 0)
            return wrong(fmt::format("dispatch of {}: binding {} of {} bytes at {}, expected 1 or "
                                     "more at a multiple of 256",
                                     kernel->name(), views.size(), bytes, binding.offset));
        views.emplace_back(reinterpret_cast<std::byte*>(binding.buffer->address() + binding.offset),
                           bytes);
    }
    commands_.push_back(
        {[this, kernel, groups, views = std::move(views),
          kept = std::vector<Binding>(bindings.begin(), bindings.end()),
          pushed = std::vector<std::byte>(push.begin(), push.end())] {
             const auto& mine = static_cast<const CpuKernel&>(*kernel);
             const std::uint64_t plane = std::uint64_t{groups.x} * groups.y;
             core_->workers.run(plane * groups.z, [&](std::uint64_t at) {
                 const auto x = static_cast<std::uint32_t>(at % groups.x);
                 const auto y = static_cast<std::uint32_t>(at / groups.x % groups.y);
                 const auto z = static_cast<std::uint32_t>(at / plane);
                 mine.host()(
                     {{x, y, z}, {groups.x, groups.y, groups.z}, views, pushed, mine.constants()});
             });
         },
         {}});
}

void CpuCommandList::timestamp(std::string label) {
    if (ended_) return wrong("recorded after it was submitted; clear() it first");
    commands_.push_back({{}, taken_.size()});
    taken_.push_back({std::move(label), 0});
}

Result<std::vector<Timestamp>> CpuCommandList::timestamps() const {
    if (last_value_ == 0 || !idle())
        return Error{misused, "command list: timestamps requested before the submission is done"};
    return taken_;
}

void CpuCommandList::run() {
    for (const Command& command : commands_) {
        if (command.timestamp)
            taken_[*command.timestamp].at = now_ns();
        else
            command.run();
    }
}

} // namespace blockloom::compute
