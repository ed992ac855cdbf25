#include "docks/tuning/tuning_dock.h"

#include "base/file.h"
#include "canvas/legend_strip.h"
#include "canvas/panel_bar.h"
#include "canvas/widget_svg.h"
#include "charts/chart_view.h"
#include "docks/tuning/tuning_card.h"
#include "docks/tuning/tuning_map.h"
#include "docks/tuning/tuning_setup.h"
#include "look/table.h"
#include "look/theme_style.h"
#include "models/tuning_model.h"
#include "report/tuning_chart.h"
#include "session/runs.h"
#include "session/session.h"
#include "session/tunings.h"
#include "text/numbers.h"
#include "text/to_qt.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QEvent>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace blockloom::ui {
namespace {

using runs::TuningAxis;

constexpr int tuning_side_width = 320;
constexpr int low = 460;    ///< below: one of map and curve at a time
constexpr int narrow = 620; ///< below: one of map, curve and settings at a time
constexpr int title_and_gaps = 60;

enum Shown { shows_map, shows_curve, shows_settings };

constexpr std::array axes{TuningAxis::batch_max, TuningAxis::workers, TuningAxis::batch_min,
                          TuningAxis::window,    TuningAxis::slice,   TuningAxis::hybrid,
                          TuningAxis::device};

/// With a height that follows its width, Qt would take a page's preferred height for its minimum,
/// and the panel would scroll beside the settings, which scroll, too.
class Pages final : public QStackedWidget {
public:
    [[nodiscard]] bool hasHeightForWidth() const override { return false; }
};

QComboBox* choice(const QString& name, const char* object, const QString& tip) {
    auto* box = new QComboBox;
    box->setObjectName(QLatin1StringView(object));
    box->setAccessibleName(name);
    box->setToolTip(tip);
    box->setFocusPolicy(Qt::StrongFocus);
    box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    return box;
}

TuningAxis axis_in(const QComboBox* box) {
    return static_cast<TuningAxis>(box->currentData().toInt());
}

} // namespace

TuningDock::TuningDock(Session* session, Runs* runs, Tunings* tunings, QWidget* parent)
    : Dock(QStringLiteral("tuning"), tr("Tuning"), parent), session_(session), runs_(runs),
      tunings_(tunings), bar_(nullptr), start_(new QPushButton),
      rows_(choice(tr("Rows"), "tuningRows", tr("Setting shown by the rows of the map"))),
      columns_(
          choice(tr("Columns"), "tuningColumns", tr("Setting shown by the columns of the map"))),
      on_(choice(tr("Device"), "tuningDevice",
                 tr("Device whose times the map and the curve show"))),
      strategy_(choice(tr("Strategy"), "tuningStrategy",
                       tr("Strategy whose times the map and the curve show"))),
      value_(choice(tr("Value"), "tuningValue", tr("Time per replay or per message"))),
      coverage_(new QLabel), empty_(new QLabel), views_(new QButtonGroup(this)),
      segments_(new QWidget), canvases_(nullptr), pages_(new Pages), map_(new TuningMap),
      chart_(new ChartView(QStringLiteral("tuningChart"), tr("Time by Batch max"))),
      legend_(new LegendStrip), model_(new TuningModel(this)), sorted_(new SortedRows(this)),
      table_(new Table(tr("Points of the sweep"))), card_(new TuningCard(tunings)),
      setup_(new TuningSetup(tunings, runs)) {
    auto* body = new QWidget(this);
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    bar_ = makeBar();
    column->addWidget(bar_);
    auto* halves = new QHBoxLayout;
    halves->setSpacing(0);
    halves->addWidget(makeLeft(), 1);
    halves->addWidget(makeRight());
    column->addLayout(halves, 1);
    setBody(body);
    setHelp(tr(
        "<b>Tuning</b>: which settings replay these blocks fastest on this machine? Filled "
        "cells and points are measured; dashed ones are predicted by a cost model fitted to the "
        "measured ones. Around the best point lies the optimum band: settings that are not "
        "significantly slower. Where the curve crosses the CPU's lines, the device starts to pay "
        "off. In the map, arrow keys step through the cells and Home goes to the best; in the "
        "curve, they step through the points and Enter chooses one. Apply uses the settings for "
        "the next run and keeps them for this device and code; Undo reverts both."));
    setTableTwin([this](bool show) {
        as_table_ = show;
        showPage();
    });
    setExport([this] { askExport(); });
    addTitleButton("copy", tr("Copy the points"), {}, [this] { table_->copyAll(); });

    connect(start_, &QPushButton::clicked, this, [this] {
        if (tunings_->doing() != Tunings::Doing::nothing) return session_->cancel();
        chosen_.reset();
        picked_.reset();
        clearError();
        tunings_->sweep();
    });
    for (QComboBox* box : {rows_, columns_, on_, value_})
        connect(box, &QComboBox::activated, this, [this, box](int) {
            // A map needs two different dimensions: the other one changes.
            QComboBox* other = box == rows_ ? columns_ : box == columns_ ? rows_ : nullptr;
            if (other != nullptr && axis_in(rows_) == axis_in(columns_))
                other->setCurrentIndex(other->currentIndex() == 0 ? 1 : 0);
            showSeen();
        });
    connect(strategy_, &QComboBox::activated, this, [this](int at) {
        picked_ = static_cast<execute::Strategy>(strategy_->itemData(at).toInt());
        showSeen();
    });
    connect(map_, &TuningMap::chosen, this, &TuningDock::choose);
    connect(chart_, &ChartView::chosen, this,
            [this](std::size_t, std::size_t point) { choose(point); });
    connect(table_, &Table::chosen, this, [this](const QModelIndex& index) {
        if (index.isValid()) choose(static_cast<std::size_t>(sorted_->mapToSource(index).row()));
    });
    connect(card_, &TuningCard::settingChosen, this, [this](const runs::TuningSetting& setting) {
        chosen_ = setting;
        showSeen();
    });
    connect(tunings_, &Tunings::changed, this, &TuningDock::showSeen);
    connect(tunings_, &Tunings::choiceChanged, this, &TuningDock::showSeen);
    connect(tunings_, &Tunings::keptChanged, card_, &TuningCard::showSeen);
    connect(tunings_, &Tunings::failed, this, &Dock::showError);
    connect(runs_, &Runs::backendsChanged, this, &TuningDock::showSeen);
    connect(session_, &Session::busyChanged, this, &TuningDock::showSeen);
    connect(session_, &Session::rangeChanged, this, [this] {
        chosen_.reset();
        picked_.reset();
        showSeen();
    });
    model_->setNames([this](const std::string& backend) { return tunings_->nameOf(backend); });
    showSeen();
}

PanelBar* TuningDock::makeBar() {
    auto* bar = new PanelBar;
    start_->setObjectName(QStringLiteral("tuningStart"));
    bar->add(start_);
    for (const TuningAxis axis : axes)
        for (QComboBox* box : {rows_, columns_})
            box->addItem(axis_words(axis), static_cast<int>(axis));
    rows_->setCurrentIndex(1);
    value_->addItems({tr("replay"), tr("message")});
    segments_->setObjectName(QStringLiteral("tuningViews"));
    auto* segments = new QHBoxLayout(segments_);
    segments->setContentsMargins(1, 0, 0, 0);
    segments->setSpacing(0);
    for (const QString& name : {tr("Map"), tr("Curve"), tr("Settings")}) {
        auto* button = new QToolButton;
        button->setText(name);
        button->setCheckable(true);
        button->setProperty("segment", true);
        button->setFocusPolicy(Qt::TabFocus);
        button->setAccessibleName(tr("Show: %1").arg(name));
        views_->addButton(button, static_cast<int>(views_->buttons().size()));
        segments->addWidget(button);
    }
    views_->button(shows_map)->setChecked(true);
    connect(views_, &QButtonGroup::idClicked, this, [this] {
        settings_by_default_ = false;
        showPage();
    });
    bar->add(segments_);
    bar->addCaptioned(tr("Rows"), rows_, 4);
    bar->addCaptioned(tr("Columns"), columns_, 3);
    bar->addCaptioned(tr("On"), on_);
    bar->addCaptioned(tr("Strategy"), strategy_, 1);
    bar->addCaptioned(tr("Time per"), value_, 2);
    bar->addStretch();
    set_role(coverage_, "second");
    coverage_->setObjectName(QStringLiteral("tuningCoverage"));
    bar->add(coverage_, 1);
    return bar;
}

QWidget* TuningDock::makeLeft() {
    canvases_ = new QWidget;
    auto* lines = new QVBoxLayout(canvases_);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(1);
    lines->addWidget(map_, 1);
    chart_->setLegendVisible(false); // one for map and curve
    lines->addWidget(chart_, 1);
    lines->addWidget(legend_);

    auto* blank = new QWidget;
    auto* centre = new QVBoxLayout(blank);
    centre->setContentsMargins(24, 24, 24, 24);
    empty_->setObjectName(QStringLiteral("tuningEmpty"));
    empty_->setWordWrap(true);
    empty_->setAlignment(Qt::AlignCenter);
    set_role(empty_, "second");
    centre->addStretch(1);
    centre->addWidget(empty_);
    centre->addStretch(1);

    sorted_->setSourceModel(model_);
    table_->setModel(sorted_);
    table_->setSortingEnabled(true);
    table_->sortByColumn(-1, Qt::AscendingOrder);
    const int longest = // of the words of a point's state, whatever the font
        table_->fontMetrics().horizontalAdvance(tr("no significant difference")) + 28;
    for (const auto& [section, width] : {std::pair{TuningModel::Device, 132},
                                         {TuningModel::Strategy, 88},
                                         {TuningModel::Workers, 64},
                                         {TuningModel::BatchMin, 76},
                                         {TuningModel::BatchMax, 78},
                                         {TuningModel::Window, 96},
                                         {TuningModel::Slice, 72},
                                         {TuningModel::Placement, 84},
                                         {TuningModel::Median, 96},
                                         {TuningModel::Interval, 112},
                                         {TuningModel::AgainstBest, 118},
                                         {TuningModel::Predicted, 98},
                                         {TuningModel::OffBy, 70},
                                         {TuningModel::Samples, 70},
                                         {TuningModel::State, longest}})
        table_->horizontalHeader()->resizeSection(section, width);
    pages_->addWidget(blank);
    pages_->addWidget(canvases_);
    pages_->addWidget(table_);
    return pages_;
}

QWidget* TuningDock::makeRight() {
    auto* scroll = new QScrollArea;
    scroll->setObjectName(QStringLiteral("details"));
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setMinimumWidth(tuning_side_width);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setMinimumHeight(24);
    auto* page = new QWidget;
    page->setObjectName(QStringLiteral("detailsPage"));
    auto* lines = new QVBoxLayout(page);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(0);
    lines->addWidget(card_);
    lines->addWidget(setup_);
    lines->addStretch(1);
    scroll->setWidget(page);
    side_ = scroll;
    return scroll;
}

std::optional<runs::TuningSetting> TuningDock::chosen() const {
    if (chosen_) return chosen_;
    const auto tuned = tunings_->seen().tuning;
    if (tuned && !tuned->settings.empty()) return tuned->best();
    // Nothing was measured: what the next run would use. In block order there are no batches.
    if (!tunings_->whyNot().isEmpty() && !session_->busy()) return std::nullopt;
    runs::TuningSetting setting;
    setting.how.strategy = execute::strategy_named(runs_->strategy().toStdString())
                               .value_or(execute::Strategy::automatic);
    if (setting.how.strategy == execute::Strategy::serial)
        setting.how.strategy = execute::Strategy::automatic;
    if (setting.how.strategy == execute::Strategy::levels)
        setting.how.sets = execute::SetsFrom::estimate;
    const QString backend = runs_->backend();
    if (backend != QLatin1StringView("auto")) setting.backend = backend.toStdString();
    setting.how.workers = runs_->workers();
    setting.how.batch_min = runs_->limits().batch_min;
    setting.how.batch_max = runs_->limits().batch_max;
    setting.how.window = runs_->limits().window;
    const bool device = setting.backend != "cpu";
    setting.how.hybrid = device && runs_->limits().hybrid;
    setting.slice = device ? runs_->limits().slice : 0;
    return setting;
}

void TuningDock::choose(std::size_t point) {
    const auto tuned = tunings_->seen().tuning;
    if (!tuned || point >= tuned->settings.size()) return;
    chosen_ = tuned->settings[point];
    picked_.reset(); // the map follows the point
    showSeen();
}

/// The strategies that were measured on the device that is shown.
void TuningDock::fillStrategies() {
    const auto tuned = tunings_->seen().tuning;
    const bool axis =
        axis_in(rows_) == TuningAxis::device || axis_in(columns_) == TuningAxis::device;
    const std::vector<execute::Strategy> measured =
        tuned ? runs::strategies_of(*tuned, axis ? std::string()
                                                 : on_->currentData().toString().toStdString())
              : std::vector<execute::Strategy>();
    QList<int> keys, there;
    for (const execute::Strategy one : measured) keys.append(static_cast<int>(one));
    for (int i = 0; i < strategy_->count(); ++i) there.append(strategy_->itemData(i).toInt());
    if (keys != there) {
        strategy_->clear();
        for (const execute::Strategy one : measured)
            strategy_->addItem(to_qt(name_of(one)), static_cast<int>(one));
    }
    // The one picked, or that of the chosen point; where that point ran in block order, the
    // fastest of the others.
    const auto shown_at = [&](std::optional<execute::Strategy> wanted) {
        return wanted ? strategy_->findData(static_cast<int>(*wanted)) : -1;
    };
    int at = shown_at(picked_);
    if (const auto setting = chosen(); at < 0 && setting) at = shown_at(setting->how.strategy);
    if (at < 0 && tuned)
        at = shown_at(runs::fastest_strategy(
            *tuned, axis ? std::string() : on_->currentData().toString().toStdString()));
    strategy_->setCurrentIndex(at < 0 && strategy_->count() > 0 ? 0 : at);
    bar_->setWanted(strategy_, strategy_->count() > 1);
}

std::optional<execute::Strategy> TuningDock::shownStrategy() const {
    if (strategy_->currentIndex() < 0) return std::nullopt;
    return static_cast<execute::Strategy>(strategy_->currentData().toInt());
}

/// The device whose times are shown, unless devices are an axis of their own.
void TuningDock::fillBackends() {
    const auto tuned = tunings_->seen().tuning;
    const std::vector<std::string> backends =
        tuned ? runs::backends_of(*tuned) : std::vector<std::string>();
    QStringList keys;
    for (const std::string& backend : backends) keys.append(to_qt(backend));
    QStringList there;
    for (int i = 0; i < on_->count(); ++i) there.append(on_->itemData(i).toString());
    if (keys != there) {
        const QString before = on_->currentData().toString();
        on_->clear();
        for (const QString& key : keys) on_->addItem(tunings_->nameOf(key.toStdString()), key);
        // The curve is of a device: the CPU is drawn as lines beside it.
        const int at = on_->findData(before);
        on_->setCurrentIndex(at >= 0 ? at : on_->count() - 1);
    }
    const bool axis =
        axis_in(rows_) == TuningAxis::device || axis_in(columns_) == TuningAxis::device;
    bar_->setWanted(on_, on_->count() > 1 && !axis);
}

void TuningDock::showSeen() {
    const QString why = runs_->whyNot();
    setEmptyPage(tr("A sweep replays the open range with one setting after another and finds the "
                    "fastest. %1")
                     .arg(why));
    showEmpty(!why.isEmpty());
    if (chosen_ && !tunings_->seen().tuning && tunings_->doing() == Tunings::Doing::nothing &&
        chosen_->how.strategy == execute::Strategy::serial)
        chosen_.reset();
    const bool busy = tunings_->doing() != Tunings::Doing::nothing;
    start_->setText(busy ? tr("Cancel") : tr("Start sweep"));
    start_->setAccessibleName(busy ? tr("Cancel the sweep") : tr("Start the sweep"));
    const QString no = setup_->whyNot().isEmpty() ? tunings_->whyNot() : setup_->whyNot();
    start_->setEnabled(busy || no.isEmpty());
    start_->setToolTip(busy ? tr("Measured points are kept")
                       : no.isEmpty()
                           ? tr("Replay %1 with the settings of each point; nothing is committed")
                                 .arg(tunings_->scopeWords())
                           : no);
    const auto value = static_cast<TuningValue>(value_->currentIndex());
    model_->setSeen(tunings_->seen(), value);
    fillBackends();
    fillStrategies();
    card_->setSetting(chosen());
    const auto tuned = tunings_->seen().tuning;
    QString words;
    if (tuned) {
        words = tr("%1 measured").arg(count_text(static_cast<quint64>(model_->measured())));
        if (const int predicted = model_->predicted(); predicted > 0)
            words += tr(", %1 predicted").arg(count_text(static_cast<quint64>(predicted)));
        if (const auto off = tunings_->seen().predicted.typical_error)
            words += tr(", predictions typically off by %1").arg(percent_text(*off));
    }
    coverage_->setText(words);
    coverage_->setToolTip(tuned && !tuned->date.empty()
                              ? tr("%1\nmeasured %2; state digests equal at every point")
                                    .arg(words, to_qt(tuned->date))
                              : words);
    empty_->setText(busy ? tr("The first replay is running.")
                         : tr("No measurements on %1 yet. Start sweep measures the settings that "
                              "are chosen; the batch slider with Measure tries one size.")
                               .arg(tunings_->scopeWords()));
    showMap();
    showChart();
    showLegend();
    bar_->refit();
    showPage();
}

void TuningDock::showPage() {
    const auto tuned = tunings_->seen().tuning;
    const bool there = tuned && model_->measured() > 0;
    pages_->setCurrentIndex(as_table_ ? 2 : there ? 1 : 0);
    // Beside the settings there is no room in a narrow panel; before the first sweep they are what
    // is needed. A kept sweep is read later than the panel has its size.
    if (width() < narrow && !narrow_ && !there) {
        views_->button(shows_settings)->setChecked(true);
        settings_by_default_ = true;
    }
    if (tunings_->doing() != Tunings::Doing::nothing) settings_by_default_ = false;
    if (there && std::exchange(settings_by_default_, false))
        views_->button(shows_map)->setChecked(true);
    narrow_ = width() < narrow;
    const bool only_settings = narrow_ && !as_table_ && views_->checkedId() == shows_settings;
    side_->setMaximumWidth(narrow_ ? QWIDGETSIZE_MAX : tuning_side_width);
    side_->setVisible(!narrow_ || only_settings);
    pages_->setVisible(!only_settings);
    views_->button(shows_settings)->setVisible(narrow_);
    views_->button(shows_curve)->setVisible(there);
    if (!narrow_ && views_->checkedId() == shows_settings)
        views_->button(shows_map)->setChecked(true);
    // Both only where both fit.
    int both = title_and_gaps +
               legend_->heightForWidth(std::max(200, width() - (narrow_ ? 0 : tuning_side_width)));
    for (const QWidget* part : std::initializer_list<const QWidget*>{bar_, map_, chart_})
        both += std::max(part->minimumSizeHint().height(), part->minimumHeight());
    const bool tight = height() < std::max(low, both);
    bar_->setWanted(segments_, ((tight && there) || narrow_) && !as_table_);
    map_->setVisible(!tight || views_->checkedId() != shows_curve);
    chart_->setVisible(!tight || views_->checkedId() == shows_curve);
}

void TuningDock::resizeEvent(QResizeEvent* event) {
    Dock::resizeEvent(event);
    showPage();
}

void TuningDock::changeEvent(QEvent* event) {
    Dock::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && legend_ != nullptr) showLegend();
}

void TuningDock::showMap() {
    const auto tuned = tunings_->seen().tuning;
    const auto strategy = shownStrategy();
    if (!tuned || !strategy) return map_->setShown(std::nullopt);
    const TuningAxis x = axis_in(columns_), y = axis_in(rows_);
    const bool axis = x == TuningAxis::device || y == TuningAxis::device;
    TuningMap::Shown shown;
    shown.map =
        runs::heat_map(*tuned, axis ? std::string() : on_->currentData().toString().toStdString(),
                       *strategy, x, y, &tunings_->seen().predicted);
    const auto backends = runs::backends_of(*tuned);
    const auto label = [&](TuningAxis of, std::uint64_t at) {
        return of == TuningAxis::device ? tunings_->nameOf(backends[static_cast<std::size_t>(at)])
                                        : axis_value(of, at);
    };
    for (const std::uint64_t at : shown.map.x) shown.x.append(label(x, at));
    for (const std::uint64_t at : shown.map.y) shown.y.append(label(y, at));
    shown.x_title = axis_words(x);
    shown.y_title = axis_words(y);
    shown.scale = scale_of(*tuned, static_cast<TuningValue>(value_->currentIndex()));
    shown.best = tuned->tuning.best;
    shown.measuring = tuned->tuning.measuring;
    if (tunings_->doing() == Tunings::Doing::nothing) shown.measuring.reset();
    const auto setting = chosen();
    for (std::size_t i = 0; setting && i < tuned->settings.size(); ++i)
        if (runs::same_setting(tuned->settings[i], *setting)) shown.chosen = i;
    map_->setShown(std::move(shown));
}

/// Through the chosen point; where that is of another device or strategy than the shown ones,
/// through the best point of these.
void TuningDock::showChart() {
    const auto tuned = tunings_->seen().tuning;
    auto along = chosen();
    const std::string on = on_->currentData().toString().toStdString();
    const auto strategy = shownStrategy();
    if (!tuned || !along || !strategy) return chart_->setChart({});
    bool shown_is_chosen = true;
    if (along->how.strategy != *strategy || along->backend != on) {
        shown_is_chosen = false;
        double least = 0;
        for (std::size_t i = 0; i < tuned->settings.size(); ++i) {
            const auto& point = tuned->tuning.points[i];
            if (tuned->settings[i].backend != on || point.samples.empty() ||
                tuned->settings[i].how.strategy != *strategy ||
                (least != 0 && point.median >= least))
                continue;
            least = point.median;
            along = tuned->settings[i];
        }
        if (least == 0) return chart_->setChart({});
    }
    const runs::TuningCurve curve = runs::tuning_curve(*tuned, tunings_->seen().predicted, *along);
    const TuningScale scale = scale_of(*tuned, static_cast<TuningValue>(value_->currentIndex()));
    QString name = tunings_->nameOf(along->backend);
    if (strategy_->count() > 1) name = tr("%1, %2").arg(name, strategy_->currentText());
    report::TuningChartOptions options;
    options.device = (name + alsoFixed(along->how)).toStdString();
    options.unit = scale.name().toStdString();
    options.nanoseconds = scale.divisor * scale.unit.ns;
    options.crossing = crossing_words(curve, name).toStdString();
    if (shown_is_chosen) options.at = along->how.batch_max;
    chart_->setChart(report::tuning_chart(curve, options));
}

/// What else the curve keeps, where the sweep has more than one value of it.
QString TuningDock::alsoFixed(const execute::StrategyOptions& how) const {
    const auto varied = variedAxes({TuningAxis::batch_max, TuningAxis::workers});
    const auto varies = [&](TuningAxis axis) { return varied.contains(axis); };
    QString words;
    if (varies(TuningAxis::window))
        words += tr(", windows of %1").arg(counted(how.window, tr("block"), tr("blocks")));
    if (varies(TuningAxis::hybrid))
        words += how.hybrid ? tr(", shared with the workers") : tr(", device alone");
    return words;
}

/// The axes with several values on the shown device and by the shown strategy, but for `without`.
QList<TuningAxis> TuningDock::variedAxes(std::initializer_list<TuningAxis> without) const {
    QList<TuningAxis> found;
    const auto tuned = tunings_->seen().tuning;
    const auto strategy = shownStrategy();
    if (!tuned || !strategy) return found;
    const bool devices = // are an axis of the map themselves
        axis_in(rows_) == TuningAxis::device || axis_in(columns_) == TuningAxis::device;
    const std::string on = devices ? std::string() : on_->currentData().toString().toStdString();
    for (const TuningAxis axis : axes) {
        if (axis == TuningAxis::device || std::ranges::find(without, axis) != without.end())
            continue;
        const auto map = runs::heat_map(*tuned, on, *strategy, axis, axis, nullptr);
        if (map.x.size() > 1) found.append(axis);
    }
    return found;
}

void TuningDock::showLegend() {
    using Sign = scene::OverlayLegend::Sign;
    const scene::Theme& theme = current_theme();
    const auto tuned = tunings_->seen().tuning;
    std::vector<scene::OverlayLegend> items;
    if (const auto ends = map_->cells().ends; tuned && ends) {
        const TuningScale scale =
            scale_of(*tuned, static_cast<TuningValue>(value_->currentIndex()));
        items.push_back({Sign::ramp,
                         {},
                         scale.name().toStdString(),
                         tr("%1 slow").arg(scale.text(ends->first)).toStdString(),
                         tr("%1 fast").arg(scale.text(ends->second)).toStdString()});
    }
    items.push_back({Sign::filled, theme.ramp[4], tr("measured").toStdString(), {}, {}});
    items.push_back({Sign::hollow, theme.ramp[4], tr("predicted").toStdString(), {}, {}});
    if (map_->cells().best)
        items.push_back({Sign::diamond, theme.text, tr("best point").toStdString(), {}, {}});
    else if (tuned && !tuned->settings.empty())
        items.push_back(
            {Sign::diamond, theme.text, tr("best point: not on this map").toStdString(), {}, {}});
    if (map_->cells().band)
        items.push_back({Sign::selected,
                         theme.pick,
                         tr("optimum band: not significantly slower").toStdString(),
                         {},
                         {}});
    legend_->setItems(std::move(items));
    QStringList best;
    for (const TuningAxis axis : variedAxes({axis_in(rows_), axis_in(columns_)}))
        best.append(axis_words(axis).toLower());
    legend_->setCoverage(best.isEmpty() ? QString()
                                        : tr("Each cell: the best %1").arg(best.join(tr(", "))));
}

void TuningDock::askExport() {
    auto* dialog = new QFileDialog(this, tr("Export the sweep"));
    dialog->setObjectName(QStringLiteral("tuningExport"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({tr("Document (*.json)"), tr("Table (*.tsv)"), tr("Picture (*.png)"),
                            tr("Drawing (*.svg)")});
    dialog->setDefaultSuffix(QStringLiteral("json"));
    connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
        dialog->setDefaultSuffix(filter.section(QStringLiteral("*."), 1).chopped(1));
    });
    dialog->selectFile(QStringLiteral("blockloom-tuning.json"));
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        const Status written = exportTo(path);
        if (written)
            Q_EMIT session_->logged(QStringLiteral("info"), tr("Sweep written to %1").arg(path));
        else
            showError(to_qt(written.error().message));
    });
    dialog->open();
}

Status TuningDock::exportTo(const QString& path) {
    const auto tuned = tunings_->seen().tuning;
    if (!tuned)
        return Error{ErrorCode::bad_input, tr("There are no measurements to export").toStdString()};
    if (path.endsWith(QStringLiteral(".png"), Qt::CaseInsensitive)) {
        if (canvases_->grab().save(path)) return {};
        return Error{ErrorCode::system, tr("%1 could not be written").arg(path).toStdString()};
    }
    if (path.endsWith(QStringLiteral(".svg"), Qt::CaseInsensitive))
        return write_svg(*canvases_, tr("Tuning: map and curve of the sweep"), path);
    const std::string text =
        path.endsWith(QStringLiteral(".tsv"), Qt::CaseInsensitive)
            ? table_->wholeAsText().toStdString()
            : runs::tuning_json(*tuned, runs::provenance_now(BLOCKLOOM_VERSION));
    return write_file(path.toStdString(), as_bytes(text));
}

} // namespace blockloom::ui
