// An indexer's JSON-RPC over the states of a replayed range, as rockshrew-mono with the Alkanes
// program answers (docs/metashrew.md#over-json-rpc). Independent of the reader.
#pragma once

#include "node/node_server.h"
#include "range/indexer_export.h"

#include <QJsonObject>

#include <atomic>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace blockloom::test {

/// Answers each request; may be called by several threads.
class IndexerRpc {
public:
    /// `raw`: the blocks' bytes, as many as `blocks`, or none. Both must outlive it.
    explicit IndexerRpc(std::span<const IndexedBlock> blocks, std::span<const Bytes> raw = {})
        : blocks_(blocks), raw_(raw) {}

    Reply operator()(const ServedRequest& request) const;

    /// Version 8 names the height that comes next.
    bool version_8 = false;
    /// Leaves every second token out of inventories, as an indexer does with those that were
    /// received once.
    bool incomplete_inventories = false;
    /// As if another branch had been indexed.
    std::atomic<bool> another_branch = false;

private:
    [[nodiscard]] std::optional<std::string> view(const std::string& name, const std::string& input,
                                                  const IndexedBlock& at) const;
    std::span<const IndexedBlock> blocks_;
    std::span<const Bytes> raw_;
};

/// An answer of JSON-RPC to the request.
Reply rpc_result(const ServedRequest& request, const QJsonValue& result);
Reply rpc_error(const ServedRequest& request, int code, const QString& message);

} // namespace blockloom::test
