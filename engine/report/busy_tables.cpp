#include "report/busy_tables.h"

#include "base/number_text.h"
#include "charts/plain_table.h"

#include <string>
#include <utility>
#include <vector>

namespace blockloom::report {
namespace {

using charts::PlainTable;
using Cell = PlainTable::Cell;

void add_row(PlainTable& table, Cell first, Nanoseconds busy, Nanoseconds had, std::string about) {
    const auto time = [](Nanoseconds ns) { return Cell{time_text(ns), static_cast<double>(ns)}; };
    const double share = had <= 0 ? 0 : static_cast<double>(busy) / static_cast<double>(had);
    table.add({std::move(first), time(busy), time(had), time(had - busy),
               Cell{percent_text(share), share}, Cell{std::move(about), {}}});
}

} // namespace

std::shared_ptr<const scene::ViewTable> busy_table(const runs::BusyTime& busy) {
    auto table =
        std::make_shared<PlainTable>(std::vector<scene::TableColumn>{{"Phase", false, false},
                                                                     {"Busy", true, false},
                                                                     {"Wall × lanes", true, false},
                                                                     {"Idle", true, false},
                                                                     {"Utilisation", true, false},
                                                                     {"Where", false, false}});
    for (const runs::BusyBar& bar : busy.bars)
        add_row(*table, {bar.name, {}}, bar.busy, bar.had, bar.about);
    return table;
}

std::shared_ptr<const scene::ViewTable> busy_blocks_table(const runs::BusyTime& busy) {
    auto table =
        std::make_shared<PlainTable>(std::vector<scene::TableColumn>{{"Block", true, false},
                                                                     {"Busy", true, false},
                                                                     {"Wall × lanes", true, false},
                                                                     {"Idle", true, false},
                                                                     {"Utilisation", true, false},
                                                                     {"Where", false, false}});
    for (const runs::BlockBusy& block : busy.blocks)
        add_row(*table, {std::to_string(block.height), static_cast<double>(block.height)},
                block.busy, block.had, "execute");
    return table;
}

} // namespace blockloom::report
