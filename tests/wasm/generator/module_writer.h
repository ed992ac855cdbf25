// Puts a generated module's sections together.
#pragma once

#include "wasm/generator/shape.h"

namespace blockloom::tests {

/// What the sections besides code are made from.
struct ModulePlan {
    Shape shape;
    std::shared_ptr<const GeneratedModule> provider;
    bool imports_memory = false, imports_table = false, has_start = false;
    std::vector<std::string> provided; ///< names of the provider's functions that are imported
    std::vector<Bytes> bodies;         ///< own functions; the start function is the last
    bool misplaced = false;            ///< an active segment lies outside: it does not instantiate

    [[nodiscard]] std::uint32_t own_functions() const {
        return static_cast<std::uint32_t>(bodies.size());
    }
};

[[nodiscard]] Bytes write_module(ModulePlan& plan);

} // namespace blockloom::tests
