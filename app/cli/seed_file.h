// Seed files: JSON with code, storage, balances, sheets and the sequence (docs/state.md).
#pragma once

#include "alkanes/ids.h"
#include "alkanes/state_keys.h"
#include "base/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace blockloom::cli {

/// The content of a seed file. Nothing has been looked up: a file of code may not exist.
struct SeedFile {
    struct Code {
        alkanes::AlkaneId id;
        std::string file;                          ///< relative to the seed file
        std::optional<alkanes::AlkaneId> clone_of; ///< instead of a file
    };
    struct Storage {
        alkanes::AlkaneId id;
        std::string key, value; ///< bytes
    };
    struct Balance {
        alkanes::AlkaneId who, what;
        u128 amount = 0;
    };
    struct Sheet {
        alkanes::Outpoint outpoint;
        alkanes::AlkaneId what;
        u128 amount = 0;
    };
    std::optional<u128> sequence;
    std::vector<Code> code;
    std::vector<Storage> storage;
    std::vector<Balance> balances;
    std::vector<Sheet> sheets;
};

/// Reads a seed file's text; `place` names it in errors.
[[nodiscard]] Result<SeedFile> read_seed_file(std::string_view text, const std::string& place);

} // namespace blockloom::cli
