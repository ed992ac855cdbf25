// Contracts as programs of one device, and the batch in which they run.
#pragma once

#include "execute/contract_code.h"
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
    /// What was run of each module so far, and compiled for it.
    [[nodiscard]] std::vector<ContractCode> contract_code();
    /// Counts a call that has ended: where it ran, or why it was ejected.
    void count(const DeviceCall& call, bool on_processor);
    void count_ejected(const DeviceCall& call, const char* code);
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
    [[nodiscard]] ContractCode& code_of(const DeviceCall& call);
    /// Takes over what the machine has compiled: its programs' numbers are about to be reused.
    void note_code();

    std::unique_ptr<gpuvm::Machine> machine_;
    std::unique_ptr<gpuvm::Batch> batch_;
    std::map<ProgramKey, Program> programs_;
    ProgramKey last_key_; ///< that was asked for; empty: none
    std::uint32_t last_number_ = 0;
    std::map<Hash256, ContractCode> code_;
    /// The call that was counted last: neighbours mostly call the same.
    std::shared_ptr<const alkanes::Contract> counted_;
    alkanes::AlkaneId counted_id_;
    ContractCode* counted_code_ = nullptr;
    alkanes::Engine engine_ = alkanes::Engine::vulkan;
};

} // namespace blockloom::execute
