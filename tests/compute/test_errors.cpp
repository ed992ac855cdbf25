// What goes wrong is reported as a value of the right kind, on every provider; and what is kept on
// disk may be broken.
#include "compute/cpu/cpu_provider.h"
#include "compute/sealed_file.h"
#include "compute/vulkan/device_clock.h"
#include "compute/vulkan/vulkan_provider.h"
#include "devices.h"
#include "kernels.h"
#include "vulkan/instance.h"

#include <QFile>
#include <QTemporaryDir>

#include <atomic>
#include <thread>

using namespace blockloom;
using namespace blockloom::compute;
using namespace blockloom::compute_tests;

namespace {

/// Kernels that keep a device busy for a while: the caller's first waits find them running.
CommandListPtr long_work(Provider& on, std::atomic<bool>& release) {
    constexpr std::uint32_t count = 1 << 20;
    KernelSource source = mix_kernel(1000, 1);
    source.host = [&release](const HostGroup&) {
        while (!release) std::this_thread::yield();
    };
    const auto kernel = on.kernel(source);
    const auto from = buffer(on, count * 4, BufferUse::device);
    const auto to = buffer(on, count * 4, BufferUse::device);
    const auto list = on.commands();
    if (!kernel.ok() || !list.ok()) return nullptr;
    const std::vector<Binding> bindings{{from}, {to}};
    (*list)->fill(from, 0, count * 4, 7);
    (*list)->barrier();
    (*list)->dispatch(*kernel, bindings, push_of(MixPush{count, 1}), {count / 64});
    return *list;
}

} // namespace

class TestErrors : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanupTestCase() {
        QCOMPARE(close_providers(), QString());
        // Also what the layer says of objects that were left behind.
        QCOMPARE(vulkan::Instance::all_messages(), 0U);
    }

    void mistakes_are_told_data() { add_backends(); }
    void mistakes_are_told() {
        QFETCH(QString, backend);
        Provider& on = *provider(backend);
        const ProviderPtr stranger = open_processor();
        const auto foreign = buffer(*stranger, 64, BufferUse::device);
        const auto own = buffer(on, 1024, BufferUse::device);
        const auto kernel = on.kernel(mix_kernel(1, 1));
        QVERIFY(kernel.ok());
        const MixPush push{1, 1};
        const std::vector<Binding> both{{own}, {own}}, one{{own}}, none{{own}, {nullptr}},
            far{{own}, {own, 2048}}, odd{{own}, {own, 4}}, alien{{own}, {foreign}};
        using Mistake = std::function<void(CommandList&)>;
        const std::vector<std::pair<Mistake, const char*>> mistakes{
            {[&](CommandList& l) { l.copy(own, 0, own, 1000, 25); }, "1000 + 25"},
            {[&](CommandList& l) { l.copy(own, ~0ULL, own, 0, 8); }, "copy from"},
            {[&](CommandList& l) { l.copy(own, 0, own, 4, 8); }, "overlap"},
            {[&](CommandList& l) { l.copy(nullptr, 0, own, 4, 8); }, "no buffer"},
            {[&](CommandList& l) { l.copy(foreign, 0, own, 0, 8); }, "another provider"},
            {[&](CommandList& l) { l.fill(own, 2, 4, 0); }, "multiples of 4"},
            {[&](CommandList& l) { l.fill(own, 1024, 4, 0); }, "1024 + 4"},
            {[&](CommandList& l) { l.dispatch(*kernel, one, push_of(push), {}); }, "1 buffers"},
            {[&](CommandList& l) { l.dispatch(*kernel, both, {}, {}); }, "0 push bytes"},
            {[&](CommandList& l) { l.dispatch(*kernel, none, push_of(push), {}); }, "no buffer"},
            {[&](CommandList& l) { l.dispatch(*kernel, far, push_of(push), {}); }, "2048"},
            {[&](CommandList& l) { l.dispatch(*kernel, odd, push_of(push), {}); }, "256"},
            {[&](CommandList& l) { l.dispatch(*kernel, alien, push_of(push), {}); }, "another"},
            {[&](CommandList& l) { l.dispatch(nullptr, {}, {}, {}); }, "not a kernel"},
        };
        const auto list = on.commands();
        QVERIFY(list.ok());
        for (const auto& [mistake, words] : mistakes) {
            QVERIFY((*list)->clear().ok());
            mistake(**list);
            const auto ticket = on.submit(*list);
            QVERIFY2(!ticket.ok(), words);
            QCOMPARE(ticket.error().code, misused);
            QVERIFY2(ticket.error().message.find(words) != std::string::npos,
                     ticket.error().message.c_str());
        }
        QVERIFY((*list)->clear().ok()); // forgotten
        QCOMPARE(run(on, *list), QString());
        (*list)->fill(own, 0, 4, 1); // without clear()
        QCOMPARE(on.submit(*list).error().code, misused);

        const auto transfer = on.commands(Lane::transfer);
        QVERIFY(transfer.ok());
        (*transfer)->dispatch(*kernel, both, push_of(push), {});
        QCOMPARE(on.submit(*transfer).error().code, misused);
        const auto strange = stranger->commands();
        if (backend != QStringLiteral("cpu")) QCOMPARE(on.submit(*strange).error().code, misused);
        const std::vector<Ticket> never{{Lane::work, 1'000'000}};
        const auto empty = on.commands();
        QVERIFY(empty.ok());
        QCOMPARE(on.submit(*empty, never).error().code, misused);
        QCOMPARE(on.wait(never[0], 1).error().code, misused);
        QVERIFY(on.wait({}, 0).ok() && on.done({}));
        QCOMPARE(on.allocate(0, BufferUse::device).error().code, misused);
    }

    void bad_kernels_are_refused_data() { add_backends(); }
    void bad_kernels_are_refused() {
        QFETCH(QString, backend);
        Provider& on = *provider(backend);
        const KernelSource good = mix_kernel(1, 1);
        const auto refuse = [&](const KernelSource& source, const char* words) {
            const auto made = on.kernel(source);
            QVERIFY2(!made.ok(), words);
            QCOMPARE(made.error().code, kernel_refused);
            QVERIFY2(made.error().message.find(words) != std::string::npos,
                     made.error().message.c_str());
        };
        refuse(refused_kernel(), backend == QStringLiteral("cpu")    ? "processor"
                                 : backend == QStringLiteral("cuda") ? "no form for CUDA"
                                                                     : "Float64");
        if (backend != QStringLiteral("vulkan")) return; // CUDA's are in test_cuda_code
        KernelSource bad = good;
        bad.spirv = {};
        refuse(bad, "no SPIR-V");
        bad = good;
        bad.push_bytes = 1 << 20;
        refuse(bad, "push bytes");
        bad = good;
        bad.buffers = 1 << 30;
        refuse(bad, "buffers, at most");
        // Cut off anywhere. (What stands inside a whole module is the compiler's word.)
        std::vector<std::uint32_t> words(good.spirv.begin(), good.spirv.end());
        for (std::size_t length = 0; length < words.size(); ++length) {
            bad.buffers = good.buffers;
            bad.spirv = std::span(words).first(length);
            QVERIFY(!on.kernel(bad).ok());
        }
        bad.spirv = words;
        words[0] = 1;
        refuse(bad, "starts with");
        words[0] = good.spirv[0];
        words[1] = 0x00020000;
        refuse(bad, "too new");
        words[1] = good.spirv[1];
        words[5] = 0xffff0000U | (words[5] & 0xffff);
        refuse(bad, "starting at word 5: ");
        words[5] = words[5] & 0xffff;
        refuse(bad, "Invalid instruction word count: 0");
    }

    void memory_has_a_limit_data() { add_backends(); }
    void memory_has_a_limit() {
        QFETCH(QString, backend);
        ProviderOptions options;
        options.memory_limit = 1 << 20;
        const ProviderPtr on = open_again(backend, options);
        QVERIFY(on);
        auto most = on->allocate(900'000, BufferUse::device);
        QVERIFY(most.ok());
        const auto more = on->allocate(200'000, BufferUse::upload);
        QVERIFY(!more.ok());
        QCOMPARE(more.error().code, out_of_memory);
        QVERIFY(more.error().message.find("200000") != std::string::npos);
        *most = nullptr;
        QVERIFY(on->allocate(200'000, BufferUse::upload).ok());
        const auto huge = on->allocate(std::uint64_t{1} << 60, BufferUse::device);
        QVERIFY(!huge.ok());
        QCOMPARE(huge.error().code, out_of_memory);
    }

    void waiting_ends_data() { add_backends(); }
    void waiting_ends() {
        QFETCH(QString, backend);
        Provider& on = *provider(backend);
        std::atomic<bool> release = false;
        const auto list = long_work(on, release);
        QVERIFY(list);
        const auto ticket = on.submit(list);
        QVERIFY(ticket.ok());
        const Status late = on.wait(*ticket, 0);
        QVERIFY(!late.ok());
        QCOMPARE(late.error().code, timed_out);
        QVERIFY(!on.done(*ticket));
        QCOMPARE(list->clear().error().code, misused);
        QCOMPARE(on.submit(list).error().code, misused);
        QCOMPARE(list->timestamps().error().code, misused);
        std::stop_source stop;
        stop.request_stop();
        const Status stopped = on.wait(*ticket, for_ever, stop.get_token());
        QVERIFY(!stopped.ok());
        QCOMPARE(stopped.error().code, ErrorCode::cancelled);
        release = true;
        QVERIFY(on.wait(*ticket, for_ever).ok()); // it went on all the same
        QVERIFY(on.done(*ticket));
        QVERIFY(list->clear().ok());
    }

    /// A provider that goes away first takes nothing with it that is still owned.
    void owners_may_outlive_the_provider_data() { add_backends(); }
    void owners_may_outlive_the_provider() {
        QFETCH(QString, backend);
        ProviderPtr on = open_again(backend, {});
        QVERIFY(on);
        const auto up = buffer(*on, 256, BufferUse::upload);
        const auto down = buffer(*on, 256, BufferUse::download);
        const auto kernel = on->kernel(mix_kernel(2, 2));
        const auto list = on->commands();
        QVERIFY(kernel.ok() && list.ok());
        fill_numbers(up);
        const std::vector<Binding> bindings{{up}, {down}};
        (*list)->dispatch(*kernel, bindings, push_of(MixPush{64, 0}), {});
        QVERIFY(on->submit(*list).ok());
        on.reset(); // waits
        QCOMPARE(words(down)[63], mixed(words(up)[63], 2, 2, 0));
    }

    void broken_cache_files_are_replaced() {
        if (!provider(QStringLiteral("vulkan"))) QSKIP("no Vulkan device on this machine");
        const QTemporaryDir folder;
        ProviderOptions options;
        options.cache_folder = folder.path().toStdString() + "/deeper";
        const auto open_and_compile = [&] {
            const ProviderPtr on = open_again(QStringLiteral("vulkan"), options);
            return on && on->kernel(mix_kernel(1, 1)).ok();
        };
        QVERIFY(open_and_compile());
        const QDir kept(QString::fromStdString(options.cache_folder));
        const QStringList names = kept.entryList(QDir::Files);
        QCOMPARE(names.size(), 1);
        QFile file(kept.filePath(names[0]));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray good = file.readAll();
        file.close();
        const auto seen = [](const QByteArray& bytes) {
            return !unsealed(ByteView(reinterpret_cast<const Byte*>(bytes.constData()),
                                      static_cast<std::size_t>(bytes.size())))
                        .empty();
        };
        QVERIFY(seen(good));
        QByteArray flipped = good;
        flipped[good.size() - 1] = static_cast<char>(flipped[good.size() - 1] ^ 1);
        for (const QByteArray& broken : {flipped, good.left(40), QByteArray(), QByteArray("x")}) {
            QVERIFY(!seen(broken));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(broken);
            file.close();
            QVERIFY(open_and_compile());
            QVERIFY(file.open(QIODevice::ReadOnly));
            QVERIFY(seen(file.readAll()));
            file.close();
        }
    }

    /// Both ways to the host's clock agree within what they say of themselves.
    void clocks_agree() {
        auto instance = vulkan::Instance::create(false);
        if (!instance.ok()) QSKIP("no Vulkan on this machine");
        const auto device = vulkan::Device::create(*instance, {.index = 0, .compute = true});
        if (!device.ok()) QSKIP("no Vulkan device on this machine");
        const DeviceClock calibrated(*device, true), measured(*device, false);
        if (calibrated.source() != ClockSource::calibrated) QSKIP("the driver does not calibrate");
        QCOMPARE(measured.source(), ClockSource::measured);
        constexpr std::uint64_t tick = std::uint64_t{1} << 50;
        const Nanoseconds apart = calibrated.to_host(tick, 64) - measured.to_host(tick, 64);
        // Some microseconds of drift between the two samples are nobody's fault.
        QVERIFY(std::abs(apart) <= calibrated.uncertainty() + measured.uncertainty() + 100'000);
        // A counter of 36 bits that has wrapped since the sample still moves forward.
        const std::uint64_t narrow = (std::uint64_t{1} << 36) - 10;
        const Nanoseconds before = calibrated.to_host(narrow, 36);
        const Nanoseconds after = calibrated.to_host(15, 36);
        QVERIFY(after - before == 25 || std::abs(after - before) > std::int64_t{1} << 34);
    }

    void validation_is_silent() {
        const ProviderPtr vulkan = provider(QStringLiteral("vulkan"));
        if (!vulkan) QSKIP("no Vulkan device on this machine");
        if (!vulkan->validation_messages()) QSKIP("the validation layer is not installed");
        QCOMPARE(*vulkan->validation_messages(), 0U);
    }
};

QTEST_APPLESS_MAIN(TestErrors)
#include "test_errors.moc"
