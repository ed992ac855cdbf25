#include "range/trace_check.h"

#include "base/number_text.h"
#include "range/node_trace.h"
#include "range/stored_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

namespace blockloom::range {
namespace {

using alkanes::CallEvent;
using alkanes::MessageRecord;
using alkanes::NestedKind;
using alkanes::Transfer;

constexpr std::string_view revert_mark("\x08\xc3\x79\xa0", 4);

const char* name_of(NestedKind call) noexcept {
    constexpr std::array names{"call", "delegatecall", "staticcall"};
    return names[static_cast<std::size_t>(call)];
}

/// An event in a few words.
std::string event_text(const CallEvent& event) {
    switch (event.kind) {
    case CallEvent::Kind::enter:
        return fmt::format("{} of {}", name_of(event.call), alkanes::id_text(event.myself));
    case CallEvent::Kind::exit:
        return event.ok ? "exit with success" : "exit with failure";
    case CallEvent::Kind::created:
        return fmt::format("{} created", alkanes::id_text(event.myself));
    }
    return "?";
}

std::string events_text(std::size_t count) {
    return fmt::format("{} event{}", count, count == 1 ? "" : "s");
}

std::string inputs_text_of(const std::vector<u128>& inputs) {
    return inputs_text(FlatList<u128>::of(inputs));
}
std::string tokens_text_of(const std::vector<Transfer>& tokens) {
    return tokens_text(alkanes::Parcel::of(tokens));
}

/// Compares the events of one message.
class Events {
public:
    Events(const CheckRules& rules, CheckSink& sink) : rules_(rules), sink_(sink) {}

    void compare(const CallEvent& node, const CallEvent& replay, bool first) {
        ++sink_.block().events;
        switch (node.kind) {
        case CallEvent::Kind::enter:
            return entries(node, replay, first);
        case CallEvent::Kind::exit:
            return exits(node, replay);
        case CallEvent::Kind::created:
            return same("created", node.myself, replay.myself, alkanes::id_text);
        }
    }

private:
    template <typename T, typename Text>
    void same(const char* field, const T& node, const T& replay, const Text& text) {
        sink_.compared(node == replay, field, {}, [&] {
            return std::pair<std::string, std::string>(text(node), text(replay));
        });
    }

    void entries(const CallEvent& node, const CallEvent& replay, bool first) {
        same("call", node.call, replay.call, name_of);
        same("myself", node.myself, replay.myself, alkanes::id_text);
        same("caller", node.caller, replay.caller, alkanes::id_text);
        same("inputs", node.inputs, replay.inputs, inputs_text_of);
        same("vout", node.vout, replay.vout,
             [](std::uint32_t vout) { return std::to_string(vout); });
        if (first)
            same("incoming", sorted(node.transfers), sorted(replay.transfers), tokens_text_of);
        else
            same("incoming", node.transfers, replay.transfers, tokens_text_of);
        if (rules_.exact_fuel)
            same("fuel", node.fuel, replay.fuel, count_text);
        else
            sink_.not_compared("fuel, which this replay counts by another rule (--fuel exact)");
    }

    void exits(const CallEvent& node, const CallEvent& replay) {
        same("status", node.ok, replay.ok, [](bool ok) { return ok ? "success" : "failure"; });
        same("transfers", node.transfers, replay.transfers, tokens_text_of);
        storage(node, replay);
        const bool failures = !node.ok && !replay.ok;
        if (failures && node.data.starts_with(revert_mark) &&
            replay.data.starts_with(revert_mark)) {
            sink_.not_compared("texts of failures, which depend on the indexer's version");
            return;
        }
        sink_.compared(node.data == replay.data, "data", {},
                       [&] { return different_bytes(node.data, replay.data); });
    }

    void storage(const CallEvent& node, const CallEvent& replay) {
        using Map = std::map<std::string_view, std::string_view>;
        const auto map_of = [](const CallEvent& event) {
            Map map;
            for (const auto& [key, value] : event.storage) map.insert_or_assign(key, value);
            return map;
        };
        const Map theirs = map_of(node), ours = map_of(replay);
        const auto text = [](const Map& map, Map::const_iterator at) {
            return at == map.end() ? std::string("not written") : bytes_text(at->second);
        };
        const auto compare = [&](std::string_view key) {
            const auto a = theirs.find(key), b = ours.find(key);
            const bool both = a != theirs.end() && b != ours.end();
            sink_.compared(both && a->second == b->second, "storage",
                           alkanes::storage_key_text(key), [&] {
                               return both ? different_bytes(a->second, b->second)
                                           : std::pair(text(theirs, a), text(ours, b));
                           });
        };
        for (const auto& [key, value] : theirs) compare(key);
        for (const auto& [key, value] : ours)
            if (!theirs.contains(key)) compare(key);
    }

    static std::vector<Transfer> sorted(std::vector<Transfer> transfers) {
        std::sort(transfers.begin(), transfers.end(), [](const Transfer& a, const Transfer& b) {
            return std::tie(a.id, a.value) < std::tie(b.id, b.value);
        });
        return transfers;
    }

    const CheckRules& rules_;
    CheckSink& sink_;
};

using Place = std::pair<Hash256, std::uint32_t>; ///< txid, shadow vout

/// The messages of a block by where an indexer keeps their traces.
std::map<Place, const MessageRecord*> messages_of(const execute::ReplayedBlock& block) {
    std::map<Place, const MessageRecord*> messages;
    for (const alkanes::TransactionResult& result : block.execution->transactions)
        for (const MessageRecord& record : result.records)
            if (record.is_message)
                messages.emplace(Place(block.block().txids[record.transaction], record.shadow_vout),
                                 &record);
    return messages;
}

/// The traces of one block.
class Traces {
public:
    Traces(const execute::ReplayedBlock& block, const CheckRules& rules, CheckSink& sink)
        : block_(block), rules_(rules), sink_(sink), messages_(messages_of(block)) {}

    void compare(std::span<const NodeTrace> traces) {
        std::set<Place> listed;
        std::vector<std::uint64_t> order;
        for (const NodeTrace& trace : traces) {
            const Place place(trace.outpoint.txid, trace.outpoint.vout);
            if (!listed.insert(place).second) {
                sink_.not_compared("traces that the node lists more than once");
                continue;
            }
            const auto found = messages_.find(place);
            if (found == messages_.end()) {
                extra(trace, nullptr);
                continue;
            }
            order.push_back(std::uint64_t{found->second->transaction} << 32 |
                            found->second->protostone);
            message(trace, *found->second);
        }
        for (const auto& [place, record] : messages_)
            if (!listed.contains(place)) missing(*record);
        at(nullptr);
        if (!order.empty())
            sink_.compared(std::is_sorted(order.begin(), order.end()), "order of messages", {}, [] {
                return std::pair<std::string, std::string>("another", "that of the block");
            });
    }

private:
    void at(const MessageRecord* record) {
        sink_.place.transaction.reset();
        sink_.place.protostone.reset();
        sink_.place.event.reset();
        sink_.place.txid.clear();
        if (record == nullptr) return;
        sink_.place.transaction = record->transaction;
        sink_.place.protostone = record->protostone;
        sink_.place.txid = to_reversed_hex(block_.block().txids[record->transaction]);
    }

    void message(const NodeTrace& trace, const MessageRecord& record) {
        at(&record);
        if (record.status == alkanes::CallStatus::ejected) {
            sink_.not_compared("messages that this program could not run (ejected)");
            return;
        }
        if (record.events.empty()) return extra(trace, &record);
        ++sink_.block().messages;
        if (trace.bytes.empty())
            return sink_.different("trace", "listed, but not there",
                                   events_text(record.events.size()));
        const auto events = read_node_trace(trace.bytes);
        if (!events)
            return sink_.different("trace", "malformed: " + events.error().message,
                                   events_text(record.events.size()));
        check_events(*events, record.events, rules_, sink_);
    }

    /// The node has a trace of a message that did not come to run here.
    void extra(const NodeTrace& trace, const MessageRecord* record) {
        at(record);
        if (record == nullptr) sink_.place.txid = to_reversed_hex(trace.outpoint.txid);
        const auto events = read_node_trace(trace.bytes);
        std::string replay =
            record == nullptr
                ? fmt::format("no message with shadow output {}", trace.outpoint.vout)
                : fmt::format("no trace: {}",
                              record->text.empty() ? "it was never run" : record->text);
        sink_.different(
            "trace", events ? events_text(events->size()) : "malformed: " + events.error().message,
            std::move(replay));
    }

    void missing(const MessageRecord& record) {
        at(&record);
        if (record.status == alkanes::CallStatus::ejected) {
            sink_.not_compared("messages that this program could not run (ejected)");
        } else if (record.events.empty()) {
            ++sink_.block().messages;
            sink_.compared(true, "trace", {}, [] { return std::pair<std::string, std::string>(); });
        } else {
            ++sink_.block().messages;
            sink_.different("trace", "none", events_text(record.events.size()));
        }
    }

    const execute::ReplayedBlock& block_;
    const CheckRules& rules_;
    CheckSink& sink_;
    std::map<Place, const MessageRecord*> messages_;
};

} // namespace

void check_events(std::span<const CallEvent> node, std::span<const CallEvent> replay,
                  const CheckRules& rules, CheckSink& sink) {
    Events events(rules, sink);
    bool entered = false;
    const std::size_t common = std::min(node.size(), replay.size());
    std::size_t i = 0;
    for (; i < common && node[i].kind == replay[i].kind; ++i) {
        sink.place.event = static_cast<std::uint32_t>(i);
        const bool enters = node[i].kind == CallEvent::Kind::enter;
        events.compare(node[i], replay[i], enters && !entered);
        entered = entered || enters;
    }
    sink.place.event = static_cast<std::uint32_t>(i);
    if (i == node.size() && i == replay.size()) {
        sink.place.event.reset();
        return;
    }
    // From here on the lists tell of different things.
    sink.different("event", i < node.size() ? event_text(node[i]) : "none",
                   i < replay.size() ? event_text(replay[i]) : "none");
    sink.not_compared("events behind one of another kind",
                      std::max(node.size(), replay.size()) - i - 1);
    sink.place.event.reset();
}

void check_traces(std::span<const NodeTrace> traces, const execute::ReplayedBlock& block,
                  const CheckRules& rules, CheckSink& sink) {
    Traces(block, rules, sink).compare(traces);
}

} // namespace blockloom::range
