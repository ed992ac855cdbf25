// Machine code from an earlier start: nothing is compiled again, the results are the same, and code
// that was made for another program, machine or version is not used.
#include "native/cache.h"
#include "native/code_image.h"
#include "native/kept_code.h"
#include "native/runner.h"
#include "wasm/linked_instance.h"
#include "wasm/module_generator.h"

#include <QtTest>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <sys/stat.h>

using namespace blockloom;
using namespace blockloom::native;
namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t seeds = 6;

std::shared_ptr<const wasm::Program> program_of(std::uint64_t seed,
                                                wasm::FuelRule fuel = wasm::FuelRule::counted) {
    const auto module = wasm::load_module(tests::generate_module(seed).bytes, "generated");
    if (!module) return nullptr;
    const auto program = wasm::lower(*module, fuel);
    return program ? *program : nullptr;
}

std::shared_ptr<const NativeCode> compiled(std::uint64_t seed, Tier tier = Tier::optimised) {
    const auto code = compile(program_of(seed), {}, tier);
    return code ? *code : nullptr;
}

/// What happened since.
CodeCounts since(const CodeCounts& before) {
    const CodeCounts now = code_counts();
    return {now.compiled - before.compiled, now.loaded - before.loaded, now.kept - before.kept};
}

} // namespace

class TestKeptCode : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> folder_;
    std::shared_ptr<CodeStore> store_;

    fs::path entry(std::uint64_t seed, Tier tier) const {
        return store_->folder() /
               (to_hex(code_key(code_maker(), *program_of(seed), tier)) + ".code");
    }
    /// As the next start of the program finds it.
    void start_again() {
        store_ = std::make_shared<CodeStore>(store_->folder());
        keep_code_in(store_);
    }

private Q_SLOTS:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        store_ = std::make_shared<CodeStore>(fs::path(folder_->path().toStdString()) / "code");
        keep_code_in(store_);
    }
    void cleanup() { keep_code_in(nullptr); }

    void a_second_start_compiles_nothing() {
        {
            Cache cache;
            const CodeCounts before = code_counts();
            for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
                const auto program = program_of(seed);
                QVERIFY(cache.wait(module_id(*program), program).state == Cache::State::ready);
            }
            QCOMPARE(since(before).compiled, 2 * seeds); // quick, then optimised
            QCOMPARE(since(before).kept, 2 * seeds);
            QCOMPARE(since(before).loaded, 0U);
        }
        start_again();
        Cache cache;
        const CodeCounts before = code_counts();
        for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
            const auto program = program_of(seed);
            // Already what is awaited first is the best there is.
            const auto answer = cache.wait(module_id(*program), program, Tier::quick);
            QVERIFY(answer.code != nullptr && answer.code->tier() == Tier::optimised);
            QCOMPARE(&answer.code->program(), program.get());
        }
        QCOMPARE(since(before).compiled, 0U);
        QCOMPARE(since(before).loaded, seeds);
        QCOMPARE(since(before).kept, 0U);
    }

    void without_a_store_everything_is_compiled() {
        keep_code_in(nullptr);
        const CodeCounts before = code_counts();
        QVERIFY(compiled(1) != nullptr && compiled(1) != nullptr);
        QCOMPARE(since(before).compiled, 2U);
        QCOMPARE(since(before).loaded + since(before).kept, 0U);
        QVERIFY(!fs::exists(store_->folder()));
    }

    /// Code without checks exists to be measured, and is no instance's.
    void code_without_checks_is_not_kept() {
        const CodeCounts before = code_counts();
        QVERIFY(compile(program_of(1), {}, Tier::optimised, MemoryChecks::none).ok());
        QCOMPARE(since(before).kept, 0U);
        QVERIFY(compiled(1) != nullptr);
        QVERIFY(compile(program_of(1), {}, Tier::optimised, MemoryChecks::none).ok());
        QCOMPARE(since(before).compiled, 3U);
        QCOMPARE(since(before).loaded, 0U);
    }

    void loaded_code_is_the_compiled_code() {
        for (std::uint64_t seed = 1; seed <= seeds; ++seed)
            for (const Tier tier : {Tier::quick, Tier::optimised}) {
                const auto fresh = compiled(seed, tier);
                const auto loaded = load_kept_code(program_of(seed), tier);
                QVERIFY(fresh != nullptr && loaded != nullptr);
                QCOMPARE(loaded->bytes(), fresh->bytes());
                QVERIFY(loaded->tier() == tier);
                QCOMPARE(loaded->image().most_frame_bytes, fresh->image().most_frame_bytes);
                QCOMPARE(loaded->image().functions.size(), fresh->image().functions.size());
            }
    }

    void loaded_code_gives_the_same_results() {
        std::uint64_t calls = 0;
        for (std::uint64_t seed = 1; seed <= 4 * seeds; ++seed) {
            const Tier tier = seed % 2 == 0 ? Tier::quick : Tier::optimised;
            QVERIFY(compiled(seed, tier) != nullptr);
            const auto generated = tests::generate_module(seed);
            const auto first = tests::instantiate(generated, {}),
                       second = tests::instantiate(generated, {});
            if (!first.instance || !second.instance) continue; // its start function traps
            const auto loaded = load_kept_code(second.instance->shared_program(), tier);
            QVERIFY(loaded != nullptr);
            Runner runner(*second.instance, loaded);
            for (std::uint32_t f = 0; f < generated.functions.size(); ++f) {
                std::vector<wasm::Cell> arguments;
                for (const wasm::ValueType parameter : generated.functions[f].parameters)
                    arguments.push_back(tests::interesting_cell(parameter, seed * 31 + f));
                wasm::RunLimits limits;
                limits.fuel = 50'000;
                const std::uint32_t index = tests::LinkedInstance::index_of(generated, f);
                const auto expected =
                    wasm::Interpreter(*first.instance).invoke(index, arguments, limits);
                const auto found = runner.invoke(index, arguments, limits);
                QVERIFY(found.ok() && found->outcome == expected.outcome);
                QCOMPARE(found->results, expected.results);
                QCOMPARE(found->fuel_used, expected.fuel_used);
                QCOMPARE(found->steps, expected.steps);
                QVERIFY(found->trap.kind == expected.trap.kind);
                QCOMPARE(found->trap.offset, expected.trap.offset);
                ++calls;
            }
        }
        QVERIFY(calls > 50);
    }

    void key_covers_all_that_decides_about_code() {
        const auto program = program_of(1);
        std::set<Hash256> keys;
        const auto add = [&](const CodeMaker& maker, const wasm::Program& of, Tier tier) {
            keys.insert(code_key(maker, of, tier));
        };
        const CodeMaker mine = code_maker();
        add(mine, *program, Tier::optimised);
        QCOMPARE(code_key(mine, *program_of(1), Tier::optimised), *keys.begin());
        add(mine, *program, Tier::quick);
        add(mine, *program_of(2), Tier::optimised);
        add(mine, *program_of(1, wasm::FuelRule::exact), Tier::optimised);
        for (std::string CodeMaker::*part :
             {&CodeMaker::generator, &CodeMaker::llvm, &CodeMaker::triple, &CodeMaker::processor,
              &CodeMaker::features}) {
            CodeMaker other = mine;
            QVERIFY(!(other.*part).empty());
            (other.*part) += "x";
            add(other, *program, Tier::optimised);
        }
        CodeMaker shifted = mine; // the same letters in other parts
        shifted.llvm += shifted.triple.front();
        shifted.triple.erase(0, 1);
        add(shifted, *program, Tier::optimised);
        QCOMPARE(keys.size(), 10U);
    }

    void code_of_another_version_is_not_used() {
        QVERIFY(compiled(1) != nullptr);
        // What another version of LLVM would have kept lies under its own key; copied to ours it is
        // foreign.
        CodeMaker other = code_maker();
        other.llvm = "13.0.1";
        const Hash256 key = code_key(other, *program_of(1), Tier::optimised);
        const Bytes object(100, 1);
        const ByteView views[] = {object};
        QVERIFY(store_->keep(key, views).ok());
        fs::copy_file(store_->folder() / (to_hex(key) + ".code"), entry(1, Tier::optimised),
                      fs::copy_options::overwrite_existing);
        const CodeCounts before = code_counts();
        QVERIFY(compiled(1) != nullptr);
        QCOMPARE(since(before).compiled, 1U);
        QCOMPARE(since(before).loaded, 0U);
        QVERIFY(compiled(1) != nullptr); // and was kept again
        QCOMPARE(since(before).loaded, 1U);
    }

    /// In the header, the sizes, the objects.
    void damaged_code_is_compiled_again() {
        QVERIFY(compiled(1) != nullptr);
        const fs::path file = entry(1, Tier::optimised);
        const auto size = static_cast<std::streamoff>(fs::file_size(file));
        for (const std::streamoff at :
             {std::streamoff{0}, std::streamoff{9}, std::streamoff{20}, std::streamoff{50},
              std::streamoff{77}, std::streamoff{85}, std::streamoff{100}, size / 2, size - 1}) {
            {
                std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
                bytes.seekg(at);
                const int old = bytes.get();
                bytes.seekp(at);
                bytes.put(static_cast<char>(old ^ 0x10));
            }
            const CodeCounts before = code_counts();
            QVERIFY(compiled(1) != nullptr);
            QCOMPARE(since(before).compiled, 1U);
            QCOMPARE(since(before).loaded, 0U);
        }
    }

    /// The bytes are as they were written, but no linker takes them.
    void what_cannot_be_linked_is_compiled_again() {
        const Hash256 key = code_key(code_maker(), *program_of(1), Tier::optimised);
        const Bytes object(100, 1);
        const ByteView views[] = {object};
        QVERIFY(store_->keep(key, views).ok());
        const CodeCounts before = code_counts();
        QVERIFY(compiled(1) != nullptr);
        QCOMPARE(since(before).compiled, 1U);
        QCOMPARE(since(before).loaded, 0U);
        QVERIFY(compiled(1) != nullptr);
        QCOMPARE(since(before).loaded, 1U);
    }

    void a_folder_of_others_is_not_used() {
        QVERIFY(compiled(1) != nullptr);
        QCOMPARE(::chmod(store_->folder().c_str(), 0755), 0);
        start_again();
        const CodeCounts before = code_counts();
        QVERIFY(compiled(1) != nullptr);
        QCOMPARE(since(before).compiled, 1U);
        QCOMPARE(since(before).loaded + since(before).kept, 0U);
    }

    void pages_are_writable_or_executable() {
        QVERIFY(compiled(1) != nullptr);
        const auto loaded = load_kept_code(program_of(1), Tier::optimised);
        QVERIFY(loaded != nullptr);
        std::uintptr_t code = 0;
        for (const FunctionEntry& function : loaded->image().functions)
            if (function.code != nullptr) code = reinterpret_cast<std::uintptr_t>(function.code);
        QVERIFY(code != 0);
        std::ifstream maps("/proc/self/maps");
        std::string rights;
        for (std::string line; std::getline(maps, line);) {
            std::uintptr_t begin = 0, end = 0;
            char found[5] = {};
            QCOMPARE(std::sscanf(line.c_str(), "%lx-%lx %4s", &begin, &end, found), 3);
            if (begin <= code && code < end) rights = found;
        }
        QCOMPARE(rights, std::string("r-xp"));
    }
};

QTEST_GUILESS_MAIN(TestKeptCode)
#include "test_kept_code.moc"
