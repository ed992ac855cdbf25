#include "alkanes/host_player.h"

#include "alkanes/wire.h"

namespace calls::player {
namespace {

using alkanes::AlkaneId;

constexpr AlkaneId self{2, 5}, other{2, 6}, third{4, 1}, held{2, 0};

const char* const code = R"(
 (memory (export "memory") 17)
 (global $stack (mut i32) (i32.const 1048576))
 (global (export "__data_end") i32 (i32.const 1114112))
 (global (export "__heap_base") i32 (i32.const 1114112))
 (type $function (func (param i32 i32 i32) (result i32)))
 (table 20 20 funcref)
 (elem (i32.const 0) $f0 $f1 $f2 $f3 $f4 $f5 $f6 $f7 $f8 $f9 $f10 $f11 $f12 $f13 $f14 $f15 $f16 $f17
  $f18 $f19)
 (func $f0 (type $function)
  (call $abort (local.get 0) (local.get 1) (local.get 2) (i32.const 0)) (i32.const 0))
 (func $f1 (type $function) (call $request_storage (local.get 0)))
 (func $f2 (type $function) (call $load_storage (local.get 0) (local.get 1)))
 (func $f3 (type $function) (call $log (local.get 0)) (i32.const 3))
 (func $f4 (type $function)
  (call $balance (local.get 0) (local.get 1) (local.get 2)) (i32.const 4))
 (func $f5 (type $function) (call $request_context))
 (func $f6 (type $function) (call $load_context (local.get 0)))
 (func $f7 (type $function) (call $sequence (local.get 0)) (i32.const 7))
 (func $f8 (type $function) (call $fuel (local.get 0)) (i32.const 8))
 (func $f9 (type $function) (call $height (local.get 0)) (i32.const 9))
 (func $f10 (type $function) (call $returndatacopy (local.get 0)) (i32.const 10))
 (func $f11 (type $function) (call $request_transaction))
 (func $f12 (type $function) (call $load_transaction (local.get 0)) (i32.const 12))
 (func $f13 (type $function) (call $request_block))
 (func $f14 (type $function) (call $load_block (local.get 0)) (i32.const 14))
 (func $f15 (type $function)
  (call $call (local.get 0) (local.get 1) (local.get 2) (i64.const -1)))
 (func $f16 (type $function)
  (call $delegatecall (local.get 0) (local.get 1) (local.get 2) (i64.const 0)))
 (func $f17 (type $function)
  (call $staticcall (local.get 0) (local.get 1) (local.get 2) (i64.const 1)))
 (func $f18 (type $function) (memory.grow (local.get 0)))
 (func $f19 (type $function) (i32.load (local.get 0)))
 (func (export "__meta") (result i32) (i32.const 1048580))
 (func (export "__execute") (result i32)
  (local $heap i32) (local $at i32) (local $end i32) (local $out i32)
  (local.set $heap (i32.mul (memory.grow (i32.const 1)) (i32.const 65536)))
  (local.set $at (i32.add (local.get $heap) (i32.const 4)))
  (local.set $end (i32.add (local.get $at) (call $request_context)))
  (local.set $at (call $load_context (local.get $at)))
  (local.set $at (i32.add (local.get $at) (i32.add (i32.const 96)
   (i32.mul (i32.const 48) (i32.load (i32.add (local.get $at) (i32.const 80)))))))
  (local.set $out (i32.add (local.get $heap) (i32.const 32792)))
  (block $done
   (loop $next
    (br_if $done (i32.gt_u (i32.add (local.get $at) (i32.const 64)) (local.get $end)))
    (i32.store (local.get $out)
     (call_indirect (type $function) (i32.load offset=16 (local.get $at))
      (i32.load offset=32 (local.get $at)) (i32.load offset=48 (local.get $at))
      (i32.rem_u (i32.load (local.get $at)) (i32.const 20))))
    (local.set $out (i32.add (local.get $out) (i32.const 4)))
    (local.set $at (i32.add (local.get $at) (i32.const 64)))
    (br $next)))
  (if (i32.lt_u (local.get $at) (local.get $end)) (then
   (if (i32.load (local.get $at)) (then (return (i32.load (local.get $at)))))))
  (memory.copy (local.get $out) (i32.add (local.get $heap) (i32.const 49148)) (i32.const 260))
  (i32.store (i32.add (local.get $out) (i32.const 260)) (memory.size))
  (local.set $end (i32.add (local.get $heap) (i32.const 32772)))
  (i32.store (i32.sub (local.get $end) (i32.const 4))
   (i32.sub (i32.add (local.get $out) (i32.const 264)) (local.get $end)))
  (local.get $end))
)";

std::string cellpack(const AlkaneId& target, const std::vector<u128>& inputs = {}) {
    return alkanes::plain_cellpack_bytes({target, inputs});
}

std::string length(std::uint32_t value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
}

std::string response(const alkanes::Parcel& transfers, const alkanes::StorageMap& map,
                     const std::string& data) {
    return alkanes::parcel_bytes(transfers) + alkanes::storage_map_bytes(map) + data;
}

std::string content(std::uint32_t buffer) {
    const auto at = [](std::uint32_t which) { return u128{pointer(which)}; };
    switch (static_cast<Buffer>(buffer)) {
    case key:
        return "key";
    case missing_key:
        return std::string("a key\0with zeros", 16);
    case own_id:
        return alkanes::id_bytes(self);
    case other_id:
        return alkanes::id_bytes(other);
    case short_id:
        return alkanes::id_bytes(self).substr(1);
    case long_id:
        return alkanes::id_bytes(held) + "more";
    case text:
        return "gr\xc3\xbc\xc3\x9f"
               "e";
    case broken_text:
        return "\xc3(";
    case call_other:
        return cellpack(other);
    case call_self:
        return cellpack(self, {load_storage, at(key), scratch, 0, load_context, scratch + 64});
    case call_third:
        return cellpack(third, {request_block, 0, 0, 0, at(response_own)});
    case call_deep:
        return cellpack(
            other, {call, at(call_deep), at(no_tokens), at(map), returndatacopy, scratch, 0, 0});
    case call_trap:
        return cellpack(third, {trap, 0xffff'ffff, 0, 0});
    case call_header:
        return cellpack({800'000'000, 0}, {1});
    case call_coinbase:
        return cellpack({800'000'000, 1});
    case call_mints:
        return cellpack({800'000'000, 2});
    case call_total:
        return cellpack({800'000'000, 3});
    case call_no_precompile:
        return cellpack({800'000'000, 4});
    case call_missing:
        return cellpack({2, 77});
    case create:
        return cellpack({1, 0});
    case clone_two:
        return cellpack({5, 6}, {height, scratch, 0, 0, at(response_own)});
    case clone_four:
        return cellpack({6, 1}, {sequence, scratch, 0, 0});
    case no_kind:
        return cellpack({7, 1});
    case short_cellpack:
        return cellpack(other).substr(1);
    case odd_cellpack:
        return cellpack(other, {height, scratch, 0, 0}) + "rest";
    case no_tokens:
        return alkanes::parcel_bytes({});
    case own_tokens:
        return alkanes::parcel_bytes({{self, 5}, {self, 6}});
    case held_tokens:
        return alkanes::parcel_bytes({{held, 3}, {held, 0}});
    case too_many_tokens:
        return alkanes::parcel_bytes({{held, 1}, {held, 100'000}});
    case endless_parcel:
        return std::string(16, '\xff') + std::string(96, '\0');
    case short_parcel:
        return alkanes::parcel_bytes({{self, 5}}).substr(0, 63);
    case double_parcel:
        return alkanes::parcel_bytes({{other, 5}, {held, 1}, {other, 0}}) + "rest";
    case empty_map:
        return alkanes::storage_map_bytes({});
    case map:
        return alkanes::storage_map_bytes({{"a", "1"}, {"key", "changed"}, {"none", ""}});
    case unsorted_map:
        return alkanes::storage_map_bytes({{"key", "1"}, {"a", "2"}, {"key", "3"}}) + "rest";
    case endless_map:
        return length(0xffff'ffff) + alkanes::storage_map_bytes({{"a", "1"}}).substr(4);
    case long_value_map:
        return length(1) + length(3) + "key" + length(0xffff'fffe) + "value";
    case response_own:
        return response({{self, 7}, {other, 1}}, {{"mine", "stored"}, {"key", ""}}, "data");
    case response_held:
        return response({{held, 2}, {held, 2}}, {{"key", "last"}, {"a", "2"}, {"key", "lost"}}, "");
    case response_revert:
        return response({{held, 2}}, {}, alkanes::revert_data("Error: asked for"));
    case response_endless:
        return std::string(16, '\xff');
    case response_longer:
        return response({}, {{"a", "1"}}, "").substr(0, 22);
    default:
        return {};
    }
}

} // namespace

std::string module_text() {
    std::string data;
    for (std::uint32_t each = 0; each < past_the_end; ++each)
        data += buffer(pointer(each), content(each));
    // A length that ends one byte behind the memory.
    const std::string longer = length(memory_end - pointer(past_the_end) + 1);
    data += buffer(pointer(past_the_end) - 4, longer + "x");
    return "(module" + import_text() + code + data + ")";
}

} // namespace calls::player
