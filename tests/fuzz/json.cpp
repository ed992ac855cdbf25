// The reader of JSON that comes from outside: any bytes give a document or an error; every value
// can be asked for every type; the document's text is one again, with the same values.
#include "base/json.h"
#include "base/utf8.h"

#include <cstdlib>

using namespace blockloom;

namespace {

/// A property that must hold whatever the input.
void require(bool holds) {
    if (!holds) std::abort();
}

/// Values below and with this one.
std::size_t ask_all(JsonValue value, unsigned depth) {
    require(depth <= JsonLimits{}.depth);
    if (const auto real = value.real()) require(*real - *real == 0);
    if (const auto whole = value.whole(3, 9)) require(*whole >= 3 && *whole <= 9);
    if (const auto integer = value.integer(-9, -3)) require(*integer >= -9 && *integer <= -3);
    if (const auto text = value.text(100)) require(text->size() <= 100 && is_utf8(*text));
    (void)value.boolean();
    require(value.shown().size() <= 80);
    std::size_t count = 1, members = 0;
    if (value.is_array()) {
        for (const JsonValue item : value.items()) count += ask_all(item, depth + 1), ++members;
        require(members == value.size());
    }
    if (value.is_object()) {
        for (const auto& [name, member] : value.members()) {
            require(is_utf8(name));
            count += ask_all(member, depth + 1);
            ++members;
        }
        require(members == value.size());
    }
    return count;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    require(is_utf8(printable(text)) && is_utf8(printable_document(text)));
    const auto document = JsonDocument::parse(text, "fuzz");
    if (!document) {
        require(document.error().message.starts_with("fuzz"));
        require(document.error().message.size() < 1000);
        return 0;
    }
    const std::size_t values = ask_all(document->root(), 0);
    require(values <= size);
    if (!document->status()) require(document->status().error().message.starts_with("fuzz: "));
    if (!document->root().is_object()) return 0;
    const std::string written = document->text();
    const auto again = JsonDocument::parse(written, "again");
    require(again.ok() && ask_all(again->root(), 0) == values && again->text() == written);
    return 0;
}
