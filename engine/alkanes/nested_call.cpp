// Contracts that call contracts (docs/alkanes-protocol.md#nested-calls).
#include "alkanes/balances.h"
#include "alkanes/host_access.h"
#include "alkanes/precompiles.h"
#include "base/utf8.h"

#include <algorithm>
#include <fmt/format.h>

namespace blockloom::alkanes {
namespace {

/// Upstream's checkpoints that are open when a contract at this level calls the host: one at the
/// bottom, one for the message, and for each level one for the instance, one for the host call
/// around a nested call, one for the call.
constexpr std::uint32_t checkpoints_at(std::uint32_t level) noexcept {
    return 4 + 3 * level;
}
constexpr std::uint32_t most_checkpoints = 75;
/// What a failed callee used is not taken from its caller, so callers that fail and continue
/// calling would take time without end. After so many failed calls of a message, or once they have
/// used more than the message's own fuel, a caller that is doomed anyway gets no further callee.
constexpr std::uint32_t most_failed_calls = 256;

struct Request {
    AlkaneId target;
    FlatList<u128> inputs;
    Parcel incoming;
    StorageMap checkpoint;
    std::uint64_t checkpoint_size = 0;
};

class NestedCall {
public:
    NestedCall(HostAccess& access, NestedKind kind)
        : access_(access), frame_(access.frame()), run_(access.run()),
          overlay_(access.run().overlay()), kind_(kind), scope_(overlay_.scratch()) {}

    std::int32_t perform() {
        if (!prepare()) return refuse();
        if (const std::string* answer = prepared_answer()) return give_prepared(*answer);
        if (request_.target.block == precompile_block) return precompile();
        overlay_.checkpoint();
        const std::int32_t length = call();
        if (run_.broken) return -1;
        // A static call leaves nothing behind, whatever it did.
        if (done_ && kind_ != NestedKind::fixed)
            overlay_.commit();
        else
            overlay_.rollback();
        return done_ || contained_ ? length : refuse();
    }

private:
    /// Depth, arguments, surcharge: nothing has happened yet when one of them fails.
    bool prepare() {
        if (frame_.had_failure && run_.failed_calls >= most_failed_calls)
            return stop(fmt::format("more than {} nested calls failed", most_failed_calls));
        if (frame_.had_failure && run_.lost_fuel > run_.message_fuel)
            return stop(fmt::format("nested calls that failed used more than the message's {} fuel",
                                    run_.message_fuel));
        const std::uint32_t depth = checkpoints_at(frame_.level);
        if (depth >= most_checkpoints)
            return stop(fmt::format("Possible infinite recursion encountered: checkpoint depth "
                                    "too large({})",
                                    depth));
        const auto cellpack_bytes = access_.read(0);
        if (!cellpack_bytes) return stop(frame_.failure);
        auto cellpack = parse_plain_cellpack(*cellpack_bytes, overlay_.scratch());
        if (!cellpack) return stop(cellpack.error().message);
        const auto parcel_bytes = access_.read(1);
        if (!parcel_bytes) return stop(frame_.failure);
        auto parcel = parse_parcel(*parcel_bytes, overlay_.scratch());
        if (!parcel) return stop(parcel.error().message);
        const auto map_bytes = access_.read(2);
        if (!map_bytes) return stop(frame_.failure);
        request_.checkpoint_size = map_bytes->size();
        auto map = parse_storage_map(*map_bytes, overlay_.scratch());
        if (!map) return stop(map.error().message);
        request_.target = cellpack->target;
        request_.inputs = std::move(cellpack->inputs);
        request_.incoming = *std::move(parcel);
        request_.checkpoint = *std::move(map);
        note();
        const u128 block = request_.target.block;
        const bool deploys = block == 1 || block == 3 || block == 5 || block == 6;
        return !deploys || charge(access_.surroundings().rules.nested_deploy);
    }

    void note() {
        access_.note([&] { return id_text(request_.target); });
        access_.note([&] {
            std::string inputs;
            for (const u128 input : request_.inputs)
                inputs += fmt::format("{}{}", inputs.empty() ? "" : ",", u128_text(input));
            return inputs;
        });
        access_.note([&] {
            std::string tokens;
            for (const Transfer& token : request_.incoming)
                tokens += fmt::format("{}{}:{}", tokens.empty() ? "" : ",", id_text(token.id),
                                      u128_text(token.value));
            return tokens;
        });
        access_.note([&] { return fmt::format("{} pending writes", request_.checkpoint.size()); });
    }

    /// Answers from the block: no checkpoint, no map written, no fuel.
    std::int32_t precompile() {
        const u128 number = request_.target.tx;
        if (number < precompile_count) {
            u128 room = 0;
            const std::string_view data =
                precompile_data(access_.surroundings(), static_cast<std::uint32_t>(number), room);
            run_.note_success({}, {}, data);
            return give_response({}, data);
        }
        stop(fmt::format("Unknown precompiled contract: [{}, {}]", u128_text(precompile_block),
                         u128_text(number)));
        return refuse();
    }

    const std::string* prepared_answer() const {
        const auto* answers = access_.surroundings().answers;
        if (answers == nullptr) return nullptr;
        const auto found = answers->find(request_.target);
        return found == answers->end() ? nullptr : &found->second;
    }

    /// Instead of a callee: what it would have been sent is gone, as far as it was there, and what
    /// it sends has come.
    std::int32_t give_prepared(const std::string& answer) {
        if (kind_ != NestedKind::fixed && request_.target.block != precompile_block)
            run_.store(frame_.myself, request_.checkpoint);
        if (kind_ == NestedKind::call) {
            for (const Transfer& token : request_.incoming) {
                const state::Key key = balance_key(frame_.myself, token.id);
                const auto held = access_.get(key);
                if (!held) return -1;
                const u128 balance = state::counter_of(*held);
                overlay_.set(key, u128_bytes(balance - std::min(balance, token.value)));
            }
            const auto given = parse_call_response(answer);
            if (given && !continues(credit(overlay_, frame_.myself, given->transfers)))
                return run_.broken ? -1 : refuse();
        }
        return give(answer);
    }

    /// Inside the checkpoint. Returns the length of what the callee gave, negative where it failed.
    std::int32_t call() {
        run_.store(frame_.myself, request_.checkpoint);
        MessageRun::Target target;
        if (!continues(run_.resolve(request_.target, target))) return -1;
        run_.note_created(target);
        if (kind_ != NestedKind::delegate &&
            !continues(move(overlay_, frame_.myself, target.myself, request_.incoming)))
            return -1;
        const Rules& rules = access_.surroundings().rules;
        if (!charge(fee::nested_call + rules.stored_byte * request_.checkpoint_size)) return -1;

        const bool same_self = kind_ == NestedKind::delegate;
        const Calldata calldata{request_.inputs, request_.incoming};
        Frame callee(run_, same_self ? frame_.myself : target.myself,
                     same_self ? frame_.caller : frame_.myself, calldata, frame_.level + 1);
        const std::uint64_t fuel = access_.fuel_left();
        run_.note_enter(kind_, callee, fuel);
        auto outcome = run_.execute(callee, target.contract, fuel);
        if (!outcome) {
            access_.break_off(outcome.error());
            return -1;
        }
        if (!outcome->verdict.ok()) {
            ++run_.failed_calls;
            run_.lost_fuel += outcome->gas;
            return callee_failed(outcome->verdict);
        }
        return callee_succeeded(callee, *outcome, fuel);
    }

    std::int32_t callee_succeeded(const Frame& callee, const CallOutcome& outcome,
                                  std::uint64_t fuel) {
        if (outcome.gas > fuel) {
            run_.ran_out = frame_.fuel_missing = true;
            stop(fmt::format("fuel: expected {} for a nested call, found {}", outcome.gas, fuel));
            return -1;
        }
        access_.spend(outcome.gas);
        run_.note_success(outcome.response.transfers, outcome.response.storage,
                          outcome.response.data);
        run_.store(callee.myself, outcome.response.storage);
        if (kind_ != NestedKind::delegate &&
            !continues(move(overlay_, callee.myself, callee.caller, outcome.response.transfers)))
            return -1;
        done_ = true;
        return give_response(outcome.response.transfers, outcome.response.data);
    }

    std::int32_t callee_failed(const Verdict& verdict) {
        std::string text = error_text(verdict);
        // What a callee could not run, the whole message could not.
        if (verdict.status == CallStatus::ejected) run_.ejection = verdict.text;
        if (access_.surroundings().rules.contains_reverts &&
            verdict.status != CallStatus::ejected) {
            contained_ = true;
            run_.note_failure(text);
            access_.spend(access_.fuel_left());
            return -give(call_response_bytes({}, revert_data(text)));
        }
        if (verdict.status == CallStatus::out_of_fuel) frame_.fuel_missing = true;
        stop(std::move(text));
        return -1;
    }

    /// What the caller may read: the callee's own words, hexadecimal where they are no text. A
    /// callee that reverted without data says nothing.
    static std::string error_text(const Verdict& verdict) {
        const std::string text = "ALKANES: revert";
        if (verdict.words == Verdict::Words::none) return text;
        const bool readable = is_utf8(verdict.text);
        return text + ": " + (readable ? verdict.text : to_hex(as_bytes(verdict.text)));
    }

    std::int32_t give_response(const Parcel& transfers, std::string_view data) {
        write_call_response(frame_.returndata, transfers, data);
        return static_cast<std::int32_t>(frame_.returndata.size());
    }
    std::int32_t give(std::string returndata) {
        frame_.returndata = std::move(returndata);
        return static_cast<std::int32_t>(frame_.returndata.size());
    }

    /// The call dooms its caller: returns the length of the error that the caller may copy,
    /// negative.
    std::int32_t refuse() {
        access_.fail(why_);
        run_.note_failure(why_);
        return -give(call_response_bytes({}, revert_data(why_)));
    }

    bool stop(std::string why) {
        why_ = std::move(why);
        return false;
    }
    bool charge(std::uint64_t fee) { return access_.charge(fee) || stop(frame_.failure); }

    /// Whether work that may have a verdict, or break the state, lets the call continue.
    bool continues(const Result<Verdict>& verdict) {
        if (!verdict) {
            access_.break_off(verdict.error());
            return false;
        }
        return verdict->ok() || stop(verdict->text);
    }

    HostAccess& access_;
    Frame& frame_;
    MessageRun& run_;
    state::Overlay& overlay_;
    NestedKind kind_;
    ArenaScope scope_; ///< of everything that the call needs
    Request request_;
    std::string why_;        ///< what dooms the caller
    bool done_ = false;      ///< the callee succeeded and its effects are written
    bool contained_ = false; ///< it failed, and the caller continues
};

} // namespace

std::int32_t nested_call(HostAccess& access, NestedKind kind) {
    return NestedCall(access, kind).perform();
}

} // namespace blockloom::alkanes
