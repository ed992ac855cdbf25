// Reader of kept machine code: any bytes give object files that lie in them or an error, and what
// is read is written again without a change. Each input is tried a second time behind a header that
// fits, so that the sizes in it are read.
#include "native/code_file.h"

#include "base/sha256.h"

#include <algorithm>
#include <cstdlib>

using namespace blockloom;

namespace {

/// A property that must hold whatever the input.
void require(bool holds) {
    if (!holds) std::abort();
}

constexpr std::size_t key_at = 12, hash_at = 44, content_at = 76;

void check_file(const Bytes& file) {
    Hash256 key{};
    if (file.size() >= hash_at) std::copy_n(file.begin() + key_at, key.size(), key.begin());
    const auto objects = native::read_code_file(file, key, "fuzz");
    if (!objects) {
        require(objects.error().message.starts_with("fuzz"));
        return;
    }
    for (const ByteView object : *objects)
        require(object.empty() || (object.data() >= file.data() &&
                                   object.data() + object.size() <= file.data() + file.size()));
    require(native::code_file_bytes(key, *objects) == file);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Bytes file(data, data + size);
    check_file(file);
    if (file.size() < content_at) return 0;
    const Bytes good = native::code_file_bytes({}, {});
    std::copy_n(good.begin(), key_at, file.begin());
    const Hash256 hash = Sha256().once({ByteView(file).subspan(content_at)});
    std::copy(hash.begin(), hash.end(), file.begin() + hash_at);
    check_file(file);
    return 0;
}
