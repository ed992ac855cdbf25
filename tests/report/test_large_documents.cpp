// Whoever can read a run's document can compare and export it in memory linear in its size: the
// bytes that are asked for are counted, for documents of n, 2n and 4n of several shapes. Time is
// not measured; what takes the square of it without memory is in app.test_documents.
#include "report/run_comparison_json.h"
#include "report/run_report.h"
#include "runs/run_file.h"

#include <QTest>

#include <atomic>
#include <cstdlib>
#include <fmt/format.h>
#include <functional>
#include <new>

namespace {
std::atomic<std::size_t> asked = 0; ///< bytes of all allocations
} // namespace

void* operator new(std::size_t size) {
    asked += size;
    if (void* const memory = std::malloc(size)) return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}

namespace {

using namespace blockloom;
using namespace blockloom::report;
using namespace blockloom::runs;

struct Shape {
    const char* name;
    std::size_t rows; ///< of the smallest document
    std::function<std::string(std::size_t)> row;
    const char *before, *after; ///< around the rows
};

constexpr const char* in_blocks = ",\"blocks\":[";
const std::string samples = "11,12,13,14,15,16,17,18,19,20,21,22";

std::string block(std::size_t i, const std::string& rest) {
    return fmt::format("{{\"height\":{0},\"hash\":\"{0:064x}\",\"digest\":\"{0:032x}\"{1}}}", i,
                       rest);
}

const std::array shapes{
    Shape{"blocks as replay writes them", 100,
          [](std::size_t i) {
              return block(
                  i, ",\"tasks\":9,\"succeeded\":8,\"fuel\":3,\"phases_ns\":{\"execute\":5000,"
                     "\"commit\":100},\"ejected\":{\"floats\":1},\"on_host\":{\"floats\":[[0,3],"
                     "[5,6]]},\"samples_ns\":[" +
                         samples + "]");
          },
          in_blocks, "]"},
    Shape{"blocks of a hash alone", 500,
          [](std::size_t i) { return fmt::format("{{\"hash\":\"{}\"}}", i); }, in_blocks, "]"},
    Shape{"members that nobody knows", 4000,
          [](std::size_t i) { return fmt::format("\"name{}\":[{}]", i, i); }, ",\"later\":{", "}"},
    Shape{"stretches of one block", 4000, [](std::size_t i) { return fmt::format("[{0},{0}]", i); },
          ",\"blocks\":[{\"hash\":\"x\",\"on_host\":{\"y\":[", "]}}]"},
    Shape{"samples of one block", 400, [](std::size_t i) { return std::to_string(1000 + i % 97); },
          ",\"blocks\":[{\"hash\":\"x\",\"phases_ns\":{\"execute\":9},\"samples_ns\":[", "]}]"},
    Shape{"repetitions", 400, [](std::size_t i) { return std::to_string(1000 + i % 97); },
          ",\"blocks\":[{\"hash\":\"x\"}],\"totals\":{\"samples_ns\":{\"wall\":[", "]}}"},
    Shape{"sources", 4000, [](std::size_t i) { return fmt::format("\"/a/{}<\"", i); },
          ",\"blocks\":[{\"hash\":\"x\"}],\"source\":[", "]"},
    Shape{"long names of markup", 300,
          [](std::size_t i) { return fmt::format("{{\"hash\":\"{}\"}}", i); },
          ",\"strategy\":\"NAME\",\"device\":\"NAME\",\"machine\":{\"processor\":\"NAME\"},"
          "\"blocks\":[",
          "]"},
};

std::string document(const Shape& shape, std::size_t rows, const char* id) {
    std::string text =
        fmt::format("{{\"schema\":\"blockloom.run/1\",\"run\":\"{}\"{}", id, shape.before);
    const std::string name(4096, '<');
    for (std::size_t at; (at = text.find("NAME")) != std::string::npos;) text.replace(at, 4, name);
    for (std::size_t i = 0; i < rows; ++i) text += (i == 0 ? "" : ",") + shape.row(i);
    return text + shape.after + "}";
}

struct Step {
    const char* name;
    std::function<std::size_t(const std::vector<ReportedRun>&)> run;
    std::size_t most; ///< bytes asked for, for each byte of both documents
};

const std::array steps{
    Step{"read", [](const auto& runs) { return read_run(runs[0].document, "x")->blocks.size(); },
         100},
    Step{"import and export",
         [](const auto& runs) {
             return without_spans(with_spans(runs[0].document, "x"), "y").ok() ? 1U : 0U;
         },
         100},
    Step{"compare",
         [](const auto& runs) { return compare_runs(runs[0].run, runs[1].run).blocks.size(); },
         150},
    Step{"compare --json",
         [](const auto& runs) {
             return comparison_json(compare_runs(runs[0].run, runs[1].run), runs[0].run,
                                    runs[1].run, nullptr)
                 .size();
         },
         1000},
    Step{"csv", [](const auto& runs) { return runs_csv(runs).size(); }, 400},
    Step{"json", [](const auto& runs) { return runs_json(runs, Provenance()).size(); }, 1500},
    Step{"html", [](const auto& runs) { return runs_html(runs, Provenance()).size(); }, 400},
};

} // namespace

class TestLargeDocuments : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void memory_is_linear_data() {
        QTest::addColumn<int>("shape");
        QTest::addColumn<int>("step");
        for (std::size_t shape = 0; shape < shapes.size(); ++shape)
            for (std::size_t step = 0; step < steps.size(); ++step)
                QTest::addRow("%s: %s", shapes[shape].name, steps[step].name)
                    << static_cast<int>(shape) << static_cast<int>(step);
    }

    void memory_is_linear() {
        QFETCH(int, shape);
        QFETCH(int, step);
        const Shape& form = shapes[static_cast<std::size_t>(shape)];
        const Step& what = steps[static_cast<std::size_t>(step)];
        std::size_t before = 0, before_size = 0;
        for (const std::size_t times : {1U, 2U, 4U}) {
            std::vector<ReportedRun> runs;
            for (const char* id : {"a", "b"}) {
                std::string text = document(form, form.rows * times, id);
                auto run = read_run(text, id);
                QVERIFY2(run.ok(), run.ok() ? "" : run.error().message.c_str());
                runs.push_back({*std::move(run), std::move(text), nullptr});
            }
            const std::size_t size = runs[0].document.size() + runs[1].document.size();
            const std::size_t start = asked;
            (void)what.run(runs);
            const std::size_t taken = asked - start;
            const std::string figures = fmt::format("{} bytes for documents of {}, {} for {}",
                                                    taken, size, before, before_size);
            // Vectors double, pages of HTML have parts that are always there.
            constexpr std::size_t always = std::size_t{1} << 20;
            QVERIFY2(taken < what.most * size + always, figures.c_str());
            if (before != 0) QVERIFY2(taken < before * 3 + always / 4, figures.c_str());
            before = taken;
            before_size = size;
        }
    }
};

QTEST_APPLESS_MAIN(TestLargeDocuments)
#include "test_large_documents.moc"
