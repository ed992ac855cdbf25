#include "report/html_style.h"

#include "scene/theme.h"

#include <fmt/format.h>

namespace blockloom::report {
namespace {

std::string variables(const scene::Theme& theme) {
    std::string text;
    for (const auto& [name, colour] : {std::pair{"window", theme.window},
                                       {"panel", theme.panel},
                                       {"canvas", theme.canvas},
                                       {"raised", theme.raised},
                                       {"line", theme.line},
                                       {"grid", theme.grid},
                                       {"edge", theme.control_border},
                                       {"text", theme.text},
                                       {"text2", theme.text2},
                                       {"text3", theme.text3},
                                       {"accent", theme.accent},
                                       {"ok", theme.ok},
                                       {"warning", theme.warning},
                                       {"error", theme.error}})
        text += fmt::format("--{}:{};", name, css_colour(colour));
    return text;
}

// Class names are short words for the kind of element; every colour is a variable, so that a theme
// is one block.
constexpr const char* rules = R"css(
*{box-sizing:border-box}
body{margin:0;background:var(--window);color:var(--text);font:13px/1.5 Roboto,"Helvetica Neue",Arial,"DejaVu Sans",sans-serif;font-variant-numeric:tabular-nums}
main{max-width:1160px;margin:0 auto;padding:24px 16px 48px}
h1,h2,h3{font-weight:500;line-height:1.3;margin:0}
h1{font-size:26px}h2{font-size:17px}h3{font-size:13px;margin:20px 0 6px}
p{margin:6px 0;max-width:104ch}
a{color:var(--accent)}a:focus-visible,summary:focus-visible{outline:2px solid var(--accent);outline-offset:1px}
section,nav{background:var(--panel);border:1px solid var(--line);border-radius:4px;padding:16px 20px;margin-top:12px}
section>h2{display:flex;flex-wrap:wrap;gap:4px 16px;align-items:baseline;margin-bottom:8px}
section>h2 span{font-size:12px;font-weight:400;color:var(--text3)}
.quiet{color:var(--text3)}.second{color:var(--text2)}
.mono,code{font-family:"JetBrains Mono","DejaVu Sans Mono",monospace;font-size:12px;overflow-wrap:anywhere}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:12px;margin-top:16px}
.cards div{background:var(--panel);border:1px solid var(--line);border-radius:4px;padding:10px 14px}
.cards b{display:block;font-size:22px;font-weight:500;line-height:1.3}.cards span{font-size:11px;color:var(--text3)}
.figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(250px,1fr));gap:2px 32px;margin:8px 0 0}
.figures div{display:flex;justify-content:space-between;border-bottom:1px solid var(--grid);padding:2px 0}
.figures dt{color:var(--text2)}.figures dd{margin:0;font-weight:500;text-align:right}
.figures dd.predicted{font-weight:400}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%}
th{background:var(--raised);font-weight:500;color:var(--text2);text-align:right;padding:4px 8px;white-space:nowrap}
td{text-align:right;padding:3px 8px;border-bottom:1px solid var(--grid);white-space:nowrap}
th.left,td.left{text-align:left}td.wide{white-space:normal;overflow-wrap:anywhere}
tfoot td{background:var(--raised);font-weight:500;border-bottom:0}
caption{text-align:left;color:var(--text3);font-size:11px;padding:0 0 4px}
.ok{color:var(--ok)}.wrong{color:var(--error)}
figure{margin:8px 0 0;background:var(--canvas);border:1px solid var(--line);border-radius:4px;padding:8px}
figcaption{font-size:11px;color:var(--text3);margin-top:6px}
svg{display:block;max-width:100%;height:auto}
svg text{font-family:Roboto,"Helvetica Neue",Arial,"DejaVu Sans",sans-serif;font-size:11px;fill:var(--text2)}
.ramp,.wash{fill:var(--l)}.ink{fill:none;stroke:var(--l)}svg .word{fill:var(--l)}
.tip{fill:none;pointer-events:all}.tip:hover{stroke:var(--text);stroke-width:1.5}
.swatch{display:inline-block;width:10px;height:10px;margin-right:8px;background:var(--l)}
.axis{stroke:var(--edge);stroke-width:1}.tick{stroke:var(--grid);stroke-width:1}
svg.spark{display:inline-block;vertical-align:middle}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(340px,1fr));gap:12px}.pair>div{min-width:0}
dl.terms{display:grid;grid-template-columns:minmax(120px,max-content) 1fr;gap:4px 20px;margin:8px 0 0}
dl.terms dt{font-weight:500}dl.terms dd{margin:0;color:var(--text2);overflow-wrap:anywhere}
nav a{margin-right:14px;white-space:nowrap;display:inline-block}
)css";

constexpr const char* dark_rules =
    ".ramp,.wash{fill:var(--d)}.ink{stroke:var(--d)}svg .word{fill:var(--d)}"
    ".swatch{background:var(--d)}";

constexpr const char* print_rules = R"css(@media print{
body{background:#fff;font-size:10pt}main{max-width:none;padding:0}nav{display:none}
section{border:0;padding:8px 0;margin-top:8px}h2,h3{break-after:avoid}figure,table.short,.cards,.figures{break-inside:avoid}
.scroll{overflow:visible}td,th{padding:2px 4px;font-size:8.5pt}
}
)css";

} // namespace

std::string css_colour(scene::Colour colour) {
    return fmt::format("#{:02x}{:02x}{:02x}", colour.r, colour.g, colour.b);
}

std::string ramp_style(std::size_t position, std::size_t count) {
    return fmt::format("--l:{};--d:{}", css_colour(scene::light_theme().ordinal(position, count)),
                       css_colour(scene::dark_theme().ordinal(position, count)));
}

std::string style_sheet() {
    // Dark only on screens: paper is light whatever the reader's system is.
    return fmt::format(
        ":root{{color-scheme:light dark;{}}}\n{}@media screen and (prefers-color-scheme:dark)"
        "{{:root{{{}}}{}}}\n{}",
        variables(scene::light_theme()), rules, variables(scene::dark_theme()), dark_rules,
        print_rules);
}

} // namespace blockloom::report
