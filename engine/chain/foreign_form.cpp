#include "chain/foreign_form.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>

namespace blockloom::chain {
namespace {

constexpr std::size_t most_looked_at = 65536;

/// The beginning of what a gzip holds; empty where it is damaged at once.
std::string inflated(ByteView bytes) {
    z_stream stream{};
    constexpr int gzip_only = 16;
    if (inflateInit2(&stream, gzip_only + MAX_WBITS) != Z_OK) return {};
    const std::unique_ptr<z_stream, int (*)(z_stream*)> ends(&stream, inflateEnd);
    std::string text(most_looked_at, '\0');
    // zlib reads from it only.
    stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(std::min(bytes.size(), most_looked_at));
    stream.next_out = reinterpret_cast<Bytef*>(text.data());
    stream.avail_out = static_cast<uInt>(text.size());
    const int status = inflate(&stream, Z_SYNC_FLUSH);
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) return {};
    return text.substr(0, most_looked_at - std::min<std::size_t>(stream.avail_out, most_looked_at));
}

struct Form {
    std::string_view name; ///< of a member, with its quotes
    const char* what;
};
/// The first match wins, so specific forms precede more general ones.
constexpr std::array forms{
    Form{"\"parentSlot\"", "JSON of a Solana block (getBlock)"},
    Form{"\"previousBlockhash\"", "JSON of a Solana block (getBlock)"},
    Form{"\"prestateTracer\"", "JSON of Ethereum traces (prestateTracer)"},
    Form{"\"stateDiff\"", "JSON of Ethereum traces (stateDiff)"},
    Form{"\"block_trace\"", "JSON of an Ethereum block trace"},
    Form{"\"stateRoot\"", "JSON of an Ethereum block"},
    Form{"\"merkleroot\"", "JSON of a Bitcoin block (getblock; use verbosity 0, whose hexadecimal "
                           "output can be read)"},
};

} // namespace

std::optional<std::string> foreign_form(ByteView beginning) {
    const bool zipped = beginning.size() > 2 && beginning[0] == 0x1f && beginning[1] == 0x8b;
    const std::string text = zipped ? inflated(beginning)
                                    : std::string(reinterpret_cast<const char*>(beginning.data()),
                                                  std::min(beginning.size(), most_looked_at));
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string::npos || (text[first] != '{' && text[first] != '[')) return {};
    // A brace alone may begin anything: a member or an element has to follow.
    const std::size_t next = text.find_first_not_of(" \t\r\n", first + 1);
    if (next == std::string::npos || std::string_view("\"{[").find(text[next]) == std::string::npos)
        return {};
    for (const Form& form : forms)
        if (text.find(form.name) != std::string::npos) return form.what;
    return "JSON of an unknown format";
}

} // namespace blockloom::chain
