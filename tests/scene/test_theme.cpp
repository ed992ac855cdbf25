// The look's promises about contrast, computed from the palette (docs: "the look").
#include "scene/theme.h"

#include <QtTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace blockloom::scene::test_theme {
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

using Triple = std::array<double, 3>;

/// CIE L*a*b* of an opaque colour (sRGB, D65); `blind`: as a deuteranope sees it (Machado, Oliveira
/// and Fernandes 2009, severity 1).
Triple lab_of(Colour c, bool blind) {
    const auto linear = [](std::uint8_t channel) {
        const double v = channel / 255.0;
        return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
    };
    Triple rgb{linear(c.r), linear(c.g), linear(c.b)};
    const auto times = [](const std::array<Triple, 3>& m, const Triple& v) {
        Triple made{};
        for (std::size_t i = 0; i < 3; ++i)
            made[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
        return made;
    };
    if (blind) {
        rgb = times({{{0.367322, 0.860646, -0.227968},
                      {0.280085, 0.672501, 0.047413},
                      {-0.011820, 0.042940, 0.968881}}},
                    rgb);
        for (double& channel : rgb) channel = std::clamp(channel, 0.0, 1.0);
    }
    const Triple xyz = times(
        {{{0.4124, 0.3576, 0.1805}, {0.2126, 0.7152, 0.0722}, {0.0193, 0.1192, 0.9505}}}, rgb);
    const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
    const double x = f(xyz[0] / 0.9505), y = f(xyz[1]), z = f(xyz[2] / 1.089);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double distance(const Triple& a, const Triple& b) {
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

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

    /// CIE 1976 distances of all pairs: 2.3 is the least one sees side by side, ten is another
    /// colour at a glance.
    void kinds_can_be_told_apart() {
        for (const Theme* theme : {&dark_theme(), &light_theme()})
            for (std::size_t i = 0; i < theme->kinds.size(); ++i) {
                QVERIFY(contrast(theme->kinds[i], theme->canvas) >= for_marks);
                for (std::size_t j = 0; j < i; ++j) {
                    const Colour a = theme->kinds[i], b = theme->kinds[j];
                    const auto reported = [&](bool blind) {
                        return distance(lab_of(a, blind), lab_of(b, blind));
                    };
                    QVERIFY2(reported(false) >= 18 && reported(true) >= 12,
                             qPrintable(QStringLiteral("%1 and %2").arg(j).arg(i)));
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

} // namespace blockloom::scene::test_theme

QTEST_APPLESS_MAIN(blockloom::scene::test_theme::TestTheme)
#include "test_theme.moc"
