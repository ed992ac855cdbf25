// A session with the demo range open, for tests of docks.
#pragma once

#include "headers/waiting.h"
#include "session/session.h"

#include <QTest>

#include <memory>

namespace blockloom::test {

/// The demo range; the block with the most dependency edges is current.
inline std::unique_ptr<ui::Session> open_demo() {
    auto session = std::make_unique<ui::Session>();
    session->open({QStringLiteral("demo")});
    WAIT_UNTIL(session->range() && !session->busy());
    int best = 0;
    std::uint64_t most = 0;
    const auto& blocks = session->range()->blocks;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        if (blocks[i]->analysis.index->edges() <= most) continue;
        most = blocks[i]->analysis.index->edges();
        best = static_cast<int>(i);
    }
    session->setCurrentRow(best);
    return session;
}

/// A task of the current block that waits for another.
inline quint32 waiting_task(const ui::Session& session) {
    const auto& index = *session.currentBlock()->analysis.index;
    for (conflict::TaskId t = 0; t < index.tasks(); ++t)
        if (!index.predecessors_of(t).empty()) return t;
    return 0;
}

} // namespace blockloom::test
