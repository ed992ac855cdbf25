// How a program gets compiled code for a device: lanes on the host show its memory, then the device
// runs them, and code that does not reach is compiled again. The device is this processor under the
// name of CUDA: it runs the kernel and the plan of a GPU.
#include "compute/cpu/cpu_provider.h"
#include "compute/faults/faulty_provider.h"
#include "compute/faults/renamed_provider.h"
#include "gpuvm/batch.h"
#include "gpuvm/module_text.h"
#include "simt/device_code.h"
#include "simt/lane_machine.h"
#include "simt/lane_profile.h"
#include "wasm/run.h"

#include <QtTest>

#include <set>

using namespace blockloom;
using gpuvm::Ejection;
using gpuvm::StopKind;

namespace {

// `touch` reads and writes a word anywhere in 100 pages, of which 8 bytes are initialised.
const char* const text = R"((module
 (import "env" "ask" (func $ask (param i32) (result i32)))
 (memory 100)
 (global $calls (mut i32) (i32.const 5))
 (data (i32.const 70000) "abcdefgh")
 (func (export "touch") (param i32) (result i32)
  (global.set $calls (i32.add (global.get $calls) (i32.const 1)))
  (i32.store (local.get 0) (i32.add (i32.load (local.get 0)) (i32.load (i32.const 70000))))
  (i32.add (i32.load (local.get 0)) (global.get $calls)))
 (func (export "asks") (param i32) (result i32)
  (i32.store (i32.const 64) (call $ask (local.get 0)))
  (i32.add (i32.load (i32.const 64)) (call $ask (i32.load (i32.const 64)))))
 (func $twice (param i32) (result i32) (i32.mul (local.get 0) (i32.const 2)))
 (func (export "chooses") (param i32) (result i32)
  (i32.store (i32.const 32) (local.get 0))
  (if (result i32) (i32.and (local.get 0) (i32.const 1))
   (then (call $twice (i32.load (i32.const 32))))
   (else (i32.add (local.get 0) (i32.const 7)))))
 (func (export "responds") (param i32) (result i32)
  (i32.store (i32.const 1000) (local.get 0))
  (memory.fill (i32.const 1004) (i32.const 7) (local.get 0))
  (i32.const 1004))))";

constexpr std::uint32_t word = 0x64636261; // "abcd"

} // namespace

class TestDeviceCode : public QObject {
    Q_OBJECT

    std::shared_ptr<wasm::Instance> instance_;

    static compute::ProviderPtr device(const char* faults = "") {
        compute::ProviderPtr provider = compute::open_lanes();
        if (*faults != '\0')
            provider = compute::with_faults(std::move(provider), *compute::parse_faults(faults));
        return compute::renamed(std::move(provider), "cuda");
    }
    std::unique_ptr<gpuvm::Machine> machine(bool waits, bool keeps,
                                            const compute::ProviderPtr& provider = device()) {
        gpuvm::Options options;
        options.wait_for_code = waits;
        options.keep_memories = keeps;
        auto made = simt::make_machine(provider, options);
        instance_->reset();
        if (!made->add(gpuvm::image_of(*instance_), {})) qFatal("the program does not fit");
        return made;
    }
    std::vector<gpuvm::Invocation> calls(const char* name,
                                         const std::vector<wasm::Cell>& arguments) {
        std::vector<gpuvm::Invocation> all(arguments.size());
        for (std::size_t i = 0; i < all.size(); ++i) {
            all[i].function = tests::function_of(*instance_, name);
            all[i].arguments = {&arguments[i], 1};
            all[i].fuel = 1'000'000;
        }
        return all;
    }
    static void returned(const gpuvm::Batch& batch, std::size_t count) {
        QCOMPARE(batch.stops().size(), count);
        for (const gpuvm::Stop& stop : batch.stops()) QCOMPARE(stop.kind, StopKind::returned);
    }
    static std::uint32_t result(const gpuvm::Batch& batch, std::uint32_t lane) {
        return static_cast<std::uint32_t>(batch.ended(lane).run.results.front());
    }
    static std::vector<wasm::Cell> addresses(std::size_t count, std::uint32_t from) {
        std::vector<wasm::Cell> all(count);
        for (std::size_t i = 0; i < count; ++i) all[i] = from + 4 * i;
        return all;
    }

private Q_SLOTS:
    void initTestCase() {
        if (!tests::can_assemble()) QSKIP("wat2wasm is not installed (package wabt)");
    }
    void init() {
        if (tests::can_assemble()) instance_ = tests::instance_of(text); // code of its own
    }

    void all_lanes_run_on_the_device_when_it_is_waited_for() {
        const auto on = machine(true, true);
        const auto batch = on->batch();
        const auto arguments = addresses(250, 2048);
        QVERIFY(batch->start(calls("touch", arguments), {}).ok());
        QVERIFY(batch->advance().ok());
        returned(*batch, 250);
        for (std::uint32_t i = 0; i < 250; ++i) {
            QCOMPARE(result(*batch, i), word + 6);
            QCOMPARE(batch->globals(i)->front(), wasm::Cell{6});
            QCOMPARE(batch->resident(i),
                     std::vector<std::uint32_t>{static_cast<std::uint32_t>(arguments[i]) / 1024});
        }
        QCOMPARE(batch->work().compiled, std::uint64_t{250}); // pilots, too
    }
    /// What the pilots did not touch is run on the host, and shows more memory to the next code.
    void code_that_does_not_reach_is_compiled_again() {
        const auto on = machine(true, true);
        const auto batch = on->batch();
        auto arguments = addresses(100, 2000);
        QVERIFY(batch->start(calls("touch", arguments), {}).ok());
        QVERIFY(batch->advance().ok());
        arguments = addresses(100, 5'000'000);
        for (const std::uint64_t missed : {100, 0}) {
            QVERIFY(batch->start(calls("touch", arguments), {}).ok());
            QVERIFY(batch->advance().ok());
            returned(*batch, 100);
            for (std::uint32_t i = 0; i < 100; ++i) QCOMPARE(result(*batch, i), word + 6);
            QCOMPARE(batch->work().on_host, missed);
        }
    }
    /// Blocks that no pilot ran are not compiled: lanes that come to one run on the host, and the
    /// next code has it, too, once enough of them have.
    void blocks_that_ran_are_compiled() {
        const auto on = machine(true, true);
        const auto batch = on->batch();
        const auto run = [&](std::size_t lanes, wasm::Cell first, std::uint64_t on_host) {
            std::vector<wasm::Cell> arguments;
            for (std::size_t i = 0; i < lanes; ++i) arguments.push_back(first + 2 * i);
            QVERIFY(batch->start(calls("chooses", arguments), {}).ok());
            QVERIFY(batch->advance().ok());
            returned(*batch, lanes);
            for (std::uint32_t i = 0; i < lanes; ++i)
                QCOMPARE(result(*batch, i),
                         static_cast<std::uint32_t>(first % 2 == 0 ? arguments[i] + 7
                                                                   : arguments[i] * 2));
            QCOMPARE(batch->work().on_host, on_host);
        };
        run(100, 2, 0);
        run(10, 3, 10); // too few to compile it again
        run(10, 3, 10);
        run(10, 3, 0);
        run(100, 2, 0);
    }
    /// Data that no lane was seen to read is no part of a lane's memory, until one reads it. Of
    /// long copies not all is seen: where nothing new shows, all data are there.
    void data_that_nobody_reads_is_left_out() {
        instance_ = tests::instance_of(
            "(module (memory 100) (data (i32.const 81920) \"abcdefgh\")"
            " (data (i32.const 122880) \"abcdefgh\") (data (i32.const 163840) \"" +
            std::string(12 * 1024, 'a') +
            "\") (func (export \"reads\") (param i32) (result i32)"
            "  (i32.store (i32.const 64) (local.get 0))"
            "  (i32.add (i32.load (local.get 0)) (i32.load (i32.const 81920))))"
            " (func (export \"copies\") (param i32) (result i32)"
            "  (memory.copy (i32.const 1024) (i32.const 163840) (local.get 0))"
            "  (i32.load (i32.add (local.get 0) (i32.const 1020)))))");
        const auto on = machine(true, true);
        const auto batch = on->batch();
        const auto run = [&](const char* name, std::size_t lanes, wasm::Cell argument,
                             std::uint32_t expected, std::uint64_t on_host) {
            const std::vector<wasm::Cell> arguments(lanes, argument);
            QVERIFY(batch->start(calls(name, arguments), {}).ok());
            QVERIFY(batch->advance().ok());
            returned(*batch, lanes);
            for (std::uint32_t i = 0; i < lanes; ++i) QCOMPARE(result(*batch, i), expected);
            QCOMPARE(batch->work().on_host, on_host);
        };
        const auto lane_bytes = [&](const char* name) {
            for (const gpuvm::CodeFacts& facts : on->code())
                if (facts.function == tests::function_of(*instance_, name)) return facts.lane_bytes;
            return 0U;
        };
        run("reads", 100, 81924, word + 0x68676665, 0);
        QVERIFY(lane_bytes("reads") < 4096);
        run("reads", 20, 122880, 2 * word, 20);
        run("reads", 20, 122880, 2 * word, 0);
        QVERIFY(lane_bytes("reads") < 8192);
        run("copies", 100, 12 * 1024, 0x61616161, 100);
        run("copies", 100, 12 * 1024, 0x61616161, 0);
        QVERIFY(lane_bytes("copies") > 24 * 1024);
    }
    /// However many batches there are: where each ran its first ones on the host, flights of 64
    /// lanes ran there as a whole.
    void few_lanes_show_what_they_need() {
        const compute::ProviderPtr provider = device();
        const wasm::Program& program = *gpuvm::image_of(*instance_).program;
        simt::DeviceCode code(gpuvm::image_of(*instance_), provider,
                              tests::function_of(*instance_, "touch"),
                              std::make_shared<native::RanBlocks>(program));
        std::uint64_t shown = 0;
        for (int lane = 0; lane < 1000; ++lane) shown += code.missed();
        QCOMPARE(shown, simt::DeviceCode::first_misses - 1 + simt::DeviceCode::most_shown);
    }
    void lanes_do_not_wait_unless_asked_to() {
        const auto provider = device();
        const auto on = machine(false, true, provider);
        const auto batch = on->batch();
        const auto arguments = addresses(200, 2048);
        QVERIFY(batch->start(calls("touch", arguments), {}).ok());
        QVERIFY(batch->advance().ok());
        std::size_t host = 0, left = 0;
        for (const gpuvm::Stop& stop : batch->stops()) {
            host += stop.kind == StopKind::returned;
            left += stop.kind == StopKind::ejected && stop.ejection == Ejection::compiling;
        }
        // A program is compiled once 64 have asked for it, and 64 may show its memory by then.
        QVERIFY(left >= 136);
        QCOMPARE(host + left, std::size_t{200});
        // When the code is there, as it is for a batch that waits, lanes run on the device.
        const auto waits = machine(true, true, provider);
        const auto other = waits->batch();
        QVERIFY(other->start(calls("touch", arguments), {}).ok());
        QVERIFY(other->advance().ok());
        QVERIFY(batch->start(calls("touch", arguments), {}).ok());
        QVERIFY(batch->advance().ok());
        QCOMPARE(batch->work().compiled, std::uint64_t{200});
    }
    /// The memory that lanes needed is known at the next start of the same program: no lane runs on
    /// the host. A note that is damaged or of other memory is no help, and no harm.
    void the_next_start_knows_the_memory() {
        const auto notes = std::make_shared<compute::KeptNotes>();
        // Lanes that show their memory run twice.
        const auto run = [&](std::uint64_t shown) {
            const auto on =
                machine(true, true, compute::renamed(compute::open_lanes(), "cuda", notes));
            const auto batch = on->batch();
            const auto arguments = addresses(100, 2048);
            QVERIFY(batch->start(calls("touch", arguments), {}).ok());
            QVERIFY(batch->advance().ok());
            returned(*batch, 100);
            for (std::uint32_t i = 0; i < 100; ++i) QCOMPARE(result(*batch, i), word + 6);
            QCOMPARE(batch->work().on_host, std::uint64_t{0});
            QCOMPARE(batch->work().instructions, (100 + shown) * batch->ended(0).run.steps);
        };
        run(64);
        QCOMPARE(notes->notes.size(), std::size_t{1});
        const Bytes kept = notes->notes.begin()->second;
        run(0);
        for (const Bytes& damaged :
             {Bytes{1, 2, 3}, Bytes{0xff, 0xff, 0xff, 0xff}, Bytes{0, 0, 0, 0, 0xff}, Bytes()}) {
            notes->notes.begin()->second = damaged;
            run(64);
            QCOMPARE(notes->notes.begin()->second, kept);
        }
    }
    void a_profile_is_read_as_it_was_written() {
        const wasm::Program& program = instance_->program();
        simt::LaneProfile profile;
        profile.pages = {0, 3, 70};
        profile.ran = native::RanBlocks(program).so_far();
        profile.ran.blocks[1] = profile.ran.blocks[program.code.size() - 1] = true;
        profile.ran.pages[2] = 0x8000'0000'0000'0001;
        profile.ran.pages_copied = 0x4000'0000'0000'0002;
        profile.needs_all_data = true;
        profile.ran.rounds[program.functions.size() - 1] = 5;
        const Bytes note = simt::note_of(profile);
        const auto found = simt::profile_in(note, 100 << 16, program);
        QVERIFY(found && *found == profile);
        QVERIFY(!simt::profile_in(note, 70 << 10, program)); // a page beyond the memory
        for (std::size_t bytes = 0; bytes < note.size(); ++bytes)
            QVERIFY(!simt::profile_in(ByteView(note).first(bytes), 100 << 16, program));
        Bytes longer = note;
        longer.push_back(0);
        QVERIFY(!simt::profile_in(longer, 100 << 16, program));
    }
    void a_lane_that_asks_runs_again_on_the_device() {
        const auto on = machine(true, true);
        const auto batch = on->batch();
        QVERIFY(batch->start(calls("asks", {41}), {}).ok());
        std::size_t asked = 0;
        for (;;) {
            QVERIFY(batch->advance().ok());
            QCOMPARE(batch->stops().size(), std::size_t{1});
            if (batch->stops().front().kind != StopKind::host_call) break;
            const wasm::Cell answer = batch->arguments(0).front() + 1;
            gpuvm::HostReply reply;
            reply.results = {&answer, 1};
            batch->answer(0, reply);
            ++asked;
        }
        QCOMPARE(asked, std::size_t{2});
        returned(*batch, 1);
        QCOMPARE(result(*batch, 0), 42u + 43u);
        QVERIFY(batch->work().compiled > 0);
    }
    /// Short responses come with their lanes, and long ones with the lane's memory.
    void responses_come_without_memory() {
        const auto on = machine(true, false);
        const auto batch = on->batch();
        const std::vector<wasm::Cell> sizes{0, 1, 2, 3, 4, 60, 512, 900, 1024, 1025, 1100};
        QVERIFY(batch->start(calls("responds", sizes), {}).ok());
        QVERIFY(batch->advance().ok());
        returned(*batch, sizes.size());
        QCOMPARE(batch->work().compiled, sizes.size());
        for (std::uint32_t i = 0; i < sizes.size(); ++i) {
            std::string bytes_kept;
            const bool kept = batch->read_kept(i, 1004, bytes_kept);
            const gpuvm::PageRead page{i, 1};
            std::vector<Byte> bytes(1024);
            if (sizes[i] > 1024) {
                QVERIFY(!kept);
                QVERIFY(batch->read_pages({&page, 1}, bytes).ok());
                continue;
            }
            QVERIFY(kept);
            QCOMPARE(bytes_kept, std::string(sizes[i], 7));
            QVERIFY(!batch->read_kept(i, 1000, bytes_kept));
            QCOMPARE(batch->read_pages({&page, 1}, bytes).error().code, compute::misused);
        }
    }
    /// Flights of the workers have 64 to 128 lanes: new memory would wait for all that runs.
    void a_larger_launch_needs_no_new_memory() {
        const compute::ProviderPtr provider = device();
        const auto on = machine(true, false, provider);
        const auto batch = on->batch();
        std::uint64_t in_use = 0;
        for (const std::size_t lanes : {std::size_t{70}, std::size_t{1}, std::size_t{128}}) {
            QVERIFY(batch->start(calls("responds", std::vector<wasm::Cell>(lanes, 60)), {}).ok());
            QVERIFY(batch->advance().ok());
            returned(*batch, lanes);
            if (in_use == 0) in_use = provider->memory().in_use;
            QVERIFY(in_use != 0);
            QCOMPARE(provider->memory().in_use, in_use);
        }
    }
    /// Damage on the way from the device is found, and never a result.
    void damaged_lanes_have_no_result() {
        const auto on = machine(true, false, device("corrupt@1"));
        const auto batch = on->batch();
        const std::vector<wasm::Cell> sizes(500, 60);
        QVERIFY(batch->start(calls("responds", sizes), {}).ok());
        QVERIFY(batch->advance().ok());
        std::size_t damaged = 0;
        std::set<std::uint64_t> used;
        for (const gpuvm::Stop& stop : batch->stops()) {
            if (stop.kind == StopKind::ejected) {
                ++damaged;
                continue;
            }
            QCOMPARE(stop.kind, StopKind::returned);
            std::string kept;
            QVERIFY(batch->read_kept(stop.invocation, 1004, kept));
            QCOMPARE(kept, std::string(60, 7));
            used.insert(batch->ended(stop.invocation).run.fuel_used);
        }
        QCOMPARE(batch->work().on_host, std::uint64_t{0});
        QVERIFY(damaged > 0);
        QVERIFY(used.size() <= 1);
    }
    void a_refused_kernel_leaves_all_to_the_host() {
        const auto on = machine(true, true, device("refused@1"));
        const auto batch = on->batch();
        const auto arguments = addresses(100, 2000);
        QVERIFY(batch->start(calls("touch", arguments), {}).ok());
        QVERIFY(batch->advance().ok());
        std::size_t left = 0;
        for (const gpuvm::Stop& stop : batch->stops())
            left += stop.kind == StopKind::ejected && stop.ejection == Ejection::program;
        QCOMPARE(left, std::size_t{36}); // the pilots returned on the host
    }
};

QTEST_GUILESS_MAIN(TestDeviceCode)
#include "test_device_code.moc"
