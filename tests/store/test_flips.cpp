// A sample of what tests/fuzz/damaged_workspace.cpp does at length.
#include "damage_trials.h"

#include <QTemporaryDir>
#include <QTest>

using namespace blockloom::test;

class TestFlips : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// One fault in one file is an error or changes nothing.
    void one_fault_is_an_error_or_changes_nothing() {
        const QTemporaryDir folder;
        const Counts counts =
            perform_trials(folder.path().toStdString(), 120, 1,
                           [](const std::string& line) { qWarning("%s", line.c_str()); });
        QCOMPARE(counts.bad, std::uint64_t{0});
        std::uint64_t refused = 0;
        for (const auto& fault : counts.of) refused += fault[1];
        QVERIFY(refused > 20); // the faults reach what matters
    }

    /// The log of two small blocks, a bit in each of its parts.
    void the_log_of_two_blocks() {
        const QTemporaryDir folder;
        const std::filesystem::path made = folder.path().toStdString() + "/log",
                                    scratch = folder.path().toStdString() + "/scratch";
        QVERIFY(make_sample(samples[0], made));
        const Digests digests;
        std::filesystem::path log;
        for (const auto& file : files_below(made))
            if (file.extension() == ".log" && std::filesystem::file_size(made / file) > 0)
                log = file;
        const std::uint64_t size = std::filesystem::file_size(made / log);
        QVERIFY(size > 200);
        for (int part = 0; part < 12; ++part) {
            const Trial trial{log, Fault::flip, (size - 1) * 8 * std::uint64_t(part) / 11};
            const Outcome outcome = perform(trial, samples[0], made, scratch, digests, part % 2);
            QVERIFY2(outcome == Outcome::refused, trial_text(samples[0], trial, outcome).c_str());
        }
    }
};

QTEST_GUILESS_MAIN(TestFlips)
#include "test_flips.moc"
