// Speed-ups by number of workers of kept runs: which runs count, what is fitted and what is
// missing; the charts, the gap, and the files that show them.
#include "charts/picture.h"
#include "report/phase_charts.h"
#include "report/run_report.h"
#include "report/scaling_chart.h"
#include "report/scaling_json.h"
#include "runs/run_json.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

using namespace blockloom;
using namespace blockloom::report;
using namespace blockloom::runs;
using execute::Phase;

namespace {

QString text(const char* words) {
    return QString::fromUtf8(words);
}

/// One block of which `execute_ns` is executed and 20 ms are not; twelve repetitions.
KeptRun run(const std::string& id, const char* strategy, unsigned workers, Nanoseconds execute_ns) {
    runs::RunRecord record;
    record.id = id;
    record.network = "regtest";
    record.engine = "native";
    record.strategy = strategy;
    record.workers = workers;
    runs::RunBlock block;
    block.height = 7;
    block.hash[0] = 7;
    block.digest[0] = 1;
    block.tasks = 10;
    block.phases[Phase::decode] = 15'000'000;
    block.phases[Phase::execute] = execute_ns;
    block.phases[Phase::commit] = 5'000'000;
    record.blocks.push_back(block);
    for (int i = 0; i < 12; ++i) record.walls.push_back(20'000'000 + execute_ns + i % 3 * 1'000);
    Provenance made;
    made.machine.processor = "a processor";
    made.version = "1";
    auto read = read_run(run_json(record, made), "test");
    return read ? *std::move(read) : KeptRun();
}

KeptRun serial() {
    return run("serial", "serial", 1, 80'000'000);
}
/// What Amdahl's law says of 80 ms that are shared out and 20 ms that are not.
KeptRun shared_out(unsigned workers) {
    return run("w" + std::to_string(workers), "speculative", workers,
               80'000'000 / static_cast<Nanoseconds>(workers));
}

const ScalingSeries* parallel(const ScalingFigures& figures) {
    for (const ScalingSeries& series : figures.series)
        if (series.strategy == "speculative" && !series.on_device()) return &series;
    return nullptr;
}

bool said(const std::vector<std::string>& lines, const char* words) {
    return std::any_of(lines.begin(), lines.end(), [words](const std::string& line) {
        return line.find(words) != std::string::npos;
    });
}

profile::Span span(profile::Category category, std::uint32_t task = profile::none) {
    profile::Span made;
    made.category = category;
    made.task = task;
    return made;
}

} // namespace

/// A part of a step; −1: there is none.
static Nanoseconds part_of(const GapWaterfall& gap, std::string_view step, std::string_view part) {
    for (const GapStep& at : gap.steps)
        for (const GapPart& of : at.parts)
            if (at.name == step && of.name == part) return of.ns;
    return -1;
}

class TestScaling : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Runs that follow the law give its fraction back.
    void laws_are_recovered() {
        const std::vector<KeptRun> runs{shared_out(8), shared_out(4), shared_out(2), serial()};
        const ScalingFigures found = scaling_of(runs[0], runs);
        QCOMPARE(found.baseline, std::string("serial"));
        QVERIFY(std::abs(*found.serial_fraction - 0.2) < 1e-9);
        QVERIFY(std::abs(*found.limit() - 5) < 1e-9);
        QVERIFY(found.missing.empty() && found.struck.empty());
        const ScalingSeries* series = parallel(found);
        QVERIFY(series != nullptr);
        QCOMPARE(series->points.size(), std::size_t{3});
        QCOMPARE(series->points[1].workers, 4U);
        QVERIFY(std::abs(series->points[1].speedup - 2.5) < 0.01);
        QVERIFY(series->points[1].interval->holds(series->points[1].speedup));
        QVERIFY(std::abs(*series->points[1].karp_flatt - 0.2) < 0.001);
        QVERIFY(series->points[1].karp_flatt_interval->holds(*series->points[1].karp_flatt));
        QVERIFY(std::abs(series->amdahl->value - 0.2) < 0.001);
        QVERIFY(series->amdahl->error && *series->amdahl->error < 0.01);
        QVERIFY(std::abs(series->usl->contention.value - 0.2) < 0.005);
        QVERIFY(series->usl->coherency.value < 0.001);
        QVERIFY(series->usl->contention.error.has_value());
        QVERIFY(series->missing.empty());
        const auto words = scaling_words(found);
        QVERIFY(said(words, "5.00×"));
        QVERIFY(said(words, "no significant rise"));
    }

    void too_few_points_say_what_to_run() {
        const ScalingFigures none = scaling_of(shared_out(2), {});
        QVERIFY(none.baseline.empty());
        QVERIFY(none.missing.find("needs a serial run") != std::string::npos);
        const std::vector<KeptRun> alone{serial()};
        QVERIFY(scaling_of(alone[0], alone).missing.find("3 worker counts: run with 1, 2, 4") !=
                std::string::npos);
        const std::vector<KeptRun> two{shared_out(2), serial()};
        const ScalingFigures some = scaling_of(two[0], two);
        const ScalingSeries* series = parallel(some);
        QVERIFY(series->amdahl && !series->amdahl->error && !series->usl);
        QCOMPARE(series->missing,
                 std::string(
                     "USL needs runs with 3 worker counts, found 1, 2: run with 1, 2, 4 workers"));
        // The window shows these sentences, too: no options of the command line.
        for (const ScalingFigures& figures : {none, scaling_of(alone[0], alone), some})
            for (const std::string& line : scaling_words(figures))
                QVERIFY2(line.find("--") == std::string::npos, line.c_str());
        QVERIFY(said(scaling_words(some), "a second worker count would show whether it rises"));
    }

    /// Only runs of the same blocks and results count; the others are named.
    void wrong_runs_are_struck_out() {
        KeptRun wrong = shared_out(4), elsewhere = shared_out(8), looked = shared_out(16),
                unlike = shared_out(32), silent = shared_out(3);
        wrong.blocks[0].digest = "00";
        elsewhere.processor = "another processor";
        looked.looked_closer = true;
        unlike.blocks[0].hash = "another";
        silent.blocks[0].digest.clear();
        silent.state_digest.clear();
        const std::vector<KeptRun> runs{shared_out(2), wrong,  elsewhere, looked,
                                        unlike,        silent, serial()};
        const ScalingFigures found = scaling_of(runs[0], runs);
        QCOMPARE(parallel(found)->points.size(), std::size_t{1});
        QCOMPARE(found.struck.size(), std::size_t{4}); // the other blocks are no matter of it
        for (const StruckRun& out : found.struck) {
            QCOMPARE(out.wrong, out.run == wrong.id);
            QVERIFY(!out.reason.empty());
        }
        QVERIFY(said(scaling_words(found), "Excluded: w4, MISMATCH: block 7"));
        const auto table = scaling_table(found);
        QCOMPARE(table->rows(), std::size_t{2 + 4});
        QVERIFY(table->text(table->rows() - 1, 1).find("excluded") == 0);
    }

    void the_chosen_run_stands_for_its_kind() {
        KeptRun again = shared_out(2), single = shared_out(2);
        again.id = "again";
        single.id = "single";
        single.walls.resize(1);
        single.interval.reset();
        const std::vector<KeptRun> runs{single, again, shared_out(2), serial()};
        const auto first = [&](const std::vector<std::string>& preferred) {
            return parallel(scaling_of(runs[1], runs, preferred))->points[0];
        };
        QCOMPARE(first({}).run, std::string("again")); // the newest with an interval
        QCOMPARE(first({}).others, std::size_t{2});
        QCOMPARE(first({"w2"}).run, std::string("w2"));
        QCOMPARE(first({"single"}).run, std::string("single"));
        QVERIFY(!first({"single"}).interval);
    }

    void a_device_has_no_workers() {
        KeptRun device = shared_out(4);
        device.backend = "vulkan";
        device.device = "a device";
        const std::vector<KeptRun> runs{device, shared_out(2), serial()};
        const ScalingFigures found = scaling_of(device, runs);
        QVERIFY(found.series.back().on_device());
        QVERIFY(!found.series.back().amdahl && !found.series.back().points[0].karp_flatt);
        QVERIFY(found.series.back().missing.find("no worker count") != std::string::npos);
        QCOMPARE(found.most_workers(), 2U);
        ScalingChartOptions options;
        const auto points_of = [&](const std::string& series) {
            for (const charts::Series& at : scaling_chart(found, options).series)
                if (at.name == series && at.kind == charts::Kind::points) return at.points;
            return std::vector<charts::Point>();
        };
        const auto beside = points_of(found.series.back().name),
                   workers = points_of(parallel(found)->name);
        QCOMPARE(beside.size(), std::size_t{1});
        QVERIFY(beside[0].x > 8 * workers[0].x); // beside the workers
        options.law = ScalingLaw::karp_flatt;
        QVERIFY(points_of(found.series.back().name).empty());
        QCOMPARE(points_of(parallel(found)->name).size(), std::size_t{1});
    }

    /// A fraction of more than all, or of less than nothing, is no fraction: a sentence says so.
    void fits_that_mean_nothing_are_not_drawn() {
        const auto slower = [](unsigned workers) {
            return run("w" + std::to_string(workers), "speculative", workers,
                       80'000'000 * static_cast<Nanoseconds>(2 * workers));
        };
        const auto curves = [](const charts::Chart& chart, const std::string& what) {
            return std::count_if(
                chart.series.begin(), chart.series.end(),
                [&](const charts::Series& at) { return at.name.find(what) != std::string::npos; });
        };
        const std::vector<KeptRun> bad{slower(2), slower(4), slower(8), serial()},
            good{shared_out(2), shared_out(4), shared_out(8), serial()};
        ScalingChartOptions options;
        const ScalingFigures worse = scaling_of(bad[0], bad), better = scaling_of(good[0], good);
        QVERIFY(parallel(worse)->amdahl->value > 1);
        charts::Chart chart = scaling_chart(worse, options);
        QCOMPARE(curves(chart, "Amdahl fitted"), std::ptrdiff_t{0});
        QVERIFY(said(chart.left_out, "no serial fraction from 0 to 100 %"));
        for (const charts::LegendItem& item : chart.legend)
            QVERIFY2(item.label.find("fitted") == std::string::npos, item.label.c_str());
        QVERIFY(!said(scaling_words(worse), "Amdahl fitted"));
        QVERIFY(said(scaling_words(worse), "it was slower than the serial run"));
        chart = scaling_chart(better, options);
        QCOMPARE(curves(chart, "Amdahl fitted"), std::ptrdiff_t{1});
        QVERIFY(chart.left_out.empty());
        // Faster than its workers: the fit ends at 0, which explains nothing either.
        const std::vector<KeptRun> fast{run("w2", "predict", 2, 20'000'000), serial()};
        const ScalingFigures beyond = scaling_of(fast[0], fast);
        chart = scaling_chart(beyond, options);
        QCOMPARE(curves(chart, "Amdahl fitted"), std::ptrdiff_t{0});
        QVERIFY(said(chart.left_out, "its speed-up exceeds the number of workers"));
        options.law = ScalingLaw::karp_flatt;
        chart = scaling_chart(worse, options);
        QCOMPARE(curves(chart, "speculative"), std::ptrdiff_t{0});
        QCOMPARE(chart.left_out.size(), std::size_t{3});
        QVERIFY(said(chart.left_out, "slower than the serial run"));
        QCOMPARE(curves(scaling_chart(better, options), "speculative"), std::ptrdiff_t{1});
    }

    /// Whatever is drawn stays inside, and no two texts touch.
    void charts_stay_inside() {
        const std::vector<KeptRun> runs{shared_out(64), shared_out(8), shared_out(4), shared_out(2),
                                        serial()};
        const ScalingFigures found = scaling_of(runs[0], runs);
        for (const auto& [width, height] : {std::pair{420.0F, 200.0F}, {760.0F, 300.0F}})
            for (int law = 0; law < static_cast<int>(ScalingLaw::count); ++law) {
                ScalingChartOptions options;
                options.law = static_cast<ScalingLaw>(law);
                options.a = "w8";
                const charts::Chart chart = scaling_chart(found, options);
                charts::PictureOptions size;
                size.width = width;
                size.height = height;
                const scene::DisplayList list = charts::picture_of(chart, size);
                QVERIFY(!charts::spots_of(chart, size).empty());
                QVERIFY(!chart.legend.empty());
                QVERIFY(list.summary.starts_with(name_of(options.law)));
                for (const scene::Layer& layer : list.layers) {
                    for (const scene::Line& line : layer.lines)
                        for (const scene::Point end : {line.from, line.to})
                            QVERIFY(end.x >= 0 && end.x <= width && end.y >= 0 && end.y <= height);
                    for (const scene::Text& words : layer.texts)
                        QVERIFY2(words.at.x >= 0 && words.at.x <= width && words.at.y >= 0 &&
                                     words.at.y <= height,
                                 words.utf8.c_str());
                }
            }
        const charts::Chart none = scaling_chart(scaling_of(runs[0], {}), {});
        QVERIFY(none.empty());
        QVERIFY(said(none.left_out, "needs a serial run"));
    }

    void the_infinite_device_is_the_strongest_line() {
        const std::vector<KeptRun> runs{shared_out(4), serial()};
        const charts::Chart chart = scaling_chart(scaling_of(runs[0], runs), {});
        const auto strongest = std::max_element(
            chart.series.begin(), chart.series.end(),
            [](const charts::Series& a, const charts::Series& b) { return a.width < b.width; });
        QCOMPARE(strongest->name, std::string("infinitely fast device"));
        QVERIFY(strongest->predicted);
        QCOMPARE(strongest->points.front().y, strongest->points.back().y);
        // Dashes across the chart, all at one height: predicted.
        float from = 1e9F, to = 0, drawn = 0;
        std::set<float> heights;
        for (const scene::Layer& layer : charts::picture_of(chart, {}).layers)
            for (const scene::Line& at : layer.lines)
                if (at.width == strongest->width) {
                    heights.insert(at.from.y);
                    from = std::min(from, at.from.x);
                    to = std::max(to, at.to.x);
                    drawn += at.to.x - at.from.x;
                }
        QCOMPARE(heights.size(), std::size_t{1});
        QVERIFY(to - from > 600);
        QVERIFY(drawn < 0.8F * (to - from) && drawn > 0.4F * (to - from));
    }

    void documents() {
        const std::vector<KeptRun> runs{shared_out(4), shared_out(2), serial()};
        const ScalingFigures found = scaling_of(runs[0], runs);
        const QJsonObject json =
            QJsonDocument::fromJson(QByteArray::fromStdString(scaling_json(found))).object();
        QCOMPARE(json[text("schema")].toString(), text("blockloom.scaling/1"));
        QCOMPARE(json[text("baseline")].toObject()[text("run")].toString(), text("serial"));
        QCOMPARE(json[text("series")].toArray().size(), 2);
        const QJsonObject point =
            json[text("series")].toArray()[1].toObject()[text("points")].toArray()[0].toObject();
        QCOMPARE(point[text("workers")].toInt(), 2);
        QCOMPARE(point[text("ci95")].toArray().size(), 2);
        const std::string csv = scaling_csv(found);
        QCOMPARE(std::count(csv.begin(), csv.end(), '\n'), std::ptrdiff_t{1 + 3});
        const auto commas = [&](std::size_t from) {
            return std::count(csv.begin() + static_cast<std::ptrdiff_t>(from),
                              csv.begin() + static_cast<std::ptrdiff_t>(csv.find('\n', from)), ',');
        };
        QCOMPARE(commas(0), commas(csv.find('\n') + 1) - 1); // "CPU native, serial" is quoted

        const ReportedRun reported{runs[0], "{}", nullptr};
        const QJsonObject report =
            QJsonDocument::fromJson(
                QByteArray::fromStdString(runs_json({&reported, 1}, Provenance(), runs)))
                .object();
        QCOMPARE(report[text("scaling")].toArray().size(), 1);
        const std::string html = runs_html({&reported, 1}, Provenance(), runs);
        for (const char* part : {"infinitely fast device: 1/f = 5.00×", "Karp–Flatt", "Gustafson",
                                 "USL", "The gap needs", "Busy time needs"})
            QVERIFY2(html.find(part) != std::string::npos, part);
        QCOMPARE(run_form_of("a.SCALING.csv"), std::optional(RunForm::scaling_csv));
    }

    /// Whatever was recorded: the steps add up to the measured time and the parts to their step, to
    /// the nanosecond; each category comes once, in its order.
    void every_gap_adds_up() {
        std::mt19937_64 random(20);
        const auto below = [&](std::uint64_t most) {
            return static_cast<Nanoseconds>(random() % most);
        };
        std::size_t whole = 0, negative = 0, divided = 0, lacking = 0;
        GapWaterfall last;
        for (int round = 0; round < 3000; ++round) {
            KeptRun run = shared_out(1 + static_cast<unsigned>(below(9))), alone = serial();
            run.strategy =
                name_of(execute::all_strategies[random() % execute::all_strategies.size()]);
            if (random() % 6 == 0) run.backend = "vulkan";
            if (random() % 6 == 0) run.window = 3;
            run.last_phases = {};
            for (Nanoseconds& ns : run.last_phases.ns) ns = below(1'000);
            run.last_phases.execute_serial = below(1'000);
            run.last_phases.database = below(1'200);
            run.in_order = random() % 3;
            if (random() % 5 != 0) alone.blocks[0].work_and_path = {below(5'000), below(5'000)};
            const auto trace = [&](std::size_t workers) {
                profile::Trace made;
                made.names = {"upload", "download", "x"};
                for (std::size_t i = 0; i <= workers; ++i) {
                    profile::Lane lane{
                        "lane", i == 0 ? profile::LaneKind::driver : profile::LaneKind::worker, {}};
                    Nanoseconds at = 0;
                    for (auto count = below(6); count > 0; --count) {
                        profile::Span one = span(i == 0              ? profile::Category::batch
                                                 : random() % 4 == 0 ? profile::Category::other
                                                 : random() % 4 == 0 ? profile::Category::wait
                                                                     : profile::Category::message);
                        one.begin = at + below(100);
                        one.end = at = one.begin + below(300);
                        lane.spans.push_back(one);
                    }
                    made.lanes.push_back(std::move(lane));
                }
                return made;
            };
            const profile::Trace spans = trace(run.workers), before = trace(1);
            const GapWaterfall gap = gap_of(run, &spans, &alone, &before);
            QVERIFY(gap.missing.empty());
            Nanoseconds sum = 0;
            auto category = gap_categories.begin();
            for (const GapStep& step : gap.steps) {
                sum += step.ns;
                category = std::find(category, gap_categories.end(), step.name);
                QVERIFY2(category != gap_categories.end(), step.name.c_str());
                ++category;
                negative += step.ns < 0;
                divided += !step.parts.empty();
                if (step.parts.empty()) continue;
                Nanoseconds parts = 0;
                for (const GapPart& part : step.parts) parts += part.ns;
                QCOMPARE(parts, step.ns);
            }
            QCOMPARE(sum, gap.measured);
            QCOMPARE(gap.measured, run.last_phases.sum());
            // Only a device can be idle.
            whole += gap.steps.size() + 1 == gap_categories.size();
            // So do the differences to any other gap: to that of the measured times.
            if (round > 0) {
                const GapDifference apart = gap_difference(last, gap);
                QVERIFY(apart.missing.empty());
                QCOMPARE(apart.a, last.measured);
                QCOMPARE(apart.b, gap.measured);
                Nanoseconds causes = 0, of_a = 0, of_b = 0;
                for (const GapChange& change : apart.causes) {
                    QVERIFY(change.a || change.b);
                    QCOMPARE(change.b_minus_a, change.b.value_or(0) - change.a.value_or(0));
                    causes += change.b_minus_a;
                    of_a += change.a.value_or(0);
                    of_b += change.b.value_or(0);
                    lacking += !change.a || !change.b;
                }
                QCOMPARE(causes, gap.measured - last.measured);
                QCOMPARE(of_a, last.measured);
                QCOMPARE(of_b, gap.measured);
                const GapDifference back = gap_difference(gap, last);
                QCOMPARE(back.causes.size(), apart.causes.size());
                for (std::size_t i = 0; i < back.causes.size(); ++i)
                    QCOMPARE(back.causes[i].b_minus_a, -apart.causes[i].b_minus_a);
                for (const GapChange& change : gap_difference(gap, gap).causes)
                    QCOMPARE(change.b_minus_a, Nanoseconds{0});
            }
            last = gap;
        }
        // Else the samples say nothing.
        QVERIFY(whole > 500 && negative > 500 && divided > 500 && lacking > 500);
        GapWaterfall none;
        none.missing = "needs a serial run";
        QCOMPARE(gap_difference(last, none).missing, std::string("run B: needs a serial run"));
        QVERIFY(gap_difference(last, none).causes.empty());
    }

    /// Steps add up to the wall; only the ideal time is predicted.
    void the_gap_adds_up() {
        // Two workers, one batch of 10 ms: one is busy for 8 of them, the other for 4.
        KeptRun pair = shared_out(2), alone = serial();
        pair.last_phases[Phase::execute] = 11;
        pair.last_phases[Phase::commit] = 2;
        pair.last_phases[Phase::decode] = 3;
        profile::Trace spans, before;
        spans.names = before.names = {"x"};
        const auto lane = [](profile::LaneKind kind, profile::Category category,
                             Nanoseconds duration) {
            profile::Lane made{"lane", kind, {span(category)}};
            made.spans[0].end = duration;
            return made;
        };
        using profile::Category;
        using profile::LaneKind;
        spans.lanes = {lane(LaneKind::driver, Category::batch, 10),
                       lane(LaneKind::worker, Category::message, 8),
                       lane(LaneKind::worker, Category::message, 4)};
        before.lanes = {lane(LaneKind::worker, Category::message, 10)};
        const GapWaterfall gap = gap_of(pair, &spans, &alone, &before);
        QVERIFY(gap.missing.empty());
        Nanoseconds sum = 0;
        for (const GapStep& step : gap.steps) {
            sum += step.ns;
            QCOMPARE(step.predicted, step.name == "ideal time");
        }
        QCOMPARE(sum, gap.measured);
        QCOMPARE(gap.measured, Nanoseconds{16});
        const auto step = [&](const char* name) {
            for (const GapStep& at : gap.steps)
                if (at.name == name) return at.ns;
            return Nanoseconds{-1};
        };
        QCOMPARE(step("ideal time"), Nanoseconds{5});
        QCOMPARE(step("repeated work"), Nanoseconds{1}); // 12 instead of 10 on two
        QCOMPARE(step("imbalance"), Nanoseconds{2});     // 8 and not 6
        QCOMPARE(part_of(gap, "bookkeeping", "barriers"), Nanoseconds{3});
        QCOMPARE(part_of(gap, "bookkeeping", "host"), Nanoseconds{3});
        QCOMPARE(step("bookkeeping"), Nanoseconds{6});
        QVERIFY(said(gap_words(gap), "dependencies"));
        QVERIFY(said(gap_words(gap), "(barriers 3 ns, host 3 ns)"));
        // Each bar begins where the one before ended; predicted ones are hollow.
        const charts::Chart drawn = gap_chart(pair, gap);
        QCOMPARE(drawn.x.named.size(), gap.steps.size() + 1);
        QVERIFY(drawn.series[0].predicted && !drawn.series[1].predicted);
        QCOMPARE(drawn.series[0].points.size() + drawn.series[1].points.size(),
                 gap.steps.size() + 1);
        double end = 0;
        for (std::size_t i = 0; i < gap.steps.size(); ++i)
            for (const charts::Series& series : drawn.series)
                for (const charts::Point& point : series.points)
                    if (point.x == static_cast<double>(i)) {
                        QCOMPARE(gap.steps[i].ns < 0 ? point.y : point.from, end);
                        end = gap.steps[i].ns < 0 ? point.from : point.y;
                    }
        QCOMPARE(end, drawn.series[1].points.back().y);
        QCOMPARE(gap_table(gap)->rows(), gap.steps.size() + 1 + 2); // bookkeeping has two parts
        QCOMPARE(step_text({"x", "", -2'000, false}), std::string("−2.00 µs"));
        const auto busy = busy_time(pair, spans);
        QVERIFY(busy && std::abs(*busy->utilisation() - 12.0 / 22.0) < 1e-9);

        QVERIFY(gap_of(pair, nullptr, &alone, &before).missing.find("not recorded") !=
                std::string::npos);
        QVERIFY(gap_of(pair, &spans, nullptr, nullptr).missing.find("serial") != std::string::npos);
        spans.dropped = 1;
        QVERIFY(!busy_time(pair, spans));
    }

    /// One worker waits for nobody: no barriers, no imbalance, no dependencies, and a sentence.
    void a_serial_run_has_no_barriers() {
        KeptRun alone = serial();
        alone.last_phases = {};
        alone.last_phases[Phase::execute] = 14;
        alone.last_phases[Phase::commit] = 2;
        profile::Trace spans;
        spans.names = {"x"};
        profile::Span message = span(profile::Category::message);
        message.end = 12;
        spans.lanes = {{"worker 0", profile::LaneKind::worker, {message}}};
        const GapWaterfall gap = gap_of(alone, &spans, &alone, &spans);
        Nanoseconds sum = 0;
        for (const GapStep& step : gap.steps) {
            sum += step.ns;
            for (const char* never : {"imbalance", "dependencies"}) QVERIFY(step.name != never);
            for (const GapPart& part : step.parts) QVERIFY(part.name != "barriers");
        }
        QCOMPARE(sum, gap.measured);
        QVERIFY(said(gap_chart(alone, gap).left_out, "one worker"));
    }

    /// The longest chain beyond W/p is predicted, and taken out of what was measured.
    void dependencies_have_a_step() {
        KeptRun pair = shared_out(2), alone = serial();
        pair.last_phases = {};
        pair.last_phases[Phase::execute] = 14;
        alone.blocks[0].work_and_path = {20, 13};
        profile::Trace spans;
        spans.names = {"x"};
        profile::Span message = span(profile::Category::message);
        message.end = 12;
        spans.lanes = {{"worker 0", profile::LaneKind::worker, {message}},
                       {"worker 1", profile::LaneKind::worker, {message}}};
        const auto step = [](const GapWaterfall& gap, const char* name) {
            for (const GapStep& at : gap.steps)
                if (at.name == name) return at;
            return GapStep{"none", "", -1, false};
        };
        // The baseline needs no spans: its record tells its work.
        GapWaterfall gap = gap_of(pair, &spans, &alone, nullptr);
        QVERIFY(gap.missing.empty() && gap.skipped.empty());
        QCOMPARE(step(gap, "ideal time").ns, Nanoseconds{10});
        QCOMPARE(step(gap, "dependencies").ns, Nanoseconds{3}); // 13 and not 10
        QVERIFY(step(gap, "dependencies").predicted);
        QCOMPARE(step(gap, "repeated work").ns, Nanoseconds{0}); // 2, which it accounts for
        QCOMPARE(part_of(gap, "bookkeeping", "barriers"), Nanoseconds{1}); // 2, less the third
        Nanoseconds sum = 0;
        for (const GapStep& at : gap.steps) sum += at.ns;
        QCOMPARE(sum, gap.measured);

        alone.blocks[0].work_and_path = {20, 9}; // no chain is longer than W/p
        gap = gap_of(pair, &spans, &alone, nullptr);
        QCOMPARE(step(gap, "dependencies").ns, Nanoseconds{0});
        QCOMPARE(step(gap, "repeated work").ns, Nanoseconds{2});

        // Four of the fourteen on one thread: the other one waited for two of them.
        pair.last_phases.execute_serial = 4;
        gap = gap_of(pair, &spans, &alone, nullptr);
        QCOMPARE(part_of(gap, "imbalance", "in order"), Nanoseconds{2});
        QCOMPARE(part_of(gap, "bookkeeping", "barriers"), Nanoseconds{0});
        alone.blocks[0].work_and_path = {20, 13}; // a chain explains them
        gap = gap_of(pair, &spans, &alone, nullptr);
        QCOMPARE(step(gap, "repeated work").ns, Nanoseconds{0});
        QCOMPARE(part_of(gap, "imbalance", "in order"), Nanoseconds{1});
        sum = 0;
        for (const GapStep& at : gap.steps) sum += at.ns;
        QCOMPARE(sum, gap.measured);
        // Without batches, workers record for how long they had nothing to run: one of them four.
        profile::Span wait = span(profile::Category::wait);
        wait.begin = 12;
        wait.end = 16;
        pair.last_phases.execute_serial = 0;
        pair.last_phases[Phase::execute] += 2;
        spans.lanes[1].spans.push_back(wait);
        alone.blocks[0].work_and_path = {20, 9};
        gap = gap_of(pair, &spans, &alone, nullptr);
        QCOMPARE(step(gap, "imbalance").ns, Nanoseconds{2});
        QCOMPARE(part_of(gap, "bookkeeping", "barriers"), Nanoseconds{2}); // as without both
        alone.blocks[0].work_and_path = {20, 11}; // a chain explains one of them
        gap = gap_of(pair, &spans, &alone, nullptr);
        QCOMPARE(step(gap, "dependencies").ns, Nanoseconds{1});
        QCOMPARE(step(gap, "imbalance").ns, Nanoseconds{1});
        QCOMPARE(step(gap, "repeated work").ns, Nanoseconds{2});
        sum = 0;
        for (const GapStep& at : gap.steps) sum += at.ns;
        QCOMPARE(sum, gap.measured);
        // The same run by levels: what its worker waited for was the end of one. Beside a run of
        // dag that waited less, this is the difference of the measured times.
        alone.blocks[0].work_and_path = {20, 9};
        const GapWaterfall dag = gap_of(pair, &spans, &alone, nullptr);
        QCOMPARE(part_of(dag, "imbalance", "waiting"), Nanoseconds{2});
        KeptRun leveled = pair;
        leveled.strategy = name_of(execute::Strategy::levels);
        leveled.last_phases[Phase::execute] += 3;
        profile::Trace at_barriers = spans;
        at_barriers.lanes[0].spans.push_back(wait);
        at_barriers.lanes[1].spans.back().end += 2;
        gap = gap_of(leveled, &at_barriers, &alone, nullptr);
        QCOMPARE(part_of(gap, "imbalance", "waiting"), Nanoseconds{-1});
        QCOMPARE(part_of(gap, "imbalance", "at barriers"), Nanoseconds{5});
        for (const GapStep& at : gap.steps)
            QCOMPARE(at.ns - step(dag, at.name.c_str()).ns,
                     Nanoseconds{at.name == "imbalance" ? gap.measured - dag.measured : 0});
        spans.lanes[1].spans.pop_back();
        pair.last_phases[Phase::execute] -= 2;
        alone.blocks[0].work_and_path = {20, 13};
        pair.in_order = 7; // counted and not timed, as in documents of before
        QVERIFY(said(gap_words(gap_of(pair, &spans, &alone, nullptr)), "in order"));
        pair.in_order = 0;
        alone.blocks[0].work_and_path = {20, 9};

        // What the run waited for the database is a part of its own.
        pair.last_phases[Phase::commit] = 6;
        const Nanoseconds commit = step(gap_of(pair, &spans, &alone, nullptr), "commit").ns;
        pair.last_phases.database = 4;
        gap = gap_of(pair, &spans, &alone, nullptr);
        QCOMPARE(part_of(gap, "commit", "database"), Nanoseconds{4});
        QCOMPARE(part_of(gap, "commit", "results"), commit - 4);
        QCOMPARE(step(gap, "commit").ns, commit);
        sum = 0;
        for (const GapStep& at : gap.steps) sum += at.ns;
        QCOMPARE(sum, gap.measured);
        pair.last_phases.database = 0;
        gap = gap_of(pair, &spans, &alone, nullptr);
        QCOMPARE(part_of(gap, "commit", "database"), Nanoseconds{-1}); // a run in memory
        pair.last_phases[Phase::commit] = 0;

        pair.window = 4;
        gap = gap_of(pair, &spans, &alone, nullptr);
        QCOMPARE(step(gap, "dependencies").name, std::string("none"));
        QVERIFY(said(gap_words(gap), "window"));

        const ReportedRun both[] = {{pair, "{}", std::make_shared<profile::Trace>(spans)},
                                    {alone, "{}", nullptr}};
        const QJsonObject report =
            QJsonDocument::fromJson(QByteArray::fromStdString(runs_json(both, Provenance())))
                .object();
        const QJsonObject announced = report[text("gap")].toObject()[text("w2")].toObject();
        QCOMPARE(announced[text("steps")].toArray().size(),
                 static_cast<qsizetype>(gap.steps.size()));
        QCOMPARE(announced[text("not_told")].toArray().size(), 1);
        QCOMPARE(
            report[text("busy")].toObject()[text("w2")].toObject()[text("workers")].toInteger(), 2);
        QVERIFY(
            report[text("busy")].toObject()[text("serial")].toObject().contains(text("missing")));
        const std::string words = runs_html(both, Provenance());
        for (const char* part : {"Gustafson", "Busy time and wall time", "From work to wall time",
                                 "Digest", "ideal time", "Speed-up"})
            QVERIFY2(words.find(part) != std::string::npos, part);
    }

    /// A run's document keeps both times of a block.
    void the_longest_chain_is_kept() {
        runs::RunRecord record;
        record.id = "one";
        record.blocks.resize(2);
        record.blocks[0].path = runs::MeasuredPath{20, 13};
        const auto read = read_run(run_json(record, Provenance()), "test");
        QVERIFY(read);
        const std::pair<Nanoseconds, Nanoseconds> both{20, 13};
        QCOMPARE(read->blocks[0].work_and_path.value(), both);
        QVERIFY(!read->blocks[1].work_and_path);
    }

    void many_blocks_share_columns() {
        KeptRun many = serial();
        many.blocks.resize(5'000, many.blocks[0]);
        for (std::size_t i = 0; i < many.blocks.size(); ++i) many.blocks[i].height = i;
        const charts::Chart chart = blocks_chart(many, {});
        std::size_t bars = 0;
        for (const charts::Series& series : chart.series) bars += series.points.size();
        QVERIFY(bars > 100 && bars < 1'000);
        QVERIFY(chart.x.title.find("per column (mean)") != std::string::npos);
        QVERIFY(std::any_of(chart.series.begin(), chart.series.end(),
                            [](const charts::Series& series) { return series.hatched; }));
        QVERIFY(!blocks_chart(KeptRun(), {}).summary.empty());
        const auto table = blocks_table(serial());
        QCOMPARE(table->rows(), std::size_t{1});
        QCOMPARE(table->text(0, 2), std::string("100 ms"));
        QCOMPARE(table->text(0, 3), std::string("0.0 %"));
    }
};

QTEST_GUILESS_MAIN(TestScaling)
#include "test_scaling.moc"
