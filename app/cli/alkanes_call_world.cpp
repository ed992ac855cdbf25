#include "alkanes_call_world.h"

#include "alkanes/block_messages.h"
#include "base/file.h"
#include "recipes/block_writer.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace blockloom::cli {
namespace {

class OwnBytes final : public chain::BlockStorage {
public:
    explicit OwnBytes(Bytes content) : bytes(std::move(content)) {}
    Bytes bytes;
};

Result<chain::Block> decode(Bytes bytes, const std::string& place) {
    auto storage = std::make_shared<OwnBytes>(std::move(bytes));
    const ByteView view = storage->bytes;
    return chain::decode_block(std::move(storage), view, place);
}

/// Bytes of a file, or of hexadecimal digits; a file may hold digits too.
Result<Bytes> read_bytes(const std::string& source, const char* what) {
    std::error_code ignored;
    if (!std::filesystem::exists(source, ignored)) {
        if (auto bytes = from_hex(source)) return *std::move(bytes);
        return Error{ErrorCode::bad_input,
                     fmt::format("{}: expected a file or hexadecimal digits, found {}", what,
                                 source.substr(0, 80))};
    }
    const auto file = FileContent::read(source);
    if (!file) return file.error();
    std::string_view text(reinterpret_cast<const char*>(file->bytes().data()),
                          file->bytes().size());
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
    if (auto bytes = from_hex(text); bytes && !bytes->empty()) return *std::move(bytes);
    return Bytes(file->bytes().begin(), file->bytes().end());
}

/// A block that holds nothing but a transaction, for decoding it.
Result<chain::Block> carry(const Bytes& transaction, const std::string& place) {
    constexpr std::size_t least = 60; // one input, one output
    if (transaction.size() < least)
        return input_error(place, transaction.size(),
                           fmt::format("a transaction of at least {} bytes", least), "the end");
    Bytes bytes(80);
    bytes.push_back(1);
    bytes.insert(bytes.end(), transaction.begin(), transaction.end());
    // Offsets in errors count from the transaction's first byte.
    auto storage = std::make_shared<OwnBytes>(std::move(bytes));
    const ByteView view = storage->bytes;
    return chain::decode_block(std::move(storage), view, place, std::uint64_t{0} - 81);
}

Bytes block_around(const recipes::WrittenTransaction& transaction, std::uint64_t height,
                   Sha256& hasher) {
    recipes::BlockFrame frame;
    frame.height = height;
    frame.time = 1'700'000'000;
    frame.reward = 312'500'000;
    return recipes::write_block(frame, {&transaction, 1}, hasher).bytes;
}

} // namespace

ByteView CallWorld::transaction_bytes() const noexcept {
    const chain::Transaction& tx = carrier.transactions[transaction];
    return carrier.bytes.subspan(tx.begin, tx.size);
}

void CallWorld::describe(alkanes::Surroundings& surroundings) const {
    surroundings.block = block.bytes;
    surroundings.header = block.bytes.first(80);
    const chain::Transaction& coinbase = block.transactions.front();
    surroundings.coinbase = block.bytes.subspan(coinbase.begin, coinbase.size);
    surroundings.transaction = transaction_bytes();
    surroundings.mint_transactions = mint_transactions;
    surroundings.coinbase_total = coinbase_total;
    surroundings.deployed = deployed ? &*deployed : nullptr;
}

Result<CallWorld> open_call_world(const std::string& transaction, const std::string& block,
                                  std::uint64_t height, const alkanes::Rules& rules) {
    CallWorld world;
    Sha256 hasher;
    recipes::WrittenTransaction written;
    if (!transaction.empty()) {
        auto bytes = read_bytes(transaction, "--tx");
        if (!bytes) return bytes.error();
        auto carrier = carry(*bytes, "--tx");
        if (!carrier) return carrier.error();
        world.carrier = *std::move(carrier);
        written = {*std::move(bytes), world.carrier.txids[0], world.carrier.wtxids[0]};
    } else {
        recipes::Coin coin;
        coin.txid.fill(0x11);
        coin.value = 10'000;
        const recipes::Payment payment{9'000};
        written = recipes::write_transaction({&coin, 1}, {&payment, 1}, hasher);
    }
    world.own_block = block.empty();
    auto block_bytes = world.own_block ? Result<Bytes>(block_around(written, height, hasher))
                                       : read_bytes(block, "--block");
    if (!block_bytes) return block_bytes.error();
    auto decoded = decode(*std::move(block_bytes), "--block");
    if (!decoded) return decoded.error();
    world.block = *std::move(decoded);
    if (world.block.transactions.empty())
        return Error{ErrorCode::bad_input, "--block: expected a transaction, found none"};
    if (transaction.empty()) {
        world.carrier = world.block;
        world.transaction = world.block.transactions.size() > 1 ? 1 : 0;
    }
    const alkanes::BlockMessages messages =
        alkanes::decode_messages(world.block, rules.rune_pointer_anywhere);
    world.mint_transactions = messages.mint_transactions;
    world.coinbase_total = messages.coinbase_total;
    const auto envelopes =
        alkanes::find_envelopes(world.carrier, world.carrier.transactions[world.transaction]);
    if (!envelopes.empty()) world.deployed = envelopes.front().payload;
    return world;
}

} // namespace blockloom::cli
