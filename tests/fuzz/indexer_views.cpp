// Answers of an indexer's program: any bytes are read or refused, and what was read is canonical.
#include "range/indexer_views.h"
#include "alkanes/state_keys.h"

#include <cstdlib>

using namespace blockloom;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    (void)range::storage_answer(bytes);
    (void)range::block_answer(bytes);
    (void)range::inventory_answer(bytes);
    (void)range::traces_answer(bytes);
    const auto output = range::output_answer(bytes);
    if (output && !output->sheet.empty() && !alkanes::tokens_of_sheet(output->sheet)) std::abort();
    return 0;
}
