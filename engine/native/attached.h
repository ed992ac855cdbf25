// Data that the native engine keeps with an instance.
#pragma once

#include "native/code.h"
#include "native/context.h"
#include "wasm/instance.h"

#include <memory>
#include <vector>

namespace blockloom::native {

/// Fills in the services that machine code may call (services.h).
using OfferServices = void (*)(Context& context) noexcept;

/// Lives as long as its instance (Instance::State::engine_data).
struct Attached {
    Attached(wasm::Instance& owner, std::shared_ptr<const NativeCode> compiled,
             OfferServices offer_services);

    [[nodiscard]] Context& context() noexcept {
        return *reinterpret_cast<Context*>(storage.data());
    }
    /// Updates what may have changed since machine code last ran: sizes of memory and tables.
    void refresh() noexcept;

    wasm::Instance& instance;
    wasm::Instance::State& state;
    std::shared_ptr<const NativeCode> code;
    std::vector<std::uint64_t> storage; ///< the Context and the addresses of the globals
    std::vector<TableView> tables;
    std::vector<Cell> results, cells; ///< beyond the first; of the outermost call
};

/// The data attached to the instance; null: none yet.
[[nodiscard]] Attached* attached_to(wasm::Instance& instance) noexcept;

/// Compiles the instance's program if nothing is attached yet; different code replaces what is
/// attached. Optimised code is never attached to an instance whose memory may have 65,536 pages:
/// quick code is compiled instead.
[[nodiscard]] Result<Attached*> attach(wasm::Instance& instance,
                                       std::shared_ptr<const NativeCode> code,
                                       OfferServices offer_services);

} // namespace blockloom::native
