// Names of keys and tasks from a trace file.
#pragma once

#include "trace/block_trace.h"
#include "trace/key_interner.h"

namespace blockloom::trace {

/// Key id = id of the interner.
class StoredKeyNames final : public KeyNames {
public:
    explicit StoredKeyNames(KeyInterner keys) : keys_(std::move(keys)) {}
    [[nodiscard]] std::string printable(KeyId key) const override {
        return std::string(keys_.key(key));
    }
    [[nodiscard]] std::string kind(KeyId key) const override {
        const std::string_view whole = keys_.key(key);
        return std::string(whole.substr(0, whole.find(':')));
    }

private:
    KeyInterner keys_;
};

/// One string for each task, in one array. A task without a name prints as "#N", N its place in the
/// block.
class StoredTaskNames final : public TaskNames {
public:
    void add(std::string_view name) {
        text_.append(name);
        end_.push_back(text_.size());
    }
    void append(const StoredTaskNames& more) {
        const std::uint64_t begin = text_.size();
        text_.append(more.text_);
        for (const std::uint64_t end : more.end_) end_.push_back(begin + end);
    }
    [[nodiscard]] std::string printable(TaskId task) const override {
        const std::uint64_t begin = task == 0 ? 0 : end_[task - 1];
        if (begin == end_[task]) return std::string("#").append(std::to_string(task));
        return text_.substr(begin, end_[task] - begin);
    }

private:
    std::string text_;
    std::vector<std::uint64_t> end_;
};

} // namespace blockloom::trace
