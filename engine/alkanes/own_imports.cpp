#include "alkanes/own_imports.h"

namespace blockloom::alkanes {

bool is_own_import(std::string_view name) noexcept {
    return name == "__is_dry_run" || name == "__record_get" || name == "__record_put";
}

} // namespace blockloom::alkanes
