#include "window/guide_dialog.h"

#include "look/theme_style.h"

#include <QAbstractTextDocumentLayout>
#include <QDesktopServices>
#include <QDialogButtonBox>
#include <QFile>
#include <QFontInfo>
#include <QHBoxLayout>
#include <QListWidget>
#include <QPushButton>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextFragment>
#include <QTextLayout>
#include <QTimer>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace blockloom::ui {
namespace {

const QString resources = QStringLiteral(":/guide/");
constexpr int margin_px = 12;
constexpr int heading_gap = 4; ///< above a section that was navigated to
constexpr int above_heading = 14, below_heading = 6;

QString guide_text() {
    QFile file(resources + QStringLiteral("guide.md"));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

} // namespace

QString guide_anchor(const QString& title) {
    QString anchor;
    for (const QChar c : title.toLower())
        if (c.isLetterOrNumber() || c == QLatin1Char('-'))
            anchor += c;
        else if (c == QLatin1Char(' '))
            anchor += QLatin1Char('-');
    return anchor;
}

GuidePage::GuidePage(QWidget* parent) : QTextBrowser(parent) {
    setAccessibleName(tr("Guide"));
    setOpenLinks(false);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn); // else its appearance changes the width
    document()->setDocumentMargin(margin_px);
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, [this] {
        if (laying_ == 0) held_.reset();
    });
    connect(this, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
        if (link.isRelative())
            goTo(link.fragment());
        else
            QDesktopServices::openUrl(link);
    });
}

/// Once inserted, a picture keeps its size in the document, so a new width needs a new picture.
void GuidePage::layOut() {
    const int width = viewport()->width() - 2 * margin_px - 4;
    if (width == pictures_ || width < 100) return;
    pictures_ = width;
    setMarkdown(guide_text());
    lighten();
    sections_.clear();
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next())
        if (const int level = block.blockFormat().headingLevel(); level > 0) {
            sections_.append({block.text(), guide_anchor(block.text()), level, block.position()});
            QTextBlockFormat apart; // markdown sets headings as tight as lines
            apart.setTopMargin(sections_.size() == 1 ? 0 : above_heading);
            apart.setBottomMargin(below_heading);
            QTextCursor(block).mergeBlockFormat(apart);
        }
}

/// Markdown asks for bold and italics; the look has neither, but a medium weight.
void GuidePage::lighten() {
    QList<std::pair<int, int>> heavy;
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next())
        for (auto at = block.begin(); !at.atEnd(); ++at) {
            const QTextFragment words = at.fragment();
            const QTextCharFormat format = words.charFormat();
            if (format.fontWeight() > QFont::Medium || format.fontItalic())
                heavy.append({words.position(), words.position() + words.length()});
        }
    // Where the text's font has no medium weight, such as DejaVu, it would look like the rest.
    const bool has_medium = QFontInfo(text_font(13, true)).weight() > QFont::Normal;
    QTextCharFormat medium;
    medium.setFontWeight(has_medium ? QFont::Medium : QFont::Bold);
    medium.setFontItalic(false);
    QTextCursor cursor(document());
    cursor.beginEditBlock(); // one layout for all
    for (const auto& [from, to] : heavy) {
        cursor.setPosition(from);
        cursor.setPosition(to, QTextCursor::KeepAnchor);
        cursor.mergeCharFormat(medium);
    }
    cursor.endEditBlock();
}

QVariant GuidePage::loadResource(int type, const QUrl& name) {
    if (type != QTextDocument::ImageResource) return QTextBrowser::loadResource(type, name);
    QImage picture(resources + name.path());
    const double ratio = devicePixelRatioF();
    const int most = static_cast<int>(pictures_ * ratio);
    if (picture.width() > most) picture = picture.scaledToWidth(most, Qt::SmoothTransformation);
    picture.setDevicePixelRatio(ratio);
    return picture;
}

void GuidePage::resizeEvent(QResizeEvent* event) {
    ++laying_;
    if (!held_ && !sections_.isEmpty()) held_ = top(); // before the text is wrapped again
    QTextBrowser::resizeEvent(event);
    layOut();
    hold();
    QTimer::singleShot(0, this, [this] { // the scroll bar knows its range by then
        hold();
        --laying_;
    });
}

double GuidePage::topOf(int position) const {
    const QTextBlock block = document()->findBlock(position);
    const QTextLine line = block.layout()->lineForTextPosition(position - block.position());
    return document()->documentLayout()->blockBoundingRect(block).top() +
           (line.isValid() ? line.y() : 0);
}

GuidePage::Place GuidePage::top() const {
    const double edge = verticalScrollBar()->value();
    // A heading that was jumped to is a little below the edge, and is the current one.
    const int position = document()->documentLayout()->hitTest(
        QPointF(margin_px, edge + heading_gap + 1), Qt::FuzzyHit);
    if (position < 0) return {};
    const double above = edge - topOf(position);
    // Of a tall line, a picture, its part changes with the width: its top stays visible.
    return {position, std::min(above, 0.0)};
}

void GuidePage::hold() {
    if (held_)
        verticalScrollBar()->setValue(
            static_cast<int>(std::lround(topOf(held_->position) + held_->above)));
}

bool GuidePage::goTo(const QString& anchor) {
    const auto at = std::find_if(sections_.begin(), sections_.end(),
                                 [&](const GuideSection& s) { return s.anchor == anchor; });
    if (at == sections_.end()) return false;
    QTextCursor cursor(document());
    cursor.setPosition(at->position);
    setTextCursor(cursor);
    held_.reset();
    // The heading at the top, not where the cursor just becomes visible.
    const QRectF block = document()->documentLayout()->blockBoundingRect(cursor.block());
    verticalScrollBar()->setValue(static_cast<int>(block.top()) - heading_gap);
    return true;
}

QString GuidePage::current() const {
    QString found;
    const int top = verticalScrollBar()->value() + margin_px;
    for (const GuideSection& section : sections_) {
        const QTextBlock block = document()->findBlock(section.position);
        if (document()->documentLayout()->blockBoundingRect(block).top() > top) break;
        found = section.anchor;
    }
    return found;
}

GuideDialog::GuideDialog(QWidget* parent)
    : QDialog(parent), contents_(new QListWidget(this)), page_(new GuidePage(this)) {
    setObjectName(QStringLiteral("guideDialog"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Guide"));
    resize(QSize(960, 720).boundedTo(screen()->availableSize() - QSize(24, 64))); // and a frame
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(12);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    contents_->setAccessibleName(tr("Sections of the guide"));
    contents_->setFixedWidth(224);
    contents_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    row->addWidget(contents_);
    row->addWidget(page_, 1);
    column->addLayout(row, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);
    connect(contents_, &QListWidget::currentItemChanged, this, [this](QListWidgetItem* item) {
        if (item != nullptr) page_->goTo(item->data(Qt::UserRole).toString());
    });
}

void GuideDialog::goTo(const QString& anchor) {
    if (contents_->count() == 0)
        for (const GuideSection& section : page_->sections()) {
            auto* item = new QListWidgetItem(
                QString((section.level - 1) * 2, QLatin1Char(' ')) + section.title, contents_);
            item->setData(Qt::UserRole, section.anchor);
            item->setData(Qt::AccessibleTextRole, section.title);
            item->setToolTip(section.title);
        }
    for (int i = 0; i < contents_->count(); ++i)
        if (contents_->item(i)->data(Qt::UserRole).toString() == anchor) {
            contents_->setCurrentRow(i);
            page_->goTo(anchor);
            page_->setFocus();
            return;
        }
    contents_->setCurrentRow(0);
    page_->setFocus();
}

} // namespace blockloom::ui
