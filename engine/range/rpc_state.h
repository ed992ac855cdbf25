// The Alkanes state after a block, asked from an indexer by JSON-RPC
// (docs/metashrew.md#over-json-rpc).
#pragma once

#include "alkanes/ids.h"
#include "base/progress.h"
#include "execute/replayed_block.h"
#include "execute/replayer.h"
#include "node/metashrew_node.h"
#include "range/fetched_answers.h"
#include "range/unknown_values.h"
#include "state/view.h"

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace blockloom::range {

/// What is certain about a range before it is executed.
struct KnownAhead {
    /// Keys that it reads: the tokens of all that it spends and has not made itself, the code of
    /// the contracts that it calls, the sequence.
    std::vector<std::string> keys;
    std::set<Hash256> made; ///< its transactions: before it none of their outputs is there
};

/// Reads the blocks. Those that cannot be read are passed over: who executes them reports it.
[[nodiscard]] KnownAhead known_ahead(std::span<const execute::ReplaySource> blocks,
                                     const std::stop_token& stop);

/// Asks for what is read, once, and keeps it. What the indexer cannot answer exactly is taken for
/// absent and noted.
class RpcState final : public state::StateView {
public:
    /// The state after the block at `height`. Once a stop is requested, reads fail.
    RpcState(std::shared_ptr<const node::MetashrewNode> node, std::uint64_t height,
             std::stop_token stop);
    ~RpcState() override;

    /// From now on answers are kept there, and what is there is not asked for. Before any read.
    void resume_from(std::shared_ptr<FetchedAnswers> fetched) { fetched_ = std::move(fetched); }

    [[nodiscard]] Result<state::Value> get(const state::KeyView& key) const override;

    /// Asks for all keys, in parallel, so that later reads need not wait.
    Status read_ahead(const KnownAhead& known, ProgressSink& progress,
                      const std::stop_token& stop) const;

    /// Finds out what else the blocks will read, and asks for it in parallel: they are executed on
    /// what is known, absent for what is not, and whatever they read then is asked for; again,
    /// until they read nothing new. A wrong guess costs questions, and no result rests on it.
    Status read_by_guess(std::span<const execute::ReplaySource> blocks,
                         const execute::ReplayOptions& how, ProgressSink& progress,
                         const std::stop_token& stop) const;

    [[nodiscard]] UnknownValues unknown() const { return unknown_.counts(); }
    [[nodiscard]] bool is_unknown(std::string_view key) const { return unknown_.contains(key); }

private:
    struct Question;
    class Guesses;

    /// Asks what is not known yet; with the guard not held.
    Status ask(std::span<const std::string> keys, const std::stop_token& stop) const;
    [[nodiscard]] Result<Question> question_of(std::string_view key) const;
    Status keep(const Question& question, std::string answer) const;
    [[nodiscard]] Error malformed(std::string_view key, const char* view) const;
    /// What is kept of a key; nothing: it was not asked for. What is not known is noted, unless it
    /// is only a guess. The guard is held.
    [[nodiscard]] std::optional<state::Value> kept(std::string_view key, bool guess = false) const;

    std::shared_ptr<const node::MetashrewNode> node_;
    std::uint64_t height_;
    std::stop_token stop_;
    std::shared_ptr<FetchedAnswers> fetched_ = std::make_shared<FetchedAnswers>();

    mutable std::mutex guard_; ///< of all below
    mutable std::condition_variable changed_;
    mutable std::map<std::string, state::Value, std::less<>> values_;
    mutable std::map<std::string, std::map<alkanes::AlkaneId, u128>, std::less<>>
        inventories_;                                      ///< by holder, 32 bytes
    mutable std::set<std::string, std::less<>> asked_now_; ///< questions that are under way
    mutable std::set<Hash256> made_;
    mutable UnknownKeys unknown_;
};

} // namespace blockloom::range
