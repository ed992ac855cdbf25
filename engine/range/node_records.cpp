#include "range/node_records.h"

#include "alkanes/envelope.h"
#include "base/contain.h"
#include "range/indexer_keys.h"

#include <fmt/format.h>

namespace blockloom::range {
namespace {

/// More messages than fit into a block.
constexpr std::uint32_t most_traces = 1U << 20U;

class DatabaseRecords final : public NodeRecords {
public:
    explicit DatabaseRecords(std::shared_ptr<const store::NodeDatabase> database)
        : database_(std::move(database)) {}

    [[nodiscard]] std::string place() const override {
        return fmt::format("metashrew:{}", database_->options().folder.string());
    }
    [[nodiscard]] Result<std::uint64_t> tip() const override { return database_->tip(); }
    [[nodiscard]] Result<std::optional<Hash256>> block_hash(std::uint64_t height) const override {
        return database_->block_hash(height);
    }
    [[nodiscard]] Result<std::vector<NodeTrace>> traces(std::uint64_t height) const override {
        return contain("reading an indexer's traces", [&] { return read_traces(height); });
    }
    [[nodiscard]] Result<std::optional<std::vector<std::string>>>
    written_at(std::uint64_t height) const override {
        return database_->written_at(height);
    }
    [[nodiscard]] Result<std::optional<std::string>> get(std::string_view key,
                                                         std::uint64_t height) const override {
        return database_->get(key, height);
    }
    [[nodiscard]] Result<Bytes> stored_module(const alkanes::AlkaneId& contract,
                                              std::uint64_t height) const override {
        const auto stored = database_->get(indexer_code_key(contract), height);
        if (!stored) return stored.error();
        if (!*stored) return Bytes();
        const ByteView bytes = as_bytes(**stored);
        if (alkanes::is_module(bytes)) return Bytes(bytes.begin(), bytes.end());
        auto module = alkanes::inflate_code(bytes, place());
        return module ? module : Result<Bytes>(Bytes()); // a template's id, or no code at all
    }
    [[nodiscard]] Result<std::variant<state::Value, const char*>>
    value(std::string_view key, std::uint64_t height) const override {
        auto value =
            indexer_value([&](std::string_view name) { return database_->get(name, height); }, key);
        if (!value) return value.error();
        return std::variant<state::Value, const char*>(*std::move(value));
    }

private:
    [[nodiscard]] Error malformed(std::uint64_t height, const std::string& expected,
                                  const std::string& found) const {
        return {ErrorCode::bad_input, fmt::format("{}: list of the traces of block {}: expected "
                                                  "{}, found {}",
                                                  place(), height, expected, found)};
    }

    Result<std::vector<NodeTrace>> read_traces(std::uint64_t height) const {
        const std::string list = indexer_traces_key(height);
        const auto length = database_->get(list + "/length", height);
        if (!length) return length.error();
        std::vector<NodeTrace> traces;
        if (!*length) return traces;
        if ((*length)->size() != sizeof(std::uint32_t))
            return malformed(height, "a length of 4 bytes", fmt::format("{}", (*length)->size()));
        const auto count = read_le<std::uint32_t>(as_bytes(**length).data());
        if (count > most_traces)
            return malformed(height, fmt::format("at most {} entries", most_traces),
                             fmt::format("{}", count));
        for (std::uint32_t i = 0; i < count; ++i) {
            const auto place = database_->get(fmt::format("{}/{}", list, i), height);
            if (!place) return place.error();
            NodeTrace trace;
            if (!*place || (*place)->size() != trace.outpoint.txid.size() + sizeof(std::uint32_t))
                return malformed(height, fmt::format("36 bytes as entry {}", i),
                                 *place ? fmt::format("{}", (*place)->size()) : "none");
            std::copy_n((*place)->begin(), trace.outpoint.txid.size(), trace.outpoint.txid.begin());
            trace.outpoint.vout =
                read_le<std::uint32_t>(as_bytes(**place).data() + trace.outpoint.txid.size());
            auto bytes = database_->get(indexer_trace_key(**place), height);
            if (!bytes) return bytes.error();
            trace.bytes = (*bytes).value_or(std::string());
            traces.push_back(std::move(trace));
        }
        return traces;
    }

    std::shared_ptr<const store::NodeDatabase> database_;
};

} // namespace

Result<state::Value> indexer_value(const IndexerRead& read, std::string_view key) {
    if (alkanes::key_kind_text(key) == "sheet") {
        const auto sheet = read_indexer_sheet(read, key);
        if (!sheet) return sheet.error();
        return state::Value(*sheet);
    }
    const auto stored = read(*indexer_key(key));
    if (!stored) return stored.error();
    if (!*stored) return state::Value();
    if (alkanes::key_kind_text(key) != "code") return state::Value(**stored);
    const alkanes::AlkaneId contract = *alkanes::id_from_bytes(key.substr(1));
    const ByteView code = as_bytes(**stored);
    const auto form = alkanes::is_module(code) ? alkanes::CodeForm::plain : alkanes::CodeForm::gzip;
    for (const auto& [name, value] : alkanes::code_entries(contract, code, form))
        if (name.bytes() == key) return value;
    return state::Value();
}

std::unique_ptr<NodeRecords> node_records(std::shared_ptr<const store::NodeDatabase> database) {
    return std::make_unique<DatabaseRecords>(std::move(database));
}

} // namespace blockloom::range
