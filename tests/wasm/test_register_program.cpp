// What docs/register-program.md says of numbers is what the sources say.
#include "places.h"
#include "wasm/instance.h"
#include "wasm/module_generator.h"
#include "wasm/program.h"

#include <QFile>
#include <QRegularExpression>
#include <QtTest>

#include <cstring>

using namespace blockloom;
using namespace blockloom::wasm;

namespace {

QString page() {
    QFile file(QStringLiteral(BLOCKLOOM_SOURCE_DIR "/docs/register-program.md"));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// The list of opcodes as the page must have it: formats in their order, lines of 118 characters.
QString opcode_list() {
    const char* const formats[] = {
        "none",         "ra_rb",     "ra_rb_rc",      "ra_rb_imm",  "ra_imm",     "load",
        "store",        "store_imm", "compare_rr",    "compare_ri", "branch_if",  "branch",
        "branch_table", "call",      "call_indirect", "return_reg", "return_imm", "select",
        "charge",       "trap",      "global_get",    "global_set", "index",      "bulk"};
    QString list;
    for (std::size_t format = 0; format < std::size(formats); ++format) {
        QString line = QString::fromLatin1(formats[format]) + QLatin1Char(':');
        for (int op = 0; op < static_cast<int>(Opcode::count); ++op) {
            if (format_of(static_cast<Opcode>(op)) != static_cast<Format>(format)) continue;
            const QString word = QStringLiteral(" %1 %2")
                                     .arg(QLatin1String(name_of(static_cast<Opcode>(op))))
                                     .arg(op);
            if (line.size() + word.size() > 118) {
                list += line + QLatin1Char('\n');
                line = QStringLiteral("   ");
            }
            line += word;
        }
        list += line + QLatin1Char('\n');
    }
    return list;
}

std::shared_ptr<const Program> program_of(const Bytes& bytes) {
    const auto module = load_module(bytes, "generated");
    const auto program = module ? lower(*module) : module.error();
    return program ? *program : nullptr;
}

} // namespace

class TestRegisterProgram : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void opcodes() {
        const QString text = page(), begin = QStringLiteral("```opcodes\n");
        const auto from = text.indexOf(begin);
        QVERIFY(from > 0);
        const auto first = from + begin.size();
        const QString list = text.mid(first, text.indexOf(QStringLiteral("```"), first) - first);
        QVERIFY2(list == opcode_list(),
                 qPrintable(QStringLiteral("the list must be:\n") + opcode_list()));
    }

    void every_format_is_explained() {
        const QString text = page();
        for (const QString& line : opcode_list().split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
            if (line.startsWith(QLatin1Char(' '))) continue;
            const QString format = line.section(QLatin1Char(':'), 0, 0);
            const QRegularExpression row(QStringLiteral("^\\|.*`%1`.*\\|").arg(format),
                                         QRegularExpression::MultilineOption);
            QVERIFY2(row.match(text).hasMatch(), qPrintable(format));
        }
    }

    void traps() {
        const QString text = page();
        for (int kind = 1; kind <= static_cast<int>(TrapKind::host); ++kind) {
            const QString row = QStringLiteral("| %1 | %2 |\n")
                                    .arg(kind)
                                    .arg(QLatin1String(name_of(static_cast<TrapKind>(kind))));
            QVERIFY2(text.contains(row), qPrintable(row));
        }
    }

    void limits() {
        const QString text = page();
        const InstanceLimits limits;
        const QLocale english(QLocale::English);
        const auto has = [&](const QString& sentence, std::uint64_t number) {
            return text.contains(sentence.arg(english.toString(static_cast<qulonglong>(number))));
        };
        QVERIFY(has(QStringLiteral("%1 frames"), limits.call_depth));
        QVERIFY(has(QStringLiteral("%1 cells (base"), limits.stack_cells));
        QVERIFY(has(QStringLiteral("limit: %1 pages"), limits.memory_pages));
        QVERIFY(has(QStringLiteral("%1 cells of all tables"), limits.table_cells));
        QVERIFY(has(QStringLiteral("`InstanceLimits::start_fuel`, %1"), limits.start_fuel));
    }

    void layout() {
        QCOMPARE(sizeof(Instruction), std::size_t{16});
        Instruction instruction;
        instruction.op = 0x0102, instruction.b = 0x0304;
        instruction.a = 0x0506, instruction.c = 0x0708;
        instruction.x = 0x090a0b0c, instruction.y = 0x0d0e0f10;
        const Byte expected[] = {2,    1,    4,    3,    6,    5,    8,    7,
                                 0x0c, 0x0b, 0x0a, 0x09, 0x10, 0x0f, 0x0e, 0x0d};
        QCOMPARE(std::memcmp(&instruction, expected, sizeof expected), 0);
        QCOMPARE(instruction.imm64(), std::uint64_t{0x0d0e0f10'090a0b0c});
    }

    void the_same_module_gives_the_same_program() {
        for (std::uint64_t seed = 1; seed <= 100; ++seed) {
            const Bytes bytes = tests::generate_module(seed, {true, true, true}).bytes;
            const auto one = program_of(bytes), other = program_of(Bytes(bytes));
            QVERIFY(one != nullptr && other != nullptr);
            QCOMPARE(one->code.size(), other->code.size());
            QCOMPARE(std::memcmp(one->code.data(), other->code.data(),
                                 one->code.size() * sizeof(Instruction)),
                     0);
            QVERIFY(one->offset == other->offset);
            QCOMPARE(one->branch_targets.size(), other->branch_targets.size());
            for (std::size_t i = 0; i < one->branch_targets.size(); ++i) {
                QCOMPARE(one->branch_targets[i].pc, other->branch_targets[i].pc);
                QCOMPARE(one->branch_targets[i].cost, other->branch_targets[i].cost);
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestRegisterProgram)
#include "test_register_program.moc"
