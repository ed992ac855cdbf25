// What wasmi 0.37.2 charges, rule by rule (docs/fuel.md), on bodies written for each: the numbers
// beside them are worked out by hand. Every body costs 1 for itself; most end with a return of 1.
#include "wasm/generator/module_bytes.h"
#include "wasm/instantiate.h"
#include "wasm/run.h"

#include <QtTest>

#include <initializer_list>

using namespace blockloom;
using namespace blockloom::wasm;

namespace {

using Code = std::initializer_list<int>;

// Opcodes by the names of the specification, where a list of numbers would say nothing.
enum : int {
    unreachable = 0x00,
    block = 0x02,
    loop = 0x03,
    if_ = 0x04,
    else_ = 0x05,
    end = 0x0b,
    br = 0x0c,
    br_if = 0x0d,
    br_table = 0x0e,
    return_ = 0x0f,
    call = 0x10,
    call_indirect = 0x11,
    drop = 0x1a,
    select_ = 0x1b,
    get = 0x20,
    set = 0x21,
    tee = 0x22,
    global_get = 0x23,
    global_set = 0x24,
    table_get = 0x25,
    table_set = 0x26,
    load = 0x28,
    store = 0x36,
    store8 = 0x3a,
    memory_size = 0x3f,
    memory_grow = 0x40,
    i32 = 0x41, ///< i32.const
    i64 = 0x42,
    eqz = 0x45,
    lt_s = 0x48,
    lt_u = 0x49,
    add = 0x6a,
    sub = 0x6b,
    mul = 0x6c,
    div_s = 0x6d,
    div_u = 0x6e,
    rem_s = 0x6f,
    and_ = 0x71,
    or_ = 0x72,
    xor_ = 0x73,
    shl = 0x74,
    shr_s = 0x75,
    rotl = 0x77,
    wrap = 0xa7,
    extend_u = 0xad,
    nothing = 0x40, ///< block type
    one_i32 = 0x7f,
    ref_null = 0xd0,
    funcref = 0x70,
};

/// Types of the test's module. The function under test has the type it names.
struct Shape {
    int parameters = 0, results = 0;
    int locals = 0; ///< declared i32 ones
};

void append_type(Bytes& to, int parameters, int results) {
    to.push_back(Byte{0x60});
    tests::append_unsigned(to, static_cast<std::uint64_t>(parameters));
    for (int i = 0; i < parameters; ++i) to.push_back(Byte{0x7f});
    tests::append_unsigned(to, static_cast<std::uint64_t>(results));
    for (int i = 0; i < results; ++i) to.push_back(Byte{0x7f});
}

/// (module (type 0: the function's) (type 1: i32 i32 -> i32) (type 2: 7 i32 -> i32)
///   (type 3: 6 i32 -> i32) (func 0: under test) (funcs 1 to 3: their types, returning 0)
///   (table 20 funcref) (memory 1 3) (global 0 i32 7) (global 1 mut i32 7) (data "…64 bytes"))
Bytes module_bytes(const Shape& shape, Code code) {
    Bytes types{4};
    append_type(types, shape.parameters, shape.results);
    append_type(types, 2, 1);
    append_type(types, 7, 1);
    append_type(types, 6, 1);
    Bytes body{1};
    tests::append_unsigned(body, static_cast<std::uint64_t>(shape.locals));
    body.push_back(Byte{0x7f});
    for (const int byte : code) body.push_back(static_cast<Byte>(byte));
    body.push_back(Byte{0x0b});
    Bytes bodies{4};
    tests::append_unsigned(bodies, body.size());
    tests::append_bytes(bodies, body);
    for (int i = 0; i < 3; ++i) tests::append_bytes(bodies, Bytes{4, 0, 0x41, 0, 0x0b});
    Bytes data{1, 0, 0x41, 0, 0x0b, 64};
    data.insert(data.end(), 64, Byte{0x61});

    Bytes bytes{0, 'a', 's', 'm', 1, 0, 0, 0};
    tests::append_section(bytes, 1, types);
    tests::append_section(bytes, 3, Bytes{4, 0, 1, 2, 3});
    tests::append_section(bytes, 4, Bytes{1, 0x70, 0, 20});
    tests::append_section(bytes, 5, Bytes{1, 1, 1, 3});
    tests::append_section(bytes, 6, Bytes{2, 0x7f, 0, 0x41, 7, 0x0b, 0x7f, 1, 0x41, 7, 0x0b});
    tests::append_section(bytes, 7, Bytes{1, 1, 'f', 0, 0});
    tests::append_section(bytes, 12, Bytes{1});
    tests::append_section(bytes, 10, bodies);
    tests::append_section(bytes, 11, data);
    return bytes;
}

std::shared_ptr<const Module> module_of(const Shape& shape, Code code) {
    auto module = load_module(module_bytes(shape, code), "test");
    if (!module) qFatal("%s", module.error().message.c_str());
    return *module;
}

struct Costs {
    std::uint64_t entry = 0;
    std::vector<std::uint64_t> scopes{};
    friend bool operator==(const Costs&, const Costs&) = default;
};

QString text_of(const Costs& costs) {
    QString text = QString::number(costs.entry);
    for (const std::uint64_t scope : costs.scopes)
        text += QLatin1Char(' ') + QString::number(scope);
    return text;
}

/// "" or what is wrong.
QString wrong(const Shape& shape, Code code, const Costs& expected) {
    const FunctionFuel fuel = exact_fuel(*module_of(shape, code), 0);
    Costs found{fuel.entry, {}};
    for (const FuelScope& scope : fuel.scopes) found.scopes.push_back(scope.cost);
    if (!fuel.doubt.empty()) return QString::fromStdString("doubt: " + fuel.doubt);
    if (found == expected) return {};
    return QStringLiteral("expected %1, found %2").arg(text_of(expected), text_of(found));
}

#define COSTS(shape, code, ...)                                                                    \
    do {                                                                                           \
        const QString why = wrong(shape, code, {__VA_ARGS__});                                     \
        QVERIFY2(why.isEmpty(), qPrintable(why));                                                  \
    } while (false)
#define LIST(...)                                                                                  \
    { __VA_ARGS__ }

std::unique_ptr<Interpreter> interpreter_of(std::shared_ptr<Instance>& instance, const Shape& shape,
                                            Code code) {
    const auto program = lower(module_of(shape, code), FuelRule::exact);
    if (!program) qFatal("%s", program.error().message.c_str());
    auto made = instantiate(*program, {});
    instance = std::get<std::shared_ptr<Instance>>(made);
    return std::make_unique<Interpreter>(*instance);
}

struct Used {
    TrapKind trap = TrapKind::none;
    std::uint64_t fuel = 0;
    friend bool operator==(const Used&, const Used&) = default;
};

Used run(const Shape& shape, Code code, std::vector<Cell> arguments,
         std::uint64_t fuel = 1'000'000) {
    std::shared_ptr<Instance> instance;
    const auto interpreter = interpreter_of(instance, shape, code);
    RunLimits limits;
    limits.fuel = fuel;
    const RunResult result = interpreter->invoke(0, arguments, limits);
    return {result.trap.kind, result.fuel_used};
}

} // namespace

class TestFuelModel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void bodies_and_returns() {
        COSTS(LIST(0, 0), {}, 2);                           // 1 + return
        COSTS(LIST(1, 1), LIST(get, 0), 2);                 // 1 + return of a register
        COSTS(LIST(0, 1), LIST(i32, 5), 2);                 // 1 + return of a constant
        COSTS(LIST(1, 3), LIST(get, 0, get, 0, i32, 5), 2); // 1 + return of three
        COSTS(LIST(0, 0), LIST(unreachable), 2);            // 1 + trap; no return behind it
        COSTS(LIST(0, 0), LIST(return_, i32, 1, i32, 2, add, drop), 2); // dead code is not there
        // Four: 1, and 1 + 4 / 8 for the return. Eight: 1 + 8 / 8.
        COSTS(LIST(1, 4), LIST(get, 0, get, 0, get, 0, get, 0), 2);
        COSTS(LIST(1, 8), LIST(get, 0, get, 0, get, 0, get, 0, get, 0, get, 0, get, 0, get, 0), 3);
    }

    /// One for every eight registers: locals, dynamic ones, constants.
    void registers() {
        COSTS(LIST(0, 0, 7), {}, 2);
        COSTS(LIST(0, 0, 8), {}, 3);
        COSTS(LIST(1, 1, 5), LIST(get, 0, get, 0, add), 3);             // 6 locals + 1
        COSTS(LIST(1, 1, 6), LIST(get, 0, get, 0, add), 4);             // 7 locals + 1
        COSTS(LIST(1, 1, 5), LIST(get, 0, i32, 0xff, 0xff, 3, add), 4); // and a constant, 65535
        COSTS(LIST(1, 1, 5), LIST(get, 0, i32, 0xff, 0xff, 1, add), 3); // 32767 needs none
        // The same constant twice is one: 5 locals, 2 dynamic, 1 constant.
        COSTS(LIST(1, 1, 4),
              LIST(get, 0, i32, 0xff, 0xff, 3, add, get, 0, i32, 0xff, 0xff, 3, add, add), 6);
    }

    void arithmetic() {
        COSTS(LIST(2, 1), LIST(get, 0, get, 1, add), 3);
        COSTS(LIST(2, 1), LIST(get, 0, get, 1, add, get, 0, mul), 4);
        COSTS(LIST(0, 1), LIST(i32, 1, i32, 2, add, eqz), 2); // on constants: while translating
        // Nothing to do for x + 0, x - 0, x * 1, x & -1, x | 0, x ^ 0, x << 32, x / 1.
        for (const int code : {add, sub, or_, xor_, shl})
            COSTS(LIST(1, 1), LIST(get, 0, i32, 0, code), 2);
        COSTS(LIST(1, 1), LIST(get, 0, i32, 32, shl), 2);
        COSTS(LIST(1, 1), LIST(get, 0, i32, 1, mul), 2);
        COSTS(LIST(1, 1), LIST(get, 0, i32, 1, div_s), 2);
        COSTS(LIST(1, 1), LIST(get, 0, i32, 0x7f, and_), 2);
        // Known results: x * 0, x & 0, x | -1, x - x, x ^ x, x % -1, 0 << x, -1 >> x.
        COSTS(LIST(1, 1), LIST(get, 0, i32, 0, mul), 2);
        COSTS(LIST(1, 1), LIST(get, 0, i32, 0, and_), 2);
        COSTS(LIST(1, 1), LIST(get, 0, i32, 0x7f, or_), 2);
        COSTS(LIST(1, 1), LIST(get, 0, get, 0, sub), 2);
        COSTS(LIST(1, 1), LIST(get, 0, get, 0, xor_), 2);
        COSTS(LIST(1, 1), LIST(get, 0, i32, 0x7f, rem_s), 2);
        COSTS(LIST(1, 1), LIST(i32, 0, get, 0, shl), 2);
        COSTS(LIST(1, 1), LIST(i32, 0x7f, get, 0, shr_s), 2);
        COSTS(LIST(1, 1), LIST(i32, 0x7f, get, 0, rotl), 2);
        COSTS(LIST(1, 1), LIST(i32, 0x7f, get, 0, shl), 3); // but -1 << x is not known
        COSTS(LIST(1, 1), LIST(get, 0, get, 0, and_), 2);
        COSTS(LIST(1, 1), LIST(get, 0, get, 0, add), 3);
        // x / 0 is a trap and ends the body: 1 + trap.
        COSTS(LIST(1, 1), LIST(get, 0, i32, 0, div_u), 2);
        COSTS(LIST(0, 1), LIST(i32, 1, i32, 0, div_u), 2);
        // Conversions: i32.wrap_i64 is an instruction, i64.extend_i32_u is none.
        COSTS(LIST(1, 1), LIST(get, 0, extend_u, wrap), 3);
        // copysign with a constant is free: f32.convert_i32_s, copysign, f32.abs, reinterpretation.
        COSTS(LIST(1, 1), LIST(get, 0, 0xb2, 0x43, 0, 0, 0x80, 0x3f, 0x98, 0x8b, 0xbc), 4);
    }

    void comparisons() {
        COSTS(LIST(2, 1), LIST(get, 0, get, 1, lt_s), 3);
        COSTS(LIST(1, 1), LIST(get, 0, get, 0, lt_s), 2);    // never
        COSTS(LIST(1, 1), LIST(get, 0, i32, 0, lt_u), 2);    // nothing is below 0
        COSTS(LIST(1, 1), LIST(i32, 0x7f, get, 0, lt_u), 2); // -1: nothing is above it
        COSTS(LIST(1, 1), LIST(get, 0, i32, 0, lt_s), 3);
        COSTS(LIST(1, 1), LIST(get, 0, eqz), 3);
        // i32.eqz joins i32.and, or and xor before it, but not a local that was written.
        COSTS(LIST(2, 1), LIST(get, 0, get, 1, and_, eqz), 3);
        COSTS(LIST(2, 1), LIST(get, 0, get, 1, add, eqz), 4);
        COSTS(LIST(2, 1), LIST(get, 0, get, 1, and_, tee, 0, eqz), 4);
    }

    void locals() {
        COSTS(LIST(2, 0), LIST(get, 0, get, 1, add, set, 0), 3); // the sum goes to its local
        COSTS(LIST(2, 0), LIST(get, 0, set, 0), 2);              // nothing to do
        COSTS(LIST(2, 0), LIST(get, 1, set, 0), 3);              // a copy
        COSTS(LIST(2, 0), LIST(i32, 1, set, 0), 3);
        COSTS(LIST(4, 0), LIST(get, 2, set, 0, get, 3, set, 1), 3); // copies side by side: one
        COSTS(LIST(5, 0), LIST(get, 3, set, 0, get, 4, set, 2), 4); // not side by side
        COSTS(LIST(4, 0), LIST(i32, 1, set, 0, get, 3, set, 1), 4); // a constant never joins
        // Behind a block's end neither sums nor copies are changed: 1, add, copy, return.
        COSTS(LIST(2, 0), LIST(block, one_i32, get, 0, get, 1, add, end, set, 0), 4);
    }

    void preserved_locals() {
        // (0) (1 to 0): the old value is copied before, then 1 to 0; then it goes to local 1, which
        // joins the copy to local 0.
        COSTS(LIST(2, 0), LIST(get, 0, get, 1, set, 0, set, 1), 4);
        COSTS(LIST(2, 0), LIST(get, 0, get, 1, set, 0, drop), 4);
        // The sum goes to its local all the same, the copy comes before it.
        COSTS(LIST(2, 0), LIST(get, 0, get, 1, get, 1, add, set, 0, drop), 4);
        // A call with six arguments can be moved behind the copy, one with seven is too long: its
        // result is copied. Registers: 1 local, 1 dynamic, 1 preserved (and none for constants).
        COSTS(LIST(1, 0),
              LIST(get, 0, get, 0, get, 0, get, 0, get, 0, get, 0, get, 0, call, 3, set, 0, drop),
              4);
        COSTS(LIST(1, 0),
              LIST(get, 0, get, 0, get, 0, get, 0, get, 0, get, 0, get, 0, get, 0, call, 2, set, 0,
                   drop),
              5);
        // Blocks copy all locals on the stack: two in one instruction, three for 1 + (3 + 1) / 8,
        // seven for 1 + 8 / 8 and 14 registers.
        COSTS(LIST(1, 0), LIST(get, 0, block, nothing, end, drop), 3);
        COSTS(LIST(2, 0), LIST(get, 0, get, 1, block, nothing, end, drop, drop), 3);
        COSTS(LIST(3, 0), LIST(get, 0, get, 1, get, 2, block, nothing, end, drop, drop, drop), 3);
        COSTS(LIST(7, 0),
              LIST(get, 0, get, 1, get, 2, get, 3, get, 4, get, 5, get, 6, block, nothing, end,
                   drop, drop, drop, drop, drop, drop, drop),
              5);
        // The same local twice is copied once.
        COSTS(LIST(1, 0), LIST(get, 0, get, 0, block, nothing, end, drop, drop), 3);
        // Loops and ifs do the same; the condition itself is none of them.
        COSTS(LIST(1, 0), LIST(get, 0, loop, nothing, end, drop), 3, {1});
        COSTS(LIST(1, 0), LIST(get, 0, if_, nothing, end), 2, {1});
    }

    void branches() {
        COSTS(LIST(0, 0), LIST(block, nothing, br, 0, end), 3);
        COSTS(LIST(0, 0), LIST(br, 0), 2); // out of the function: a return
        // Conditional branches are free; a comparison costs itself, fused or not.
        COSTS(LIST(1, 0), LIST(block, nothing, get, 0, br_if, 0, end), 2);
        COSTS(LIST(2, 0), LIST(block, nothing, get, 0, get, 1, lt_s, br_if, 0, end), 3);
        COSTS(LIST(2, 0), LIST(block, nothing, get, 0, get, 1, and_, eqz, br_if, 0, end), 3);
        COSTS(LIST(0, 0), LIST(block, nothing, i32, 0, br_if, 0, end), 2);
        COSTS(LIST(0, 0), LIST(block, nothing, i32, 1, br_if, 0, end), 3);
        COSTS(LIST(1, 0), LIST(get, 0, br_if, 0), 3); // a conditional return costs 1
        // With a value that has to be copied: the copy, and the branch behind it.
        // 1 + (copy + br) + copy at the end + return.
        COSTS(LIST(2, 1), LIST(block, one_i32, get, 0, get, 1, br_if, 0, end), 5);
        // A value that is there already: the sum lies where the block's result goes.
        // 1 + add + nothing + return.
        COSTS(LIST(2, 1), LIST(block, one_i32, get, 0, get, 1, add, get, 1, br_if, 0, end), 3);
    }

    void branch_tables() {
        // 1 + table + return; the ways are free.
        COSTS(LIST(1, 0), LIST(block, nothing, block, nothing, get, 0, br_table, 1, 0, 1, end, end),
              3);
        // A way out of the function costs its return: 1 + table + return, and the one at the end.
        COSTS(LIST(1, 0), LIST(block, nothing, get, 0, br_table, 1, 0, 1, end), 4);
        // All ways alike, or a constant: a branch.
        COSTS(LIST(1, 0), LIST(block, nothing, get, 0, br_table, 2, 0, 0, 0, end), 3);
        COSTS(LIST(0, 0), LIST(block, nothing, block, nothing, i32, 7, br_table, 1, 0, 1, end, end),
              3);
    }

    void loops() {
        COSTS(LIST(1, 0), LIST(loop, nothing, get, 0, br_if, 0, end), 2, {1});
        // 1 + the difference, which goes to its local.
        COSTS(LIST(1, 0), LIST(loop, nothing, get, 0, i32, 1, sub, tee, 0, br_if, 0, end), 2, {2});
        COSTS(LIST(0, 0), LIST(loop, nothing, loop, nothing, br, 0, end, end), 1, {1, 2});
        // A plain block belongs to the scope around it.
        COSTS(LIST(2, 0),
              LIST(loop, nothing, block, nothing, get, 0, get, 1, add, set, 0, end, end), 2, {2});
        COSTS(LIST(0, 0), LIST(unreachable, loop, nothing, br, 0, end), 2);
    }

    void arms() {
        COSTS(LIST(1, 0), LIST(get, 0, if_, nothing, end), 2, {1});
        COSTS(LIST(2, 0), LIST(get, 0, if_, nothing, get, 1, set, 0, end), 2, {2});
        // What leads from the first arm to the end is charged around it.
        COSTS(LIST(2, 0), LIST(get, 0, if_, nothing, get, 1, set, 0, else_, end), 3, {2, 1});
        COSTS(LIST(2, 0), LIST(get, 0, if_, nothing, unreachable, else_, get, 1, set, 0, end), 2,
              {2, 2});
        // So are the copies of results: 1 + copy + br + copy + return.
        COSTS(LIST(3, 1), LIST(get, 0, if_, one_i32, get, 1, else_, get, 2, end), 5, {1, 1});
        // On a constant there are no arms: 1 + copy + return.
        COSTS(LIST(2, 0), LIST(i32, 1, if_, nothing, get, 1, set, 0, else_, get, 0, set, 1, end),
              3);
        COSTS(LIST(2, 0), LIST(i32, 0, if_, nothing, get, 1, set, 0, get, 0, set, 1, end), 2);
    }

    void calls() {
        COSTS(LIST(2, 1), LIST(get, 0, get, 1, call, 1), 3);
        // Constants among the arguments need registers: 6 locals, 1 dynamic, 1 constant.
        COSTS(LIST(1, 1, 5), LIST(get, 0, i32, 1, call, 1), 4);
        COSTS(LIST(1, 1, 5), LIST(get, 0, get, 0, call, 1), 3);
        // An element's index stands inside up to 65535.
        COSTS(LIST(2, 1), LIST(get, 0, get, 1, i32, 0, call_indirect, 1, 0), 3);
        COSTS(LIST(2, 1), LIST(get, 0, get, 1, get, 0, call_indirect, 1, 0), 3);
        COSTS(LIST(2, 0), LIST(get, 0, get, 1, call, 1, set, 0), 3); // the result goes to its local
    }

    void selects() {
        COSTS(LIST(3, 1), LIST(get, 0, get, 1, get, 2, select_), 3);
        COSTS(LIST(3, 1), LIST(get, 0, get, 1, i32, 1, select_), 2);
        COSTS(LIST(3, 1), LIST(get, 0, get, 0, get, 1, select_), 2);
        // On a constant a computed value is copied, where it does not lie there already.
        COSTS(LIST(2, 1), LIST(get, 0, get, 0, get, 1, add, i32, 0, select_), 3);
        COSTS(LIST(2, 1), LIST(get, 0, get, 0, add, get, 0, get, 1, add, i32, 0, select_), 5);
    }

    void memory_and_globals() {
        COSTS(LIST(1, 1), LIST(get, 0, load, 2, 0), 3);
        COSTS(LIST(1, 1), LIST(get, 0, load, 2, 0x80, 0x80, 4), 3); // an offset of 65536
        COSTS(LIST(0, 1), LIST(i32, 8, load, 2, 0), 3);
        // An address beyond 32 bits traps: 1 + trap.
        COSTS(LIST(0, 1), LIST(i32, 0x7f, load, 2, 1), 2);
        COSTS(LIST(2, 0), LIST(get, 0, get, 1, store, 2, 0), 3);
        // Values of 16 bits stand inside, bytes always: 8 registers where they do not.
        COSTS(LIST(1, 0, 6), LIST(get, 0, i32, 1, store, 2, 0), 3);
        COSTS(LIST(1, 0, 6), LIST(get, 0, i32, 0xff, 0xff, 3, store, 2, 0), 4);
        COSTS(LIST(1, 0, 6), LIST(get, 0, i32, 0xff, 0xff, 3, store8, 0, 0), 3);
        COSTS(LIST(0, 1), LIST(global_get, 0), 2); // a constant
        COSTS(LIST(0, 1), LIST(global_get, 1), 3);
        COSTS(LIST(0, 0), LIST(i32, 1, global_set, 1), 3);
        COSTS(LIST(0, 1), LIST(memory_size, 0), 3);
        COSTS(LIST(1, 1), LIST(get, 0, memory_grow, 0), 3);
        COSTS(LIST(3, 0), LIST(get, 0, get, 1, get, 2, 0xfc, 10, 0, 0), 3);
        COSTS(LIST(3, 0), LIST(get, 0, get, 1, get, 2, 0xfc, 11, 0), 3);
        COSTS(LIST(1, 0), LIST(get, 0, ref_null, funcref, table_set, 0), 3);
        COSTS(LIST(1, 0), LIST(get, 0, table_get, 0, drop), 3);
    }

    void doubts() {
        const auto doubt = [](const Shape& shape, Code code) {
            return exact_fuel(*module_of(shape, code), 0).doubt;
        };
        QCOMPARE(doubt({}, {}), std::string());
        QVERIFY(!doubt({1, 0}, {ref_null, funcref, get, 0, 0xfc, 15, 0, drop}).empty());
        QVERIFY(!doubt({}, {0x43, 0, 0, 0xc0, 0x7f, drop}).empty());
        const auto program = lower(module_of({}, {0x43, 0, 0, 0xc0, 0x7f, drop}), FuelRule::exact);
        QVERIFY(program.ok());
        QCOMPARE((*program)->fuel_doubt,
                 std::string("function 0: a constant that is not a number"));
    }

    void runs() {
        const auto used = [](std::uint64_t fuel) { return Used{TrapKind::none, fuel}; };
        // A loop of ten: 2 + 10 * 2.
        QCOMPARE(run({1, 0}, {loop, nothing, get, 0, i32, 1, sub, tee, 0, br_if, 0, end}, {10}),
                 used(22));
        // A call: 3 and the callee's 2.
        QCOMPARE(run({2, 1}, {get, 0, get, 1, call, 1}, {1, 2}), used(5));
        // Arms: 3, and 2 or 1.
        QCOMPARE(run({2, 0}, {get, 0, if_, nothing, get, 1, set, 0, else_, end}, {1, 2}), used(5));
        QCOMPARE(run({2, 0}, {get, 0, if_, nothing, get, 1, set, 0, else_, end}, {0, 2}), used(4));
        // An empty arm without else: 2, and 1 where it is taken.
        QCOMPARE(run({1, 0}, {get, 0, if_, nothing, end}, {1}), used(3));
        QCOMPARE(run({1, 0}, {get, 0, if_, nothing, end}, {0}), used(2));
        // Pages: 65536 / 64 each, nothing for 0 or where the memory cannot grow.
        QCOMPARE(run({1, 1}, {get, 0, memory_grow, 0}, {2}), used(3 + 2048));
        QCOMPARE(run({1, 1}, {get, 0, memory_grow, 0}, {0}), used(3));
        QCOMPARE(run({1, 1}, {get, 0, memory_grow, 0}, {3}), used(3));
        // Bytes: one for every 64. Out of bounds pays nothing.
        QCOMPARE(run({3, 0}, {get, 0, get, 1, get, 2, 0xfc, 11, 0}, {0, 7, 640}), used(3 + 10));
        QCOMPARE(run({3, 0}, {get, 0, get, 1, get, 2, 0xfc, 10, 0, 0}, {64, 0, 127}), used(3 + 1));
        QCOMPARE(run({3, 0}, {get, 0, get, 1, get, 2, 0xfc, 8, 0, 0}, {64, 0, 64}),
                 (Used{TrapKind::out_of_bounds_memory, 3})); // its segment is active: dropped
        QCOMPARE(run({3, 0}, {get, 0, get, 1, get, 2, 0xfc, 11, 0}, {65'536, 7, 640}),
                 (Used{TrapKind::out_of_bounds_memory, 3}));
        // Table elements: one for every eight.
        QCOMPARE(run({3, 0}, {get, 0, get, 1, get, 2, 0xfc, 14, 0, 0}, {0, 1, 17}), used(3 + 2));
        QCOMPARE(run({2, 0}, {get, 0, ref_null, funcref, get, 1, 0xfc, 17, 0}, {4, 16}),
                 used(3 + 2));
    }

    /// A scope that cannot be paid whole takes nothing and does not begin.
    void out_of_fuel() {
        const auto looped = [](std::uint64_t fuel) {
            return run({1, 0}, {loop, nothing, get, 0, i32, 1, sub, tee, 0, br_if, 0, end}, {10},
                       fuel);
        };
        QCOMPARE(looped(0), (Used{TrapKind::out_of_fuel, 0}));
        QCOMPARE(looped(1), (Used{TrapKind::out_of_fuel, 0}));
        QCOMPARE(looped(3), (Used{TrapKind::out_of_fuel, 2}));
        QCOMPARE(looped(21), (Used{TrapKind::out_of_fuel, 20}));
        QCOMPARE(looped(22), (Used{TrapKind::none, 22}));
        const auto grown = [](std::uint64_t fuel) {
            return run({1, 1}, {get, 0, memory_grow, 0}, {1}, fuel);
        };
        QCOMPARE(grown(1026), (Used{TrapKind::out_of_fuel, 3}));
        QCOMPARE(grown(1027), (Used{TrapKind::none, 1027}));
    }
};

QTEST_GUILESS_MAIN(TestFuelModel)
#include "test_fuel_model.moc"
