// What every provider promises, on the processor, on the Vulkan device of this machine under the
// validation layer with its synchronization checks, and on CUDA over the fake driver.
#include "devices.h"
#include "kernels.h"
#include "vulkan/instance.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <random>
#include <thread>

using namespace blockloom;
using namespace blockloom::compute;
using namespace blockloom::compute_tests;

class TestProvider : public QObject {
    Q_OBJECT

    CommandListPtr list(Provider& on, Lane lane = Lane::work) {
        auto made = on.commands(lane);
        return made.ok() ? *made : nullptr;
    }

private Q_SLOTS:
    void cleanupTestCase() {
        QCOMPARE(close_providers(), QString());
        // Also what the layer says of objects that were left behind.
        QCOMPARE(vulkan::Instance::all_messages(), 0U);
    }

    void is_described_data() { add_backends(); }
    void is_described() {
        QFETCH(QString, backend);
        const Description& about = provider(backend)->description();
        QCOMPARE(QString::fromStdString(about.backend), backend);
        QVERIFY(about.usable() && !about.name.empty() && !about.identity.empty());
        QVERIFY(about.memory_bytes > 0 && about.limits.max_buffer_bytes > 0);
        QVERIFY(about.limits.max_binding_bytes >= 1 << 27); // Vulkan's least
        QVERIFY(about.limits.subgroup_size > 0 && about.limits.queues >= 1);
        QCOMPARE(present(about.features).size() + missing(about.features).size(), 20U);
        QVERIFY(provider(backend)->memory().budget > 0);
    }

    /// Random copies and fills of any offset and length do what memcpy would have done.
    void copies_and_fills_data() { add_backends(); }
    void copies_and_fills() {
        QFETCH(QString, backend);
        Provider& on = *provider(backend);
        constexpr std::size_t size = 4099;
        const auto up = buffer(on, size, BufferUse::upload);
        const auto there = buffer(on, size, BufferUse::device);
        const auto down = buffer(on, size, BufferUse::download);
        QVERIFY(there->mapped().empty() && up->mapped().size() == size);
        std::mt19937 random(11);
        std::vector<std::byte> source(size), expected(size);
        for (std::byte& byte : source) byte = static_cast<std::byte>(random());
        std::memcpy(up->mapped().data(), source.data(), size);
        const auto commands = list(on);
        commands->fill(there, 0, size / 4 * 4, 0);
        commands->barrier();
        commands->copy(up, size - 3, there, size - 3, 3); // what fill cannot reach
        std::memcpy(&expected[size - 3], &source[size - 3], 3);
        for (int i = 0; i < 200; ++i) {
            commands->barrier();
            const std::size_t to = random() % size, from = random() % size;
            const std::size_t bytes = random() % (size - std::max(to, from) + 1);
            if (i % 4 == 3) {
                const std::size_t at = to / 4 * 4, length = bytes / 4 * 4;
                const auto word = static_cast<std::uint32_t>(random());
                commands->fill(there, at, length, word);
                for (std::size_t k = 0; k < length; k += 4)
                    std::memcpy(&expected[at + k], &word, 4);
            } else {
                commands->copy(up, from, there, to, bytes);
                if (bytes > 0) std::memcpy(&expected[to], &source[from], bytes);
            }
        }
        commands->barrier();
        commands->copy(there, 0, down, 0, size);
        QCOMPARE(run(on, commands), QString());
        QVERIFY(std::equal(expected.begin(), expected.end(), down->mapped().begin()));
    }

    /// Push constants, specialization constants out of order, groups in two dimensions, offsets.
    void dispatches_data() { add_backends(); }
    void dispatches() {
        QFETCH(QString, backend);
        Provider& on = *provider(backend);
        constexpr std::uint32_t count = 6 * 3 * 64 - 5;
        const auto up = buffer(on, 2048 + count * 4, BufferUse::upload);
        const auto there = buffer(on, 512 + count * 4, BufferUse::device);
        const auto down = buffer(on, count * 4, BufferUse::download);
        fill_numbers(up);
        const auto once = on.kernel(mix_kernel(1, 5)), often = on.kernel(mix_kernel(9, 77));
        QVERIFY(once.ok() && often.ok());
        const MixPush push{count, 3};
        const std::vector<Binding> first{{up, 2048}, {there, 512}}, second{{there, 512}, {down}};
        const auto commands = list(on);
        commands->dispatch(*once, first, push_of(push), {6, 3, 1});
        commands->barrier();
        commands->dispatch(*often, second, push_of(push), {6, 3, 1});
        QCOMPARE(run(on, commands), QString());
        for (std::uint32_t i = 0; i < count; ++i)
            QCOMPARE(words(down)[i], mixed(mixed(words(up)[512 + i], 1, 5, 3), 9, 77, 3));

        // The same list again, on other input; then recorded again with no groups at all.
        for (std::uint32_t& word : words(up)) word += 17;
        QCOMPARE(run(on, commands), QString());
        QCOMPARE(words(down)[99], mixed(mixed(words(up)[512 + 99], 1, 5, 3), 9, 77, 3));
        QVERIFY(commands->clear().ok());
        commands->fill(down, 0, count * 4, 1);
        commands->barrier();
        commands->dispatch(*often, second, push_of(push), {6, 0, 1});
        QCOMPARE(run(on, commands), QString());
        QCOMPARE(words(down)[99], 1U);
    }

    /// A kernel that is asked for again is not compiled again; one that differs is another.
    void kernels_are_kept() {
        if (!provider(QStringLiteral("vulkan"))) QSKIP("no Vulkan device");
        Provider& on = *provider(QStringLiteral("vulkan"));
        const auto first = on.kernel(mix_kernel(2, 40));
        QVERIFY(first.ok());
        QVERIFY(*on.kernel(mix_kernel(2, 40)) == *first);
        QVERIFY(*on.kernel(mix_kernel(2, 41)) != *first);
        KernelSource larger = mix_kernel(2, 40);
        larger.push_bytes += 4;
        QVERIFY(*on.kernel(larger) != *first);
        // Not for ever: the ones used last stay.
        for (std::uint32_t salt = 100; salt < 120; ++salt) {
            QVERIFY(on.kernel(mix_kernel(2, salt)).ok());
            QVERIFY(*on.kernel(mix_kernel(2, 40)) == *first);
        }
        std::weak_ptr<Kernel> left = *on.kernel(mix_kernel(2, 99));
        QVERIFY(!left.expired());
        for (std::uint32_t salt = 100; salt < 120; ++salt)
            QVERIFY(on.kernel(mix_kernel(2, salt)).ok());
        QVERIFY(left.expired());
    }

    /// More bindings than a descriptor pool holds, each dispatch on buffers of its own.
    void many_bindings_data() { add_backends(); }
    void many_bindings() {
        QFETCH(QString, backend);
        Provider& on = *provider(backend);
        constexpr std::uint32_t pieces = 200, piece = 64;
        const auto up = buffer(on, pieces * 256, BufferUse::upload);
        const auto down = buffer(on, pieces * 256, BufferUse::download);
        fill_numbers(up);
        const auto kernel = on.kernel(mix_kernel(1, 0));
        QVERIFY(kernel.ok());
        const auto commands = list(on);
        for (int round = 0; round < 2; ++round) {
            for (std::uint32_t i = 0; i < pieces; ++i) {
                const std::vector<Binding> bindings{{up, i * 256ULL, 256}, {down, i * 256ULL, 256}};
                const MixPush push{piece, i + static_cast<std::uint32_t>(round)};
                commands->dispatch(*kernel, bindings, push_of(push), {});
            }
            QCOMPARE(run(on, commands), QString());
            for (std::uint32_t i = 0; i < pieces * piece; ++i)
                QCOMPARE(words(down)[i],
                         mixed(words(up)[i], 1, 0, i / piece + static_cast<std::uint32_t>(round)));
            QVERIFY(commands->clear().ok());
        }
    }

    void addresses_are_followed_data() { add_backends(); }
    void addresses_are_followed() {
        QFETCH(QString, backend);
        Provider& on = *provider(backend);
        if (!on.description().features.buffer_address || !on.description().features.int64)
            QSKIP("the device has no addresses");
        const auto up = buffer(on, 8 * 100, BufferUse::upload);
        QVERIFY(up->address() != 0 && up->address() % 256 == 0);
        auto* numbers = reinterpret_cast<std::uint64_t*>(up->mapped().data());
        for (std::uint64_t i = 0; i < 100; ++i) numbers[i] = i << 40 | 1;
        const auto kernel = on.kernel(doubling_kernel());
        QVERIFY2(kernel.ok(), kernel.ok() ? "" : kernel.error().message.c_str());
        const std::uint64_t address = up->address() + 80;
        const auto commands = list(on);
        commands->dispatch(*kernel, {}, push_of(address), {90});
        QCOMPARE(run(on, commands), QString());
        for (std::uint64_t i = 0; i < 100; ++i)
            QCOMPARE(numbers[i], (i << 40 | 1) * (i < 10 ? 1 : 2));
    }

    void timestamps_are_on_the_hosts_clock_data() { add_backends(); }
    void timestamps_are_on_the_hosts_clock() {
        QFETCH(QString, backend);
        Provider& on = *provider(backend);
        if (on.description().clock == ClockSource::none) QSKIP("the device has no clock");
        const auto there = buffer(on, 1 << 20, BufferUse::device);
        const auto commands = list(on);
        constexpr int marks = 150; // more than one group of queries
        for (int i = 0; i < marks; ++i) {
            commands->timestamp(std::to_string(i));
            commands->fill(there, 0, 1 << 20, 1);
            commands->barrier();
        }
        QVERIFY(!commands->timestamps().ok()); // not run yet
        for (int round = 0; round < 3; ++round) {
            const Nanoseconds before = now_ns();
            QCOMPARE(run(on, commands), QString());
            const Nanoseconds after = now_ns();
            const auto taken = commands->timestamps();
            QVERIFY(taken.ok());
            QCOMPARE(taken->size(), static_cast<std::size_t>(marks));
            // A measured offset may be wrong by half of an empty submission.
            constexpr Nanoseconds slack = 1'000'000;
            QVERIFY(taken->front().at >= before - slack && taken->back().at <= after + slack);
            for (int i = 0; i < marks; ++i) {
                const auto at = static_cast<std::size_t>(i);
                QCOMPARE((*taken)[at].label, std::to_string(i));
                if (i > 0) QVERIFY((*taken)[at].at >= (*taken)[at - 1].at);
            }
            QVERIFY(taken->back().at > taken->front().at);
        }
    }

    /// The next batch is uploaded on the other lane while a batch runs; tickets order the two.
    void uploads_overlap_execution_data() { add_backends(); }
    void uploads_overlap_execution() {
        QFETCH(QString, backend);
        Provider& on = *provider(backend);
        constexpr std::uint32_t batches = 12, count = 5000;
        const auto kernel = on.kernel(mix_kernel(20, 1));
        QVERIFY(kernel.ok());
        std::vector<BufferPtr> ups, inputs, downs;
        std::vector<Ticket> uploaded, computed;
        std::vector<CommandListPtr> lists;
        for (std::uint32_t i = 0; i < batches; ++i) {
            ups.push_back(buffer(on, count * 4, BufferUse::upload));
            downs.push_back(buffer(on, count * 4, BufferUse::download));
            if (i < 2) inputs.push_back(buffer(on, count * 4, BufferUse::device));
            fill_numbers(ups[i]);
            words(ups[i])[7] = i;
            const BufferPtr& input = inputs[i % 2];
            const auto copy = list(on, Lane::transfer), work = list(on);
            copy->copy(ups[i], 0, input, 0, count * 4);
            // The input is free again when the batch before the last one is done.
            const std::vector<Ticket> freed =
                i < 2 ? std::vector<Ticket>{} : std::vector<Ticket>{computed[i - 2]};
            const auto up_ticket = on.submit(copy, freed);
            QVERIFY(up_ticket.ok());
            const std::vector<Binding> bindings{{input}, {downs[i]}};
            work->dispatch(*kernel, bindings, push_of(MixPush{count, i}), {(count + 63) / 64});
            const auto ticket = on.submit(work, std::vector{*up_ticket});
            QVERIFY(ticket.ok());
            computed.push_back(*ticket);
            lists.push_back(copy);
            lists.push_back(work);
        }
        QVERIFY(on.wait(computed.back(), for_ever).ok());
        for (std::uint32_t i = 0; i < batches; ++i) {
            QVERIFY(on.done(computed[i]));
            for (std::uint32_t k = 0; k < count; ++k)
                QCOMPARE(words(downs[i])[k], mixed(words(ups[i])[k], 20, 1, i));
        }
    }

    /// Nobody needs to hold on to what was submitted.
    void submissions_keep_what_they_need_data() { add_backends(); }
    void submissions_keep_what_they_need() {
        QFETCH(QString, backend);
        Provider& on = *provider(backend);
        constexpr std::uint32_t count = 64 * 300;
        const auto down = buffer(on, count * 4, BufferUse::download);
        Ticket ticket;
        {
            const auto up = buffer(on, count * 4, BufferUse::upload);
            fill_numbers(up);
            const auto kernel = on.kernel(mix_kernel(30, 2));
            QVERIFY(kernel.ok());
            const auto commands = list(on);
            const std::vector<Binding> bindings{{up}, {down}};
            commands->dispatch(*kernel, bindings, push_of(MixPush{count, 9}), {300});
            const auto given = on.submit(commands);
            QVERIFY(given.ok());
            ticket = *given;
        }
        QVERIFY(on.wait(ticket, for_ever).ok());
        for (std::uint32_t i = 0; i < count; ++i)
            QCOMPARE(words(down)[i], mixed(i * 2654435761U, 30, 2, 9));
    }

    /// Threads with buffers and lists of their own share a provider; two providers of one device
    /// work side by side.
    void threads_share_a_provider_data() { add_backends(); }
    void threads_share_a_provider() {
        QFETCH(QString, backend);
        const ProviderPtr first = provider(backend), second = open_again(backend);
        QVERIFY(second);
        constexpr std::uint32_t threads = 4, rounds = 25, count = 64 * 40;
        std::atomic<int> right = 0;
        const auto work = [&](Provider& on, std::uint32_t number) {
            for (std::uint32_t round = 0; round < rounds; ++round) {
                const auto up = on.allocate(count * 4, BufferUse::upload);
                const auto down = on.allocate(count * 4, BufferUse::download);
                const auto kernel = on.kernel(mix_kernel(3, number));
                const auto commands = on.commands();
                if (!up.ok() || !down.ok() || !kernel.ok() || !commands.ok()) return;
                fill_numbers(*up);
                const std::vector<Binding> bindings{{*up}, {*down}};
                (*commands)->dispatch(*kernel, bindings, push_of(MixPush{count, round}), {40});
                (*commands)->timestamp("end");
                if (!run(on, *commands).isEmpty() || !(*commands)->timestamps().ok()) return;
                for (std::uint32_t i = 0; i < count; ++i)
                    if (words(*down)[i] != mixed(i * 2654435761U, 3, number, round)) return;
                ++right;
            }
        };
        {
            std::vector<std::jthread> running;
            for (std::uint32_t i = 0; i < threads; ++i)
                running.emplace_back([&, i] { work(i % 2 == 0 ? *first : *second, i); });
        }
        QCOMPARE(right.load(), static_cast<int>(threads * rounds));
        QCOMPARE(second->validation_messages().value_or(0), 0U);
    }

    void memory_is_counted_data() { add_backends(); }
    void memory_is_counted() {
        QFETCH(QString, backend);
        Provider& on = *provider(backend);
        const MemoryUse before = on.memory();
        constexpr std::uint64_t bytes = 3'000'000;
        {
            const auto a = buffer(on, bytes, BufferUse::device);
            auto b = buffer(on, bytes, BufferUse::upload);
            const MemoryUse both = on.memory();
            QVERIFY(both.in_use >= before.in_use + 2 * bytes);
            QVERIFY(both.in_use <= before.in_use + 2 * bytes + 1024);
            QVERIFY(both.peak >= both.in_use && both.reserved >= both.in_use);
            b.reset();
            QVERIFY(on.memory().in_use <= both.in_use - bytes);
        }
        QCOMPARE(on.memory().in_use, before.in_use);
        // What was given back is used again: no new memory for the same need.
        const std::uint64_t reserved = on.memory().reserved;
        for (int i = 0; i < 50; ++i) (void)buffer(on, bytes, BufferUse::device);
        QCOMPARE(on.memory().reserved, reserved);
    }

    void validation_is_silent() {
        const ProviderPtr vulkan = provider(QStringLiteral("vulkan"));
        if (!vulkan) QSKIP("no Vulkan device on this machine");
        if (!vulkan->validation_messages()) QSKIP("the validation layer is not installed");
        QCOMPARE(*vulkan->validation_messages(), 0U);
    }
};

QTEST_APPLESS_MAIN(TestProvider)
#include "test_provider.moc"
