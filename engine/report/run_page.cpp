// Kept runs as one page to print: drawn as any view is, so that it is vectors and text in PDF.
#include "base/number_text.h"
#include "base/utf8.h"
#include "charts/axis.h"
#include "charts/picture.h"
#include "report/busy_charts.h"
#include "report/run_report.h"
#include "report/scaling_chart.h"
#include "runs/run_words.h"
#include "scene/theme.h"

#include <fmt/format.h>

#include <algorithm>

namespace blockloom::report {
namespace {

constexpr float width = 842, page_margin = 40, line = 16; ///< of A4 across, points

/// Writes down the page, line by line.
class Page {
public:
    explicit Page(const scene::Theme& theme) : theme_(theme) {
        layer_.space = scene::Space::screen;
    }

    void text(std::string words, float pixels = 10, scene::Face face = scene::Face::text) {
        // About half an em a character: what is longer goes on in the next line, at a space.
        const auto most = static_cast<std::size_t>((width - 2 * page_margin) / (pixels * 0.52F));
        while (!words.empty()) {
            std::size_t cut = words.size();
            if (cut > most) {
                cut = words.rfind(' ', most);
                if (cut == std::string::npos || cut == 0)
                    cut = std::max<std::size_t>(utf8_beginning(words, most).size(), 1);
            }
            put(page_margin, words.substr(0, cut), pixels, face, scene::Anchor::left);
            words.erase(0, cut);
            while (words.starts_with(' ')) words.erase(0, 1);
            y_ += std::max(line, pixels * 1.5F);
        }
    }
    void bar(const std::string& name, double share, const std::string& value, bool accelerated) {
        constexpr float left = page_margin + 92, most = width - 2 * page_margin - 202;
        put(left - 8, name, 10, scene::Face::text, scene::Anchor::right);
        scene::Box box;
        box.rect = {left, y_ - 5, std::max(1.0F, static_cast<float>(share) * most), 10};
        box.fill = theme_.accent;
        if (!accelerated) {
            box.hatched = true;
            box.outline = theme_.canvas;
            box.outline_width = 0;
        }
        layer_.boxes.push_back(box);
        put(left + box.rect.width + 6, value, 10, scene::Face::text, scene::Anchor::left);
        y_ += line;
    }
    /// As wide as its cells; those that find no room at the right are left out, `last` first.
    void table(const scene::ViewTable& table, float pixels = 8) {
        constexpr float between = 12;
        const auto& columns = table.columns();
        std::vector<float> wide(columns.size());
        for (std::size_t i = 0; i < columns.size(); ++i) {
            wide[i] = charts::text_width(columns[i].name, pixels);
            for (std::size_t row = 0; row < table.rows(); ++row)
                wide[i] = std::max(wide[i], charts::text_width(table.text(row, i), pixels));
        }
        const auto line_of = [&](const auto& text, scene::Face face) {
            float x = page_margin;
            for (std::size_t i = 0; i < columns.size(); ++i) {
                if (x + wide[i] > width - page_margin) break;
                const bool number = columns[i].number;
                put(number ? x + wide[i] : x, text(i), pixels,
                    columns[i].mono ? scene::Face::mono : face,
                    number ? scene::Anchor::right : scene::Anchor::left);
                x += wide[i] + between;
            }
            y_ += pixels * 1.5F;
        };
        line_of([&](std::size_t i) { return columns[i].name; }, scene::Face::medium);
        for (std::size_t row = 0; row < table.rows(); ++row)
            line_of([&](std::size_t i) { return table.text(row, i); }, scene::Face::text);
        space();
    }
    void space() { y_ += line / 2; }
    /// As wide as the page, where it has come to.
    void chart(const charts::Chart& chart, float height = 240) {
        charts::PictureOptions options;
        options.theme = &theme_;
        options.width = width - 2 * page_margin;
        options.height = height;
        if (!chart.empty()) picture(charts::picture_of(chart, options));
    }
    void picture(const scene::DisplayList& list) {
        for (scene::Layer layer : list.layers) {
            for (scene::Line& at : layer.lines) {
                at.from = moved(at.from);
                at.to = moved(at.to);
            }
            for (scene::Box& at : layer.boxes) {
                const scene::Point to = moved({at.rect.x, at.rect.y});
                at.rect.x = to.x;
                at.rect.y = to.y;
            }
            for (scene::Text& at : layer.texts) at.at = moved(at.at);
            charts_.push_back(std::move(layer));
        }
        y_ += list.world.height + line;
    }

    scene::FrameRequest finish(std::string summary) && {
        auto list = std::make_shared<scene::DisplayList>();
        list->background = theme_.canvas;
        list->world = {0, 0, width, y_ + page_margin};
        list->layers.push_back(std::move(layer_));
        for (scene::Layer& layer : charts_) list->layers.push_back(std::move(layer));
        list->summary = std::move(summary);
        scene::FrameRequest request;
        request.width = static_cast<int>(width);
        request.height = static_cast<int>(y_ + page_margin);
        request.camera = scene::Camera::fit(list->world, request.width, request.height, false);
        request.base = std::move(list);
        return request;
    }

private:
    void put(float x, std::string words, float pixels, scene::Face face, scene::Anchor anchor) {
        scene::Text text;
        text.at = {x, y_};
        text.utf8 = std::move(words);
        text.colour = theme_.text;
        text.pixels = pixels;
        text.anchor = anchor;
        text.face = face;
        layer_.texts.push_back(std::move(text));
    }

    [[nodiscard]] scene::Point moved(scene::Point at) const {
        return {at.x + page_margin, at.y + y_};
    }

    const scene::Theme& theme_;
    scene::Layer layer_;
    std::vector<scene::Layer> charts_;
    float y_ = page_margin;
};

void scaling(Page& page, const runs::ScalingFigures& figures) {
    page.space();
    page.text("Speed-up over workers for the blocks of " + figures.about, 12, scene::Face::medium);
    if (!figures.baseline.empty())
        for (const ScalingLaw law :
             {ScalingLaw::amdahl, ScalingLaw::usl, ScalingLaw::karp_flatt, ScalingLaw::gustafson}) {
            ScalingChartOptions options;
            options.law = law;
            page.text(name_of(law), 10, scene::Face::medium);
            page.chart(scaling_chart(figures, options), law == ScalingLaw::amdahl ? 280 : 200);
        }
    for (const std::string& said : scaling_words(figures)) page.text(said, 9);
    if (!figures.baseline.empty()) page.table(*scaling_table(figures));
}

void busy(Page& page, const ReportedRun& run) {
    page.text("Busy time and wall time", 10, scene::Face::medium);
    const auto found = run.spans == nullptr ? std::nullopt : busy_time(run.run, *run.spans);
    if (!found) return page.text("Busy time " + runs::why_no_busy_time(run.spans.get()), 9);
    page.chart(busy_chart(*found, ink_of(run.run)));
    if (!found->blocks.empty()) page.chart(busy_blocks_chart(*found, ink_of(run.run)));
    page.text("Outlines: the available time of workers or devices; filled: the time that they were "
              "busy. Both are measured.",
              8);
}

void add_gap(Page& page, const runs::KeptRun& run, const runs::GapWaterfall& found) {
    page.text("From work to wall time", 10, scene::Face::medium);
    page.chart(gap_chart(run, found));
    for (const std::string& said : gap_words(found)) page.text(said, 9);
}

void blocks(Page& page, const runs::KeptRun& run, Nanoseconds most) {
    if (run.blocks.empty()) return;
    page.text("Blocks", 10, scene::Face::medium);
    PhaseChartOptions options;
    options.most = most;
    page.chart(blocks_chart(run, options));
    page.text(
        "Phases of each block, measured in the last repetition. Filled: accelerated; hatched: "
        "serial.",
        8);
    page.table(*results_table(run, most_rows_of_blocks));
    if (run.blocks.size() > most_rows_of_blocks)
        page.text(fmt::format("and {} more (see .csv or .json)",
                              counted(run.blocks.size() - most_rows_of_blocks, "block")),
                  8);
}

} // namespace

scene::FrameRequest runs_page(std::span<const ReportedRun> runs, const runs::Provenance& made,
                              std::span<const runs::KeptRun> others) {
    Page page(scene::light_theme());
    const std::vector<runs::KeptRun> all = with_kept(runs, others);
    const std::span kept = std::span(all).first(runs.size());
    Nanoseconds most = 1, longest = 1;
    for (const ReportedRun& run : runs) {
        longest = std::max(longest, longest_block(run.run));
        for (const Nanoseconds time : run.run.phases.ns) most = std::max(most, time);
    }
    page.text("Blockloom · measured runs", 16, scene::Face::medium);
    if (kept.size() == 2) {
        const runs::RunComparison found = compare_runs(kept[0], kept[1]);
        page.space();
        page.text(fmt::format("A: {} · B: {}", kept[0].id, kept[1].id), 10, scene::Face::medium);
        page.text(verdict_text(found));
        if (found.digests == runs::Equality::equal)
            page.text("Results: equal in all digests that both runs have");
        for (const std::string& note : found.notes) page.text(note, 9);
    }
    for (std::size_t number = 0; number < kept.size(); ++number) {
        const runs::KeptRun& run = kept[number];
        page.space();
        page.text(fmt::format("{} · {}", run.id, run.date), 12, scene::Face::medium);
        page.text(fmt::format(
            "{} {} on {} · {} · {} of {} · wall {}{}", run.backend, run.strategy,
            counted(run.workers, "worker"), run.device.empty() ? run.processor : run.device,
            counted(run.blocks.size(), "block"), counted(run.tasks, "task"), time_text(run.wall),
            run.interval ? fmt::format(" (95 % {}–{})", time_text(run.interval->first),
                                       time_text(run.interval->second))
                         : std::string(", too few repetitions for an interval")));
        for (const runs::PhasePart& part : parts_of(run, run.phases))
            page.bar(part.name(), static_cast<double>(part.ns) / static_cast<double>(most),
                     time_text(part.ns), part.accelerated);
        for (const std::string& said : profiling_report(run, baseline_of(run, all)))
            page.text(said);
        busy(page, runs[number]);
        add_gap(page, run, reported_gap(runs, number, all));
        blocks(page, run, longest);
        page.text(fmt::format("Blockloom {} · {} · {} · {}", run.version, run.processor, run.kernel,
                              run.compiler),
                  8);
        page.text("State digest " + (run.state_digest.empty() ? "not computed" : run.state_digest),
                  8);
    }
    for (const runs::ScalingFigures& figures : scalings_of(runs, all)) scaling(page, figures);
    page.space();
    page.text(
        "Bars show the measured phases of the repetition nearest the median, on one scale for all "
        "runs; filled: accelerated, hatched: serial. Figures called predicted were not measured.",
        8);
    page.text(fmt::format("Made by Blockloom {} on {}", made.version, made.date), 8);
    return std::move(page).finish("Measured runs: phases, profiling report and verdict");
}

} // namespace blockloom::report
