// Applies a seed file.
#include "base/file.h"
#include "seed_file.h"
#include "state_seed.h"

namespace blockloom::cli {

Status SeedWrites::put_file(const std::filesystem::path& seed) {
    const auto file = FileContent::read(seed);
    if (!file) return file.error();
    const ByteView bytes = file->bytes();
    const auto read =
        read_seed_file({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, seed.string());
    if (!read) return read.error();
    // The sequence first: code raises it if it is too low.
    if (read->sequence) put_sequence(*read->sequence);
    for (const SeedFile::Balance& balance : read->balances)
        put_balance(balance.who, balance.what, balance.amount);
    for (const SeedFile::Code& code : read->code) {
        const Status put = code.clone_of ? put_clone(code.id, *code.clone_of)
                                         : put_code(code.id, seed.parent_path() / code.file);
        if (!put) return put;
    }
    for (const SeedFile::Sheet& sheet : read->sheets)
        if (const Status put = put_token(sheet.outpoint, sheet.what, sheet.amount); !put)
            return put;
    for (const SeedFile::Storage& storage : read->storage)
        put(alkanes::storage_key(storage.id, storage.key), state::Value(storage.value));
    return {};
}

} // namespace blockloom::cli
