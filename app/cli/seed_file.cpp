#include "seed_file.h"

#include "base/json.h"
#include "state_values.h"

#include <fmt/format.h>

#include <algorithm>

namespace blockloom::cli {
namespace {

constexpr JsonLimits seed_limits{
    .bytes = std::size_t{256} << 20, .values = std::size_t{8} << 20, .depth = 4};
constexpr std::size_t value_bytes = std::size_t{64} << 20, path_bytes = 4096;

/// A value of the file, and the first error found in it.
class Entry {
public:
    Entry(JsonValue value, std::optional<Error>& error) : value_(value), error_(error) {}

    [[nodiscard]] JsonValue value() const { return value_; }
    /// Adds the place to an error: the path is only made when it is needed.
    template <typename T> [[nodiscard]] std::optional<T> take(Result<T> read) const {
        if (read) return *std::move(read);
        if (!error_)
            error_ = Error{ErrorCode::bad_input, fmt::format("{}: {}{}", value_.place(),
                                                             value_.path(), read.error().message)};
        return std::nullopt;
    }

    /// An integer, or digits in quotes: JSON numbers end at 2^64 here.
    [[nodiscard]] std::optional<u128> amount() const {
        if (value_.is_text()) return take(read_amount({}, value_.text(value_bytes).value_or("")));
        if (value_.is_number()) {
            if (const auto number = value_.whole()) return u128{*number};
        } else {
            value_.refuse("an amount, or one in quotes");
        }
        return std::nullopt;
    }
    [[nodiscard]] std::optional<alkanes::AlkaneId> id(std::string_view text) const {
        return take(read_alkane_id({}, text));
    }

    /// Calls `each(name, entry)` for each member, ordered by name.
    template <typename Each> void members(Each each) const {
        std::vector<std::pair<std::string_view, JsonValue>> sorted;
        for (const auto& member : value_.required().members()) sorted.push_back(member);
        std::sort(sorted.begin(), sorted.end(),
                  [](const auto& a, const auto& b) { return a.first < b.first; });
        for (const auto& [name, member] : sorted) {
            if (error_) return;
            each(name, Entry(member, error_));
        }
    }

private:
    JsonValue value_;
    std::optional<Error>& error_;
};

void read_code(std::string_view name, const Entry& entry, SeedFile& seed) {
    const auto id = entry.id(name);
    if (!id) return;
    SeedFile::Code code{*id, {}, {}};
    const JsonValue clone = entry.value().is_object() ? entry.value()["clone"] : entry.value();
    if (clone.is_absent() || !clone.is_text())
        return entry.value().refuse("a file's name or {\"clone\": ID}");
    const auto text = clone.text(path_bytes);
    if (!text) return;
    if (entry.value().is_object())
        code.clone_of = entry.id(*text);
    else
        code.file = *text;
    seed.code.push_back(std::move(code));
}

void read_storage(std::string_view name, const Entry& pairs, SeedFile& seed) {
    const auto id = pairs.id(name);
    if (!id) return;
    pairs.members([&](std::string_view key, const Entry& entry) {
        const auto bytes = entry.take(storage_key_bytes({}, key));
        if (!bytes) return;
        if (!entry.value().is_text()) return entry.value().refuse("a value in quotes");
        const auto text = entry.value().text(value_bytes);
        if (!text) return;
        if (auto value = entry.take(bytes_from_text({}, *text)))
            seed.storage.push_back({*id, *bytes, *std::move(value)});
    });
}

/// Calls `token(id, amount)` for {ID: amount}.
template <typename Token> void each_token(const Entry& tokens, Token token) {
    tokens.members([&](std::string_view name, const Entry& entry) {
        const auto id = entry.id(name);
        const auto amount = id ? entry.amount() : std::nullopt;
        if (amount) token(*id, *amount);
    });
}

} // namespace

Result<SeedFile> read_seed_file(std::string_view text, const std::string& place) {
    const auto document = JsonDocument::parse(text, place, seed_limits);
    if (!document) return document.error();
    SeedFile seed;
    std::optional<Error> error;
    const JsonValue root = document->root();
    root.only({"code", "storage", "balances", "sheets", "sequence"});
    const Entry sequence(root["sequence"], error);
    if (!sequence.value().is_absent()) seed.sequence = sequence.amount();
    const auto section = [&](const char* name, auto each) {
        if (const JsonValue value = root[name]; !value.is_absent())
            Entry(value, error).members(each);
    };
    section("code",
            [&](std::string_view name, const Entry& entry) { read_code(name, entry, seed); });
    section("storage",
            [&](std::string_view name, const Entry& entry) { read_storage(name, entry, seed); });
    section("balances", [&](std::string_view name, const Entry& entry) {
        const auto who = entry.id(name);
        if (!who) return;
        each_token(entry, [&](const alkanes::AlkaneId& what, u128 amount) {
            seed.balances.push_back({*who, what, amount});
        });
    });
    section("sheets", [&](std::string_view name, const Entry& entry) {
        const auto outpoint = entry.take(read_outpoint({}, name));
        if (!outpoint) return;
        each_token(entry, [&](const alkanes::AlkaneId& what, u128 amount) {
            seed.sheets.push_back({*outpoint, what, amount});
        });
    });
    if (const Status status = document->status(); !status) return status.error();
    if (error) return *error;
    return seed;
}

} // namespace blockloom::cli
