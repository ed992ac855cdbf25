#include "wasm/function_name.h"

#include <fmt/format.h>

namespace blockloom::wasm {

std::string function_name(const Module& module, std::uint32_t function) {
    if (function < module.function_names.size() && !module.function_names[function].empty())
        return module.function_names[function];
    for (const Export& item : module.exports)
        if (item.kind == ExternalKind::function && item.index == function) return item.name;
    return fmt::format("f{}", function);
}

} // namespace blockloom::wasm
