// Contracts as programs of one device, and the batch in which they run.
#pragma once

#include "execute/contract_code.h"
#include "execute/device/device_call.h"
#include "gpuvm/machine.h"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace blockloom::execute {

/// One thread at a time, unless it says otherwise: several may look up and run programs while none
/// is added.
class DevicePrograms {
    static constexpr std::size_t most_programs = 512;
    /// Programs differ by what answers their imports.
    struct ProgramKey {
        const alkanes::Contract* contract = nullptr;
        bool deducts = false, record = false;
        auto operator<=>(const ProgramKey&) const = default;
        bool operator==(const ProgramKey&) const = default;
    };

public:
    /// Looks up programs for one of several threads, while none is uploaded.
    class Finder {
    public:
        explicit Finder(const DevicePrograms& programs) : programs_(programs) {}
        /// As number_of; `unknown`: the program is not on the device yet.
        [[nodiscard]] std::uint32_t find(const DeviceCall& call);

    private:
        const DevicePrograms& programs_;
        ProgramKey last_; ///< neighbours mostly call the same
        std::uint32_t number_ = unknown;
    };
    /// Where calls have ended that one thread has looked at.
    class Ends {
    public:
        void add(const DeviceCall& call, bool on_processor);

    private:
        friend class DevicePrograms;
        struct Of {
            std::shared_ptr<const alkanes::Contract> contract;
            std::vector<alkanes::AlkaneId> ids; ///< some of those that have it
            std::uint64_t on_device = 0, on_processor = 0;
        };
        std::vector<Of> of_;
    };

    /// Fails with `unavailable` if the device cannot run programs.
    [[nodiscard]] static Result<std::unique_ptr<DevicePrograms>>
    make(compute::ProviderPtr provider, const gpuvm::Options& options);
    ~DevicePrograms();

    /// The most calls that may run at once.
    [[nodiscard]] std::size_t most_calls() const;
    /// The number of a call's program on the device; uploads it the first time.
    Result<std::uint32_t> number_of(const DeviceCall& call);
    static constexpr std::uint32_t unknown = ~std::uint32_t{0};
    /// Removes all programs if there is no room for more; no batch may hold lanes that run them.
    void make_room();

    /// What was compiled since the last call, in words: "device: contract 1f3a… compiled in …".
    [[nodiscard]] std::vector<std::string> take_compiled();
    /// What was run of each module so far, and compiled for it.
    [[nodiscard]] std::vector<ContractCode> contract_code();
    /// Thread-safe, as is the next.
    void count(const Ends& ends);
    /// Counts a call that was ejected.
    void count_ejected(const DeviceCall& call, const char* code);
    /// How many batches may be launched at once (gpuvm::Machine::batches_at_once), each with a
    /// number below that.
    [[nodiscard]] unsigned batches() const noexcept {
        return static_cast<unsigned>(batches_.size());
    }
    [[nodiscard]] gpuvm::Batch& batch(unsigned number) noexcept { return *batches_[number]; }
    /// What runs the calls.
    [[nodiscard]] alkanes::Engine engine() const noexcept { return engine_; }

private:
    struct Program {
        std::uint32_t number = 0;
        std::shared_ptr<const alkanes::Contract> contract; ///< keeps the key alive
    };

    DevicePrograms() = default;
    [[nodiscard]] static ProgramKey key_of(const DeviceCall& call);
    [[nodiscard]] ContractCode& code_of(const alkanes::Contract& contract);
    /// Takes over what the machine has compiled: its programs' numbers are about to be reused.
    void note_code();

    std::unique_ptr<gpuvm::Machine> machine_;
    std::vector<std::unique_ptr<gpuvm::Batch>> batches_;
    std::map<ProgramKey, Program> programs_;
    std::mutex guard_; ///< of `code_`
    std::map<Hash256, ContractCode> code_;
    alkanes::Engine engine_ = alkanes::Engine::vulkan;
};

} // namespace blockloom::execute
