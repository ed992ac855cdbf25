#include "chain/block_ref.h"

#include "chain/block_file.h"

#include <fmt/format.h>

namespace blockloom::chain {

std::string BlockRef::source() const {
    const std::string& name = file->name();
    return container == Container::record ? fmt::format("{}, record at {}", name, offset - 8)
           : container == Container::hex && offset != 0
               ? fmt::format("{}, text at {}", name, offset)
               : name;
}

} // namespace blockloom::chain
