#include "trace/gzip.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <limits>

namespace blockloom::trace {
namespace {

constexpr int gzip_only = 15 + 16; ///< windowBits: largest window, gzip header
constexpr std::size_t chunk = 64 * 1024;

class Inflater {
public:
    Inflater() { ready_ = inflateInit2(&stream_, gzip_only) == Z_OK; }
    ~Inflater() {
        if (ready_) inflateEnd(&stream_);
    }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;
    [[nodiscard]] bool ready() const noexcept { return ready_; }
    [[nodiscard]] z_stream& stream() noexcept { return stream_; }

private:
    z_stream stream_{};
    bool ready_ = false;
};

class Deflater {
public:
    Deflater() {
        ready_ = deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_only, 8,
                              Z_DEFAULT_STRATEGY) == Z_OK;
    }
    ~Deflater() {
        if (ready_) deflateEnd(&stream_);
    }
    Deflater(const Deflater&) = delete;
    Deflater& operator=(const Deflater&) = delete;
    [[nodiscard]] bool ready() const noexcept { return ready_; }
    [[nodiscard]] z_stream& stream() noexcept { return stream_; }

private:
    z_stream stream_{};
    bool ready_ = false;
};

uInt piece(std::size_t size) noexcept {
    return static_cast<uInt>(std::min<std::size_t>(size, std::numeric_limits<uInt>::max()));
}

/// zlib's input is not const, but it does not write to it.
Bytef* input(ByteView bytes) noexcept {
    return const_cast<Bytef*>(bytes.data());
}

} // namespace

bool is_gzip(ByteView bytes) noexcept {
    return bytes.size() >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
}

Result<std::string> gunzip(ByteView bytes, const std::string& place) {
    Inflater inflater;
    if (!inflater.ready()) return Error{ErrorCode::system, place + ": zlib initialisation failed"};
    z_stream& stream = inflater.stream();
    const std::uint64_t most = most_inflation * bytes.size();
    std::string text;
    std::size_t taken = 0, filled = 0;
    for (;;) {
        if (text.size() - filled < chunk) text.resize(std::max(chunk, 2 * text.size()));
        const uInt offered = piece(bytes.size() - taken), room = piece(text.size() - filled);
        stream.next_in = input(bytes.subspan(taken));
        stream.avail_in = offered;
        stream.next_out = reinterpret_cast<Bytef*>(text.data() + filled);
        stream.avail_out = room;
        const int answer = inflate(&stream, Z_NO_FLUSH);
        taken += offered - stream.avail_in;
        filled += room - stream.avail_out;
        if (filled > most)
            return input_error(place, taken,
                               fmt::format("gzip that inflates to at most {} bytes, {} times the "
                                           "file",
                                           most, most_inflation),
                               "more");
        if (answer == Z_STREAM_END) {
            if (taken == bytes.size()) break;
            if (!is_gzip(bytes.subspan(taken)))
                return input_error(place, taken, "the end or another gzip member",
                                   fmt::format("{} other bytes", bytes.size() - taken));
            if (inflateReset(&stream) != Z_OK)
                return Error{ErrorCode::system, place + ": zlib cannot start the next member"};
            continue;
        }
        const bool ended = taken == bytes.size() && stream.avail_out != 0;
        if ((answer != Z_OK && answer != Z_BUF_ERROR) || ended)
            return input_error(place, taken, "gzip data",
                               ended                   ? "the end of the file"
                               : stream.msg != nullptr ? stream.msg
                                                       : zError(answer));
    }
    text.resize(filled);
    return text;
}

Result<Bytes> gzip(ByteView bytes) {
    Deflater deflater;
    if (!deflater.ready()) return Error{ErrorCode::system, "gzip: zlib initialisation failed"};
    z_stream& stream = deflater.stream();
    Bytes out;
    std::size_t taken = 0, filled = 0;
    for (;;) {
        if (out.size() - filled < chunk) out.resize(std::max(chunk, 2 * out.size()));
        const uInt offered = piece(bytes.size() - taken), room = piece(out.size() - filled);
        stream.next_in = input(bytes.subspan(taken));
        stream.avail_in = offered;
        stream.next_out = out.data() + filled;
        stream.avail_out = room;
        const bool last = offered == bytes.size() - taken;
        const int answer = deflate(&stream, last ? Z_FINISH : Z_NO_FLUSH);
        taken += offered - stream.avail_in;
        filled += room - stream.avail_out;
        if (answer == Z_STREAM_END) break;
        if (answer != Z_OK && answer != Z_BUF_ERROR)
            return Error{ErrorCode::system, fmt::format("gzip: {}", zError(answer))};
    }
    out.resize(filled);
    return out;
}

} // namespace blockloom::trace
