// The CUDA provider when its driver fails, with a fake one: each fault is an error of the right
// kind with the driver's own words, what can be used afterwards is, a lost device fails every call,
// and closing neither hangs nor leaves anything behind.
#include "compute/errors.h"
#include "cuda_work.h"
#include "devices.h"
#include "headers/waiting.h"
#include "kernels.h"

#include <QScopeGuard>
#include <QTest>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace blockloom;
using namespace blockloom::compute;
using namespace blockloom::compute_tests;
using fake_cuda::Live;

class TestCudaFaults : public QObject {
    Q_OBJECT

    /// Every call after a loss, but for the description.
    static void all_is_lost(MixWork& work, Ticket before, const char* words) {
        Provider& on = *work.on;
        for (const BufferUse use : {BufferUse::device, BufferUse::upload, BufferUse::download})
            QCOMPARE(unlike(on.allocate(64, use), device_lost, words), QString());
        QCOMPARE(unlike(on.kernel(mix_kernel(1, 1)), device_lost, words), QString());
        QCOMPARE(unlike(on.commands(), device_lost, words), QString());
        QCOMPARE(unlike(on.submit(work.list), device_lost, words), QString());
        QCOMPARE(unlike(on.wait(before, for_ever), device_lost, words), QString());
        QVERIFY(!on.done(before));
        QCOMPARE(unlike(work.list->clear(), device_lost, words), QString());
        QCOMPARE(unlike(work.list->timestamps(), device_lost, words), QString());
        QVERIFY(on.memory().budget > 0);
    }

    static constexpr const char* within_the_limit = "CUDA: a submission did not finish within 5 ms";
    static ProviderOptions limited() {
        ProviderOptions options;
        options.time_limit = 5'000'000;
        return options;
    }

    /// In a child process: the provider is closed, but what the device may use is there.
    static void left_to_the_device(std::size_t works) {
        const Live live = fake_cuda::control().live();
        if (live.contexts != 1 || live.blocks < 3 * works || live.modules != works) ::_exit(2);
        if (!fake_cuda::control().mistakes().empty()) ::_exit(3);
    }

#ifdef __SANITIZE_THREAD__
    static constexpr bool may_fork = false; // it knows no threads of forked processes
#else
    static constexpr bool may_fork = true;
#endif
    static constexpr const char* no_fork = "the thread sanitizer";

    /// The exit status of a child process that does this and then calls exit(0).
    template <typename Left> static int left_at_exit(const Left& leave) {
        const pid_t child = ::fork();
        if (child == 0) {
            ::prctl(PR_SET_PDEATHSIG, SIGKILL); // if it waits for something, this test is ended
            leave();
            std::exit(0);
        }
        int status = -1;
        return child > 0 && ::waitpid(child, &status, 0) == child ? status : -1;
    }

private Q_SLOTS:
    void cleanup() {
        WAIT_UNTIL(fake_cuda::control().live() == Live{}); // a thread of its own may close one
        const auto mistakes = fake_cuda::control().mistakes();
        QVERIFY2(mistakes.empty(), mistakes.empty() ? "" : mistakes.front().c_str());
    }

    /// What is open when the process exits is not given back to a driver that has ended. (First of
    /// all: this process has opened nothing yet, so that each child is like a new one.)
    void exits_with_open_providers_data() {
        QTest::addColumn<bool>("first");
        for (const char* faults : {"", "lost@1", "hung@1"})
            for (const bool first : {false, true})
                QTest::addRow("%s, %s", faults, first ? "made before" : "made after") << first;
    }
    void exits_with_open_providers() {
        if (!may_fork) QSKIP(no_fork);
        QFETCH(bool, first);
        const std::string tag = QTest::currentDataTag();
        const std::string faults = tag.substr(0, tag.find(','));
        QCOMPARE(left_at_exit([&] {
                     const auto use = [&] {
                         MixWork work(opened(faults));
                         if (const auto ticket = work.on->submit(work.list))
                             (void)work.on->wait(*ticket, 0);
                         return work;
                     };
                     if (first) { // destroyed after what the driver does at the exit
                         static std::optional<MixWork> before;
                         before.emplace(use());
                     } else {
                         static const MixWork after = use();
                     }
                 }),
                 0);
    }

    void without_a_fault_all_is_right() {
        MixWork work(opened(""));
        for (int i = 0; i < 3; ++i) {
            QVERIFY(work.run().ok());
            QVERIFY(work.is_right());
        }
        QVERIFY(fake_cuda::control().live().contexts == 1);
    }

    void memory_that_is_exhausted() {
        const ProviderPtr on = opened("memory=1048576");
        QCOMPARE(on->description().memory_bytes, 1U << 20U);
        auto first = on->allocate(600'000, BufferUse::device);
        QVERIFY(first.ok());
        QCOMPARE(unlike(on->allocate(600'001, BufferUse::device), out_of_memory,
                        "CUDA: 600001 bytes of memory: the device has none left"),
                 QString());
        // Only the device's memory is: uploads are the host's.
        QVERIFY(on->allocate(600'000, BufferUse::upload).ok());
        *first = nullptr;
        // What was kept of the first is of another size: it is given back to the driver.
        const auto second = on->allocate(900'000, BufferUse::device);
        QVERIFY(second.ok());
        QVERIFY(on->memory().reserved <= 1U << 20U);
        QVERIFY(on->memory().in_use >= 900'000U);
        QCOMPARE(unlike(on->allocate(2 << 20, BufferUse::device), out_of_memory,
                        "more than the device has"),
                 QString());
    }

    void memory_that_is_refused_data() {
        QTest::addColumn<bool>("on_host");
        QTest::newRow("cuMemAlloc_v2=2") << false;
        QTest::newRow("cuMemHostAlloc=2") << true;
        QTest::newRow("cuMemHostGetDevicePointer_v2=2") << true;
    }
    void memory_that_is_refused() {
        QFETCH(bool, on_host);
        const ProviderPtr on = opened(QTest::currentDataTag());
        for (const BufferUse use : {BufferUse::device, BufferUse::upload, BufferUse::download}) {
            const auto made = on->allocate(4096, use);
            if ((use != BufferUse::device) == on_host)
                QCOMPARE(unlike(made, out_of_memory, "the device has none left"), QString());
            else
                QVERIFY(made.ok());
        }
        QCOMPARE(on->memory().in_use, 0U);
        QVERIFY(on->commands().ok()); // it is no loss
    }

    /// Refused once, it is asked for again.
    void memory_that_is_refused_once_data() {
        QTest::addColumn<bool>("on_host");
        QTest::newRow("cuMemAlloc_v2@1=2") << false;
        QTest::newRow("cuMemHostAlloc@1=2") << true;
        QTest::newRow("cuMemHostGetDevicePointer_v2@1=2") << true;
    }
    void memory_that_is_refused_once() {
        QFETCH(bool, on_host);
        const ProviderPtr on = opened(QTest::currentDataTag());
        QVERIFY(on->allocate(4096, on_host ? BufferUse::upload : BufferUse::device).ok());
        QCOMPARE(fake_cuda::control().live().blocks, 1U);
    }

    void an_allocation_loses_the_device_data() {
        QTest::addColumn<bool>("on_host");
        QTest::newRow("cuMemAlloc_v2@2=719") << false;
        QTest::newRow("cuMemHostAlloc@3=719") << true;
        QTest::newRow("cuMemHostGetDevicePointer_v2@3=719") << true;
    }
    void an_allocation_loses_the_device() {
        QFETCH(bool, on_host);
        MixWork work(opened(QTest::currentDataTag()));
        const auto ticket = work.on->submit(work.list);
        QVERIFY(ticket.ok());
        QCOMPARE(unlike(work.on->allocate(5'000, on_host ? BufferUse::upload : BufferUse::device),
                        device_lost, "CUDA_ERROR_LAUNCH_FAILED (unspecified launch failure)"),
                 QString());
        all_is_lost(work, *ticket, "CUDA_ERROR_LAUNCH_FAILED");
    }

    /// An error that ends no context: the same work runs afterwards.
    void a_submission_that_is_refused_data() {
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* faults, ErrorCode code, const char* words) {
            QTest::newRow(faults) << static_cast<int>(code) << QString::fromLatin1(words);
        };
        row("cuLaunchKernel@1=701", out_of_memory,
            "CUDA: a launch: CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES");
        row("cuLaunchKernel@1=2", out_of_memory, "CUDA: a launch: CUDA_ERROR_OUT_OF_MEMORY");
        row("cuLaunchKernel@1=1", misused, "CUDA: a launch: CUDA_ERROR_INVALID_VALUE");
        row("cuMemcpyAsync@1=1", misused, "CUDA: a copy: CUDA_ERROR_INVALID_VALUE");
        row("cuEventCreate@1=2", out_of_memory, "CUDA: an event: CUDA_ERROR_OUT_OF_MEMORY");
    }
    void a_submission_that_is_refused() {
        QFETCH(int, code);
        QFETCH(QString, words);
        MixWork work(opened(QTest::currentDataTag()));
        QCOMPARE(unlike(work.run(), static_cast<ErrorCode>(code), words.toLatin1().constData()),
                 QString());
        QVERIFY(work.run().ok());
        QVERIFY(work.is_right());
        QVERIFY(work.list->clear().ok());
    }

    /// The first error ends the context; everything later has the same.
    void a_submission_that_loses_the_device_data() {
        QTest::addColumn<QString>("words");
        const char* const failed = "CUDA_ERROR_LAUNCH_FAILED (unspecified launch failure)";
        for (const char* faults : {"cuLaunchKernel@2=719", "cuMemcpyAsync@2=719", "lost@2"})
            QTest::newRow(faults) << QString::fromLatin1(failed);
        QTest::newRow("cuLaunchKernel@2=700") << QStringLiteral("CUDA_ERROR_ILLEGAL_ADDRESS");
        QTest::newRow("cuLaunchKernel@2=999") << QStringLiteral("CUDA error 999");
    }
    void a_submission_that_loses_the_device() {
        QFETCH(QString, words);
        MixWork work(opened(QTest::currentDataTag()));
        const auto first = work.on->submit(work.list);
        QVERIFY(first.ok());
        QVERIFY(work.on->wait(*first, for_ever).ok());
        QVERIFY(work.is_right());
        const QByteArray expected = words.toLatin1();
        QCOMPARE(unlike(work.run(), device_lost, expected.constData()), QString());
        all_is_lost(work, *first, expected.constData());
    }

    /// The launch had been accepted when it failed: only waiting shows it.
    void a_device_that_is_lost_at_work() {
        MixWork work(opened("hung@3,lost@3"));
        QVERIFY(work.run().ok());
        QVERIFY(work.run().ok());
        const auto third = work.on->submit(work.list);
        QVERIFY(third.ok());
        QVERIFY(!work.on->done(*third));
        fake_cuda::control().release();
        QCOMPARE(unlike(work.on->wait(*third, for_ever), device_lost,
                        "CUDA: a submission failed: CUDA_ERROR_LAUNCH_FAILED"),
                 QString());
        all_is_lost(work, *third, "CUDA: a submission failed");
    }

    /// A provider over another context of the same device is not concerned.
    void a_loss_is_of_one_context() {
        MixWork lost(opened("cuLaunchKernel@1=719"));
        MixWork other(lost.on); // the same one
        QVERIFY(!lost.run().ok());
        QVERIFY(!other.run().ok());
        MixWork fresh(opened(""));
        QVERIFY(fresh.run().ok());
        QVERIFY(fresh.is_right());
        QCOMPARE(fake_cuda::control().live().contexts, 2U);
    }

    void a_submission_that_does_not_end() {
        MixWork work(opened("hung@1"));
        const auto late = work.on->submit(work.list);
        QVERIFY(late.ok());
        QCOMPARE(unlike(work.on->wait(*late, 5'000'000), timed_out,
                        "CUDA: a submission did not finish within 5 ms"),
                 QString());
        QVERIFY(!work.on->done(*late));
        QCOMPARE(unlike(work.list->clear(), misused, "running"), QString());
        QCOMPARE(unlike(work.on->submit(work.list), misused, "running"), QString());
        QCOMPARE(unlike(work.list->timestamps(), misused, "before"), QString());
        // The other lane is free, until a list of it has to wait.
        const auto beside = work.on->commands(Lane::transfer);
        QVERIFY(beside.ok());
        (*beside)->fill(work.up, 0, 4, 1);
        const auto free = work.on->submit(*beside);
        QVERIFY(free.ok());
        QVERIFY(work.on->wait(*free, for_ever).ok());
        QVERIFY((*beside)->clear().ok());
        (*beside)->fill(work.there, 0, 4, 1);
        const auto behind = work.on->submit(*beside, std::vector{*late});
        QVERIFY(behind.ok());
        QCOMPARE(unlike(work.on->wait(*behind, 0), timed_out, "CUDA"), QString());

        fake_cuda::control().release();
        QVERIFY(work.on->wait(*behind, for_ever).ok());
        QVERIFY(work.on->wait(*late, for_ever).ok());
        QVERIFY(work.is_right());
        QVERIFY(work.run().ok());
    }

    /// A wait that was given up is not begun again when the provider closes: the memory that the
    /// device may still use is left to it.
    void closing_does_not_wait_for_what_timed_out() {
        if (!may_fork) QSKIP(no_fork);
        const auto left = left_at_exit([] {
            {
                MixWork work(opened("hung@1"));
                const auto late = work.on->submit(work.list);
                if (!late.ok() || work.on->wait(*late, 0).ok()) ::_exit(1);
            }
            left_to_the_device(1);
        });
        QCOMPARE(left, 0);
    }

    /// Nor does it wait for longer than the limit for what nobody has waited for.
    void closing_has_a_limit() {
        if (!may_fork) QSKIP(no_fork);
        const auto left = left_at_exit([] {
            {
                const MixWork work(opened("hung@1", limited()));
                (void)work.on->submit(work.list);
            }
            left_to_the_device(1);
        });
        QCOMPARE(left, 0);
    }

    /// The provider's limit is that of each wait, however long its caller would wait.
    void a_wait_has_the_providers_limit() {
        MixWork work(opened("hung@1", limited()));
        QCOMPARE(unlike(work.run(), timed_out, within_the_limit), QString());
        fake_cuda::control().release();
        WAIT_UNTIL(work.run().ok());
        QVERIFY(work.is_right());
    }

    /// In the first launch of a kernel the driver may wait for the device. The caller does not, nor
    /// do others, who would have to wait for that launch; and nothing is asked of the driver for
    /// which it would wait: that would be a mistake.
    void a_launch_from_which_the_driver_does_not_return() {
        if (!may_fork) QSKIP(no_fork);
        const auto left = left_at_exit([] {
            {
                MixWork work(opened("stuck@1", limited()));
                MixWork other(work.on);
                const auto fine = [](const QString& unlike) {
                    if (!unlike.isEmpty()) qFatal("%s", qPrintable(unlike));
                };
                fine(unlike(work.on->submit(work.list), timed_out, within_the_limit));
                fine(unlike(work.list->clear(), misused, "running"));
                fine(unlike(other.on->submit(other.list), timed_out, within_the_limit));
                fine(unlike(other.on->kernel(mix_kernel(9, 9)), timed_out, within_the_limit));
                fine(
                    unlike(other.on->allocate(64, BufferUse::device), timed_out, within_the_limit));
                if (other.on->memory().budget == 0) ::_exit(1);
            }
            left_to_the_device(2);
        });
        QCOMPARE(left, 0);
    }

    /// When it returns after all, the provider works again.
    void a_launch_from_which_the_driver_returns_late() {
        MixWork work(opened("stuck@1", limited()));
        MixWork other(work.on);
        QCOMPARE(unlike(work.run(), timed_out, within_the_limit), QString());
        fake_cuda::control().release();
        WAIT_UNTIL(other.run().ok());
        QVERIFY(other.is_right());
        QVERIFY(work.list->clear().ok());
        QVERIFY(work.is_right());
    }

    /// A stream takes only so many commands before the driver waits for the device: then it is as
    /// with a first launch. Here another caller gives up.
    void a_stream_that_may_be_full() {
        constexpr int many = 600;
        MixWork work(opened("stuck@2"));
        const auto room = work.on->allocate(4, BufferUse::device);
        QVERIFY(room.ok());
        for (int i = 0; i < many; ++i) work.list->fill(*room, 0, 4, 1);
        QVERIFY(work.run().ok());
        const std::jthread impatient([&] {
            WAIT_UNTIL(unlike(work.on->wait({Lane::work, 2}, 0), timed_out, "CUDA").isEmpty());
        });
        QCOMPARE(unlike(work.run(), timed_out, "CUDA: a submission did not finish in time"),
                 QString());
        fake_cuda::control().release();
        WAIT_UNTIL(work.list->clear().ok());
    }

    /// What the driver would wait for the device with is put off until that is idle, and refused
    /// when a caller has given up waiting: asked for now, it would be a mistake.
    void nothing_is_asked_of_a_device_that_hangs() {
        MixWork work(opened("hung@1,memory=1048576"));
        const auto closed = qScopeGuard([] { fake_cuda::control().release(); });
        MixWork unused(work.on);
        const auto late = work.on->submit(work.list);
        QVERIFY(late.ok());
        unused.list = nullptr, unused.kernel = nullptr; // nobody knows yet that it hangs
        QCOMPARE(fake_cuda::control().live().modules, 2U);
        QCOMPARE(unlike(work.on->wait(*late, 0), timed_out, "CUDA"), QString());
        const char* const words = "CUDA: a submission did not finish in time";
        QCOMPARE(unlike(work.on->kernel(mix_kernel(5, 5)), timed_out, words), QString());
        const auto behind = work.on->commands();
        QVERIFY(behind.ok());
        (*behind)->fill(work.up, 0, 4, 1);
        QCOMPARE(unlike(work.on->submit(*behind), timed_out, words), QString());
        QVERIFY(work.on->allocate(600'000, BufferUse::device).ok()); // which is unused now
        QCOMPARE(unlike(work.on->allocate(900'000, BufferUse::device), out_of_memory,
                        "the device has none left"),
                 QString());

        fake_cuda::control().release();
        QVERIFY(work.on->wait(*late, for_ever).ok());
        QVERIFY(work.is_right());
        QVERIFY(work.on->allocate(900'000, BufferUse::device).ok());
        QVERIFY(work.on->kernel(mix_kernel(5, 5)).ok());
        QCOMPARE(fake_cuda::control().live().modules, 1U);
    }

    /// The same where the device is only busy: what is dropped meanwhile goes with the next
    /// submission.
    void what_is_dropped_waits_for_an_idle_device() {
        MixWork work(opened("hung@2"));
        QVERIFY(work.run().ok());
        auto second = work.on->kernel(mix_kernel(5, 5));
        QVERIFY(second.ok());
        const auto ticket = work.on->submit(work.list);
        QVERIFY(ticket.ok());
        *second = nullptr;
        QCOMPARE(fake_cuda::control().live().modules, 2U);
        fake_cuda::control().release();
        QVERIFY(work.on->wait(*ticket, for_ever).ok());
        QVERIFY(work.run().ok());
        QCOMPARE(fake_cuda::control().live().modules, 1U);
    }

    /// Nothing in a provider notices it; what uses it compares checksums (execute.test_cuda).
    void damaged_downloads() {
        MixWork work(opened("damaged@3")); // its launch has memory of the host, and then it copies
        QVERIFY(work.run().ok());
        QVERIFY(work.is_right());
        QVERIFY(work.run().ok());
        QVERIFY(!work.is_right());
    }

    /// Threads submit at the same time, each on a lane of its own, while another one makes the
    /// driver wait for an idle device again and again.
    void threads_submit_at_the_same_time() {
        const ProviderPtr on = opened("");
        constexpr unsigned threads = 6, times = 30;
        std::atomic<unsigned> right{0};
        {
            std::vector<std::jthread> all;
            for (unsigned i = 0; i < threads; ++i)
                all.emplace_back([&, i] {
                    MixWork work(on, further_lane(i));
                    for (unsigned n = 0; n < times; ++n)
                        if (work.run() && work.is_right()) ++right;
                });
            for (unsigned n = 0; n < times; ++n) {
                QVERIFY(on->allocate(1 << 20, BufferUse::upload).ok());
                QVERIFY(on->kernel(mix_kernel(1, 1)).ok());
            }
        }
        QCOMPARE(right.load(), threads * times);
    }
};

QTEST_APPLESS_MAIN(TestCudaFaults)
#include "test_cuda_faults.moc"
