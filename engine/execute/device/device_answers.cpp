// Host calls that the device leaves to the host.
#include "alkanes/host_functions.h"
#include "alkanes/message_run.h"
#include "base/progress.h"
#include "execute/device/device_batch.h"
#include "execute/device/host_shape.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

namespace blockloom::execute {
namespace {

constexpr std::uint64_t page_bytes = 1024; // gpuvm::PageRead

/// A called contract may write what this one has read; what a static call writes is rolled back.
bool lets_others_write(std::string_view import) {
    return import == "__call" || import == "__delegatecall";
}

/// Whether the import gives bytes that `__returndatacopy` copies.
bool gives_bytes(std::string_view import) {
    return lets_others_write(import) || import == "__staticcall";
}

} // namespace

struct DeviceBatch::Asked {
    std::uint32_t lane = 0;
    DeviceCall* call = nullptr;
    const wasm::Import* import = nullptr;
    std::vector<wasm::Cell> arguments, results;
    std::uint64_t memory = 0; ///< bytes
    std::optional<HostShape> shape;
    std::vector<Buffer> read;                         ///< by the bits of shape->reads
    std::uint64_t from = 0, end = 0;                  ///< pages that it writes
    std::vector<Byte> pages;                          ///< their bytes
    std::optional<alkanes::Runtime::Machine> machine; ///< with what the function may look at
    AccessPrediction::Lessons learned;                ///< what was read
    gpuvm::HostReply reply;
};

const wasm::Import& DeviceBatch::import_of(std::uint32_t lane) const {
    const wasm::Module& module = *calls_[lane]->contract->program->module;
    std::uint32_t number = 0;
    for (const wasm::Import& import : module.imports)
        if (import.kind == wasm::ExternalKind::function && number++ == imports_[lane])
            return import;
    return module.imports.front();
}

template <typename Item, typename Work>
Status DeviceBatch::in_groups(std::span<Item> items, const Work& work) {
    std::map<alkanes::Runtime*, std::vector<Item*>> by_runtime;
    for (Item& item : items) by_runtime[item.call->runtime].push_back(&item);
    std::vector<std::pair<alkanes::Runtime*, std::vector<Item*>>> groups(by_runtime.begin(),
                                                                         by_runtime.end());
    for (const auto& [runtime, group] : groups)
        if (!functions_.contains(runtime))
            functions_.emplace(runtime, alkanes::host_imports(runtime->running));
    std::vector<Status> done(groups.size());
    const auto one = [&](std::size_t i) {
        for (Item* const item : groups[i].second)
            if (done[i]) done[i] = work(*item, functions_.at(groups[i].first));
    };
    if (shared_.spread && groups.size() > 1)
        shared_.spread(groups.size(), one);
    else
        for (std::size_t i = 0; i < groups.size(); ++i) one(i);
    const auto failed = std::find_if(done.begin(), done.end(), [](const Status& s) { return !s; });
    return failed == done.end() ? Status() : *failed;
}

Status DeviceBatch::answer(std::span<const std::uint32_t> part) {
    if (stop_.stop_requested()) return cancelled_error();
    std::vector<Asked> asked(part.size());
    for (std::size_t k = 0; k < part.size(); ++k) {
        Asked& one = asked[k];
        one.lane = part[k];
        one.call = calls_[part[k]];
        one.import = &import_of(part[k]);
        one.arguments = batch_.arguments(part[k]);
        one.memory = std::uint64_t{batch_.memory_pages(part[k])} << 16;
        one.shape = shape_of(one.import->name, *one.call->frame);
    }
    if (const Status read = take_all_reads(part); !read) return read;
    if (const Status fetched = fetch_shaped(asked); !fetched) return fetched;
    const auto whole = std::stable_partition(
        asked.begin(), asked.end(), [](const Asked& one) { return one.shape.has_value(); });
    const std::span<Asked> shaped(asked.begin(), whole), others(whole, asked.end());
    if (const Status called = call_hosts(shaped); !called) return called;
    if (const Status stored = store_shaped(shaped); !stored) return stored;
    if (!others.empty()) {
        if (const Status fetched = fetch_whole(others); !fetched) return fetched;
        if (const Status called = call_hosts(others); !called) return called;
        std::vector<std::uint32_t> lanes;
        std::vector<wasm::Instance*> instances;
        for (Asked& one : others) {
            lanes.push_back(one.lane);
            instances.push_back(&one.machine->instance());
        }
        if (const Status stored = batch_.store_memories(lanes, instances); !stored) return stored;
    }
    for (Asked& one : asked) {
        one.reply.results = one.results;
        batch_.answer(one.lane, one.reply);
        std::ranges::move(one.learned.reads, std::back_inserter(shared_.lessons.reads));
    }
    shared_.work.host_calls += part.size();
    return {};
}

Status DeviceBatch::fetch_shaped(std::span<Asked> asked) {
    std::vector<BufferAt> wanted;
    std::vector<std::pair<Asked*, std::size_t>> of;
    std::vector<gpuvm::PageRead> pages;
    for (Asked& one : asked) {
        if (!one.shape) continue;
        for (std::size_t i = 0; i < one.arguments.size() && i < 32; ++i)
            if ((one.shape->reads >> i & 1) != 0) {
                wanted.push_back(
                    {one.lane, static_cast<std::uint32_t>(one.arguments[i]), one.memory});
                of.emplace_back(&one, i);
            }
        if (one.shape->writes < 0) continue;
        const auto pointer =
            static_cast<std::uint32_t>(one.arguments[static_cast<std::size_t>(one.shape->writes)]);
        if (pointer < length_bytes || pointer > one.memory) continue; // the host says so
        one.from = (pointer - length_bytes) / page_bytes * page_bytes;
        one.end = std::min(one.memory, (pointer + one.shape->written + page_bytes - 1) /
                                           page_bytes * page_bytes);
        for (std::uint64_t at = one.from; at < one.end; at += page_bytes)
            pages.push_back({one.lane, static_cast<std::uint32_t>(at / page_bytes)});
    }
    auto buffers = read_buffers(batch_, wanted);
    if (!buffers) return buffers.error();
    std::vector<Byte> bytes(pages.size() * page_bytes);
    if (!pages.empty())
        if (const Status read = batch_.read_pages(pages, bytes); !read) return read;
    for (std::size_t i = 0; i < of.size(); ++i) {
        auto& [one, argument] = of[i];
        if ((*buffers)[i].state == Buffer::State::too_long) one->shape.reset();
        one->read.push_back(std::move((*buffers)[i]));
    }
    auto at = bytes.begin();
    for (Asked& one : asked) {
        const auto size = static_cast<std::ptrdiff_t>(one.end - one.from);
        one.pages.assign(at, at + size);
        at += size;
    }
    return {};
}

Status DeviceBatch::fetch_whole(std::span<Asked> asked) {
    std::vector<std::uint32_t> lanes;
    std::vector<wasm::Instance*> instances;
    for (Asked& one : asked) {
        auto acquired = one.call->runtime->acquire(one.call->contract);
        if (!acquired) return acquired.error();
        if (const auto* refusal = std::get_if<alkanes::Runtime::Refusal>(&*acquired))
            return Error{ErrorCode::system, refusal->text};
        one.machine.emplace(std::get<alkanes::Runtime::Machine>(*std::move(acquired)));
        lanes.push_back(one.lane);
        instances.push_back(&one.machine->instance());
    }
    return batch_.load_memories(lanes, instances);
}

Status DeviceBatch::call_hosts(std::span<Asked> asked) {
    return in_groups(asked, [&](Asked& one, const wasm::Imports& functions) -> Status {
        if (const Status logged = one.call->log_reads(); !logged) return logged;
        if (!one.machine) {
            auto acquired = one.call->runtime->acquire(one.call->contract);
            if (!acquired) return acquired.error();
            if (const auto* refusal = std::get_if<alkanes::Runtime::Refusal>(&*acquired))
                return Error{ErrorCode::system, refusal->text};
            one.machine.emplace(std::get<alkanes::Runtime::Machine>(*std::move(acquired)));
            wasm::Memory& memory = *one.machine->instance().memory();
            if (memory.size() < one.memory)
                memory.grow(static_cast<std::uint32_t>((one.memory >> 16) - memory.pages()));
            const auto put = [&](std::uint64_t address, const void* bytes, std::size_t size) {
                if (size == 0 || !memory.in_bounds(address, size)) return;
                memory.mark_range(address, size);
                std::memcpy(memory.data() + address, bytes, size);
            };
            put(one.from, one.pages.data(), one.pages.size());
            std::size_t next = 0;
            for (std::size_t i = 0; i < one.arguments.size() && next < one.read.size(); ++i)
                if ((one.shape->reads >> i & 1) != 0) {
                    const std::string& bytes = one.read[next++].bytes;
                    put(static_cast<std::uint32_t>(one.arguments[i]) - length_bytes, bytes.data(),
                        bytes.size());
                }
        }
        call_host(one, functions);
        if (one.shape && !one.pages.empty())
            std::memcpy(one.pages.data(), one.machine->instance().memory()->data() + one.from,
                        one.pages.size());
        if (one.shape) one.machine.reset();
        return {};
    });
}

void DeviceBatch::call_host(Asked& asked, const wasm::Imports& functions) {
    const DeviceCall& call = *asked.call;
    const wasm::Import& import = *asked.import;
    wasm::Instance& instance = asked.machine->instance();
    asked.results.resize(call.contract->program->module->types[import.type].results.size());
    wasm::HostCall host{instance, asked.arguments, asked.results, batch_.fuel_left(asked.lane), 0,
                        {}};
    const auto found = functions.find({import.module, import.name});
    if (found == functions.end()) {
        host.error = "no such host function";
    } else {
        const CallReads watch(*asked.call, asked.learned);
        alkanes::Frame* const before = std::exchange(call.runtime->running, call.frame);
        (void)std::get<wasm::FunctionReference>(found->second).host->call(host);
        call.runtime->running = before;
    }
    asked.reply.fee = host.fee;
    asked.reply.error = std::move(host.error);
    asked.reply.values = !call.known.empty() && !lets_others_write(import.name);
    asked.reply.calls = !call.frame->had_failure;
    if (gives_bytes(import.name)) asked.reply.bytes = call.frame->returndata;
}

Status DeviceBatch::store_shaped(std::span<const Asked> asked) {
    std::vector<gpuvm::PageRead> pages;
    std::vector<Byte> bytes;
    for (const Asked& one : asked) {
        for (std::uint64_t at = one.from; at < one.end; at += page_bytes)
            pages.push_back({one.lane, static_cast<std::uint32_t>(at / page_bytes)});
        bytes.insert(bytes.end(), one.pages.begin(), one.pages.end());
    }
    return pages.empty() ? Status() : batch_.write_pages(pages, bytes);
}

} // namespace blockloom::execute
