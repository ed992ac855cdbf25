// Globs against fnmatch, and what a policy leaves of a trace. The figures of policed traces are
// compared with a naive reference in tests/conflict.
#include "trace/glob.h"
#include "trace/key_policy.h"

#include <QTest>

#include <fnmatch.h>
#include <random>

using namespace blockloom;
using namespace blockloom::trace;

namespace {

class ListedNames final : public KeyNames {
public:
    explicit ListedNames(std::vector<std::string> names) : names_(std::move(names)) {}
    [[nodiscard]] std::string printable(KeyId key) const override {
        ++asked;
        return names_[key];
    }
    mutable std::size_t asked = 0;

private:
    std::vector<std::string> names_;
};

struct Sample {
    std::shared_ptr<BlockTrace> trace;
    std::shared_ptr<ListedNames> names;
};

/// Two tasks that read and write some of everything.
Sample sample() {
    Sample made{std::make_shared<BlockTrace>(),
                std::make_shared<ListedNames>(
                    std::vector<std::string>{"balance:0xaa", "storage:0xaa:1", "storage:0xaa/2",
                                             "utxo:ff:0", "account:0xaa", "balance:0xbb"})};
    made.trace->keys = made.names;
    made.trace->sets.key_count = 6;
    made.trace->sets.accesses = {{0, Mode::read},  {1, Mode::write},     {3, Mode::write},
                                 {2, Mode::read},  {4, Mode::read},      {5, Mode::read},
                                 {0, Mode::write}, {3, Mode::read_write}};
    made.trace->sets.begin = {0, 3, 6, 8};
    made.trace->cost = {5, 6, 7};
    made.trace->transaction = {0, 1, 1};
    made.trace->vote = {false, true, false};
    return made;
}

PolicedTrace applied(const Sample& made, const KeyPolicy& policy, bool use_cost = false) {
    Result<PolicedTrace> policed = apply(made.trace, policy, use_cost);
    if (!policed) qFatal("%s", policed.error().message.c_str());
    return *std::move(policed);
}

std::string text_of(const PolicedTrace& policed) {
    std::string text;
    const AccessSets& sets = policed.access_sets();
    for (TaskId task = 0; task < sets.tasks(); ++task) {
        text += "[";
        for (const Access access : sets.of(task))
            text += (text.back() == '[' ? "" : " ") + std::string(access.reads() ? "r" : "") +
                    (access.writes() ? "w" : "") + ":" + policed.keys->printable(access.key());
        text += "]";
    }
    return text;
}

} // namespace

class TestKeyPolicy : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void globs_match_as_fnmatch_does() {
        std::mt19937_64 random(31);
        const std::vector<std::string> pieces{"*",    "?",     "a",    "b",   ":",     "[ab]",
                                              "[!a]", "[a-c]", "[]a]", "\\*", "[^b:]", "ab"};
        const std::string letters = "abc:*]";
        int matches = 0;
        for (int round = 0; round < 60'000; ++round) {
            std::string pattern, text;
            for (std::size_t n = random() % 6; n > 0; --n)
                pattern += pieces[random() % pieces.size()];
            for (std::size_t n = random() % 8; n > 0; --n)
                text.push_back(letters[random() % letters.size()]);
            const bool expected = fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
            QVERIFY2(glob_matches(pattern, text) == expected, (pattern + " on " + text).c_str());
            matches += expected;
        }
        QVERIFY(matches > 1000);
    }

    void many_stars_take_no_exponential_time() {
        std::string pattern, text(5000, 'a');
        for (int i = 0; i < 200; ++i) pattern += "*a";
        QVERIFY(!glob_matches(pattern + "b", text));
        QVERIFY(glob_matches(pattern, text));
    }

    void patterns_that_are_no_globs_are_refused_data() {
        QTest::addColumn<QByteArray>("pattern");
        for (const char* pattern : {"", "[a", "a[", "[!]", "[]", "a\\", "[a\\", "kind:", "kind:["})
            QTest::addRow("\"%s\"", pattern) << QByteArray(pattern);
    }

    void patterns_that_are_no_globs_are_refused() {
        QFETCH(QByteArray, pattern);
        KeyPolicy policy;
        policy.ignore = {pattern.toStdString()};
        const auto ignored = apply(sample().trace, policy, false);
        QVERIFY(!ignored.ok());
        QCOMPARE(ignored.error().code, ErrorCode::wrong_usage);
        std::swap(policy.ignore, policy.commutative);
        QVERIFY(!apply(sample().trace, policy, false).ok());
    }

    void the_default_shares_the_sets_and_asks_for_no_name() {
        const Sample made = sample();
        const PolicedTrace policed = applied(made, {});
        QVERIFY(policed.same_sets);
        QCOMPARE(&policed.access_sets(), &made.trace->sets);
        QVERIFY(policed.original_task.empty() && policed.original_key.empty());
        QVERIFY(policed.cost.empty());
        QCOMPARE(policed.transaction, made.trace->transaction);
        QCOMPARE(policed.keys, made.trace->keys);
        QCOMPARE(made.names->asked, std::size_t{0});
        QCOMPARE(applied(made, {}, true).cost, made.trace->cost);
        QCOMPARE(describe({}), std::string("nothing left out"));
    }

    void ignored_keys_keep_their_ids() {
        const Sample made = sample();
        KeyPolicy policy;
        policy.ignore = {"kind:balance", "ff:*"};
        const PolicedTrace policed = applied(made, policy);
        QCOMPARE(made.names->asked, std::size_t{6});
        QCOMPARE(text_of(policed),
                 std::string("[w:storage:0xaa:1][r:storage:0xaa/2 r:account:0xaa][]"));
        QCOMPARE(policed.access_sets().key_count, KeyId{6});
        QVERIFY(policed.original_key.empty());
        policy.ignore = {"nothing:*"};
        QVERIFY(applied(made, policy).same_sets);
    }

    void coarsening_merges_what_a_task_does_to_an_account() {
        const Sample made = sample();
        KeyPolicy policy;
        policy.coarsen_account = true;
        const PolicedTrace policed = applied(made, policy);
        QCOMPARE(text_of(policed), std::string("[rw:account:0xaa w:utxo:ff:0]"
                                               "[r:account:0xaa r:account:0xbb]"
                                               "[w:account:0xaa rw:utxo:ff:0]"));
        QCOMPARE(policed.original_key, (std::vector<KeyId>{0, 3, 5}));
        QCOMPARE(policed.keys->kind(0), std::string("account"));
        policy.ignore = {"account:0xaa"};
        QCOMPARE(text_of(applied(made, policy)),
                 std::string("[w:utxo:ff:0][r:account:0xbb][rw:utxo:ff:0]"));
        policy.ignore = {"balance:0xaa"};
        QCOMPARE(text_of(applied(made, policy)),
                 std::string("[w:account:0xaa w:utxo:ff:0][r:account:0xaa r:account:0xbb]"
                             "[rw:utxo:ff:0]"));
    }

    void touches_of_balances_can_be_ignored() {
        KeyPolicy policy;
        policy.touches_ignored = true;
        QCOMPARE(text_of(applied(sample(), policy)),
                 std::string("[w:storage:0xaa:1 w:utxo:ff:0][r:storage:0xaa/2 r:account:0xaa]"
                             "[w:balance:0xaa rw:utxo:ff:0]"));
    }

    void votes_can_be_left_out() {
        KeyPolicy policy;
        policy.without_votes = true;
        const PolicedTrace policed = applied(sample(), policy, true);
        QCOMPARE(policed.tasks(), TaskId{2});
        QCOMPARE(policed.original_task, (std::vector<TaskId>{0, 2}));
        QCOMPARE(policed.cost, (std::vector<std::uint64_t>{5, 7}));
        QCOMPARE(policed.transaction, (std::vector<std::uint32_t>{0, 1}));
        QCOMPARE(policed.task_in_block(1), TaskId{2});
        QCOMPARE(text_of(policed), std::string("[r:balance:0xaa w:storage:0xaa:1 w:utxo:ff:0]"
                                               "[w:balance:0xaa rw:utxo:ff:0]"));
    }

    void commutative_keys_are_marked_and_change_no_set() {
        KeyPolicy policy;
        policy.commutative = {"balance:*"};
        const PolicedTrace policed = applied(sample(), policy);
        QVERIFY(policed.same_sets);
        QCOMPARE(policed.commutative, (std::vector<bool>{true, false, false, false, false, true}));
        policy.commutative = {"nothing"};
        QVERIFY(applied(sample(), policy).commutative.empty());
        policy.coarsen_account = true;
        policy.commutative = {"balance:*"}; // 0xbb is only a balance; 0xaa has slots beside it
        QCOMPARE(applied(sample(), policy).commutative, (std::vector<bool>{false, false, true}));
        policy.commutative = {"account:0xaa"};
        QCOMPARE(applied(sample(), policy).commutative, (std::vector<bool>{true, false, false}));
    }

    void traces_without_names_have_keys_by_number() {
        const Sample made = sample();
        made.trace->keys = nullptr;
        KeyPolicy policy;
        policy.ignore = {"key:[0-4]"};
        const PolicedTrace policed = applied(made, policy);
        QCOMPARE(policed.sets.accesses.size(), std::size_t{1});
        QCOMPARE(policed.sets.accesses[0].key(), KeyId{5});
    }

    void a_policy_says_what_it_leaves_out() {
        KeyPolicy policy{{"a:*", "b:*"}, {"c:*"}, true, true, true};
        const std::string text = describe(policy);
        for (const char* word : {"a:*", "b:*", "c:*", "account", "touched", "votes"})
            QVERIFY2(text.find(word) != std::string::npos, word);
    }
};

QTEST_APPLESS_MAIN(TestKeyPolicy)
#include "test_key_policy.moc"
