// Every option of every command: a number that its type does not hold is wrong usage.
#include "command_line.h"

#include <QTest>

#include <limits>
#include <sstream>

using namespace blockloom;

namespace {

/// The command line as main makes it, fresh: a parser keeps what it has read.
struct Line {
    cli::Context context;
    CLI::App app{"", "blockloom-cli"};
    std::vector<cli::Command> commands = cli::add_commands(app, context);

    /// What is said of them; empty where they are read.
    std::string said;

    /// Whether these words are read, whatever they would do.
    bool reads(std::vector<std::string> words) {
        std::reverse(words.begin(), words.end()); // CLI11's wish
        try {
            app.parse(words);
        } catch (const CLI::CallForHelp&) {
            return true;
        } catch (const CLI::ParseError& error) {
            std::ostringstream out, err;
            app.exit(error, out, err);
            said = err.str();
            return false;
        }
        return true;
    }
};

/// An option or positional of a command, by the way to it.
struct Place {
    std::vector<std::string> command; ///< "state", "undo"
    std::string option;               ///< "--seed", or the name of a positional
    bool positional = false;
};

void walk(CLI::App& app, const std::vector<std::string>& way, std::vector<Place>& places) {
    for (const CLI::Option* option : app.get_options()) {
        if (option->get_items_expected_max() == 0) continue; // a flag
        const std::string name = option->get_name();
        places.push_back({way, name.substr(0, name.find(',')), option->get_positional()});
    }
    for (CLI::App* sub : app.get_subcommands([](CLI::App*) { return true; })) {
        std::vector<std::string> further = way;
        further.push_back(sub->get_name());
        walk(*sub, further, places);
    }
}

std::vector<Place> all_places() {
    Line line;
    std::vector<Place> places;
    walk(line.app, {}, places);
    return places;
}

CLI::App* command_of(Line& line, const Place& place) {
    CLI::App* at = &line.app;
    for (const std::string& name : place.command) at = at->get_subcommand(name);
    return at;
}

/// Whether the option of a fresh command line takes the value: nothing else is asked for. `said`:
/// what is said if it does not.
bool takes(const Place& place, const std::string& value, std::string* said = nullptr) {
    Line line;
    CLI::App* const command = command_of(line, place);
    line.app.require_subcommand(0);
    for (CLI::App* at = command; at != nullptr; at = at->get_parent()) {
        at->require_subcommand(0);
        for (CLI::Option* option : at->get_options()) option->required(false);
    }
    std::vector<std::string> words = place.command;
    if (!place.positional) {
        words.push_back(place.option);
        words.push_back(value);
        const bool read = line.reads(words);
        if (said != nullptr) *said = line.said;
        return read;
    }
    // Those before it must be filled; what they say is nobody's business.
    for (CLI::Option* option : command->get_options()) {
        if (!option->get_positional()) continue;
        if (option->get_name() == place.option) break;
        words.push_back("1");
    }
    words.push_back("--");
    words.push_back(value);
    const bool read = line.reads(words);
    if (said != nullptr) *said = line.said;
    return read;
}

QByteArray name_of(const Place& place, const std::string& value) {
    std::string name;
    for (const std::string& part : place.command) name += part + " ";
    return QByteArray::fromStdString(name + place.option + " \"" + value + "\"");
}

/// Text is what takes anything; a choice among words takes none of these.
bool is_number(const Place& place) {
    return !takes(place, "no number") && (takes(place, "1") || takes(place, "64"));
}

} // namespace

class TestOptions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void a_number_beyond_its_range_is_wrong_usage() {
        std::size_t numbers = 0;
        for (const Place& place : all_places()) {
            if (!is_number(place)) continue;
            ++numbers;
            for (const char* wrong : {"-1",
                                      "-18446744073709500000",
                                      "-9223372036854775809",
                                      "18446744073709551616",
                                      "99999999999999999999999999999999999999999",
                                      "1e999",
                                      "nan",
                                      "inf",
                                      "-inf",
                                      "",
                                      " ",
                                      " 1",
                                      "1 ",
                                      "\t1",
                                      "1\n",
                                      "+1",
                                      "--1",
                                      "1x",
                                      "0x",
                                      "0x-1",
                                      "-0x1",
                                      "1..2",
                                      "0x1ffffffffffffffff",
                                      "１"})
                QVERIFY2(!takes(place, wrong), name_of(place, wrong));
        }
        QVERIFY2(numbers >= 40, QByteArray::number(numbers)); // the walk has seen them
    }

    void a_wrong_number_is_named_with_its_place_and_range() {
        for (const Place& place : all_places()) {
            if (!is_number(place)) continue;
            for (const std::string wrong :
                 {"-18446744073709500000", "1x", "18446744073709551616"}) {
                std::string said;
                QVERIFY(!takes(place, wrong, &said));
                const QByteArray text =
                    name_of(place, wrong) + " " + QByteArray::fromStdString(said);
                QVERIFY2(said.starts_with(place.option + ": Value " + wrong + " "), text);
                QVERIFY2(said.find(" not in range ") != said.npos ||
                             said.find(" is not a finite decimal number") != said.npos,
                         text);
            }
        }
    }

    void numbers_are_read_as_people_write_them() {
        const auto height = [](const std::string& text) -> std::uint64_t {
            Line line;
            if (!line.reads({"state", "undo", "--", text})) return 0;
            return line.app.get_subcommand("state")
                ->get_subcommand("undo")
                ->get_option("HEIGHT")
                ->as<std::uint64_t>();
        };
        QCOMPARE(height("840005"), std::uint64_t{840'005});
        QCOMPARE(height("010"), std::uint64_t{10}); // not octal
        QCOMPARE(height("0x4d"), std::uint64_t{0x4d});
        QCOMPARE(height("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
    }

    void a_flag_takes_no_value() {
        QVERIFY(Line().reads({"analyze", "demo", "--json"}));
        for (const char* flag : {"--json=1", "--json=false", "--json=99999999999999999999"})
            QVERIFY2(!Line().reads({"analyze", "demo", flag}), flag);
    }

    void each_number_of_a_list_is_checked() {
        QVERIFY(Line().reads({"tune", "demo", "--workers", "1,2,4"}));
        for (const char* list : {"1,-2,4", "1,2,18446744073709551616", "1, 2", "1,2,x", "1;2"})
            QVERIFY2(!Line().reads({"tune", "demo", "--workers", list}), list);
    }
};

QTEST_APPLESS_MAIN(TestOptions)
#include "test_options.moc"
