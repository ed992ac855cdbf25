// Imports that Blockloom's own contracts may use in addition to those of the protocol.
#pragma once

#include <string_view>

namespace blockloom::alkanes {

/// Whether an import of "env" is Blockloom's own and not part of the protocol.
[[nodiscard]] bool is_own_import(std::string_view name) noexcept;

} // namespace blockloom::alkanes
