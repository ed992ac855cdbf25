// Instantiation within limits, and what a memory keeps in books.
#include "wasm/instantiate.h"
#include "wasm/run.h"

#include <QtTest>

using namespace blockloom;
using namespace blockloom::wasm;

namespace {

std::shared_ptr<const Program> program_of(Bytes bytes) {
    const auto module = load_module(std::move(bytes), "test");
    if (!module) {
        qWarning("%s", module.error().message.c_str());
        return nullptr;
    }
    const auto program = lower(*module);
    return program ? *program : nullptr;
}

/// (module (func BODY) (start 0))
Bytes starting(const Bytes& body) {
    Bytes bytes{0, 'a', 's', 'm', 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0, 8, 1, 0};
    const auto size = static_cast<Byte>(body.size() + 2);
    for (const unsigned byte : {10u, size + 2u, 1u, unsigned{size}, 0u})
        bytes.push_back(static_cast<Byte>(byte));
    for (const Byte byte : body) bytes.push_back(byte);
    bytes.push_back(0x0b);
    return bytes;
}

const Bytes endless{0x03, 0x40, 0x0c, 0, 0x0b}; // loop br 0 end

/// Resident kilobytes of this process.
long resident() {
    QFile file(QStringLiteral("/proc/self/statm"));
    if (!file.open(QIODevice::ReadOnly)) return -1;
    return file.readAll().split(' ').value(1).toLong() * 4;
}

} // namespace

class TestInstances : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void an_endless_start_function_ends() {
        const auto program = program_of(starting(endless));
        QVERIFY(program != nullptr);
        InstanceLimits limits;
        limits.start_fuel = 1'000;
        const auto made = instantiate(program, {}, limits);
        const auto* error = std::get_if<LinkError>(&made);
        QVERIFY(error != nullptr && error->trapped);
        QCOMPARE(error->trap.kind, TrapKind::out_of_fuel);
        QCOMPARE(error->text, std::string("out of fuel"));
        QVERIFY(error->survivor != nullptr);
        QCOMPARE(error->survivor->start_fuel_used(), std::uint64_t{1'000});
    }

    void without_a_word_it_ends_too() {
        const auto program = program_of(starting(endless));
        QVERIFY(program != nullptr);
        const auto made = instantiate(program, {});
        const auto* error = std::get_if<LinkError>(&made);
        QVERIFY(error != nullptr);
        QCOMPARE(error->trap.kind, TrapKind::out_of_fuel);
    }

    void a_start_function_can_be_stopped() {
        const auto program = program_of(starting(endless));
        QVERIFY(program != nullptr);
        std::stop_source source;
        source.request_stop();
        InstanceLimits limits;
        limits.start_stop = source.get_token();
        const auto made = instantiate(program, {}, limits);
        const auto* error = std::get_if<LinkError>(&made);
        QVERIFY(error != nullptr);
        QCOMPARE(error->trap.kind, TrapKind::cancelled);
    }

    void enough_fuel_is_counted() {
        const auto program = program_of(starting({0x01, 0x01, 0x01}));
        QVERIFY(program != nullptr);
        InstanceLimits limits;
        for (const std::uint64_t fuel : {2, 3}) {
            limits.start_fuel = fuel;
            const auto made = instantiate(program, {}, limits);
            const auto* instance = std::get_if<std::shared_ptr<Instance>>(&made);
            QCOMPARE(instance != nullptr, fuel == 3);
            if (instance != nullptr) QCOMPARE((*instance)->start_fuel_used(), std::uint64_t{3});
        }
    }

    void a_host_function_cannot_yield_in_start() {
        // (module (import "h" "f" (func)) (start 0))
        const auto program = program_of({0, 'a', 's', 'm', 1, 0,   0, 0,   1, 4, 1, 0x60, 0,
                                         0, 2,   7,   1,   1, 'h', 1, 'f', 0, 0, 8, 1,    0});
        QVERIFY(program != nullptr);
        auto host = std::make_shared<HostFunction>();
        host->call = [](HostCall&) { return HostAnswer::yield; };
        FunctionReference reference;
        reference.host = host;
        const auto made = instantiate(program, {{{"h", "f"}, reference}});
        const auto* error = std::get_if<LinkError>(&made);
        QVERIFY(error != nullptr && error->trapped);
        QCOMPARE(error->trap.kind, TrapKind::host);
        QVERIFY(!error->trap.text.empty());
    }

    /// Tables pay nothing beyond their instructions, and end no block: what a fill may cost is
    /// bounded by their size.
    void tables_pay_nothing_and_have_a_limit() {
        // (module (table 100 funcref) (func i32.const 0 ref.null func i32.const COUNT table.fill 0)
        //  (func (result i32) ref.null func i32.const 51 table.grow 0))
        const auto module = [](Byte count) {
            return Bytes{0,    'a',  's', 'm',  1,    0,    0,     0,    1,    8,    2,
                         0x60, 0,    0,   0x60, 0,    1,    0x7f,  3,    3,    2,    0,
                         1,    4,    4,   1,    0x70, 0,    100,   10,   24,   2,    12,
                         0,    0x41, 0,   0xd0, 0x70, 0x41, count, 0,    0xfc, 0x11, 0,
                         0x0b, 9,    0,   0xd0, 0x70, 0x41, 51,    0xfc, 0x0f, 0,    0x0b};
        };
        InstanceLimits limits;
        limits.table_cells = 150;
        for (const Byte count : {Byte{0xd0}, Byte{0xff}}) { // with the byte behind it: 80, 127
            const auto program = program_of(module(count));
            QVERIFY(program != nullptr);
            const auto made = instantiate(program, {}, limits);
            const auto* instance = std::get_if<std::shared_ptr<Instance>>(&made);
            QVERIFY(instance != nullptr);
            const bool fits = count == 0xd0;
            for (const std::uint64_t fuel : {std::uint64_t{3}, std::uint64_t{4}}) {
                RunLimits run_limits;
                run_limits.fuel = fuel;
                const RunResult run = Interpreter(**instance).invoke(0, {}, run_limits);
                const TrapKind expected = fuel == 3 ? TrapKind::out_of_fuel
                                          : fits    ? TrapKind::none
                                                    : TrapKind::out_of_bounds_table;
                QCOMPARE(run.trap.kind, expected);
                QCOMPARE(run.fuel_used, fuel == 3 ? std::uint64_t{0} : fuel);
                QCOMPARE(run.steps, run.fuel_used);
            }
            const RunResult grown = Interpreter(**instance).invoke(1, {}, {});
            QCOMPARE(grown.results, std::vector<Cell>{0xffff'ffff}); // 151 cells
            QCOMPARE(grown.fuel_used, std::uint64_t{3});
        }
        limits.table_cells = 99;
        const auto refused = instantiate(program_of(module(0xd0)), {}, limits);
        const auto* error = std::get_if<LinkError>(&refused);
        QVERIFY(error != nullptr && !error->trapped);
        QVERIFY(error->text.find("at most 99") != std::string::npos);
    }

    /// An instruction of two bytes may name a list of 1,000 types: what a module's lists push and
    /// pop together is bounded, so that a small module cannot cost seconds.
    void long_lists_of_types_are_bounded() {
        const auto sized = [](std::size_t bytes, Bytes head) {
            Bytes all;
            for (; bytes >= 0x80; bytes >>= 7) all.push_back(static_cast<Byte>(bytes | 0x80));
            all.push_back(static_cast<Byte>(bytes));
            all.insert(all.end(), head.begin(), head.end());
            return all;
        };
        // (module (type (func)) (type (func (param i32 × 1000) (result i32 × 1000)))
        //  (func i32.const 0 × 1000, block (type 1) end × BLOCKS, unreachable))
        const auto module = [&](std::size_t blocks) {
            const Bytes list = sized(1000, Bytes(1000, 0x7f));
            Bytes types{2, 0x60, 0, 0, 0x60};
            for (int i = 0; i < 2; ++i) types.insert(types.end(), list.begin(), list.end());
            Bytes body{0};
            for (int i = 0; i < 1000; ++i) body.insert(body.end(), {0x41, 0});
            for (std::size_t i = 0; i < blocks; ++i) body.insert(body.end(), {0x02, 1, 0x0b});
            body.insert(body.end(), {0x00, 0x0b});
            Bytes code = sized(body.size(), body);
            code.insert(code.begin(), 1);
            Bytes bytes{0, 'a', 's', 'm', 1, 0, 0, 0};
            const auto section = [&](Byte id, const Bytes& content) {
                bytes.push_back(id);
                const Bytes whole = sized(content.size(), content);
                bytes.insert(bytes.end(), whole.begin(), whole.end());
            };
            section(1, types), section(3, {1, 0}), section(10, code);
            return std::make_shared<const Bytes>(std::move(bytes));
        };
        const auto refusal = [&](std::size_t blocks) {
            const auto decoded = decode(module(blocks));
            return validate(std::get<Module>(decoded));
        };
        QVERIFY(!refusal(200));
        const auto refused = refusal(400); // 4,000 values a block; 1,048,576 and 16 a byte may be
        QVERIFY(refused && refused->unclaimed);
        QVERIFY(refused->rule.find("limit of this engine") != std::string::npos);
    }

    /// A memory that may grow to 4 GiB costs what it touches.
    void books_are_as_large_as_what_is_touched() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        QSKIP("sanitizers keep books of their own");
#endif
        std::vector<Memory> memories;
        const long before = resident();
        if (before < 0) QSKIP("no /proc/self/statm here");
        for (int i = 0; i < 16; ++i) {
            auto memory = Memory::reserve(1, most_pages);
            QVERIFY(memory.ok());
            QCOMPARE(memory->grow(most_pages - 1), 1u);
            Byte* const dirty = memory->dirty();
            memory->mark(0);
            memory->mark(memory->size() - 1);
            QCOMPARE(memory->dirty(), dirty);
            QCOMPARE(memory->touched_pages(), std::size_t{2});
            memory->reset();
            QCOMPARE(memory->touched_pages(), std::size_t{0});
            QCOMPARE(memory->pages(), 1u);
            memories.push_back(*std::move(memory));
        }
        QVERIFY2(resident() - before < 16 * 256, "more than 256 KiB a memory");
    }

    void what_a_store_reached_is_restored() {
        auto memory = Memory::reserve(2, 2);
        QVERIFY(memory.ok());
        memory->mark_range(0, 8192);
        for (int i = 0; i < 8192; ++i) memory->data()[i] = static_cast<Byte>(i * 7 + 1);
        memory->keep_as_image();
        // As an 8-byte store at 4,092 does: the page of its first byte only.
        memory->mark(4092);
        for (int i = 4092; i < 4100; ++i) memory->data()[i] = 0xee;
        memory->reset();
        for (int i = 0; i < 8192; ++i) QCOMPARE(memory->data()[i], static_cast<Byte>(i * 7 + 1));
    }
};

QTEST_GUILESS_MAIN(TestInstances)
#include "test_instances.moc"
