// Contracts as programs of one device, and the batch in which they run.
#pragma once

#include "execute/device/device_call.h"
#include "gpuvm/machine.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace blockloom::execute {

/// One thread at a time.
class DevicePrograms {
public:
    /// Fails with `unavailable` if the device cannot run programs.
    [[nodiscard]] static Result<std::unique_ptr<DevicePrograms>>
    make(compute::ProviderPtr provider, const gpuvm::Options& options);
    ~DevicePrograms();

    /// The most calls that may run at once.
    [[nodiscard]] std::size_t most_calls() const;
    /// The number of a call's program on the device; uploads it the first time.
    Result<std::uint32_t> number_of(const DeviceCall& call);
    /// Removes all programs if there is no room for more; no batch may hold lanes that run them.
    void make_room();

    /// What was compiled since the last call, in words: "device: contract 1f3a… compiled in …".
    [[nodiscard]] std::vector<std::string> take_compiled();
    [[nodiscard]] gpuvm::Batch& batch() noexcept { return *batch_; }
    /// What runs the calls.
    [[nodiscard]] alkanes::Engine engine() const noexcept { return engine_; }

private:
    static constexpr std::size_t most_programs = 512;
    /// Programs differ by what answers their imports.
    struct ProgramKey {
        const alkanes::Contract* contract = nullptr;
        bool deducts = false, record = false;
        auto operator<=>(const ProgramKey&) const = default;
        bool operator==(const ProgramKey&) const = default;
    };
    struct Program {
        std::uint32_t number = 0;
        std::shared_ptr<const alkanes::Contract> contract; ///< keeps the key alive
    };

    DevicePrograms() = default;

    std::unique_ptr<gpuvm::Machine> machine_;
    std::unique_ptr<gpuvm::Batch> batch_;
    std::map<ProgramKey, Program> programs_;
    ProgramKey last_key_; ///< that was asked for; empty: none
    std::uint32_t last_number_ = 0;
    alkanes::Engine engine_ = alkanes::Engine::vulkan;
};

} // namespace blockloom::execute
