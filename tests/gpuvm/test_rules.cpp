// Host calls that the device answers, and those that it leaves to the host.
#include "gpuvm/batch.h"
#include "gpuvm/device.h"
#include "gpuvm/machine.h"
#include "gpuvm/module_text.h"

#include <QtTest>

#include <cstring>

using namespace blockloom;
using gpuvm::HostRule;
using gpuvm::StopKind;

namespace {

const char* const text = R"((module
 (import "env" "constant" (func $constant (result i32)))
 (import "env" "length" (func $length (result i32)))
 (import "env" "copy" (func $copy (param i32) (result i32)))
 (import "env" "value_length" (func $value_length (param i32) (result i32)))
 (import "env" "value" (func $value (param i32 i32) (result i32)))
 (import "env" "fuel" (func $fuel (param i32)))
 (import "env" "text" (func $text (param i32)))
 (import "env" "pair" (func $pair (param i32 i32 i32)))
 (import "env" "single" (func $single (param i32) (result i32)))
 (import "env" "absent" (func $absent (result i32)))
 (memory 1)
 (data (i32.const 60) "\03\00\00\00key\00\05\00\00\00other")
 (data (i32.const 96) "\20\00\00\00the first half has thirty-two b.")
 (data (i32.const 1006) "\23\00\00\00the other half is followed by so.me.")
 (data (i32.const 196) "\1f\00\00\00the other half is followed by so.")
 (func (export "constant") (param i32) (result i32) (call $constant))
 (func (export "length") (param i32) (result i32) (call $length))
 (func (export "copy") (param i32) (result i32) (call $copy (local.get 0)))
 (func (export "value_length") (param i32) (result i32) (call $value_length (local.get 0)))
 (func (export "value") (param i32) (result i32) (call $value (local.get 0) (i32.const 1022)))
 (func (export "fuel") (param i32) (result i32) (call $fuel (local.get 0)) (i32.load (local.get 0)))
 (func (export "pair") (param i32) (result i32)
  (call $pair (i32.const 100) (local.get 0) (i32.const 2044)) (i32.load (i32.const 2040)))
 (func (export "single") (param i32) (result i32) (call $single (local.get 0)))
 (func (export "absent") (param i32) (result i32) (call $absent))
 (func (export "text") (param i32) (result i32) (call $text (local.get 0)) (i32.const 1))))";

HostRule rule(HostRule::Kind kind, std::uint64_t fee, std::uint32_t byte_fee = 0) {
    HostRule made;
    made.kind = kind;
    made.fee = fee;
    made.fee_per_byte = byte_fee;
    return made;
}

} // namespace

class TestRules : public QObject {
    Q_OBJECT

    QString row_;
    std::shared_ptr<wasm::Instance> instance_;
    std::unique_ptr<gpuvm::Machine> machine_;
    std::unique_ptr<gpuvm::Batch> batch_;
    Bytes bytes_;
    std::vector<gpuvm::KnownValue> values_;

    gpuvm::Piece put(const std::string& what) {
        const gpuvm::Piece piece{static_cast<std::uint32_t>(bytes_.size()),
                                 static_cast<std::uint32_t>(what.size())};
        bytes_.insert(bytes_.end(), what.begin(), what.end());
        return piece;
    }
    /// One call alone; how it stopped.
    gpuvm::Stop run(const char* name, wasm::Cell argument, std::uint64_t fuel, bool values = true) {
        gpuvm::Invocation invocation;
        invocation.function = tests::function_of(*instance_, name);
        invocation.arguments = {&argument, 1};
        invocation.fuel = fuel;
        invocation.owner = 9;
        invocation.values = values;
        invocation.blobs[2] = {3, 70};
        invocation.blobs[3] = gpuvm::no_blob;
        const Status begun = batch_->start({&invocation, 1}, {bytes_, values_});
        if (!begun) qFatal("%s", begun.error().message.c_str());
        for (bool running = true; running;) running = batch_->advance().value();
        return batch_->stops().empty() ? gpuvm::Stop{} : batch_->stops().front();
    }
    std::vector<std::uint32_t> reads() {
        if (!batch_->fetch_reads()) qFatal("the read log is not there");
        std::vector<std::uint32_t> log;
        if (!batch_->read_log(0, log)) qFatal("the read log is damaged");
        return log;
    }
    std::string memory(std::uint32_t address, std::uint32_t bytes) {
        std::vector<gpuvm::PageRead> reads;
        for (std::uint32_t page = address / 1024; page <= (address + bytes - 1) / 1024; ++page)
            reads.push_back({0, page});
        std::string found(reads.size() * 1024, 0);
        const Status read =
            batch_->read_pages(reads, {reinterpret_cast<Byte*>(found.data()), found.size()});
        if (!read) qFatal("%s", read.error().message.c_str());
        return found.substr(address % 1024, bytes);
    }

private Q_SLOTS:
    void initTestCase_data() { tests::add_machines(); }

    /// The machine of the row, with the program in it.
    void init() {
        QFETCH_GLOBAL(QString, machine);
        if (machine == row_) return;
        if (!tests::can_assemble()) QSKIP("wat2wasm is not installed (package wabt)");
        batch_.reset();
        std::string why;
        machine_ = tests::machine_of(machine, why);
        if (!machine_) QSKIP(why.c_str());
        row_ = machine;
        instance_ = tests::instance_of(text);
        bytes_.clear();
        using Kind = HostRule::Kind;
        std::vector<HostRule> rules{rule(Kind::constant, 4),      rule(Kind::blob_length, 0, 1),
                                    rule(Kind::blob_copy, 5, 2),  rule(Kind::value_length, 0, 1),
                                    rule(Kind::value_copy, 0, 2), rule(Kind::fuel, 5),
                                    rule(Kind::text, 0),          rule(Kind::pair_copy, 10),
                                    rule(Kind::single_copy, 5),   rule(Kind::blob_length, 0)};
        rules[0].value = 77;
        rules[1].slot = rules[2].slot = 2;
        rules[2].answers_pointer = true;
        rules[9].slot = 3;
        QVERIFY(machine_->add(gpuvm::image_of(*instance_), rules).ok());
        batch_ = machine_->batch();
        bytes_.assign(100, 0);
        for (std::size_t i = 0; i < bytes_.size(); ++i) bytes_[i] = static_cast<Byte>(i + 1);
        const gpuvm::Piece key = put("key"), other = put("other");
        values_ = {{9, key, put("a value of some length"), 41},
                   {8, other, put("x"), 42},
                   {9, put("absent"), put(""), 43},
                   {10, put("the first half has thirty-two b.the other half is followed by so"),
                    put("a balance"), 44},
                   {10, put(""), put("0123456789abcdef"), 45}};
    }

    void answers_with_fees() {
        QCOMPARE(run("constant", 0, 100).kind, StopKind::returned);
        QCOMPARE(batch_->ended(0).run.results.at(0), wasm::Cell{77});
        QCOMPARE(batch_->ended(0).run.fuel_used - batch_->ended(0).run.steps, std::uint64_t{4});
        QCOMPARE(run("length", 0, 100).kind, StopKind::returned);
        QCOMPARE(batch_->ended(0).run.results.at(0), wasm::Cell{70});
        QCOMPARE(batch_->ended(0).run.fuel_used - batch_->ended(0).run.steps, std::uint64_t{70});
        QCOMPARE(run("length", 0, 60).kind, StopKind::host_call); // the fee is not there
    }

    void copies_across_pages() {
        for (const wasm::Cell to : {1021u, 5u, 4u, 65'466u}) {
            QCOMPARE(run("copy", to, 1'000).kind, StopKind::returned);
            const gpuvm::Ended ended = batch_->ended(0);
            QCOMPARE(ended.run.results.at(0), to);
            QCOMPARE(ended.run.fuel_used - ended.run.steps, std::uint64_t{145});
            const std::string found = memory(static_cast<std::uint32_t>(to) - 4, 74);
            std::uint32_t length = 0;
            std::memcpy(&length, found.data(), 4);
            QCOMPARE(length, 70u);
            QVERIFY(std::memcmp(found.data() + 4, bytes_.data() + 3, 70) == 0);
        }
        for (const wasm::Cell to : {3u, 65'467u, 0xffff'ffffu})
            QCOMPARE(run("copy", to, 1'000).kind, StopKind::host_call);
        QCOMPARE(batch_->resident(0).size(), std::size_t{0}); // nothing was changed
    }

    void values_by_key_and_owner() {
        QCOMPARE(run("value", 64, 1'000).kind, StopKind::returned);
        QCOMPARE(memory(1022, 22), std::string("a value of some length"));
        QCOMPARE(batch_->ended(0).run.fuel_used - batch_->ended(0).run.steps,
                 std::uint64_t{2 * (3 + 22)});
        QCOMPARE(reads(), (std::vector<std::uint32_t>{41}));
        QCOMPARE(run("value_length", 64, 1'000).kind, StopKind::returned);
        QCOMPARE(batch_->ended(0).run.results.at(0), wasm::Cell{22});
        // Another owner's key is unknown, and so is all where values are off.
        const gpuvm::Stop unknown = run("value_length", 72, 1'000);
        QCOMPARE(unknown.kind, StopKind::host_call);
        QCOMPARE(unknown.import, 3u);
        QCOMPARE(batch_->arguments(0), (std::vector<wasm::Cell>{72}));
        QCOMPARE(run("value", 64, 1'000, false).kind, StopKind::host_call);
    }

    /// Pairs and single values belong to the next owner; of a buffer with more bytes the first 32
    /// count.
    void pairs_and_single_values() {
        const auto fees = [&] {
            return batch_->ended(0).run.fuel_used - batch_->ended(0).run.steps;
        };
        QCOMPARE(run("pair", 1010, 1'000).kind, StopKind::returned);
        QCOMPARE(batch_->ended(0).run.results.at(0), wasm::Cell{9});
        QCOMPARE(memory(2040, 13), std::string("\x09\0\0\0a balance", 13));
        QCOMPARE(fees(), std::uint64_t{10});
        QCOMPARE(reads(), (std::vector<std::uint32_t>{44}));
        QCOMPARE(run("pair", 100, 1'000).kind, StopKind::host_call);    // another pair
        QCOMPARE(run("pair", 200, 1'000).kind, StopKind::host_call);    // 31 bytes
        QCOMPARE(run("pair", 70'000, 1'000).kind, StopKind::host_call); // outside
        QCOMPARE(run("pair", 1010, 9).kind, StopKind::host_call);       // the fee is not there
        QCOMPARE(run("pair", 1010, 1'000, false).kind, StopKind::host_call);
        QCOMPARE(run("single", 1022, 1'000).kind, StopKind::returned);
        QCOMPARE(batch_->ended(0).run.results.at(0), wasm::Cell{0});
        QCOMPARE(memory(1022, 16), std::string("0123456789abcdef"));
        QCOMPARE(fees(), std::uint64_t{5});
        QCOMPARE(reads(), (std::vector<std::uint32_t>{45}));
        QCOMPARE(run("single", 1022, 1'000, false).kind, StopKind::host_call);
        QCOMPARE(run("single", 2, 1'000).kind, StopKind::host_call);
        QCOMPARE(run("absent", 0, 1'000).kind, StopKind::host_call);
    }

    void the_host_answers_what_is_left() {
        QCOMPARE(run("value_length", 72, 1'000).kind, StopKind::host_call);
        const std::uint64_t before = batch_->fuel_left(0);
        const wasm::Cell result = 1234;
        gpuvm::HostReply reply;
        reply.results = {&result, 1};
        reply.fee = 11;
        batch_->answer(0, reply);
        QVERIFY(batch_->advance().ok());
        QCOMPARE(batch_->stops().front().kind, StopKind::returned);
        QCOMPARE(batch_->ended(0).run.results.at(0), result);
        QVERIFY(batch_->fuel_left(0) <= before - 11);
        // Too large a fee, and a refusal.
        QCOMPARE(run("value_length", 72, 1'000).kind, StopKind::host_call);
        reply.fee = 1'000;
        batch_->answer(0, reply);
        QVERIFY(batch_->advance().ok());
        if (batch_->stops().front().kind == StopKind::ejected) // compiled lanes leave
            QCOMPARE(batch_->stops().front().ejection, gpuvm::Ejection::fuel);
        else
            QCOMPARE(batch_->ended(0).run.trap.kind, wasm::TrapKind::out_of_fuel);
        QCOMPARE(run("value_length", 72, 1'000).kind, StopKind::host_call);
        reply.error = "no";
        batch_->answer(0, reply);
        QVERIFY(batch_->advance().ok());
        QCOMPARE(batch_->ended(0).run.trap.kind, wasm::TrapKind::host);
        QCOMPARE(batch_->ended(0).run.trap.text, std::string("no"));
    }

    void fuel_and_text() {
        QCOMPARE(run("fuel", 1020, 1'000).kind, StopKind::returned);
        const gpuvm::Ended ended = batch_->ended(0);
        QVERIFY(ended.fuel_read);
        const auto reported = ended.run.results.at(0);
        QVERIFY(reported <= 998 && reported > 980);
        QCOMPARE(ended.least_left <= reported - 5, true);
        QCOMPARE(run("text", 64, 1'000).kind, StopKind::returned);
        QCOMPARE(run("text", 3, 1'000).kind, StopKind::host_call);
    }
};

QTEST_GUILESS_MAIN(TestRules)
#include "test_rules.moc"
