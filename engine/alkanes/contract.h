// Code of contracts, decoded once and shared: what a code key's hash refers to.
#pragma once

#include "alkanes/state_keys.h"
#include "native/cache.h"
#include "wasm/program.h"

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

namespace blockloom::alkanes {

/// The engines that run contracts. Their results are the same.
enum class Engine : std::uint8_t {
    interpreter,
    native,
    vulkan, ///< a device runs the message's own contract (contract_machine.h)
    simt,   ///< the same, as compiled lanes of this processor
    cuda    ///< the same, as compiled lanes of a GPU
};

/// Whether a message's own contract runs on a device.
[[nodiscard]] constexpr bool is_device(Engine engine) noexcept {
    return engine >= Engine::vulkan;
}

[[nodiscard]] const char* name_of(Engine engine) noexcept;

/// Code that can run, or why it cannot. Immutable once made; shared by threads.
struct Contract {
    Hash256 hash{}; ///< of the stored code
    CodeForm form = CodeForm::gzip;
    wasm::FuelRule fuel = wasm::FuelRule::counted;
    Hash256 module{};         ///< native::module_id, if there is a program
    std::string stored_error; ///< not gzip: the target cannot be resolved
    std::string oversize;     ///< inflates to more than `most_inflated`: see Rules
    std::string module_error; ///< not a valid contract module: the run fails
    std::string own_import; ///< an import that only exists with Rules::watched_imports: without it
                            ///< the run fails
    std::string ejection;   ///< neither engine can run it, but another implementation may
    std::shared_ptr<const wasm::Program> program; ///< null if there is an error
    std::uint32_t execute = 0;                    ///< function index of `__execute`
};

/// Decodes stored code. An invalid contract is a result too; an error only concerns this machine
/// and says nothing about the contract.
[[nodiscard]] Result<std::shared_ptr<const Contract>>
load_contract(const Hash256& hash, CodeForm form, ByteView stored,
              wasm::FuelRule fuel = wasm::FuelRule::counted);
/// The contract of a target without code: no bytes, which are not a module.
[[nodiscard]] const std::shared_ptr<const Contract>& empty_contract();

/// What names a contract's program.
struct ContractName {
    Hash256 hash{}; ///< of the stored code
    CodeForm form = CodeForm::gzip;
    wasm::FuelRule fuel = wasm::FuelRule::counted;

    bool operator==(const ContractName&) const = default;

    struct Hasher {
        std::size_t operator()(const ContractName& name) const noexcept {
            return read_le<std::size_t>(name.hash.data());
        }
    };
};

/// Contracts by form, fuel rule and hash of their stored code. Thread-safe; loading happens outside
/// the lock.
class Contracts {
public:
    /// Beyond this many, those not in use are dropped.
    static constexpr std::size_t most_kept = 4096;

    /// Null: not loaded yet.
    [[nodiscard]] std::shared_ptr<const Contract>
    find(const Hash256& hash, CodeForm form, wasm::FuelRule fuel = wasm::FuelRule::counted) const;
    /// Keeps a contract; returns the one already kept if two threads loaded the same.
    std::shared_ptr<const Contract> keep(std::shared_ptr<const Contract> contract);

    /// The machine code of a contract that has a program. `wait`: returns only when quick code is
    /// ready, the compiler has failed or a stop is requested; otherwise the answer may be that it
    /// is still being compiled. Optimised code follows automatically.
    [[nodiscard]] native::Cache::Answer machine_code(const Contract& contract, bool wait,
                                                     const std::stop_token& stop = {}) {
        return wait ? native_.wait(contract.module, contract.program, native::Tier::quick, stop)
                    : native_.find(contract.module, contract.program);
    }
    /// Returns when the contract's code has been optimised, or never will be.
    void wait_until_optimised(const Contract& contract) {
        (void)native_.wait(contract.module, contract.program, native::Tier::optimised);
    }

private:
    struct Hasher {
        std::size_t operator()(const Hash256& hash) const noexcept {
            return read_le<std::size_t>(hash.data());
        }
    };
    using Map = std::unordered_map<Hash256, std::shared_ptr<const Contract>, Hasher>;

    mutable std::mutex mutex_;
    [[nodiscard]] static std::size_t map_of(CodeForm form, wasm::FuelRule fuel) noexcept {
        return (form == CodeForm::gzip ? 0U : 1U) + (fuel == wasm::FuelRule::counted ? 0U : 2U);
    }
    std::array<Map, 4> maps_;
    native::Cache native_;
};

} // namespace blockloom::alkanes
