#include "compute/fake_cuda/fake_device.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fmt/format.h>

namespace blockloom::fake_cuda {
namespace {

/// Runs a host form with what a launch was given.
Body body_of(const compute::KernelSource& source) {
    return [host = source.host, constants = source.constants, buffers = source.buffers,
            push_bytes = source.push_bytes](const Launch& launch) {
        std::vector<std::span<std::byte>> bound;
        for (std::uint32_t i = 0; i < buffers; ++i)
            bound.emplace_back(reinterpret_cast<std::byte*>(launch.parameters[i]),
                               control().bytes_from(launch.parameters[i]));
        std::vector<std::byte> push(push_bytes);
        for (std::size_t at = 0; at < push.size(); at += 4) {
            const auto word = static_cast<std::uint32_t>(launch.parameters[buffers + at / 4]);
            std::memcpy(&push[at], &word, sizeof word);
        }
        compute::HostGroup group{.count = {launch.groups[0], launch.groups[1], launch.groups[2]},
                                 .buffers = bound,
                                 .push = push,
                                 .constants = constants};
        auto& [x, y, z] = group.index;
        for (z = 0; z < launch.groups[2]; ++z)
            for (y = 0; y < launch.groups[1]; ++y)
                for (x = 0; x < launch.groups[0]; ++x) host(group);
    };
}

class FakeDevice final : public compute::Provider {
public:
    explicit FakeDevice(compute::ProviderPtr inner) : inner_(std::move(inner)) {}

    const compute::Description& description() const noexcept override {
        return inner_->description();
    }
    compute::MemoryUse memory() const override { return inner_->memory(); }
    Result<compute::BufferPtr> allocate(std::uint64_t bytes, compute::BufferUse use) override {
        return inner_->allocate(bytes, use);
    }
    Result<compute::KernelPtr> kernel(const compute::KernelSource& source) override {
        if (!source.host) return inner_->kernel(source);
        static std::atomic<int> number{0};
        const std::string entry = fmt::format("host_form_{}", ++number);
        control().kernel(entry, body_of(source));
        compute::KernelSource given = source;
        if (!given.ptx) given.ptx.emplace();
        given.ptx->entry = entry;
        given.ptx->key.clear(); // the machine code only names this process's function
        given.ptx->text = [&] { return ptx_of(entry, source.buffers, source.push_bytes / 4); };
        return inner_->kernel(given);
    }
    Result<compute::CommandListPtr> commands(compute::Lane lane) override {
        return inner_->commands(lane);
    }
    Result<compute::Ticket> submit(const compute::CommandListPtr& list,
                                   std::span<const compute::Ticket> after) override {
        return inner_->submit(list, after);
    }
    Status wait(compute::Ticket ticket, Nanoseconds timeout, const std::stop_token& stop) override {
        return inner_->wait(ticket, timeout, stop);
    }
    bool done(compute::Ticket ticket) override { return inner_->done(ticket); }

private:
    compute::ProviderPtr inner_;
};

} // namespace

std::string library() {
    return FAKE_CUDA;
}

std::string old_library() {
    return OLD_FAKE_CUDA;
}

Control& control() {
    static Control* const found = [] {
        void* const handle = ::dlopen(library().c_str(), RTLD_NOW | RTLD_LOCAL);
        void* const function = handle != nullptr ? ::dlsym(handle, "fake_cuda_control") : nullptr;
        if (function == nullptr) std::abort(); // the build is broken
        return reinterpret_cast<decltype(&fake_cuda_control)>(function)();
    }();
    return *found;
}

WithFaults::WithFaults(const std::string& text) {
    ::setenv("FAKE_CUDA", text.c_str(), 1);
}

WithFaults::~WithFaults() {
    ::unsetenv("FAKE_CUDA");
}

std::string ptx_of(const std::string& entry, std::uint32_t buffers, std::uint32_t push_words) {
    std::string parameters;
    for (std::uint32_t i = 0; i < buffers + push_words; ++i)
        parameters +=
            fmt::format("{}.param .{} p{}", i == 0 ? "" : ", ", i < buffers ? "u64" : "u32", i);
    return fmt::format(".version 7.0\n.target sm_70\n.address_size 64\n"
                       ".visible .entry {}({})\n{{\n    ret;\n}}\n",
                       entry, parameters);
}

Result<compute::ProviderPtr> open(compute::ProviderOptions options, std::uint32_t index,
                                  Nanoseconds longest_wait) {
    if (longest_wait != for_ever) options.time_limit = longest_wait;
    auto opened = compute::open_cuda(index, options, library());
    if (!opened) return opened.error();
    return compute::ProviderPtr(std::make_shared<FakeDevice>(*std::move(opened)));
}

} // namespace blockloom::fake_cuda
