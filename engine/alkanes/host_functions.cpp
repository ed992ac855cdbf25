#include "alkanes/host_functions.h"

#include "alkanes/context_bytes.h"
#include "alkanes/host_access.h"
#include "base/utf8.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace blockloom::alkanes {
namespace {

/// What a function answers when it failed.
constexpr std::int32_t failure = -1;

std::int32_t length(std::size_t size) noexcept {
    return static_cast<std::int32_t>(size);
}

std::string_view text_of(ByteView bytes) noexcept {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::int32_t abort_call(HostAccess& access) {
    access.fail("abort");
    return 0;
}

/// The state key of a name. A contract asks for the size of a value and then for the value.
const state::Key& key_asked_for(const AlkaneId& contract, std::string_view name) {
    struct Asked {
        AlkaneId contract;
        state::Key key;
    };
    thread_local Asked last;
    const std::string_view bytes = last.key.bytes();
    if (last.contract != contract || bytes.size() != 1 + id_size + name.size() ||
        !bytes.ends_with(name))
        last = {contract, storage_key(contract, name)};
    return last.key;
}

/// The value at the key that argument 0 points to; nothing on failure.
std::optional<state::Value> stored(HostAccess& access, std::uint64_t fee_per_byte) {
    const auto name = access.read(0);
    if (!name) return std::nullopt;
    access.note([&] { return storage_key_text(*name); });
    access.note_read(ContractRead::Kind::storage, *name);
    auto value = access.get(key_asked_for(access.frame().myself, *name));
    if (!value || !access.charge(fee_per_byte * (name->size() + value->size())))
        return std::nullopt;
    return value;
}

std::int32_t request_storage(HostAccess& access) {
    const auto value = stored(access, fee::requested_byte);
    return value ? length(value->size()) : failure;
}

std::int32_t load_storage(HostAccess& access) {
    const auto value = stored(access, fee::loaded_byte);
    if (!value || !access.write(1, value->bytes())) return failure;
    return static_cast<std::int32_t>(access.argument(1));
}

std::int32_t log_text(HostAccess& access) {
    const auto text = access.read(0);
    if (!text) return failure;
    if (!is_utf8(*text)) {
        access.fail("log: expected UTF-8, found other bytes");
        return failure;
    }
    access.note([&] { return std::string(*text); });
    if (access.surroundings().record) access.run().log.emplace_back(*text);
    return 0;
}

/// The id at the start of the buffer that an argument points to.
std::optional<AlkaneId> read_id(HostAccess& access, std::size_t index) {
    const auto bytes = access.read(index);
    if (!bytes) return std::nullopt;
    const auto id = id_from_bytes(bytes->substr(0, id_size));
    if (!id)
        access.fail(fmt::format("argument {}: expected an id of {} bytes, found {}", index, id_size,
                                bytes->size()));
    return id;
}

std::int32_t balance(HostAccess& access) {
    const auto who = read_id(access, 0);
    if (!who) return failure;
    const auto what = read_id(access, 1);
    if (!what) return failure;
    access.note([&] { return id_text(*who); });
    access.note([&] { return id_text(*what); });
    const state::Key key = balance_key(*who, *what);
    access.note_read(ContractRead::Kind::balance, key.bytes().substr(1));
    const auto value = access.get(key);
    if (!value || !access.charge(fee::balance)) return failure;
    return access.write(2, value->bytes()) ? 0 : failure;
}

const std::string& context(HostAccess& access) {
    Frame& frame = access.frame();
    if (frame.context.empty())
        append_context(frame.context, {frame.myself, frame.caller, access.run().vout()},
                       frame.calldata.incoming, frame.calldata.inputs);
    return frame.context;
}

std::int32_t request_context(HostAccess& access) {
    const std::string& bytes = context(access);
    return access.charge(fee::requested_byte * bytes.size()) ? length(bytes.size()) : failure;
}

std::int32_t load_context(HostAccess& access) {
    const std::string& bytes = context(access);
    if (!access.charge(fee::loaded_byte * bytes.size()) || !access.write(0, bytes)) return failure;
    return static_cast<std::int32_t>(access.argument(0));
}

std::int32_t sequence(HostAccess& access) {
    access.note_read(ContractRead::Kind::sequence);
    const auto value = access.get(sequence_key());
    if (!value || !access.charge(fee::sequence)) return failure;
    const u128 counter = state::counter_of(*value);
    return access.write(0, u128_view(counter)) ? 0 : failure;
}

std::int32_t write_u64(HostAccess& access, std::uint64_t value, std::uint64_t price) {
    if (!access.charge(price)) return failure;
    return access.write(0, {reinterpret_cast<const char*>(&value), sizeof value}) ? 0 : failure;
}

std::int32_t fuel(HostAccess& access) {
    access.run().fuel_read = true;
    return write_u64(access, access.fuel_left(), fee::fuel);
}

std::int32_t height(HostAccess& access) {
    return write_u64(access, access.surroundings().height, fee::height);
}

std::int32_t returndatacopy(HostAccess& access) {
    const std::string& bytes = access.frame().returndata;
    if (!access.charge(fee::loaded_byte * bytes.size())) return failure;
    return access.write(0, bytes) ? 0 : failure;
}

std::int32_t request_bytes(HostAccess& access, ByteView bytes, std::uint64_t price) {
    return access.charge(price) ? length(bytes.size()) : failure;
}

std::int32_t load_bytes(HostAccess& access, ByteView bytes, std::uint64_t price) {
    if (!access.charge(price)) return failure;
    return access.write(0, text_of(bytes)) ? 0 : failure;
}

std::int32_t request_transaction(HostAccess& access) {
    return request_bytes(access, access.surroundings().transaction, fee::request_transaction);
}
std::int32_t load_transaction(HostAccess& access) {
    return load_bytes(access, access.surroundings().transaction, fee::load_transaction);
}
std::int32_t request_block(HostAccess& access) {
    access.note_read(ContractRead::Kind::block);
    return request_bytes(access, access.surroundings().block, fee::request_block);
}
std::int32_t load_block(HostAccess& access) {
    access.note_read(ContractRead::Kind::block);
    return load_bytes(access, access.surroundings().block, fee::load_block);
}

std::int32_t call(HostAccess& access) {
    return nested_call(access, NestedKind::call);
}
std::int32_t delegatecall(HostAccess& access) {
    return nested_call(access, NestedKind::delegate);
}
std::int32_t staticcall(HostAccess& access) {
    return nested_call(access, NestedKind::fixed);
}

// The first project plan's: a contract that knows it is only watched names its keys itself.

std::int32_t is_dry_run(HostAccess& access) {
    return access.surroundings().dry_run ? 1 : 0;
}

/// The state key of the storage key that argument 0 points to.
bool named_key(HostAccess& access, state::Key& key) {
    const auto name = access.read(0);
    if (!name) return false;
    access.note([&] { return storage_key_text(*name); });
    key = storage_key(access.frame().myself, *name);
    return true;
}

std::int32_t record_get(HostAccess& access) {
    state::Key key;
    if (!named_key(access, key)) return failure;
    if (access.surroundings().dry_run && !access.get(key)) return failure;
    return 0;
}

/// A write that is only announced: made and rolled back, so that the log shows it as attempted.
std::int32_t record_put(HostAccess& access) {
    state::Key key;
    if (!named_key(access, key)) return failure;
    if (!access.surroundings().dry_run) return 0;
    state::Overlay& overlay = access.run().overlay();
    overlay.checkpoint();
    overlay.erase(key);
    overlay.rollback();
    return 0;
}

struct Entry {
    const char* name;
    std::size_t pointers; ///< i32 parameters
    bool fuel;            ///< an i64 after them, ignored
    bool answers;         ///< gives an i32
    std::int32_t (*function)(HostAccess&);
};

constexpr std::array entries{
    Entry{"abort", 4, false, false, abort_call},
    Entry{"__request_storage", 1, false, true, request_storage},
    Entry{"__load_storage", 2, false, true, load_storage},
    Entry{"__log", 1, false, false, log_text},
    Entry{"__balance", 3, false, false, balance},
    Entry{"__request_context", 0, false, true, request_context},
    Entry{"__load_context", 1, false, true, load_context},
    Entry{"__sequence", 1, false, false, sequence},
    Entry{"__fuel", 1, false, false, fuel},
    Entry{"__height", 1, false, false, height},
    Entry{"__returndatacopy", 1, false, false, returndatacopy},
    Entry{"__request_transaction", 0, false, true, request_transaction},
    Entry{"__load_transaction", 1, false, false, load_transaction},
    Entry{"__request_block", 0, false, true, request_block},
    Entry{"__load_block", 1, false, false, load_block},
    Entry{"__call", 3, true, true, call},
    Entry{"__delegatecall", 3, true, true, delegatecall},
    Entry{"__staticcall", 3, true, true, staticcall},
    Entry{"__is_dry_run", 0, false, true, is_dry_run},
    Entry{"__record_get", 1, false, false, record_get},
    Entry{"__record_put", 1, false, false, record_put},
};

wasm::HostAnswer run_entry(const Entry& entry, Frame* running, wasm::HostCall& call) {
    // A start function could call the host before any frame runs; contracts with one are refused.
    if (running == nullptr) {
        call.error = "no contract is running";
        return wasm::HostAnswer::done;
    }
    HostAccess access(*running, call);
    access.begin_record(entry.name);
    const std::int32_t result = entry.function(access);
    if (entry.answers) call.results[0] = static_cast<std::uint32_t>(result);
    access.end_record(entry.answers ? std::optional(result) : std::nullopt);
    return wasm::HostAnswer::done;
}

} // namespace

wasm::Imports host_imports(Frame* const& running) {
    wasm::Imports imports;
    for (const Entry& entry : entries) {
        wasm::FunctionType type;
        type.parameters.assign(entry.pointers, wasm::ValueType::i32);
        if (entry.fuel) type.parameters.push_back(wasm::ValueType::i64);
        if (entry.answers) type.results.push_back(wasm::ValueType::i32);
        auto host = std::make_shared<wasm::HostFunction>();
        host->name = entry.name;
        host->type = type;
        host->call = [&entry, at = &running](wasm::HostCall& call) {
            return run_entry(entry, *at, call);
        };
        wasm::FunctionReference reference;
        reference.type = std::move(type);
        reference.host = std::move(host);
        imports.insert_or_assign({"env", entry.name}, std::move(reference));
    }
    return imports;
}

} // namespace blockloom::alkanes
