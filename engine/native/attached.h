// What the native engine keeps beside an instance.
#pragma once

#include "native/code.h"
#include "native/context.h"
#include "wasm/instance.h"

#include <memory>
#include <vector>

namespace blockloom::native {

/// Fills in what machine code may ask of C++ (services.h).
using OfferServices = void (*)(Context& context) noexcept;

/// Lives as long as its instance (Instance::State::engine_data).
struct Attached {
    Attached(wasm::Instance& owner, std::shared_ptr<const NativeCode> compiled,
             OfferServices offer_services);

    [[nodiscard]] Context& context() noexcept {
        return *reinterpret_cast<Context*>(storage.data());
    }
    /// Takes over what may have changed since machine code last ran: sizes of memory and tables.
    void refresh() noexcept;

    wasm::Instance& instance;
    wasm::Instance::State& state;
    std::shared_ptr<const NativeCode> code;
    std::vector<std::uint64_t> storage; ///< the Context and the addresses of the globals
    std::vector<TableView> tables;
    std::vector<Cell> results, cells; ///< beyond the first; of the outermost call
};

/// What there is beside the instance; null: nothing yet.
[[nodiscard]] Attached* attached_to(wasm::Instance& instance) noexcept;

/// Compiles the instance's program where nothing is attached yet; other code replaces what is.
/// Optimised code never is for an instance whose memory may have 65,536 pages: quick code is made.
[[nodiscard]] Result<Attached*> attach(wasm::Instance& instance,
                                       std::shared_ptr<const NativeCode> code,
                                       OfferServices offer_services);

} // namespace blockloom::native
