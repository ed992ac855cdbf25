// The look's promises about contrast, computed from the palette (docs: "the look").
#include "scene/theme.h"

#include <QtTest>

#include <utility>
#include <vector>

namespace blockloom::scene {
namespace {

using Named = std::pair<const char*, Colour Theme::*>;

const std::vector<Named> grounds{{"window", &Theme::window},
                                 {"panel", &Theme::panel},
                                 {"canvas", &Theme::canvas},
                                 {"raised", &Theme::raised},
                                 {"field", &Theme::field}};
const std::vector<Named> texts{{"text", &Theme::text},   {"text2", &Theme::text2},
                               {"text3", &Theme::text3}, {"accent", &Theme::accent},
                               {"ok", &Theme::ok},       {"warning", &Theme::warning},
                               {"error", &Theme::error}};
const std::vector<Named> marks{{"control_border", &Theme::control_border},
                               {"critical", &Theme::critical},
                               {"pick", &Theme::pick},
                               {"serial", &Theme::serial},
                               {"cpu_interpreter", &Theme::cpu_interpreter},
                               {"cpu_native", &Theme::cpu_native},
                               {"vulkan", &Theme::vulkan},
                               {"cuda", &Theme::cuda}};

constexpr double for_text = 4.5, for_marks = 3.0;

void at_least(const char* theme, Named mark, Named ground, const Theme& t, double least) {
    const double found = contrast(t.*mark.second, t.*ground.second);
    QVERIFY2(found >= least,
             qPrintable(QStringLiteral("%1: %2 on %3 is %4, must be %5")
                            .arg(QLatin1StringView(theme), QLatin1StringView(mark.first),
                                 QLatin1StringView(ground.first))
                            .arg(found)
                            .arg(least)));
}

} // namespace

class TestTheme : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void contrast_is_that_of_wcag() {
        QCOMPARE(contrast(rgb(0x000000), rgb(0xFFFFFF)), 21.0);
        QCOMPARE(contrast(rgb(0x123456), rgb(0x123456)), 1.0);
        // A grey whose ratio to white is published: #767676 is the darkest that fails no AA text.
        QVERIFY(std::abs(contrast(rgb(0x767676), rgb(0xFFFFFF)) - 4.54) < 0.01);
    }

    void both() {
        for (const auto& [name, theme] :
             {std::pair{"dark", &dark_theme()}, std::pair{"light", &light_theme()}}) {
            QCOMPARE(theme->is_dark, theme == &dark_theme());
            for (const Named& ground : grounds) {
                for (const Named& text : texts) at_least(name, text, ground, *theme, for_text);
                for (const Named& mark : marks) at_least(name, mark, ground, *theme, for_marks);
            }
            // On a selected row captions take the text's colour; status signs stay as marks.
            const Named row{"selected_row", &Theme::selected_row};
            for (const Named& text : {texts[0], texts[1]})
                at_least(name, text, row, *theme, for_text);
            for (const Named& text : texts) at_least(name, text, row, *theme, for_marks);
            at_least(name, {"button_text", &Theme::button_text},
                     {"button_fill", &Theme::button_fill}, *theme, for_text);
        }
    }

    void ramp_stands_out_and_runs_one_way() {
        for (const Theme* theme : {&dark_theme(), &light_theme()}) {
            for (const Colour stop : theme->ramp) {
                QVERIFY(contrast(stop, theme->canvas) >= for_marks);
                QVERIFY(contrast(stop, theme->panel) >= for_marks);
            }
            // Brightness alone tells the order: from the ground on dark, towards it on light.
            for (std::size_t i = 1; i < theme->ramp.size(); ++i) {
                const double before = contrast(theme->ramp[i - 1], theme->canvas);
                const double here = contrast(theme->ramp[i], theme->canvas);
                QVERIFY(theme->is_dark ? here > before : here < before);
            }
        }
    }

    void ordinal_meets_its_stops() {
        const Theme& theme = dark_theme();
        for (std::size_t i = 0; i < 8; ++i) QCOMPARE(theme.ordinal(i, 8), theme.ramp[i]);
        QCOMPARE(theme.ordinal(0, 25), theme.ramp.front());
        QCOMPARE(theme.ordinal(24, 25), theme.ramp.back());
        QCOMPARE(theme.ordinal(99, 25), theme.ramp.back());
        QCOMPARE(theme.ordinal(0, 1), theme.ramp.front());
        QCOMPARE(theme.ordinal(0, 0), theme.ramp.front());
    }

    void pick_is_seen_over_everything() {
        for (const Theme* theme : {&dark_theme(), &light_theme()})
            QVERIFY(contrast(theme->pick, theme->canvas) >= 15);
    }
};

} // namespace blockloom::scene

QTEST_APPLESS_MAIN(blockloom::scene::TestTheme)
#include "test_theme.moc"
