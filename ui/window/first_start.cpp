#include "window/first_start.h"

#include "look/icons.h"
#include "look/plain_text.h"
#include "look/theme_style.h"
#include "models/recent_model.h"
#include "recipes/recipe.h"
#include "text/numbers.h"
#include "window/card_button.h"
#include "window/machine_line.h"
#include "window/recent_cell.h"

#include <QEvent>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QListView>
#include <QVBoxLayout>

namespace blockloom::ui {
namespace {

QFrame* rule(QWidget* parent) {
    auto* line = new QFrame(parent);
    line->setObjectName(QStringLiteral("rule"));
    line->setFixedHeight(1);
    return line;
}

} // namespace

FirstStart::FirstStart(RecentModel* recent, QWidget* parent)
    : QWidget(parent), recent_(recent),
      demo_(new CardButton(
          "run", tr("Open the demo"),
          tr("%1 generated blocks; no download").arg(count_text(recipes::demo_recipe().blocks)),
          tr("Enter"), true)),
      open_(new CardButton("open", tr("Open folder or files…"),
                           tr("A Bitcoin Core blocks folder, or one or more files"),
                           QStringLiteral("Ctrl+O"), false)),
      list_(new QListView), logo_(new QLabel(this)), recent_head_(new QLabel(tr("Recent"))),
      error_(new QLabel(this)), offer_(new QPushButton(this)), drop_icon_(new QLabel),
      rest_(new QSpacerItem(0, 0)), machine_(new MachineLine) {
    setObjectName(QStringLiteral("firstStart"));
    setAttribute(Qt::WA_StyledBackground);
    setAccessibleName(tr("Start"));
    auto* outer = new QHBoxLayout(this);
    auto* centre = new QWidget(this);
    centre->setMaximumWidth(1056);
    centre->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    outer->addStretch(1);
    outer->addWidget(centre, 100);
    outer->addStretch(1);
    auto* page = new QVBoxLayout(centre);
    page->setContentsMargins(24, 16, 24, 16);
    page->addStretch(2);

    auto* columns = new QHBoxLayout;
    columns->setSpacing(64);
    auto* left = new QVBoxLayout;
    left->setSpacing(20);
    auto* head = new QHBoxLayout;
    head->setSpacing(24);
    auto* names = new QVBoxLayout;
    names->setSpacing(0);
    auto* name = new QLabel(tr("Blockloom"), this);
    auto* what = new QLabel(tr("A profiler for parallel block execution"), this);
    set_role(name, "name");
    set_role(what, "second");
    what->setFont(text_font(14));
    names->addWidget(name);
    names->addWidget(what);
    head->addWidget(logo_);
    head->addLayout(names);
    head->addStretch(1);
    left->addLayout(head);
    left->addSpacing(8);
    left->addWidget(makePitches());
    left->addSpacing(4);
    left->addWidget(makeDropArea());
    left->addStretch(1);

    auto* right = new QVBoxLayout;
    right->setSpacing(10);
    right->addWidget(demo_);
    right->addWidget(open_);
    set_role(error_, "error");
    error_->setWordWrap(true);
    error_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    error_->hide();
    right->addWidget(error_);
    offer_->setObjectName(QStringLiteral("openAnyway"));
    offer_->hide();
    right->addWidget(offer_);
    right->addSpacing(12);
    set_role(recent_head_, "second");
    right->addWidget(recent_head_);
    list_->setModel(recent_);
    list_->setItemDelegate(new RecentCell(recent_, list_));
    list_->setAccessibleName(tr("Recent ranges"));
    list_->setMouseTracking(true);
    list_->setFrameShape(QFrame::NoFrame);
    list_->setProperty("plain", true);
    list_->setMinimumHeight(104);
    right->addWidget(list_, 1);
    right->addItem(rest_);

    columns->addLayout(left, 1);
    columns->addLayout(right, 1);
    page->addLayout(columns, 6);
    page->addStretch(1);
    page->addWidget(rule(this));
    page->addWidget(makeMachineLine());
    page->addStretch(1);

    connect(demo_, &QPushButton::clicked, this, &FirstStart::demoRequested);
    connect(open_, &QPushButton::clicked, this, &FirstStart::openRequested);
    const auto chosen = [this](const QModelIndex& index) { Q_EMIT recentRequested(index.row()); };
    connect(list_, &QListView::activated, this, chosen);
    connect(list_, &QListView::clicked, this, chosen);
    const auto shown = [this] {
        recent_head_->setVisible(recent_->rowCount() > 0);
        list_->setVisible(recent_->rowCount() > 0);
        rest_->changeSize(0, 0, QSizePolicy::Minimum,
                          recent_->rowCount() > 0 ? QSizePolicy::Minimum : QSizePolicy::Expanding);
    };
    connect(recent_, &QAbstractItemModel::rowsInserted, this, shown);
    connect(recent_, &QAbstractItemModel::rowsRemoved, this, shown);
    connect(recent_, &QAbstractItemModel::modelReset, this, shown);
    shown();
    showSigns();
    setFocusProxy(demo_);
}

FirstStart::~FirstStart() = default;

QWidget* FirstStart::makePitches() {
    const QList<Pitch> pitches{
        {"branch", tr("See what can run in parallel"),
         tr("Each block's levels and conflicts, and the keys that stand in the way.")},
        {"gpu", tr("Replay it on CPU and GPU"),
         tr("Verify compares each block of a run with its serial execution.")},
        {"wave", tr("Compare, tune, export reports"),
         tr("Medians with intervals, the best batch size, a self-contained report.")}};
    auto* box = new QWidget(this);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(18);
    for (const Pitch& pitch : pitches) {
        auto* row = new QHBoxLayout;
        row->setSpacing(14);
        auto* sign = new QLabel(box);
        sign->setProperty("icon", QLatin1StringView(pitch.icon));
        auto* words = new QVBoxLayout;
        words->setSpacing(2);
        auto* title = new QLabel(pitch.title, box);
        title->setFont(text_font(14, true));
        auto* line = new QLabel(pitch.line, box);
        line->setWordWrap(true);
        set_role(line, "second");
        words->addWidget(title);
        words->addWidget(line);
        row->addWidget(sign, 0, Qt::AlignTop);
        row->addLayout(words, 1);
        column->addLayout(row);
        pitch_icons_.append(sign);
    }
    return box;
}

QWidget* FirstStart::makeDropArea() {
    auto* area = new QFrame(this);
    area->setObjectName(QStringLiteral("dropArea"));
    area->setAccessibleName(tr("Drop area"));
    auto* column = new QVBoxLayout(area);
    column->setContentsMargins(16, 18, 16, 18);
    auto* title = new QLabel(tr("Drop block files or a folder here"), area);
    auto* kinds = new QLabel(tr("Bitcoin blocks, blk*.dat, .bloomtrace"), area);
    set_role(kinds, "caption");
    for (QLabel* label : {drop_icon_, title, kinds}) {
        label->setAlignment(Qt::AlignCenter);
        column->addWidget(label);
    }
    return area;
}

QWidget* FirstStart::makeMachineLine() {
    auto* line = new QWidget(this);
    auto* row = new QHBoxLayout(line);
    row->setContentsMargins(0, 14, 0, 0);
    row->setSpacing(8);
    row->addWidget(machine_, 1);
    for (const auto& [text, signal] : {std::pair{tr("Guide"), &FirstStart::guideRequested},
                                       {tr("Shortcuts ?"), &FirstStart::shortcutsRequested}}) {
        auto* link = new QPushButton(text, line);
        link->setProperty("link", true);
        connect(link, &QPushButton::clicked, this, signal);
        row->addWidget(link);
    }
    return line;
}

void FirstStart::showError(const QString& message) {
    show_sentence(*error_, message);
    error_->setVisible(!message.isEmpty());
    offer_->hide();
}

void FirstStart::offer(const QString& words, std::function<void()> act) {
    offer_->setText(words);
    // Blocks only its own signal: the style sheet needs its `destroyed`.
    disconnect(offer_, &QPushButton::clicked, this, nullptr);
    connect(offer_, &QPushButton::clicked, this, [this, act = std::move(act)] {
        showError({});
        act();
    });
    offer_->show();
}

void FirstStart::setOpening(bool opening) {
    if (opening == !demo_->isEnabled()) return;
    // Not to the next button, which a second Enter would press.
    if (demo_->hasFocus()) window()->setFocus(Qt::OtherFocusReason);
    demo_->setEnabled(!opening);
    if (!opening && isVisible() && window()->focusWidget() == window())
        demo_->setFocus(Qt::OtherFocusReason);
}

void FirstStart::showSigns() {
    const scene::Theme& theme = current_theme();
    const double ratio = devicePixelRatioF();
    logo_->setPixmap(logo(70, ratio));
    drop_icon_->setPixmap(icon_pixmap("open", theme.text2, 20, ratio));
    constexpr std::size_t stops[] = {0, 3, 6};
    for (int i = 0; i < pitch_icons_.size(); ++i)
        pitch_icons_[i]->setPixmap(
            icon_pixmap(pitch_icons_[i]->property("icon").toString().toLatin1().constData(),
                        theme.ramp[stops[i]], 20, ratio));
}

void FirstStart::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) showSigns();
}

} // namespace blockloom::ui
