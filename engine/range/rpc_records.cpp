#include "range/rpc_records.h"

#include "alkanes/envelope.h"
#include "base/contain.h"
#include "range/indexer_views.h"
#include "range/rpc_state.h"

#include <fmt/format.h>

#include <mutex>

namespace blockloom::range {
namespace {

/// All traces of a block.
constexpr std::size_t most_trace_bytes = std::size_t{256} << 20;
/// A plain module, far above those of built-in contracts.
constexpr std::size_t most_module_bytes = std::size_t{32} << 20;

class RpcRecords final : public NodeRecords {
public:
    RpcRecords(std::shared_ptr<const node::MetashrewNode> node, std::stop_token stop)
        : node_(std::move(node)), stop_(std::move(stop)) {}

    [[nodiscard]] std::string place() const override {
        return fmt::format("metashrew:{}", node_->address().url);
    }
    [[nodiscard]] Result<std::uint64_t> tip() const override { return node_->height(stop_); }
    [[nodiscard]] Result<std::optional<Hash256>> block_hash(std::uint64_t height) const override {
        return node_->block_hash(height, stop_);
    }
    [[nodiscard]] Result<std::vector<NodeTrace>> traces(std::uint64_t height) const override {
        return contain("reading an indexer's traces", [&]() -> Result<std::vector<NodeTrace>> {
            const auto answer = node_->view({.view = "traceblock",
                                             .input = {},
                                             .height = height,
                                             .most_bytes = most_trace_bytes},
                                            stop_);
            if (!answer) return answer.error();
            auto listed = traces_answer(*answer);
            if (!listed)
                return Error{ErrorCode::bad_input,
                             fmt::format("{}: block {}: expected an answer of traceblock, found "
                                         "other bytes",
                                         place(), height)};
            std::vector<NodeTrace> traces;
            for (TraceAnswer& each : *listed)
                traces.push_back({{each.txid, each.vout}, std::move(each.trace)});
            return traces;
        });
    }
    [[nodiscard]] Result<std::optional<std::vector<std::string>>>
    written_at(std::uint64_t /*height*/) const override {
        return std::optional<std::vector<std::string>>();
    }
    [[nodiscard]] Result<std::optional<std::string>> get(std::string_view /*key*/,
                                                         std::uint64_t /*height*/) const override {
        return std::optional<std::string>();
    }
    [[nodiscard]] Result<Bytes> stored_module(const alkanes::AlkaneId& contract,
                                              std::uint64_t height) const override {
        const auto answer = node_->view({.view = "getbytecode",
                                         .input = contract_question(contract),
                                         .height = height,
                                         .most_bytes = most_module_bytes},
                                        stop_);
        if (!answer) return answer.error();
        if (!alkanes::is_module(as_bytes(*answer))) return Bytes();
        return Bytes(answer->begin(), answer->end());
    }
    [[nodiscard]] Result<std::variant<state::Value, const char*>>
    value(std::string_view key, std::uint64_t height) const override {
        using Answer = std::variant<state::Value, const char*>;
        if (alkanes::key_kind_text(key) == "code")
            return Answer("contracts whose code the node only returns decompressed (its RPC)");
        const auto state = state_at(height);
        auto value = state->get(state::Key(key));
        if (!value) return value.error();
        if (!state->is_unknown(key)) return Answer(*std::move(value));
        return Answer(alkanes::key_kind_text(key) == "balance"
                          ? "balances that the node does not list (its RPC)"
                          : "outputs that the node does not have (its RPC)");
    }
    Status read_ahead(std::span<const std::string> keys, std::uint64_t height) const override {
        KnownAhead known;
        for (const std::string& key : keys)
            if (alkanes::key_kind_text(key) != "code") known.keys.push_back(key);
        SilentProgress silent;
        return state_at(height)->read_ahead(known, silent, stop_);
    }

private:
    /// Of the block that is being compared: one after the other.
    [[nodiscard]] std::shared_ptr<const RpcState> state_at(std::uint64_t height) const {
        const std::lock_guard lock(guard_);
        if (state_ == nullptr || height_ != height) {
            state_ = std::make_shared<const RpcState>(node_, height, stop_);
            height_ = height;
        }
        return state_;
    }

    std::shared_ptr<const node::MetashrewNode> node_;
    std::stop_token stop_;
    mutable std::mutex guard_; ///< of the rest
    mutable std::uint64_t height_ = 0;
    mutable std::shared_ptr<const RpcState> state_;
};

} // namespace

std::unique_ptr<NodeRecords> rpc_records(std::shared_ptr<const node::MetashrewNode> node,
                                         std::stop_token stop) {
    return std::make_unique<RpcRecords>(std::move(node), std::move(stop));
}

} // namespace blockloom::range
