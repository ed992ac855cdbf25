// Bitcoin Core's JSON-RPC and REST over blocks in memory.
#pragma once

#include "base/bytes.h"
#include "chain/block_source.h"
#include "node/node_server.h"
#include "range/indexer_rpc.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace blockloom::test {

/// May be used by several threads.
class CoreRpc {
public:
    /// The chain: `blocks` from height `first` on.
    CoreRpc(std::uint64_t first, std::vector<Bytes> blocks) : first_(first) {
        replace(std::move(blocks));
    }
    /// Another chain from now on; what was there can still be read by its hash.
    void replace(std::vector<Bytes> blocks) {
        const std::lock_guard lock(guard_);
        chain_.clear();
        for (Bytes& bytes : blocks) {
            const auto listing = chain::list_block_bytes(bytes, "block");
            chain_.push_back(to_reversed_hex(listing.blocks.front().hash));
            bytes_[chain_.back()] = std::move(bytes);
        }
    }
    [[nodiscard]] std::uint64_t tip() const {
        const std::lock_guard lock(guard_);
        return first_ + chain_.size() - 1;
    }

    Reply operator()(const ServedRequest& request) const {
        const std::lock_guard lock(guard_);
        return request.path.starts_with("/rest/") ? rest(request.path) : rpc(request);
    }

private:
    [[nodiscard]] const std::string* hash_at(std::uint64_t height) const {
        return height < first_ || height - first_ >= chain_.size() ? nullptr
                                                                   : &chain_[height - first_];
    }
    [[nodiscard]] Reply rest(const std::string& path) const {
        if (path == "/rest/chaininfo.json")
            return Reply::with_body("{\"chain\":\"main\",\"blocks\":" +
                                    std::to_string(first_ + chain_.size() - 1) + "}");
        const std::string by_height = "/rest/blockhashbyheight/", by_hash = "/rest/block/";
        if (path.starts_with(by_height)) {
            const std::string* const hash = hash_at(std::stoull(path.substr(by_height.size())));
            if (hash == nullptr) return Reply::with_status(404, "Block height out of range\r\n");
            const Hash256 bytes = *hash_from_reversed_hex(*hash);
            return Reply::with_body({bytes.begin(), bytes.end()});
        }
        const auto found = bytes_.find(path.substr(by_hash.size(), 64));
        if (found == bytes_.end()) return Reply::with_status(404, "not found\r\n");
        return Reply::with_body({found->second.begin(), found->second.end()});
    }
    [[nodiscard]] Reply rpc(const ServedRequest& request) const {
        const auto call = QJsonDocument::fromJson(QByteArray::fromStdString(request.body)).object();
        const QString method = call[QStringLiteral("method")].toString();
        const QJsonArray given = call[QStringLiteral("params")].toArray();
        const auto failed = [&](int code, const char* message) {
            Reply reply = rpc_error(request, code, QString::fromLatin1(message));
            reply.status = 500;
            return reply;
        };
        if (method == QStringLiteral("getblockcount"))
            return rpc_result(request, static_cast<qint64>(first_ + chain_.size() - 1));
        if (method == QStringLiteral("getblockhash")) {
            const std::string* const hash = hash_at(std::uint64_t(given[0].toInteger()));
            if (hash == nullptr) return failed(-8, "Block height out of range");
            return rpc_result(request, QString::fromStdString(*hash));
        }
        const auto found = bytes_.find(given[0].toString().toStdString());
        if (method != QStringLiteral("getblock") || found == bytes_.end())
            return failed(-5, "Block not found");
        return rpc_result(request, QString::fromStdString(to_hex(found->second)));
    }

    std::uint64_t first_;
    mutable std::mutex guard_;
    std::vector<std::string> chain_;     ///< hashes as they are printed
    std::map<std::string, Bytes> bytes_; ///< by hash
};

} // namespace blockloom::test
