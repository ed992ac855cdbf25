// A main window with settings of its own, on generated blocks.
#pragma once

#include "block_fixture.h"
#include "headers/waiting.h"
#include "session/session.h"
#include "store/kept_folders.h"
#include "window/main_window.h"
#include "window_waits.h"

#include <QTemporaryDir>
#include <QTest>

#include <memory>

namespace blockloom::test {

/// The kept runs of a window's workspace.
[[nodiscard]] inline auto open_runs(const QString& folder) {
    return store::open_runs(folder.toStdString());
}

struct WindowFixture {
    QTemporaryDir folder;
    std::unique_ptr<ui::MainWindow> window;

    [[nodiscard]] QString settings() const {
        return folder.filePath(QStringLiteral("settings.ini"));
    }
    [[nodiscard]] QString blocks() const { return folder.filePath(QStringLiteral("blocks")); }

    /// A fresh window; what an earlier one saved is there.
    void make(QSize size = {1600, 1000}) {
        window.reset();
        window = std::make_unique<ui::MainWindow>(settings());
        window->resize(size);
        window->show();
        wait_until_active(window.get());
    }

    bool open(std::uint32_t count = 3, std::uint32_t tasks = 120) {
        if (!QFile::exists(blocks()) && !write_blocks(blocks(), count, tasks)) return false;
        window->open({blocks()});
        return settle();
    }

    bool settle() {
        WAIT_UNTIL(window->session()->range() && window->isSettled());
        return true;
    }
};

} // namespace blockloom::test
