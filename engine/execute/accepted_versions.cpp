#include "execute/accepted_versions.h"

#include <utility>

namespace blockloom::execute {

void AcceptedVersions::Part::make(std::size_t size) {
    VersionBucket free;
    free.tags.fill(0);
    free.tasks.fill(VersionBucket::nobody);
    buckets.assign(size, free);
    writes.resize(size * VersionBucket::size);
}

/// The key is not there.
void AcceptedVersions::Part::add(std::uint32_t tag, std::uint32_t task, const Write& write) {
    ++count;
    for (std::size_t at = home_of(tag);; at = after(at)) {
        VersionBucket& bucket = buckets[at];
        for (std::size_t i = 0; i < VersionBucket::size; ++i) {
            if (bucket.tasks[i] != VersionBucket::nobody) continue;
            bucket.tags[i] = tag;
            bucket.tasks[i] = task;
            writes[at * VersionBucket::size + i] = &write;
            return;
        }
    }
}

void AcceptedVersions::begin(std::size_t parts) {
    for (Part& part : parts_) {
        if (part.count != 0) part.make(part.buckets.size());
        part.count = 0;
    }
    parts_.resize(parts);
}

void AcceptedVersions::put(std::size_t number, std::uint32_t tag, std::uint32_t task,
                           const Write& write) {
    Part& part = parts_[number];
    if (2 * (part.count + 1) > part.buckets.size() * VersionBucket::size) {
        const std::vector<VersionBucket> before = std::move(part.buckets);
        const std::vector<const Write*> writes = std::move(part.writes);
        part.make(before.empty() ? 4 : 2 * before.size());
        part.count = 0;
        for (std::size_t at = 0; at < before.size(); ++at)
            for (std::size_t i = 0; i < VersionBucket::size; ++i)
                if (before[at].tasks[i] != VersionBucket::nobody)
                    part.add(before[at].tags[i], before[at].tasks[i],
                             *writes[at * VersionBucket::size + i]);
    }
    for (std::size_t at = part.home_of(tag);; at = part.after(at)) {
        VersionBucket& bucket = part.buckets[at];
        for (std::size_t i = 0; i < VersionBucket::size; ++i) {
            if (bucket.tasks[i] == VersionBucket::nobody) return part.add(tag, task, write);
            const Write*& there = part.writes[at * VersionBucket::size + i];
            if (bucket.tags[i] != tag || there->first != write.first) continue;
            bucket.tasks[i] = task;
            there = &write;
            return;
        }
    }
}

} // namespace blockloom::execute
