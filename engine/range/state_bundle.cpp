#include "range/state_bundle.h"

#include "alkanes/state_keys.h"
#include "base/contain.h"
#include "base/file.h"
#include "base/sha256.h"
#include "trace/gzip.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace blockloom::range {
namespace {

constexpr std::string_view first_line = "blockloom state bundle 1\n";
constexpr std::uint32_t absent_value = 0xffffffff, unknown_value = 0xfffffffe;
constexpr std::size_t longest_text = std::size_t{64} << 10, longest_bundle_key = 1 << 20,
                      longest_bundle_value = std::size_t{64} << 20, most_bundle_blocks = 1'000'000;
constexpr std::size_t digest_size = sizeof(Hash256);

void append_text(Bytes& to, std::string_view text) {
    append_le(to, static_cast<std::uint32_t>(text.size()));
    to.insert(to.end(), text.begin(), text.end());
}

/// Takes the parts of a bundle one after the other; an error at the first that is not there.
class BundleReader {
public:
    BundleReader(ByteView bytes, const std::string& place) : bytes_(bytes), place_(place) {}

    template <typename Number> bool number(Number& into, const char* what) {
        if (bytes_.size() - at_ < sizeof into) return fail(what, "the end");
        into = read_le<Number>(bytes_.data() + at_);
        at_ += sizeof into;
        return true;
    }
    bool bytes(std::string_view& into, std::size_t size, std::size_t most, const char* what) {
        if (size > most) return fail(what, fmt::format("{} bytes, more than {}", size, most));
        if (bytes_.size() - at_ < size) return fail(what, "the end");
        into = {reinterpret_cast<const char*>(bytes_.data() + at_), size};
        at_ += size;
        return true;
    }
    bool text(std::string& into, const char* what) {
        std::uint32_t size = 0;
        std::string_view found;
        if (!number(size, what) || !bytes(found, size, longest_text, what)) return false;
        into = found;
        return true;
    }
    bool hash(Hash256& into, const char* what) {
        std::string_view found;
        if (!bytes(found, into.size(), into.size(), what)) return false;
        std::copy(found.begin(), found.end(), into.begin());
        return true;
    }
    bool fail(const char* expected, const std::string& found) {
        error_ = input_error(place_, at_, expected, found);
        return false;
    }
    [[nodiscard]] std::size_t left() const noexcept { return bytes_.size() - at_; }
    [[nodiscard]] const Error& error() const noexcept { return error_; }

private:
    ByteView bytes_;
    const std::string& place_;
    std::size_t at_ = 0;
    Error error_;
};

bool read_entry(BundleReader& reader, StateBundle& bundle) {
    std::uint32_t size = 0;
    std::string_view key, value;
    if (!reader.number(size, "the length of a key") ||
        !reader.bytes(key, size, longest_bundle_key, "a key") ||
        !reader.number(size, "the length of a value"))
        return false;
    if (size == 0) return reader.fail("a value, or absence", "an empty value");
    const bool absent = size == absent_value || size == unknown_value;
    if (!absent && !reader.bytes(value, size, longest_bundle_value, "a value")) return false;
    if (!bundle.entries.empty() && !(bundle.entries.back().first.bytes() < key))
        return reader.fail("keys in order, each once", alkanes::key_text(key));
    bundle.entries.emplace_back(key, absent ? state::Value() : state::Value(value));
    if (size == unknown_value) bundle.unknown.emplace_back(key);
    return true;
}

bool read_all(BundleReader& reader, StateBundle& bundle) {
    std::string_view line;
    if (!reader.bytes(line, first_line.size(), first_line.size(), "a state bundle")) return false;
    if (line != first_line)
        return reader.fail("the line \"blockloom state bundle 1\"", "a different first line");
    if (!reader.text(bundle.made_by, "a version") || !reader.text(bundle.from, "a place") ||
        !reader.text(bundle.rules, "rules") || !reader.hash(bundle.parent, "a hash"))
        return false;
    std::uint32_t blocks = 0;
    if (!reader.number(blocks, "the number of blocks")) return false;
    if (blocks > most_bundle_blocks)
        return reader.fail("at most a million blocks", fmt::format("{}", blocks));
    for (std::uint32_t i = 0; i < blocks; ++i) {
        BundleBlock block;
        if (!reader.number(block.height, "a height") || !reader.hash(block.hash, "a hash"))
            return false;
        bundle.blocks.push_back(block);
    }
    std::uint64_t entries = 0;
    if (!reader.number(entries, "the number of keys")) return false;
    // What a number claims, but no more than there are bytes for: a key and two lengths each.
    bundle.entries.reserve(std::min<std::uint64_t>(entries, reader.left() / 9));
    for (std::uint64_t i = 0; i < entries; ++i)
        if (!read_entry(reader, bundle)) return false;
    return reader.left() == 0 || reader.fail("the end", fmt::format("{} bytes", reader.left()));
}

} // namespace

Result<Bytes> bundle_bytes(const StateBundle& bundle) {
    return contain("making a state bundle", [&]() -> Result<Bytes> {
        Bytes bytes(first_line.begin(), first_line.end());
        for (const std::string& text : {bundle.made_by, bundle.from, bundle.rules})
            append_text(bytes, std::string_view(text).substr(0, longest_text));
        bytes.insert(bytes.end(), bundle.parent.begin(), bundle.parent.end());
        append_le(bytes, static_cast<std::uint32_t>(bundle.blocks.size()));
        for (const BundleBlock& block : bundle.blocks) {
            append_le(bytes, block.height);
            bytes.insert(bytes.end(), block.hash.begin(), block.hash.end());
        }
        append_le(bytes, std::uint64_t{bundle.entries.size()});
        for (const auto& [key, value] : bundle.entries) {
            append_text(bytes, key.bytes());
            if (value)
                append_text(bytes, value.bytes());
            else
                append_le(bytes,
                          std::binary_search(bundle.unknown.begin(), bundle.unknown.end(), key)
                              ? unknown_value
                              : absent_value);
        }
        const Hash256 digest = Sha256().once({bytes});
        bytes.insert(bytes.end(), digest.begin(), digest.end());
        return trace::gzip(bytes);
    });
}

Result<StateBundle> bundle_from(ByteView bytes, const std::string& place) {
    return contain("reading a state bundle", [&]() -> Result<StateBundle> {
        if (!trace::is_gzip(bytes))
            return input_error(place, 0, "a state bundle (gzip)", "something else");
        const auto whole = trace::gunzip(bytes, place);
        if (!whole) return whole.error();
        const ByteView all = as_bytes(*whole);
        if (all.size() < first_line.size() + digest_size)
            return input_error(place, all.size(), "a state bundle", "the end");
        const ByteView content = all.first(all.size() - digest_size);
        StateBundle bundle;
        BundleReader reader(content, place);
        if (!read_all(reader, bundle)) return reader.error();
        const Hash256 digest = Sha256().once({content});
        if (!std::equal(digest.begin(), digest.end(), all.last(digest_size).begin()))
            return input_error(place, content.size(), "SHA-256 " + to_hex(digest),
                               to_hex(all.last(digest_size)) +
                                   ": the file is damaged or was changed");
        return bundle;
    });
}

Result<StateBundle> read_bundle(const std::filesystem::path& file) {
    const auto content = FileContent::read(file, most_bundle_bytes);
    if (!content) return content.error();
    return bundle_from(content->bytes(), file.string());
}

Result<state::Value> BundleView::get(const state::KeyView& key) const {
    const auto& entries = bundle_.entries;
    const auto at = std::lower_bound(
        entries.begin(), entries.end(), key.bytes,
        [](const auto& entry, std::string_view bytes) { return entry.first.bytes() < bytes; });
    if (at != entries.end() && at->first.bytes() == key.bytes) {
        if (!at->second && !bundle_.unknown.empty() &&
            std::binary_search(bundle_.unknown.begin(), bundle_.unknown.end(), key.bytes,
                               [](std::string_view a, std::string_view b) { return a < b; }))
            unknown_.add(key.bytes);
        return at->second;
    }
    return Error{ErrorCode::bad_input,
                 fmt::format("{}: expected the value of {}, found none: the bundle only has what "
                             "blocks {} to {} read when it was made ({}); make a bundle of the "
                             "blocks that you replay, with the same rules",
                             place_, alkanes::key_text(key.bytes),
                             bundle_.blocks.empty() ? 0 : bundle_.blocks.front().height,
                             bundle_.blocks.empty() ? 0 : bundle_.blocks.back().height,
                             bundle_.rules)};
}

} // namespace blockloom::range
