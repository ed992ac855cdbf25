// Machine code of a module lies together, whatever else takes addresses meanwhile.
#include "native/runner.h"
#include "wasm/instantiate.h"

#include <QtTest>

#include <sys/mman.h>
#include <thread>

using namespace blockloom;
using namespace blockloom::native;

namespace {

void append_number(Bytes& to, std::uint32_t value) {
    for (; value >= 0x80; value >>= 7) to.push_back(static_cast<Byte>(value | 0x80));
    to.push_back(static_cast<Byte>(value));
}

void append_section(Bytes& to, Byte id, const Bytes& content) {
    to.push_back(id);
    append_number(to, static_cast<std::uint32_t>(content.size()));
    to.insert(to.end(), content.begin(), content.end());
}

/// Functions () -> i32 that call their successors: each adds 1, `additions` times. Long enough for
/// several objects.
Bytes chain_of_functions(std::uint32_t functions, std::uint32_t additions) {
    Bytes module{0, 'a', 's', 'm', 1, 0, 0, 0};
    append_section(module, 1, {1, 0x60, 0, 1, 0x7f});
    Bytes types, code;
    append_number(types, functions);
    append_number(code, functions);
    for (std::uint32_t i = 0; i < functions; ++i) {
        types.push_back(0);
        Bytes body{0};
        if (i + 1 < functions) {
            body.push_back(0x10); // call
            append_number(body, i + 1);
        } else {
            body.insert(body.end(), {0x41, 0});
        }
        for (std::uint32_t k = 0; k < additions; ++k)
            body.insert(body.end(), {0x41, 1, 0x6a}); // + 1
        body.push_back(0x0b);
        append_number(code, static_cast<std::uint32_t>(body.size()));
        code.insert(code.end(), body.begin(), body.end());
    }
    append_section(module, 3, types);
    append_section(module, 10, code);
    return module;
}

/// Takes gigabytes of addresses again and again, as drivers of graphics cards do.
class Hog {
public:
    ~Hog() {
        thread_.request_stop();
        thread_.join();
        for (void* const at : taken_) ::munmap(at, bytes);
    }

private:
    static constexpr std::size_t bytes = std::size_t{5} << 30, most = 4096;
    std::vector<void*> taken_;
    std::jthread thread_{[this](const std::stop_token& stop) {
        while (!stop.stop_requested() && taken_.size() < most) {
            void* const at = ::mmap(nullptr, bytes, PROT_NONE,
                                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
            if (at == MAP_FAILED) return;
            taken_.push_back(at);
            std::this_thread::yield();
        }
    }};
};

} // namespace

class TestCodeRegion : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void calls_between_objects_reach_while_others_take_addresses() {
        constexpr std::uint32_t functions = 40, additions = 1500;
        const auto module = wasm::load_module(chain_of_functions(functions, additions), "chain");
        QVERIFY2(module, module ? "" : module.error().message.c_str());
        const auto program = wasm::lower(*module);
        QVERIFY(program);
        for (const Tier tier : {Tier::quick, Tier::optimised}) {
            Result<std::shared_ptr<const NativeCode>> code =
                Error{ErrorCode::system, "not compiled"};
            {
                const Hog hog;
                code = compile(*program, {}, tier);
            }
            QVERIFY2(code, code ? "" : code.error().message.c_str());
            auto made = wasm::instantiate(*program, {}, {});
            auto& instance = std::get<std::shared_ptr<wasm::Instance>>(made);
            wasm::RunLimits limits;
            limits.fuel = 10'000'000;
            const auto result = Runner(*instance, *code).invoke(0, {}, limits);
            QVERIFY2(result, result ? "" : result.error().message.c_str());
            QCOMPARE(result->outcome, wasm::Outcome::returned);
            QCOMPARE(result->results.front(), wasm::Cell{functions * additions});
        }
    }
};

QTEST_GUILESS_MAIN(TestCodeRegion)
#include "test_code_region.moc"
