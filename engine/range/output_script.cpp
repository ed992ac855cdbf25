#include "range/output_script.h"

namespace blockloom::range {
namespace {

constexpr Byte op_0 = 0x00, op_1 = 0x51, op_return = 0x6a, op_dup = 0x76, op_equal = 0x87,
               op_equalverify = 0x88, op_hash160 = 0xa9, op_checksig = 0xac;

/// A public key push (compressed or not) and a signature check.
bool pays_to_key(ByteView s) noexcept {
    const std::size_t key = s.size() - 2;
    return (s.size() == 35 || s.size() == 67) && s[0] == key && s.back() == op_checksig;
}

} // namespace

std::string_view output_script_type(ByteView s) noexcept {
    if (s.empty()) return "other";
    if (s[0] == op_return) return "op_return";
    switch (s.size()) {
    case 22:
        return s[0] == op_0 && s[1] == 20 ? "p2wpkh" : "other";
    case 23:
        return s[0] == op_hash160 && s[1] == 20 && s[22] == op_equal ? "p2sh" : "other";
    case 25:
        return s[0] == op_dup && s[1] == op_hash160 && s[2] == 20 && s[23] == op_equalverify &&
                       s[24] == op_checksig
                   ? "p2pkh"
                   : "other";
    case 34:
        if (s[1] != 32) return "other";
        return s[0] == op_0 ? "p2wsh" : s[0] == op_1 ? "p2tr" : "other";
    default:
        return pays_to_key(s) ? "p2pk" : "other";
    }
}

} // namespace blockloom::range
