#include "runs/measured_path.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace blockloom::runs {
namespace {

/// The last execution of each task, or on a device of each transaction by its first; of one block.
using Times = std::unordered_map<std::uint32_t, profile::Span>;

std::unordered_map<std::uint64_t, Times> times_of(const profile::Trace& spans) {
    std::unordered_map<std::uint64_t, Times> found;
    for (const profile::Lane& lane : spans.lanes) {
        if (lane.kind != profile::LaneKind::worker) continue;
        for (const profile::Span& span : lane.spans) {
            if (span.category != profile::Category::message || span.block >= spans.heights.size())
                continue;
            auto [at, fresh] = found[spans.heights[span.block]].try_emplace(span.task, span);
            if (!fresh && span.begin >= at->second.begin) at->second = span;
        }
    }
    return found;
}

} // namespace

void MeasuredPaths::add(const execute::ReplayedBlock& block) {
    Edges edges;
    edges.height = block.height();
    const conflict::ConflictIndex* const index = block.index.get();
    if (index != nullptr && index->predecessors.size() + index->tasks() <= room_) {
        room_ -= index->predecessors.size() + index->tasks();
        edges.known = true;
        edges.begin = index->predecessor_begin;
        edges.predecessors = index->predecessors;
        edges.transaction = index->trace->transaction;
        for (conflict::TaskId task = 0; task < index->tasks(); ++task)
            edges.in_block.push_back(index->trace->task_in_block(task));
    }
    blocks_.push_back(std::move(edges));
}

void MeasuredPaths::fill_in(const profile::Trace& spans, std::vector<RunBlock>& blocks) const {
    if (spans.dropped != 0) return;
    const auto times = times_of(spans);
    static const Times none;
    for (std::size_t i = 0; i < std::min(blocks.size(), blocks_.size()); ++i) {
        const Edges& edges = blocks_[i];
        if (!edges.known) continue;
        const auto at = times.find(edges.height);
        const Times& of = at == times.end() ? none : at->second;
        // Tasks of a transaction that were not recorded separately are under its first one.
        const std::size_t tasks = edges.in_block.size();
        std::vector<std::size_t> under(tasks);
        std::unordered_map<std::uint32_t, std::size_t> seen;
        std::vector<Nanoseconds> sharing(tasks), finish(tasks);
        for (std::size_t task = 0; task < tasks; ++task) {
            const std::size_t first =
                edges.transaction.empty()
                    ? task
                    : seen.try_emplace(edges.transaction[task], task).first->second;
            under[task] = of.count(edges.in_block[task]) != 0 ? task : first;
            ++sharing[under[task]];
        }
        MeasuredPath path;
        bool whole = true;
        for (std::size_t task = 0; whole && task < tasks; ++task) {
            const auto ran = of.find(edges.in_block[under[task]]);
            whole = ran != of.end();
            if (!whole) break;
            Nanoseconds before = 0;
            for (std::uint32_t edge = edges.begin[task]; edge < edges.begin[task + 1]; ++edge)
                before = std::max(before, finish[edges.predecessors[edge]]);
            finish[task] = before + ran->second.duration() / sharing[under[task]];
            path.longest = std::max(path.longest, finish[task]);
        }
        if (!whole) continue;
        for (const auto& [task, span] : of) path.work += span.duration();
        blocks[i].path = path;
    }
}

} // namespace blockloom::runs
