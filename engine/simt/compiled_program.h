// A program of a machine: its code for each place, made when it is first needed, and what its lanes
// start with.
#pragma once

#include "gpuvm/host_rule.h"
#include "gpuvm/machine.h"
#include "simt/lane_variant.h"
#include "simt/program_code.h"

#include <map>
#include <memory>
#include <mutex>
#include <span>

namespace blockloom::simt {

/// What runs lanes. Without a device all of them run on the host.
struct Providers {
    compute::ProviderPtr host, device;
};

/// Used by any thread.
class CompiledProgram {
public:
    CompiledProgram(gpuvm::InstanceImage image, std::span<const gpuvm::HostRule> rules,
                    const Providers& providers);
    /// Waits for what is being compiled for a device: it must end before the device's driver does.
    ~CompiledProgram();
    CompiledProgram(const CompiledProgram&) = delete;
    CompiledProgram& operator=(const CompiledProgram&) = delete;

    [[nodiscard]] const gpuvm::InstanceImage& image() const noexcept { return image_; }
    [[nodiscard]] const wasm::Program& program() const noexcept { return *image_.program; }
    [[nodiscard]] bool reaches_further() const noexcept { return code_->reaches_further(); }
    /// The bytes of a small page at the start; empty: zero.
    [[nodiscard]] ByteView page(std::uint32_t number) const;

    /// Code on the host; null: it cannot be compiled. Errors of the provider.
    [[nodiscard]] Result<std::shared_ptr<const LaneVariant>> on_host(Reach reach,
                                                                     std::uint32_t function);
    /// Whether `on_host` need not wait for a compiler; starts it in the background if it must.
    [[nodiscard]] bool is_on_host(Reach reach) { return code_->is_there(reach, has_device()); }
    [[nodiscard]] bool has_device() const noexcept { return providers_.device != nullptr; }
    /// Code on the device; null without a device.
    [[nodiscard]] DeviceCode* on_device(std::uint32_t function);
    /// Null: it is not there.
    [[nodiscard]] Result<std::shared_ptr<const LaneVariant>> device_variant(std::uint32_t function);
    /// The functions whose code on the device changed since the last call.
    [[nodiscard]] std::vector<gpuvm::CompiledCode> take_compiled();
    /// What there is for the device; without one, for the host.
    [[nodiscard]] std::vector<gpuvm::CodeFacts> code() const;

private:
    gpuvm::InstanceImage image_;
    std::vector<gpuvm::HostRule> rules_;
    Providers providers_;
    std::shared_ptr<ProgramCode> code_;
    mutable std::mutex mutex_;
    std::map<std::pair<Reach, std::uint32_t>, std::shared_ptr<const LaneVariant>> host_;
    struct OnDevice {
        std::shared_ptr<DeviceCode> code;
        std::shared_ptr<const DeviceKernel> kernel; ///< of the variant
        std::shared_ptr<const LaneVariant> variant;
        std::uint32_t reported = 0; ///< compilations
    };
    [[nodiscard]] Result<std::shared_ptr<LaneVariant>>
    variant_of(const compute::ProviderPtr& provider, const native::LanePlan& plan,
               std::uint32_t function) const;
    std::map<std::uint32_t, OnDevice> device_;
};

/// A buffer of the provider with these bytes.
[[nodiscard]] Result<compute::BufferPtr> buffer_with(compute::Provider& provider, ByteView bytes);

} // namespace blockloom::simt
