// The guide (docs/guide.md) inside the window: sections at the left, text and pictures at the
// right. It is part of the binary and needs no network.
#pragma once

#include <QDialog>
#include <QList>
#include <QTextBrowser>

#include <optional>

class QListWidget;

namespace blockloom::ui {

/// A heading of the guide. Its anchor is formed as by common Markdown readers: lower case, hyphens
/// for spaces ("Live run" is "live-run").
struct GuideSection {
    QString title, anchor;
    int level = 1;
    int position = 0; ///< in the document
};

/// Pictures are never wider than the page.
class GuidePage : public QTextBrowser {
    Q_OBJECT

public:
    explicit GuidePage(QWidget* parent = nullptr);
    [[nodiscard]] const QList<GuideSection>& sections() const { return sections_; }
    bool goTo(const QString& anchor);      ///< false: no section has this anchor
    [[nodiscard]] QString current() const; ///< anchor of the section at the top

protected:
    QVariant loadResource(int type, const QUrl& name) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    /// What is at the top of the view: a position in the text, and how far it is above the edge.
    struct Place {
        int position = 0;
        double above = 0;
    };
    [[nodiscard]] Place top() const;
    [[nodiscard]] double topOf(int position) const; ///< top of the line that contains it
    void layOut();                                  ///< for the current width
    void lighten();
    void hold(); ///< keeps the current place at the top
    QList<GuideSection> sections_;
    int pictures_ = 0; ///< width that pictures were scaled to
    /// Until the reader scrolls, so that errors of many resizes do not add up.
    std::optional<Place> held_;
    int laying_ = 0; ///< resizes in progress: scrolling is not by the reader
};

class GuideDialog : public QDialog {
    Q_OBJECT

public:
    explicit GuideDialog(QWidget* parent = nullptr);
    void goTo(const QString& anchor); ///< empty or unknown: the beginning
    [[nodiscard]] GuidePage* page() const { return page_; }
    [[nodiscard]] QListWidget* contents() const { return contents_; }

private:
    QListWidget* contents_;
    GuidePage* page_;
};

[[nodiscard]] QString guide_anchor(const QString& title);

} // namespace blockloom::ui
