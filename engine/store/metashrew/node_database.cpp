#include "store/metashrew/node_database.h"

#include "base/contain.h"
#include "store/metashrew/node_chain.h"
#include "store/metashrew/node_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <set>

namespace blockloom::store {
namespace {

constexpr std::string_view sequence = "/alkanes/sequence";
constexpr std::size_t sequence_bytes = 16;
constexpr std::string_view last_height = "__INTERNAL/height";
constexpr std::string_view tip_height = "/__INTERNAL/tip-height";
constexpr std::string_view hash_of_height = "/__INTERNAL/height-to-hash/";
constexpr std::string_view keys_of_height = "/__INTERNAL/keys-at-height/";
constexpr std::string_view rolled_back_to = "/__INTERNAL/reorg-height";
constexpr std::size_t most_listed = 20;

std::optional<std::uint64_t> number_in(const std::optional<std::string>& bytes) {
    if (!bytes || bytes->size() != 4) return std::nullopt;
    return read_le<std::uint32_t>(as_bytes(*bytes).data());
}

std::string four_bytes(std::uint64_t number) {
    const auto narrow = static_cast<std::uint32_t>(number);
    std::string bytes(sizeof narrow, '\0');
    std::memcpy(bytes.data(), &narrow, sizeof narrow);
    return bytes;
}

} // namespace

struct NodeDatabase::Inside {
    NodeOptions options;
    std::unique_ptr<NodeFiles> files;
    std::string prefix; ///< of every key that the indexer's program wrote: the label
    ChainRules rules;
    struct Place {
        std::uint64_t height = 0;
        Hash256 hash{};
    };
    std::optional<Place> place; ///< stay_at
    std::optional<std::uint64_t> rolled_back;

    mutable std::mutex guard; ///< of what follows, and of catching up
    mutable std::set<std::string> disordered;
    mutable std::size_t more_disordered = 0;

    [[nodiscard]] Error error(const std::string& what) const {
        return {ErrorCode::bad_input, fmt::format("{}: {}", options.folder.string(), what)};
    }

    /// A value that is kept as it is. Whether the label stands before its key differs.
    Result<std::optional<std::string>> plain(std::string_view key) const {
        if (prefix.empty()) return files->get(key);
        auto labelled = files->get(prefix + std::string(key));
        return !labelled || *labelled ? labelled : files->get(key);
    }

    Result<std::optional<Hash256>> hash_at(std::uint64_t height) const {
        const auto bytes = plain(fmt::format("{}{}", hash_of_height, height));
        if (!bytes) return bytes.error();
        if (!*bytes) return std::optional<Hash256>();
        Hash256 hash{};
        if ((*bytes)->size() != hash.size())
            return error(fmt::format("hash of block {}: expected 32 bytes, found {}", height,
                                     (*bytes)->size()));
        std::copy((*bytes)->rbegin(), (*bytes)->rend(), hash.begin()); // kept as it is printed
        return std::optional(hash);
    }

    Status find_layout() {
        const std::string key = prefix + std::string(sequence);
        const auto slashed = files->get(entry_key(NodeLayout::v9, key, 0));
        if (!slashed) return slashed.error();
        const auto binary = files->get(entry_key(NodeLayout::v8, key, 0));
        if (!binary) return binary.error();
        const auto layout = layout_of_entry(*slashed, *binary, sequence_bytes);
        if (!layout)
            return error(fmt::format(
                "expected the database of an Alkanes indexer (metashrew 8, 9.0 or 10{}), found no "
                "entry of {} in a layout that can be read{}",
                prefix.empty() ? "" : fmt::format(", label {}", options.label), sequence,
                *slashed || *binary
                    ? ""
                    : "; the label may be wrong, Alkanes may not have begun yet, or "
                      "it is from 9.0.0-rc1 to rc11"));
        rules.layout = *layout;
        return find_rollback();
    }
    Status find_rollback() {
        if (rules.layout != NodeLayout::v9_hashes) return {};
        const auto mark = plain(rolled_back_to);
        if (!mark) return mark.error();
        rolled_back = number_in(*mark);
        return {};
    }

    /// v9_hashes: above the block that was rolled back to, an entry counts only if its block is the
    /// one that is indexed now.
    Result<bool> is_valid(const ChainEntry& entry) const {
        if (!rolled_back || entry.height < *rolled_back) return true;
        const auto hash = plain(fmt::format("{}{}", hash_of_height, entry.height));
        if (!hash) return hash.error();
        return *hash && (*hash)->size() >= 8 && to_hex(as_bytes(**hash).first(8)) == entry.block;
    }

    Result<std::uint64_t> tip() const {
        const bool old = rules.layout == NodeLayout::v8; // it keeps the next height
        const auto bytes = old ? plain(tip_height) : files->get(last_height);
        if (!bytes) return bytes.error();
        const auto number = number_in(*bytes);
        if (!number || (old && *number == 0))
            return error(fmt::format("expected the height of the last block at {}, found none",
                                     old ? tip_height : last_height));
        return old ? *number - 1 : *number;
    }

    /// Whether the node still has the block at which to stay.
    Status check_place() const {
        if (!place) return {};
        const auto last = tip();
        if (!last) return last.error();
        if (*last < place->height)
            return error(fmt::format("expected the state after block {}, found {} as the last "
                                     "indexed block",
                                     place->height, *last));
        const auto hash = hash_at(place->height);
        if (!hash) return hash.error();
        if (*hash != place->hash)
            return error(fmt::format(
                "expected block {} to be {}, as when reading began, found {}: the node has "
                "followed another branch; start again",
                place->height, to_reversed_hex(place->hash),
                *hash ? to_reversed_hex(**hash) : "no block"));
        return {};
    }

    Result<std::optional<std::string>> get(std::string_view key, std::uint64_t height) const {
        const std::string physical = prefix + std::string(key);
        auto found = find_in_chain(*files, rules, physical, height);
        if (const auto* failure = std::get_if<ChainFailure>(&found);
            failure != nullptr && failure->inconsistent && files->running()) {
            // A rollback ends in an instant; entries up to our block do not change by it.
            const std::lock_guard lock(guard);
            if (const Status caught_up = files->catch_up(); !caught_up) return caught_up.error();
            if (const Status same = check_place(); !same) return same.error();
            found = find_in_chain(*files, rules, physical, height);
        }
        if (const auto* failure = std::get_if<ChainFailure>(&found)) {
            if (!failure->inconsistent && failure->error.code == ErrorCode::system)
                return failure->error;
            return error(failure->error.message);
        }
        ChainValue& value = std::get<ChainValue>(found);
        if (!value.in_order) {
            const std::lock_guard lock(guard);
            const std::string name = to_hex(as_bytes(key));
            if (disordered.size() < most_listed)
                disordered.insert(name);
            else if (!disordered.contains(name))
                ++more_disordered;
        }
        return std::move(value.value);
    }
};

NodeDatabase::NodeDatabase(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
NodeDatabase::~NodeDatabase() = default;

Result<std::unique_ptr<NodeDatabase>> NodeDatabase::open(const NodeOptions& options) {
    return contain("opening an indexer's database", [&]() -> Result<std::unique_ptr<NodeDatabase>> {
        auto inside = std::make_unique<Inside>();
        inside->options = options;
        if (!options.label.empty()) inside->prefix = options.label + "://";
        auto files = NodeFiles::open(options);
        if (!files) return files.error();
        inside->files = *std::move(files);
        if (const Status found = inside->find_layout(); !found) return found.error();
        inside->rules.is_valid = [place = inside.get()](const ChainEntry& entry) {
            return place->is_valid(entry);
        };
        return std::unique_ptr<NodeDatabase>(new NodeDatabase(std::move(inside)));
    });
}

const NodeOptions& NodeDatabase::options() const noexcept {
    return inside_->options;
}
NodeLayout NodeDatabase::layout() const noexcept {
    return inside_->rules.layout;
}
bool NodeDatabase::running() const noexcept {
    return inside_->files->running();
}

Result<std::uint64_t> NodeDatabase::tip() const {
    return inside_->tip();
}
Result<std::optional<Hash256>> NodeDatabase::block_hash(std::uint64_t height) const {
    return inside_->hash_at(height);
}

Status NodeDatabase::catch_up() {
    return contain("reading an indexer's database", [&]() -> Status {
        if (const Status caught_up = inside_->files->catch_up(); !caught_up) return caught_up;
        return inside_->find_rollback();
    });
}

Status NodeDatabase::stay_at(std::uint64_t height, const std::optional<Hash256>& hash) {
    const auto found = inside_->hash_at(height);
    if (!found) return found.error();
    if (!*found)
        return inside_->error(
            fmt::format("expected block {} to be indexed, found no hash of it", height));
    if (hash && **found != *hash)
        return inside_->error(fmt::format("expected block {} to be {}, found {}: the node has "
                                          "indexed another branch",
                                          height, to_reversed_hex(*hash),
                                          to_reversed_hex(**found)));
    inside_->place = {height, **found};
    return inside_->check_place();
}

Result<std::optional<std::string>> NodeDatabase::get(std::string_view key,
                                                     std::uint64_t height) const {
    return contain("reading an indexer's database", [&] { return inside_->get(key, height); });
}

Result<std::optional<std::vector<std::string>>>
NodeDatabase::written_at(std::uint64_t height) const {
    return contain(
        "reading an indexer's database", [&]() -> Result<std::optional<std::vector<std::string>>> {
            std::vector<std::string> keys;
            const auto broken = [&](const std::string& what) {
                return inside_->error(fmt::format("keys of block {}: {}", height, what));
            };
            if (inside_->rules.layout == NodeLayout::v8) {
                const std::string list = inside_->prefix + four_bytes(height);
                const auto count = inside_->files->get(list + "\xff\xff\xff\xff");
                if (!count) return count.error();
                for (std::uint64_t i = 0; i < number_in(*count).value_or(0); ++i) {
                    auto key = inside_->files->get(list + four_bytes(i));
                    if (!key) return key.error();
                    if (!*key) return broken(fmt::format("key {} is missing", i));
                    keys.push_back(**std::move(key));
                }
            } else {
                const auto bytes = inside_->plain(fmt::format("{}{}", keys_of_height, height));
                if (!bytes) return bytes.error();
                if (!*bytes) return std::optional<std::vector<std::string>>();
                std::string_view rest = **bytes;
                const auto number = [&]() -> std::optional<std::uint32_t> {
                    if (rest.size() < 4) return std::nullopt;
                    const auto taken = read_le<std::uint32_t>(as_bytes(rest).data());
                    rest.remove_prefix(4);
                    return taken;
                };
                const auto count = number();
                for (std::uint32_t i = 0; i < count.value_or(0); ++i) {
                    const auto size = number();
                    if (!size || rest.size() < *size)
                        return broken(fmt::format("key {} of {} is truncated", i, *count));
                    keys.emplace_back(rest.substr(0, *size));
                    rest.remove_prefix(*size);
                }
                if (!count || !rest.empty()) return broken("malformed list");
            }
            std::sort(keys.begin(), keys.end());
            keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
            return std::optional(std::move(keys));
        });
}

Result<std::optional<std::string>> NodeDatabase::first_from(std::string_view key) const {
    return contain("reading an indexer's database", [&]() -> Result<std::optional<std::string>> {
        auto found = inside_->files->first_from(inside_->prefix + std::string(key));
        if (!found || !*found) return found;
        if (!(*found)->starts_with(inside_->prefix)) return std::optional<std::string>();
        return std::optional((*found)->substr(inside_->prefix.size()));
    });
}

std::vector<std::string> NodeDatabase::disordered() const {
    const std::lock_guard lock(inside_->guard);
    std::vector<std::string> keys(inside_->disordered.begin(), inside_->disordered.end());
    if (inside_->more_disordered != 0)
        keys.push_back(fmt::format("and {} more", inside_->more_disordered));
    return keys;
}

} // namespace blockloom::store
