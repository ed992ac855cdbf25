#include "simt/compiled_program.h"

#include "simt/host_kernel.h"
#include "simt/kernel/layout.h"
#include "simt/program_table.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace blockloom::simt {
namespace {

constexpr std::uint32_t host_group = 4; // lanes that a thread of the processor takes together
constexpr Nanoseconds upload_limit = 60'000'000'000;

} // namespace

Result<compute::BufferPtr> buffer_with(compute::Provider& provider, ByteView bytes) {
    auto upload = provider.allocate(bytes.size(), compute::BufferUse::upload);
    if (!upload) return upload;
    std::memcpy((*upload)->mapped().data(), bytes.data(), bytes.size());
    auto buffer = provider.allocate(bytes.size(), compute::BufferUse::device);
    if (!buffer) return buffer;
    auto list = provider.commands();
    if (!list) return list.error();
    (*list)->copy(*upload, 0, *buffer, 0, bytes.size());
    const auto submitted = provider.submit(*list);
    if (!submitted) return submitted.error();
    if (const Status done = provider.wait(*submitted, upload_limit); !done) return done.error();
    return buffer;
}

CompiledProgram::CompiledProgram(gpuvm::InstanceImage image, std::span<const gpuvm::HostRule> rules,
                                 const Providers& providers)
    : image_(std::move(image)), rules_(rules.begin(), rules.end()), providers_(providers),
      code_(code_for(image_)) {}

CompiledProgram::~CompiledProgram() {
    for (const auto& [function, there] : device_)
        if (there.code) there.code->wait();
}

ByteView CompiledProgram::page(std::uint32_t number) const {
    const auto found =
        std::lower_bound(image_.page_numbers.begin(), image_.page_numbers.end(), number);
    if (found == image_.page_numbers.end() || *found != number) return {};
    return ByteView(image_.page_bytes)
        .subspan(static_cast<std::size_t>(found - image_.page_numbers.begin()) * gpuvm::small_page,
                 gpuvm::small_page);
}

Result<std::shared_ptr<LaneVariant>>
CompiledProgram::variant_of(const compute::ProviderPtr& provider, const native::LanePlan& plan,
                            std::uint32_t function) const {
    auto variant = std::make_shared<LaneVariant>();
    variant->provider = provider;
    variant->plan = plan;
    variant->function = function;
    variant->cell_rows = most_cells(program(), function);
    variant->global_cells = static_cast<std::uint32_t>(image_.globals.size());
    auto table = buffer_with(*provider, program_table(image_, plan, rules_, function));
    if (!table) return table.error();
    variant->table = *std::move(table);
    return variant;
}

Result<std::shared_ptr<const LaneVariant>> CompiledProgram::on_host(Reach reach,
                                                                    std::uint32_t function) {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<const LaneVariant>& kept = host_[{reach, function}];
    if (kept) return kept;
    auto code = code_->of(reach, has_device());
    if (code == nullptr) return std::shared_ptr<const LaneVariant>();
    auto variant = variant_of(providers_.host, code->plan(), function);
    if (!variant) return variant.error();
    (*variant)->lanes_per_group = host_group;
    compute::KernelSource source;
    source.name = "lanes";
    source.host = host_kernel(std::move(code), function, host_group);
    source.buffers = LANE_BUFFERS;
    source.push_bytes = LANE_PUSH_WORDS * 4;
    auto kernel = providers_.host->kernel(source);
    if (!kernel) return kernel.error();
    (*variant)->kernel = *std::move(kernel);
    kept = *std::move(variant);
    return kept;
}

DeviceCode* CompiledProgram::on_device(std::uint32_t function) {
    if (!providers_.device) return nullptr;
    const std::lock_guard lock(mutex_);
    OnDevice& found = device_[function];
    if (!found.code) found.code = code_->on_device(image_, providers_.device, function);
    return found.code.get();
}

std::vector<gpuvm::CompiledCode> CompiledProgram::take_compiled() {
    std::vector<gpuvm::CompiledCode> all;
    const std::lock_guard lock(mutex_);
    for (auto& [function, there] : device_) {
        if (!there.code) continue;
        const DeviceCode::Facts facts = there.code->facts();
        if (std::exchange(there.reported, facts.compilations) != facts.compilations)
            all.push_back({0, function, facts.took, facts.kept, facts.lane_bytes});
    }
    return all;
}

std::vector<gpuvm::CodeFacts> CompiledProgram::code() const {
    std::map<std::uint32_t, gpuvm::CodeFacts> by_function;
    const std::lock_guard lock(mutex_);
    for (const auto& [function, there] : device_) {
        if (!there.code) continue;
        gpuvm::CodeFacts& facts = by_function[function];
        DeviceCode::Facts known = there.code->facts();
        facts.state = there.code->state();
        facts.compilations = std::move(known.compiled);
        facts.compiling_since = known.compiling_since;
        facts.lane_bytes = known.lane_bytes;
        facts.windows = known.windows;
        if (const auto error = there.code->error()) facts.refusal = error->message;
    }
    for (const auto& [which, variant] : host_) {
        if (has_device()) break; // it only shows the device's code what it needs
        gpuvm::CodeFacts& facts = by_function[which.second];
        if (!variant) {
            if (facts.compilations.empty()) facts.state = gpuvm::CodeState::refused;
            continue;
        }
        facts.state = gpuvm::CodeState::ready;
        if (const auto made = code_->compilation(which.first)) facts.compilations.push_back(*made);
        facts.lane_bytes = std::max(facts.lane_bytes, variant->plan.frame_bytes);
        facts.windows =
            std::max(facts.windows, static_cast<std::uint32_t>(variant->plan.windows.size()));
    }
    std::vector<gpuvm::CodeFacts> all;
    for (auto& [function, facts] : by_function) {
        facts.function = function;
        all.push_back(std::move(facts));
    }
    return all;
}

Result<std::shared_ptr<const LaneVariant>> CompiledProgram::device_variant(std::uint32_t function) {
    DeviceCode* const code = on_device(function);
    auto kernel = code == nullptr ? nullptr : code->kernel();
    if (!kernel) return std::shared_ptr<const LaneVariant>();
    const std::lock_guard lock(mutex_);
    OnDevice& found = device_[function];
    if (found.kernel == kernel) return found.variant;
    auto variant = variant_of(providers_.device, kernel->plan, function);
    if (!variant) return variant.error();
    (*variant)->kernel = kernel->kernel;
    (*variant)->lanes_per_group = kernel->threads;
    (*variant)->compiled = true;
    found.kernel = std::move(kernel);
    found.variant = *std::move(variant);
    return found.variant;
}

} // namespace blockloom::simt
