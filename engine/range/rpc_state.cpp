#include "range/rpc_state.h"

#include "alkanes/block_messages.h"
#include "alkanes/state_keys.h"
#include "base/contain.h"
#include "chain/commitments.h"
#include "execute/replay.h"
#include "range/indexer_views.h"

#include <fmt/format.h>

#include <algorithm>

namespace blockloom::range {
namespace {

using alkanes::AlkaneId;
using alkanes::id_size;

constexpr std::size_t largest_code = std::size_t{32} << 20, largest_value = std::size_t{16} << 20;
Hash256 txid_of_sheet(std::string_view key) {
    Hash256 txid{};
    std::copy_n(key.begin() + 1, txid.size(), txid.begin());
    return txid;
}

/// Questions between two reports of progress.
constexpr std::size_t questions_at_a_time = 256;
/// Passes on guesses, and keys that one of them may find: guesses on guesses need not end.
constexpr int most_passes = 12;
constexpr std::size_t most_guesses = std::size_t{1} << 16;

/// What is asked, but for the height.
std::string question_text(const node::ViewCall& call) {
    return call.view + '\0' + call.input;
}

} // namespace

/// What is asked for a key: several keys may have one question.
struct RpcState::Question {
    std::string name; ///< of the question: the key, or the holder of balances
    std::string key;  ///< of the state; of balances: one of them
    node::ViewCall call;
};

RpcState::RpcState(std::shared_ptr<const node::MetashrewNode> node, std::uint64_t height,
                   std::stop_token stop)
    : node_(std::move(node)), height_(height), stop_(std::move(stop)) {}
RpcState::~RpcState() = default;

Error RpcState::malformed(std::string_view key, const char* view) const {
    return {ErrorCode::bad_input,
            fmt::format("{}: {} after block {}: expected an answer of {}, found other bytes",
                        node_->address().url, alkanes::key_text(key), height_, view)};
}

Result<RpcState::Question> RpcState::question_of(std::string_view key) const {
    const std::string_view kind = alkanes::key_kind_text(key);
    Question question{std::string(key), std::string(key), {}};
    node::ViewCall& call = question.call;
    call.height = height_;
    if (kind == "storage") {
        call.view = "getstorageat";
        call.input = storage_question(*alkanes::id_from_bytes(key.substr(1, id_size)),
                                      key.substr(1 + id_size));
        call.most_bytes = largest_value;
    } else if (kind == "balance") {
        question.name = "balances of " + std::string(key.substr(1, id_size));
        call.view = "getinventory";
        call.input = contract_question(*alkanes::id_from_bytes(key.substr(1, id_size)));
        call.most_bytes = largest_value;
    } else if (kind == "sequence") {
        call.view = "sequence";
    } else if (kind == "code") {
        call.view = "getbytecode";
        call.input = contract_question(*alkanes::id_from_bytes(key.substr(1)));
        call.most_bytes = largest_code;
    } else if (kind == "sheet") {
        call.view = "protorunesbyoutpoint";
        call.input = output_question(key.substr(1));
    } else {
        return Error{ErrorCode::bad_input,
                     fmt::format("{}: expected a key of the state, found {}", node_->address().url,
                                 alkanes::key_text(key))};
    }
    return question;
}

std::optional<state::Value> RpcState::kept(std::string_view key, bool guess) const {
    const auto found = values_.find(key);
    if (found != values_.end()) return found->second;
    const std::string_view kind = alkanes::key_kind_text(key);
    if (kind == "sheet" && made_.contains(txid_of_sheet(key))) return state::Value();
    if (kind == "bytecode") { // of no contract that was asked for
        if (!guess) unknown_.add(key);
        return state::Value();
    }
    if (kind != "balance") return std::nullopt;
    const auto holder = inventories_.find(key.substr(1, id_size));
    if (holder == inventories_.end()) return std::nullopt;
    const auto token = holder->second.find(*alkanes::id_from_bytes(key.substr(1 + id_size)));
    if (token == holder->second.end()) {
        if (!guess) unknown_.add(key); // the list is not complete
        return state::Value();
    }
    return state::value_of_counter(token->second); // what is listed is there, 0 or not
}

Status RpcState::keep(const Question& question, std::string answer) const {
    const std::string& key = question.key;
    const std::string_view kind = alkanes::key_kind_text(key);
    if (kind == "balance") {
        auto tokens = inventory_answer(answer);
        if (!tokens) return malformed(key, "getinventory");
        const std::lock_guard lock(guard_);
        inventories_.emplace(key.substr(1, id_size), *std::move(tokens));
        return {};
    }
    if (kind == "code") {
        if (!answer.empty() && !alkanes::is_module(as_bytes(answer)))
            return malformed(key, "getbytecode");
        const auto entries = alkanes::code_entries(*alkanes::id_from_bytes(key.substr(1)),
                                                   as_bytes(answer), alkanes::CodeForm::plain);
        const std::lock_guard lock(guard_);
        for (const auto& [name, value] : entries)
            values_.try_emplace(std::string(name.bytes()), value);
        values_.try_emplace(key, state::Value());
        return {};
    }
    state::Value value;
    if (kind == "storage") {
        const auto stored = storage_answer(answer);
        if (!stored) return malformed(key, "getstorageat");
        value = state::Value(*stored).canonical();
    } else if (kind == "sequence") {
        const auto number = u128_from_bytes(answer);
        if (!number) return malformed(key, "sequence");
        if (*number != 0) value = state::value_of_counter(*number);
    } else {
        const auto output = output_answer(answer);
        if (!output) return malformed(key, "protorunesbyoutpoint");
        if (!output->known) unknown_.add(key);
        value = state::Value(output->sheet).canonical();
    }
    const std::lock_guard lock(guard_);
    values_.try_emplace(key, std::move(value));
    return {};
}

Status RpcState::ask(std::span<const std::string> keys, const std::stop_token& stop) const {
    std::vector<Question> mine;
    std::vector<std::string> others; // asked by other threads
    {
        const std::lock_guard lock(guard_);
        for (const std::string& key : keys) {
            if (kept(key)) continue;
            auto question = question_of(key);
            if (!question) return question.error();
            mine.push_back(*std::move(question));
        }
        std::erase_if(mine, [&](const Question& question) {
            if (asked_now_.insert(question.name).second) return false;
            others.push_back(question.name);
            return true;
        });
    }
    Status done;
    if (!mine.empty()) {
        std::vector<node::ViewCall> calls;
        calls.reserve(mine.size());
        std::vector<const Question*> asked;
        for (const Question& question : mine) {
            auto fetched = fetched_->find(question_text(question.call));
            if (fetched && keep(question, *std::move(fetched))) continue;
            calls.push_back(question.call);
            asked.push_back(&question);
        }
        if (!calls.empty())
            done = node_->views(
                calls,
                [&](std::size_t at, std::string answer) {
                    const Status kept = keep(*asked[at], answer);
                    if (kept) fetched_->keep(question_text(calls[at]), answer);
                    return kept;
                },
                stop);
    }
    std::unique_lock lock(guard_);
    for (const Question& question : mine) asked_now_.erase(question.name);
    changed_.notify_all();
    // Of ours, too: a question may be in `keys` twice.
    for (const std::string& name : others)
        changed_.wait(lock, [&] { return !asked_now_.contains(name); });
    return done;
}

Result<state::Value> RpcState::get(const state::KeyView& key) const {
    return contain("reading the state", [&]() -> Result<state::Value> {
        for (;;) {
            {
                const std::lock_guard lock(guard_);
                if (auto value = kept(key.bytes)) return *std::move(value);
            }
            // Another thread may have asked the same and failed: then this one asks again.
            const std::string name(key.bytes);
            if (const Status asked = ask({&name, 1}, stop_); !asked) return asked.error();
        }
    });
}

Status RpcState::read_ahead(const KnownAhead& known, ProgressSink& progress,
                            const std::stop_token& stop) const {
    {
        const std::lock_guard lock(guard_);
        made_.insert(known.made.begin(), known.made.end());
    }
    const std::span<const std::string> keys(known.keys);
    for (std::size_t at = 0; at < keys.size(); at += questions_at_a_time) {
        progress.report({"Reading the state", at, keys.size()});
        const std::size_t count = std::min(questions_at_a_time, keys.size() - at);
        if (const Status asked = ask(keys.subspan(at, count), stop); !asked) return asked;
    }
    return {};
}

/// The state as far as it is known; absent otherwise, and noted.
class RpcState::Guesses final : public state::StateView {
public:
    explicit Guesses(const RpcState& state) : state_(state) {}

    [[nodiscard]] Result<state::Value> get(const state::KeyView& key) const override {
        {
            const std::lock_guard lock(state_.guard_);
            if (auto value = state_.kept(key.bytes, true)) return *std::move(value);
        }
        const std::lock_guard lock(guard_);
        if (missing_.size() < most_guesses) missing_.emplace(key.bytes);
        return state::Value();
    }
    [[nodiscard]] std::vector<std::string> take() {
        const std::lock_guard lock(guard_);
        std::vector<std::string> keys(missing_.begin(), missing_.end());
        missing_.clear();
        return keys;
    }

private:
    const RpcState& state_;
    mutable std::mutex guard_;
    mutable std::set<std::string, std::less<>> missing_;
};

Status RpcState::read_by_guess(std::span<const execute::ReplaySource> blocks,
                               const execute::ReplayOptions& how, ProgressSink& progress,
                               const std::stop_token& stop) const {
    execute::ReplayOptions once;
    once.network = how.network;
    once.line = how.line;
    once.fuel = how.fuel;
    once.built_ins = how.built_ins;
    once.height = how.height;
    // Contracts of their own: whoever notes what the blocks read must see them read their code.
    once.engine = alkanes::Engine::interpreter;
    once.contracts = std::make_shared<alkanes::Contracts>();
    once.trace = false;
    Guesses guesses(*this);
    SilentProgress silent;
    for (int pass = 0; pass < most_passes; ++pass) {
        progress.report({"Finding what the blocks read", 0, 0});
        // What fails on guesses need not fail on values.
        (void)execute::replay_on(
            &guesses, blocks, once, true, [](const auto&) { return Status(); }, silent, stop);
        if (stop.stop_requested()) return cancelled_error();
        KnownAhead found;
        found.keys = guesses.take();
        if (found.keys.empty()) break;
        if (const Status read = read_ahead(found, progress, stop); !read) {
            if (read.error().code == ErrorCode::cancelled) return read;
            break; // whoever needs the value asks again, and reports it
        }
    }
    return {};
}

KnownAhead known_ahead(std::span<const execute::ReplaySource> blocks, const std::stop_token& stop) {
    std::set<std::string> keys{std::string(alkanes::sequence_key().bytes())};
    KnownAhead known;
    for (const execute::ReplaySource& source : blocks) {
        if (stop.stop_requested()) break;
        const auto block = chain::load_block(source.block);
        if (!block) continue;
        for (const chain::Input& input : block->inputs) {
            const ByteView outpoint = block->outpoint(input);
            if (!chain::is_null_outpoint(outpoint.data()))
                keys.emplace(alkanes::spent_sheet_key(outpoint).bytes());
        }
        known.made.insert(block->txids.begin(), block->txids.end());
        const alkanes::BlockMessages messages = alkanes::decode_messages(*block, true);
        for (const alkanes::Message& message : messages.messages) {
            if (!message.cellpack) continue;
            AlkaneId target = message.cellpack->target;
            if (target.block == 1 || target.block == 3) continue; // made by the message
            if (target.block == 5 || target.block == 6) target.block -= target.block == 5 ? 3 : 2;
            keys.emplace(alkanes::code_key(target).bytes());
        }
    }
    for (const std::string& key : keys)
        if (alkanes::key_kind_text(key) != "sheet" || !known.made.contains(txid_of_sheet(key)))
            known.keys.push_back(key);
    return known;
}

} // namespace blockloom::range
