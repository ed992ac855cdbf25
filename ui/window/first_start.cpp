#include "window/first_start.h"

#include "look/icons.h"
#include "look/numbers.h"
#include "look/theme_style.h"
#include "models/recent_model.h"
#include "recipes/recipe.h"
#include "session/background_work.h"
#include "vulkan/devices.h"
#include "window/recent_cell.h"

#include <QEvent>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QListView>
#include <QVBoxLayout>

#include <thread>

namespace blockloom::ui {
namespace {

QFrame* rule(QWidget* parent) {
    auto* line = new QFrame(parent);
    line->setObjectName(QStringLiteral("rule"));
    line->setFixedHeight(1);
    return line;
}

QString device_words(const vulkan::DeviceList& list) {
    if (list.chosen < 0) return QString::fromStdString(list.why.empty() ? list.why_none : list.why);
    const vulkan::DeviceInfo& device = list.devices[static_cast<std::size_t>(list.chosen)];
    QString words = QStringLiteral("Vulkan · %1").arg(QString::fromStdString(device.name));
    std::uint64_t memory = 0;
    for (const vulkan::MemoryHeap& heap : device.heaps)
        if (heap.device_local) memory += heap.bytes;
    // A device on the CPU shares the machine's memory: its heap says nothing of its own.
    if (device.type != vulkan::DeviceType::cpu && memory > 0)
        words += QStringLiteral(", %1").arg(size_text(memory));
    return words;
}

} // namespace

FirstStart::FirstStart(RecentModel* recent, QWidget* parent)
    : QWidget(parent), recent_(recent),
      demo_(new CardButton("run", tr("Open the demo"),
                           tr("%1 generated blocks; no download")
                               .arg(count_text(recipes::demo_recipe().blocks)),
                           tr("Enter"), true)),
      open_(new CardButton("open", tr("Open folder or files…"),
                           tr("A Bitcoin Core blocks folder, single files, several at once"),
                           QStringLiteral("Ctrl+O"), false)),
      list_(new QListView), logo_(new QLabel(this)), recent_head_(new QLabel(tr("Recent"))),
      error_(new QLabel(this)), drop_icon_(new QLabel), device_icon_(new QLabel),
      device_(new QLabel(tr("Vulkan · looking for a device"))), cores_icon_(new QLabel),
      rest_(new QSpacerItem(0, 0)), machine_(new BackgroundWork(this)) {
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
    askMachine();
    setFocusProxy(demo_);
}

FirstStart::~FirstStart() = default;

QWidget* FirstStart::makePitches() {
    const QList<Pitch> pitches{
        {"branch", tr("See what can run in parallel"),
         tr("Every block as levels, conflicts and the keys that stand in the way.")},
        {"filter", tr("Ask what if"),
         tr("Relax a key or change the conflict model; everything follows at once.")},
        {"report", tr("Take the report home"),
         tr("One HTML file with figures, pictures and where they come from.")}};
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
    auto* head = new QLabel(tr("This machine"), line);
    set_role(head, "caption");
    auto* cores = new QLabel(tr("CPU · %1")
                                 .arg(counted(std::max(std::thread::hardware_concurrency(), 1U),
                                              tr("core"), tr("cores"))),
                             line);
    row->addWidget(head);
    row->addSpacing(16);
    row->addWidget(cores_icon_);
    row->addWidget(cores);
    row->addSpacing(16);
    row->addWidget(device_icon_);
    device_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    row->addWidget(device_, 1);
    for (const auto& [text, signal] : {std::pair{tr("Guide"), &FirstStart::guideRequested},
                                       {tr("Shortcuts ?"), &FirstStart::shortcutsRequested}}) {
        auto* link = new QPushButton(text, line);
        link->setProperty("link", true);
        connect(link, &QPushButton::clicked, this, signal);
        row->addWidget(link);
    }
    return line;
}

void FirstStart::askMachine() {
    // The loader and its drivers may take long to wake up.
    machine_->start([this](const BackgroundWork::Delivery& deliver, ProgressSink&,
                           std::stop_token) {
        deliver([this, list = vulkan::list_devices()] {
            device_there_ = list.chosen >= 0;
            const QString words = device_words(list);
            device_->setText(device_there_ ? words : tr("Vulkan · %1").arg(words));
            device_->setToolTip(
                device_there_ ? words : tr("%1. Views are drawn on the CPU instead.").arg(words));
            showSigns();
        });
    });
}

void FirstStart::showError(const QString& message) {
    error_->setText(message);
    error_->setVisible(!message.isEmpty());
}

void FirstStart::showSigns() {
    const scene::Theme& theme = current_theme();
    const double ratio = devicePixelRatioF();
    logo_->setPixmap(logo(70, ratio));
    drop_icon_->setPixmap(icon_pixmap("open", theme.text2, 20, ratio));
    cores_icon_->setPixmap(icon_pixmap("check", theme.ok, 14, ratio));
    device_icon_->setPixmap(icon_pixmap(device_there_ ? "check" : "warning",
                                        device_there_ ? theme.ok : theme.warning, 14, ratio));
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
