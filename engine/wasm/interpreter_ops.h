// Macros for the cases of the interpreter's loop: only for interpreter_loop.cpp, which undefines
// none of them.
#pragma once

// clang-format off
#define LABEL(name, format) &&op_##name,
#define NEXT goto* labels[(++ip)->op]
#define GO goto* labels[ip->op]
#define R(x) r[ip->x]
#define TRAP(kind)                                                                                                     \
    do {                                                                                                               \
        trap = TrapKind::kind;                                                                                         \
        goto trapped;                                                                                                  \
    } while (false)

// Charges the block that begins at `ip`; short_of says whether fuel or the slice ran out.
#define CHARGE(amount)                                                                                                 \
    do {                                                                                                               \
        const u64 cost = (amount);                                                                                     \
        if (profiling) state.note_cost(cost);                                                                          \
        if (cost > remaining) [[unlikely]] {                                                                           \
            state.pending_cost = cost;                                                                                 \
            goto short_of;                                                                                             \
        }                                                                                                              \
        remaining -= cost;                                                                                             \
    } while (false)

#define INTEGER_BINARY(name, type, expression)                                                                         \
    op_##name##_rr : {                                                                                                 \
        const type x = static_cast<type>(R(b)), y = static_cast<type>(R(c));                                           \
        R(a) = static_cast<std::make_unsigned_t<type>>(expression);                                                    \
        NEXT;                                                                                                          \
    }                                                                                                                  \
    op_##name##_ri : {                                                                                                 \
        const type x = static_cast<type>(R(b)), y = static_cast<type>(ip->imm64());                                    \
        R(a) = static_cast<std::make_unsigned_t<type>>(expression);                                                    \
        NEXT;                                                                                                          \
    }

#define INTEGER_COMPARE(name, type, op)                                                                                \
    op_##name##_rr : R(a) = static_cast<type>(R(b)) op static_cast<type>(R(c));                                        \
    NEXT;                                                                                                              \
    op_##name##_ri : R(a) = static_cast<type>(R(b)) op static_cast<type>(ip->imm64());                                 \
    NEXT;                                                                                                              \
    op_br_##name##_rr : BRANCH(static_cast<type>(R(b)) op static_cast<type>(R(c)))                                     \
    op_br_##name##_ri : BRANCH(static_cast<type>(R(b)) op static_cast<type>(i64{ip->ac}))

#define BRANCH(condition)                                                                                              \
    {                                                                                                                  \
        if (condition) {                                                                                               \
            const u32 taken = ip->y & 0xffff;                                                                          \
            ip = code + ip->x;                                                                                         \
            CHARGE(taken);                                                                                             \
        } else {                                                                                                       \
            const u32 passed = ip->y >> 16;                                                                            \
            ++ip;                                                                                                      \
            CHARGE(passed);                                                                                            \
        }                                                                                                              \
        GO;                                                                                                            \
    }

#define COMPARES(prefix, s, u)                                                                                         \
    INTEGER_COMPARE(prefix##_eq, u, ==)                                                                                \
    INTEGER_COMPARE(prefix##_ne, u, !=)                                                                                \
    INTEGER_COMPARE(prefix##_lt_s, s, <)                                                                               \
    INTEGER_COMPARE(prefix##_lt_u, u, <)                                                                               \
    INTEGER_COMPARE(prefix##_gt_s, s, >)                                                                               \
    INTEGER_COMPARE(prefix##_gt_u, u, >)                                                                               \
    INTEGER_COMPARE(prefix##_le_s, s, <=)                                                                              \
    INTEGER_COMPARE(prefix##_le_u, u, <=)                                                                              \
    INTEGER_COMPARE(prefix##_ge_s, s, >=)                                                                              \
    INTEGER_COMPARE(prefix##_ge_u, u, >=)

#define DIVIDE(name, type, signed_minimum, expression, on_minimum)                                                     \
    op_##name##_rr : {                                                                                                 \
        const type x = static_cast<type>(R(b)), y = static_cast<type>(R(c));                                           \
        if (y == 0) TRAP(integer_divide_by_zero);                                                                      \
        if (signed_minimum) on_minimum;                                                                                \
        R(a) = static_cast<std::make_unsigned_t<type>>(expression);                                                    \
        NEXT;                                                                                                          \
    }                                                                                                                  \
    op_##name##_ri : {                                                                                                 \
        const type x = static_cast<type>(R(b)), y = static_cast<type>(ip->imm64());                                    \
        if (y == 0) TRAP(integer_divide_by_zero);                                                                      \
        if (signed_minimum) on_minimum;                                                                                \
        R(a) = static_cast<std::make_unsigned_t<type>>(expression);                                                    \
        NEXT;                                                                                                          \
    }

#define REMAINDER_MINIMUM                                                                                              \
    {                                                                                                                  \
        R(a) = 0;                                                                                                      \
        NEXT;                                                                                                          \
    }

#define ARITHMETIC(prefix, s, u, bits)                                                                                 \
    INTEGER_BINARY(prefix##_add, u, x + y)                                                                             \
    INTEGER_BINARY(prefix##_sub, u, x - y)                                                                             \
    INTEGER_BINARY(prefix##_mul, u, x* y)                                                                              \
    INTEGER_BINARY(prefix##_and, u, x& y)                                                                              \
    INTEGER_BINARY(prefix##_or, u, x | y)                                                                              \
    INTEGER_BINARY(prefix##_xor, u, x ^ y)                                                                             \
    INTEGER_BINARY(prefix##_shl, u, x << (y & (bits - 1)))                                                             \
    INTEGER_BINARY(prefix##_shr_u, u, x >> (y & (bits - 1)))                                                           \
    INTEGER_BINARY(prefix##_shr_s, s, x >> (y & (bits - 1)))                                                           \
    INTEGER_BINARY(prefix##_rotl, u, std::rotl(x, static_cast<int>(y & (bits - 1))))                                   \
    INTEGER_BINARY(prefix##_rotr, u, std::rotr(x, static_cast<int>(y & (bits - 1))))                                   \
    DIVIDE(prefix##_div_s, s, (y == -1 && x == std::numeric_limits<s>::min()), x / y, TRAP(integer_overflow))          \
    DIVIDE(prefix##_div_u, u, false, x / y, {})                                                                        \
    DIVIDE(prefix##_rem_s, s, (y == -1), x % y, REMAINDER_MINIMUM)                                                     \
    DIVIDE(prefix##_rem_u, u, false, x % y, {})

#define UNARY(name, expression)                                                                                        \
    op_##name : {                                                                                                      \
        const Cell v = R(b);                                                                                           \
        R(a) = (expression);                                                                                           \
        NEXT;                                                                                                          \
    }

#define LOAD(name, stored, widened)                                                                                    \
    op_##name : {                                                                                                      \
        const u64 address = R(b) + ip->x;                                                                              \
        if (address + sizeof(stored) > memory_size) TRAP(out_of_bounds_memory);                                        \
        stored value;                                                                                                  \
        std::memcpy(&value, memory + address, sizeof value);                                                           \
        R(a) = widened;                                                                                                \
        NEXT;                                                                                                          \
    }

#define STORE_AT(type, from)                                                                                           \
    {                                                                                                                  \
        const u64 address = R(b) + ip->x;                                                                              \
        if (address + sizeof(type) > memory_size) TRAP(out_of_bounds_memory);                                          \
        const type value = static_cast<type>(from);                                                                    \
        std::memcpy(memory + address, &value, sizeof value);                                                           \
        if (dirty[address >> 12] == 0) [[unlikely]]                                                                    \
            state.mark(address);                                                                                       \
        NEXT;                                                                                                          \
    }
#define STORE(name, type)                                                                                              \
    op_##name : STORE_AT(type, R(c)) op_##name##_imm : STORE_AT(type, static_cast<u64>(i64{static_cast<i32>(ip->y)}))

#define FLOAT_BINARY(name, type, expression)                                                                           \
    op_##name : {                                                                                                      \
        const type x = float_of<type>(R(b)), y = float_of<type>(R(c));                                                 \
        R(a) = expression;                                                                                             \
        NEXT;                                                                                                          \
    }

#define FLOATS(prefix, type)                                                                                           \
    FLOAT_BINARY(prefix##_add, type, canonical(x + y))                                                                 \
    FLOAT_BINARY(prefix##_sub, type, canonical(x - y))                                                                 \
    FLOAT_BINARY(prefix##_mul, type, canonical(x* y))                                                                  \
    FLOAT_BINARY(prefix##_div, type, canonical(x / y))                                                                 \
    FLOAT_BINARY(prefix##_min, type, canonical(float_min(x, y)))                                                       \
    FLOAT_BINARY(prefix##_max, type, canonical(float_max(x, y)))                                                       \
    FLOAT_BINARY(prefix##_eq, type, x == y)                                                                            \
    FLOAT_BINARY(prefix##_ne, type, x != y)                                                                            \
    FLOAT_BINARY(prefix##_lt, type, x < y)                                                                             \
    FLOAT_BINARY(prefix##_gt, type, x > y)                                                                             \
    FLOAT_BINARY(prefix##_le, type, x <= y)                                                                            \
    FLOAT_BINARY(prefix##_ge, type, x >= y)                                                                            \
    UNARY(prefix##_ceil, canonical(std::ceil(float_of<type>(v))))                                                      \
    UNARY(prefix##_floor, canonical(std::floor(float_of<type>(v))))                                                    \
    UNARY(prefix##_trunc, canonical(std::trunc(float_of<type>(v))))                                                    \
    UNARY(prefix##_nearest, canonical(std::nearbyint(float_of<type>(v))))                                              \
    UNARY(prefix##_sqrt, canonical(std::sqrt(float_of<type>(v))))

#define TRUNCATE(to, result, from, sign)                                                                               \
    op_##to##_##from##_##sign : {                                                                                      \
        const auto value = float_of<from##_type>(R(b));                                                                \
        switch (truncates<result>(value)) {                                                                            \
        case Truncation::nan: TRAP(invalid_conversion);                                                                \
        case Truncation::overflow: TRAP(integer_overflow);                                                             \
        case Truncation::fits: break;                                                                                  \
        }                                                                                                              \
        R(a) = static_cast<std::make_unsigned_t<result>>(static_cast<result>(value));                                  \
        NEXT;                                                                                                          \
    }

// Wraps a call to a service of State, which needs the loop's state written back and may change all
// of it.
#define SETTLE                                                                                                         \
    do {                                                                                                               \
        state.at = ip;                                                                                                 \
        state.base = static_cast<u32>(r - state.cells);                                                                \
        state.settle(remaining);                                                                                       \
    } while (false)
#define TAKE_UP                                                                                                        \
    do {                                                                                                               \
        const Instance& now = *state.instance;                                                                         \
        code = now.program().code.data();                                                                              \
        ip = state.at;                                                                                                 \
        r = state.cells + state.base;                                                                                  \
        remaining = state.allot();                                                                                     \
        const MemoryView view = view_of(state);                                                                        \
        memory = view.data, dirty = view.dirty, memory_size = view.size;                                               \
    } while (false)
// clang-format on
