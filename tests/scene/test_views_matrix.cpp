// The conflict matrix: right batches leave their diagonal blocks empty, wrong ones show red marks.
#include "scene/blocks.h"
#include "scene/lists.h"
#include "scene/renderer.h"

#include <QtTest>

namespace blockloom::scene::test_views_matrix {
namespace {

using namespace tests;
using conflict::ConflictModel;
using schedule::BlockAnalysis;

/// Conflict pairs by the three rules, from the access sets.
std::set<std::pair<std::uint32_t, std::uint32_t>> naive_pairs(const trace::AccessSets& sets) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (std::uint32_t i = 0; i < sets.tasks(); ++i)
        for (std::uint32_t j = i + 1; j < sets.tasks(); ++j)
            for (const trace::Access a : sets.of(i))
                for (const trace::Access b : sets.of(j))
                    if (a.key() == b.key() && (a.writes() || b.writes())) pairs.insert({i, j});
    return pairs;
}

/// Marks of the second layer as (row, column), by their middle.
std::set<std::pair<int, int>> marks_of(const DisplayList& list) {
    std::set<std::pair<int, int>> marks;
    for (const Box& box : list.layers[1].boxes) {
        const Point at = box.mark ? Point{box.rect.x, box.rect.y} : centre(box.rect);
        marks.insert({static_cast<int>(at.y), static_cast<int>(at.x)});
    }
    return marks;
}

/// The place of each task along the axes, read from its target.
int place_of(const DisplayList& list, std::uint32_t task) {
    return static_cast<int>(list.targets[list.task_target[task]].bounds.y);
}

} // namespace

class TestViewsMatrix : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void marks_are_the_conflict_pairs() {
        for (std::uint32_t seed = 1; seed <= 8; ++seed) {
            const BlockAnalysis analysis = analysed(random_block(seed, 20 + seed * 23, 150, 4));
            const auto pairs = naive_pairs(analysis.index->trace->access_sets());
            for (const MatrixOrder order :
                 {MatrixOrder::index, MatrixOrder::level, MatrixOrder::batch}) {
                const DisplayList list =
                    make_view(analysis, {.view = View::matrix, .order = order});
                std::set<std::pair<int, int>> expected;
                for (const auto& [i, j] : pairs) {
                    expected.insert({place_of(list, i), place_of(list, j)});
                    expected.insert({place_of(list, j), place_of(list, i)});
                }
                QCOMPARE(marks_of(list), expected);
                QCOMPARE(list.layers[1].boxes.size(), 2 * pairs.size());
                QCOMPARE(list.coverage.drawn_edges, std::uint64_t{pairs.size()});
                QCOMPARE(list.coverage.all_edges, std::uint64_t{pairs.size()});
                QCOMPARE(QByteArray(list.coverage.unit.c_str()), QByteArray("pairs"));
                QVERIFY(list.keep_aspect);
            }
        }
    }

    void order_is_a_permutation_by_batch() {
        const BlockAnalysis analysis = analysed(random_block(5, 200, 220, 4));
        for (const MatrixOrder order : {MatrixOrder::index, MatrixOrder::level}) {
            const DisplayList list = make_view(analysis, {.view = View::matrix, .order = order});
            std::vector<std::uint32_t> at(200, 200);
            for (std::uint32_t t = 0; t < 200; ++t)
                at[static_cast<std::size_t>(place_of(list, t))] = t;
            for (std::size_t p = 1; p < at.size(); ++p) {
                const auto key = [&](std::uint32_t t) {
                    return std::pair(order == MatrixOrder::level ? analysis.index->level[t] : 0, t);
                };
                QVERIFY(at[p] < 200 && key(at[p - 1]) < key(at[p]));
            }
        }
    }

    void levels_and_colours_leave_their_blocks_empty() {
        for (std::uint32_t seed = 1; seed <= 10; ++seed)
            for (const ConflictModel model :
                 {ConflictModel::single_version, ConflictModel::multi_version}) {
                const BlockAnalysis analysis = analysed(random_block(seed, 180, 150, 5), model);
                QVERIFY(analysis.index->pairs.any > 0);
                QVERIFY(analysis.colouring.has_value());
                for (const MatrixOrder order : {MatrixOrder::level, MatrixOrder::batch}) {
                    const DisplayList list =
                        make_view(analysis, {.view = View::matrix, .order = order});
                    QVERIFY(list.marks_inside_blocks.has_value());
                    QCOMPARE(*list.marks_inside_blocks, std::uint64_t{0});
                    QCOMPARE(count_lines(list, dark_theme().error), std::uint64_t{0});
                }
                const DisplayList by_index =
                    make_view(analysis, {.view = View::matrix, .order = MatrixOrder::index});
                QVERIFY(!by_index.marks_inside_blocks.has_value());
            }
    }

    void a_wrong_colouring_shows_red() {
        for (std::uint32_t seed = 1; seed <= 6; ++seed) {
            BlockAnalysis analysis = analysed(random_block(seed, 90, 80, 4));
            auto& colour = analysis.colouring->colouring.colour;
            for (std::uint32_t t = 0; t < colour.size(); ++t) colour[t] = t * seed % 3; // no reason
            std::uint64_t inside = 0;
            for (const auto& [i, j] : naive_pairs(analysis.index->trace->access_sets()))
                inside += colour[i] == colour[j] ? 1 : 0;
            QVERIFY(inside > 0);
            const DisplayList list =
                make_view(analysis, {.view = View::matrix, .order = MatrixOrder::batch});
            QCOMPARE(*list.marks_inside_blocks, inside);
            QCOMPARE(count_lines(list, dark_theme().error), 4 * inside); // a cross in each half
            QVERIFY(list.summary.find("conflicts inside a ") != std::string::npos);
        }
    }

    /// The same where pairs are too many for single marks: squares, but still an exact count.
    void a_wrong_colouring_of_a_dense_block_is_counted_exactly() {
        std::vector<Touches> all;
        for (std::uint32_t t = 0; t < 900; ++t) // every pair by two keys: none may count twice
            all.push_back({{0, trace::Mode::read_write}, {1, trace::Mode::read_write}});
        BlockAnalysis analysis = analysed(block_of(all));
        QCOMPARE(analysis.colouring->colouring.colours, 900U);
        for (std::uint32_t t = 0; t < 900; ++t) analysis.colouring->colouring.colour[t] = t / 2;
        const DisplayList list =
            make_view(analysis, {.view = View::matrix, .order = MatrixOrder::batch});
        QVERIFY(!list.coverage.folded.empty());
        QCOMPARE(*list.marks_inside_blocks, std::uint64_t{450});
        QCOMPARE(count_lines(list, dark_theme().error), std::uint64_t{4 * 450});
    }

    /// Updates of a commutative key do not conflict with each other, pure reads of it do.
    void relaxed_keys_leave_no_marks() {
        std::vector<Touches> all(6, Touches{{0, trace::Mode::read_write}});
        all.push_back({{0, trace::Mode::read}});
        schedule::AnalysisOptions options;
        options.policy.commutative = {"key:0"};
        const auto analysis = schedule::analyse(block_of(all), options);
        QVERIFY(analysis.ok());
        const DisplayList list =
            make_view(*analysis, {.view = View::matrix, .order = MatrixOrder::index});
        QCOMPARE(list.coverage.drawn_edges, std::uint64_t{6});
        std::set<std::pair<int, int>> expected;
        for (int t = 0; t < 6; ++t) expected.insert({{t, 6}, {6, t}});
        QCOMPARE(marks_of(list), expected);
    }

    void blocks_cover_the_diagonal() {
        const BlockAnalysis analysis = analysed(random_block(9, 160, 120, 5));
        const DisplayList list = make_view(analysis, {.view = View::matrix});
        float at = 0;
        std::size_t level = 0;
        for (const Box& box : list.layers[2].boxes) { // over the marks
            if (box.fill != dark_theme().panel) continue;
            QCOMPARE(box.rect.x, at);
            QCOMPARE(box.rect.y, at);
            QCOMPARE(box.rect.width, box.rect.height);
            QCOMPARE(box.rect.width, static_cast<float>(analysis.index->level_sizes[level]));
            QCOMPARE(box.outline, dark_theme().ordinal(level, analysis.index->level_sizes.size()));
            at += box.rect.width;
            ++level;
        }
        QCOMPARE(at, 160.0F);
        QCOMPARE(level, analysis.index->level_sizes.size());
    }

    /// At "fit", down to the canvas of the smallest window: the matrix shrinks, its texts do not.
    void labels_of_levels_never_touch() {
        for (std::uint32_t seed = 1; seed <= 8; ++seed) {
            const BlockAnalysis analysis = analysed(random_block(seed, 200, 40 + seed * 30, 4));
            const DisplayList list = make_view(analysis, {.view = View::matrix});
            std::size_t least = 0, most = 0;
            for (const auto& [width, height] : {std::pair{480.0F, 200.0F},
                                                {800.0F, 450.0F},
                                                {1100.0F, 700.0F},
                                                {2300.0F, 1200.0F}}) {
                const float scale = std::min(width / list.world.width, height / list.world.height);
                Camera camera;
                camera.scale_x = camera.scale_y = static_cast<double>(scale);
                std::vector<Rect> rooms; // in pixels of the canvas
                for (const Layer& layer : list.layers)
                    for (const Text& text : layer.texts) {
                        if (!camera.is_within(layer.zooms)) continue;
                        std::size_t letters = 0;
                        for (const char c : text.utf8)
                            letters += (static_cast<unsigned char>(c) & 0xc0U) != 0x80U ? 1 : 0;
                        const float wide = static_cast<float>(letters) * text.pixels * 0.5F;
                        const float share = text.anchor == Anchor::left     ? 0.0F
                                            : text.anchor == Anchor::centre ? 0.5F
                                                                            : 1.0F;
                        rooms.push_back({text.at.x * scale - share * wide,
                                         text.at.y * scale - text.pixels / 2, wide, text.pixels});
                    }
                QVERIFY(rooms.size() >= 4);
                QVERIFY(rooms.size() >= most); // more room never has fewer
                if (most == 0) least = rooms.size();
                most = rooms.size();
                for (std::size_t a = 0; a < rooms.size(); ++a)
                    for (std::size_t b = a + 1; b < rooms.size(); ++b) {
                        const Rect &p = rooms[a], &q = rooms[b];
                        QVERIFY2(p.x + p.width < q.x || q.x + q.width < p.x ||
                                     p.y + p.height < q.y || q.y + q.height < p.y,
                                 qPrintable(QStringLiteral("seed %1, %2 px: texts %3 and %4")
                                                .arg(seed)
                                                .arg(static_cast<double>(height))
                                                .arg(a)
                                                .arg(b)));
                    }
            }
            QVERIFY2(most > least || least >= 2 * analysis.index->level_sizes.size(),
                     qPrintable(QStringLiteral("seed %1: %2 labels").arg(seed).arg(most)));
        }
    }

    /// A key that all touch: half a million pairs become squares, the list stays small, and both
    /// halves mirror each other.
    void many_pairs_become_squares() {
        std::vector<Touches> all(1000, Touches{{0, trace::Mode::read_write}});
        for (std::uint32_t t = 0; t < 500; ++t) all.push_back({{1 + t, trace::Mode::write}});
        const BlockAnalysis analysis = analysed(block_of(all));
        QCOMPARE(analysis.index->pairs.any, std::uint64_t{1000 * 999 / 2});
        const DisplayList list =
            make_view(analysis, {.view = View::matrix, .order = MatrixOrder::index});
        QVERIFY(count_boxes(list) <= 60'000);
        QVERIFY(!list.coverage.folded.empty());
        std::set<std::pair<float, float>> squares;
        for (const Box& box : list.layers[1].boxes) squares.insert({box.rect.x, box.rect.y});
        for (const auto& [x, y] : squares) {
            QVERIFY(squares.count({y, x}) == 1);
            QVERIFY(x < 1000 && y < 1000); // the last five hundred conflict with nothing
        }
        const float cell = list.layers[1].boxes.front().rect.width;
        const double side = std::ceil(1000 / static_cast<double>(cell));
        QCOMPARE(static_cast<double>(squares.size()), side * side);
    }

    /// One key that all of three thousand tasks update: all squares are full.
    void a_clique_is_full() {
        std::vector<Touches> all(3000, Touches{{0, trace::Mode::read_write}});
        const BlockAnalysis analysis = analysed(block_of(all));
        QVERIFY(analysis.index->pairs.any > 4'000'000);
        const DisplayList list = make_view(analysis, {.view = View::matrix});
        QCOMPARE(*list.marks_inside_blocks, std::uint64_t{0});
        QVERIFY(count_boxes(list) <= 65'000);
        QVERIFY(!list.layers[1].boxes.empty());
        for (const Box& box : list.layers[1].boxes) // every pair conflicts: all squares are full
            QVERIFY(int{box.fill.a} > 200);
    }
};

} // namespace blockloom::scene::test_views_matrix

QTEST_APPLESS_MAIN(blockloom::scene::test_views_matrix::TestViewsMatrix)
#include "test_views_matrix.moc"
