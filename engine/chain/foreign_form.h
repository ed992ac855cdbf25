// Recognises block formats that are not supported here, so that the error can name them.
#pragma once

#include "base/bytes.h"

#include <optional>
#include <string>

namespace blockloom::chain {

/// Which node response the JSON is (plain or gzipped), by the member names near its beginning:
/// "JSON of a Solana block (getBlock)". Nothing if it is not JSON. `beginning`: the first 64 KiB
/// suffice.
[[nodiscard]] std::optional<std::string> foreign_form(ByteView beginning);

} // namespace blockloom::chain
