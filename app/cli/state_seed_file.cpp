// Seed files: JSON that names code, storage, balances, sheets and the sequence (docs/state.md).
#include "base/file.h"
#include "state_seed.h"
#include "state_values.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace blockloom::cli {
namespace {

using nlohmann::json;

/// "FILE: storage: 2:0: /cap".
std::string at(const std::string& place, const std::string& name) {
    return place + ": " + name;
}

/// A bad value in a file is bad input, not wrong usage.
Error in_file(Error error) {
    error.code = ErrorCode::bad_input;
    return error;
}

Error expected_in(const std::string& place, const char* expected, const json& found) {
    return {ErrorCode::bad_input,
            fmt::format("{}: expected {}, found {}", place, expected, found.type_name())};
}

/// A JSON number without fraction, or digits in quotes (JSON numbers end at 2^64).
Result<u128> amount_of(const std::string& place, const json& value) {
    if (value.is_number_unsigned()) return u128{value.get<std::uint64_t>()};
    if (!value.is_string()) return expected_in(place, "an amount, or one in quotes", value);
    Result<u128> amount = read_amount(place, value.get_ref<const std::string&>());
    return amount ? amount : in_file(amount.error());
}

using Entry = std::function<Status(const std::string& place, const std::string& name, const json&)>;

Status each(const std::string& place, const json& object, const Entry& entry) {
    if (!object.is_object()) return expected_in(place, "an object", object);
    for (const auto& [name, value] : object.items())
        if (Status done = entry(at(place, name), name, value); !done) return in_file(done.error());
    return {};
}

Status put_code_entry(SeedWrites& writes, const std::filesystem::path& folder,
                      const std::string& place, const std::string& name, const json& value) {
    const auto id = read_alkane_id(place, name);
    if (!id) return id.error();
    if (value.is_string()) return writes.put_code(*id, folder / value.get<std::string>());
    if (!value.is_object() || !value.contains("clone") || !value["clone"].is_string())
        return expected_in(place, "a file's name or {\"clone\": ID}", value);
    const auto sample = read_alkane_id(place, value["clone"].get_ref<const std::string&>());
    if (!sample) return sample.error();
    return writes.put_clone(*id, *sample);
}

Status put_storage_entry(SeedWrites& writes, const std::string& place, const std::string& name,
                         const json& pairs) {
    const auto id = read_alkane_id(place, name);
    if (!id) return id.error();
    return each(place, pairs,
                [&](const std::string& here, const std::string& text, const json& value) -> Status {
                    const auto key = storage_key_bytes(here, text);
                    if (!key) return key.error();
                    if (!value.is_string()) return expected_in(here, "a value in quotes", value);
                    auto bytes = bytes_from_text(here, value.get_ref<const std::string&>());
                    if (!bytes) return bytes.error();
                    writes.put(alkanes::storage_key(*id, *key), state::Value(std::move(*bytes)));
                    return {};
                });
}

/// {ID: amount}, each handed on.
Status each_token(const std::string& place, const json& tokens,
                  const std::function<Status(const alkanes::AlkaneId&, u128)>& token) {
    return each(place, tokens,
                [&](const std::string& here, const std::string& text, const json& value) -> Status {
                    const auto id = read_alkane_id(here, text);
                    if (!id) return id.error();
                    const auto amount = amount_of(here, value);
                    if (!amount) return amount.error();
                    return token(*id, *amount);
                });
}

Status put_balances_entry(SeedWrites& writes, const std::string& place, const std::string& name,
                          const json& tokens) {
    const auto who = read_alkane_id(place, name);
    if (!who) return who.error();
    return each_token(place, tokens, [&](const alkanes::AlkaneId& what, u128 amount) -> Status {
        writes.put_balance(*who, what, amount);
        return {};
    });
}

Status put_sheet_entry(SeedWrites& writes, const std::string& place, const std::string& name,
                       const json& tokens) {
    const auto outpoint = read_outpoint(place, name);
    if (!outpoint) return outpoint.error();
    return each_token(place, tokens, [&](const alkanes::AlkaneId& id, u128 amount) {
        return writes.put_token(*outpoint, id, amount);
    });
}

} // namespace

Status SeedWrites::put_file(const std::filesystem::path& seed) {
    const auto file = MappedFile::open(seed);
    if (!file) return file.error();
    const json document = json::parse(file->bytes().begin(), file->bytes().end(), nullptr, false);
    const std::string place = seed.string();
    if (document.is_discarded())
        return Error{ErrorCode::bad_input, fmt::format("{}: expected JSON", place)};
    const std::filesystem::path folder = seed.parent_path();
    // The sequence first: code raises it where it is too low.
    if (document.is_object() && document.contains("sequence")) {
        const auto next = amount_of(at(place, "sequence"), document["sequence"]);
        if (!next) return next.error();
        put_sequence(*next);
    }
    return each(
        place, document,
        [&](const std::string& here, const std::string& section, const json& content) -> Status {
            using Put = std::function<Status(const std::string&, const std::string&, const json&)>;
            Put put;
            if (section == "sequence") return {};
            if (section == "code")
                put = [&](const auto& p, const auto& n, const json& v) {
                    return put_code_entry(*this, folder, p, n, v);
                };
            else if (section == "storage")
                put = [&](const auto& p, const auto& n, const json& v) {
                    return put_storage_entry(*this, p, n, v);
                };
            else if (section == "balances")
                put = [&](const auto& p, const auto& n, const json& v) {
                    return put_balances_entry(*this, p, n, v);
                };
            else if (section == "sheets")
                put = [&](const auto& p, const auto& n, const json& v) {
                    return put_sheet_entry(*this, p, n, v);
                };
            else
                return Error{ErrorCode::bad_input,
                             fmt::format("{}: expected code, storage, balances, sheets or "
                                         "sequence",
                                         here)};
            return each(here, content, put);
        });
}

} // namespace blockloom::cli
