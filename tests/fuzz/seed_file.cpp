// Reader of seed files: any bytes give writes or an error; no more writes than the text has room
// for.
#include "seed_file.h"

#include <cstdlib>

using namespace blockloom;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto seed = cli::read_seed_file(text, "fuzz");
    const bool right = seed ? seed->code.size() + seed->storage.size() + seed->balances.size() +
                                      seed->sheets.size() <=
                                  size
                            : seed.error().code == ErrorCode::bad_input &&
                                  seed.error().message.starts_with("fuzz");
    if (!right) std::abort();
    return 0;
}
