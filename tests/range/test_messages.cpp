// Messages of executed blocks in rows: what is shown is what the execution logged.
#include "fixtures.h"
#include "range/describe_key.h"
#include "range/describe_task.h"
#include "recipes/recipe_blocks.h"

#include "alkanes/state_keys.h"
#include "base/number_text.h"
#include "range/message_rows.h"
#include "range/stored_value.h"

#include <map>

using namespace blockloom;
using namespace blockloom::test;
using alkanes::CallStatus;
using range::DetailRow;
using range::DetailSection;

namespace {

const DetailSection* section(const range::TaskDetails& details, const std::string& title) {
    for (const DetailSection& s : details.sections)
        if (s.title == title) return &s;
    return nullptr;
}

const DetailRow* row(const DetailSection& section, const std::string& label) {
    for (const DetailRow& r : section.rows)
        if (r.label == label) return &r;
    return nullptr;
}

/// A small generated range of a named recipe: a block that deploys, and one whose messages call.
std::shared_ptr<const range::Range> executed(const std::string& recipe, std::uint32_t tasks,
                                             bool estimate = false,
                                             const schedule::AnalysisOptions& analysis = {}) {
    const Folder folder;
    SilentProgress silent;
    const auto known = recipes::find_recipe(recipe);
    if (!known) return nullptr;
    recipes::RecipeChanges changes;
    changes.blocks = 2;
    changes.tasks = tasks;
    if (!recipes::write_blocks(folder.path(), recipes::with_changes(*known, changes), silent))
        return nullptr;
    auto options = open_options({folder.path()});
    options.record = true;
    options.estimate = estimate;
    options.engine = alkanes::Engine::interpreter;
    options.analysis = analysis;
    const auto range = open(options);
    if (!range) qWarning("%s", range.error().message.c_str());
    return range ? *range : nullptr;
}

std::vector<const alkanes::MessageRecord*> records_of(const range::BlockRecord& record) {
    std::vector<const alkanes::MessageRecord*> all;
    for (const auto& transaction : record.replayed->execution->transactions)
        for (const auto& message : transaction.records) all.push_back(&message);
    return all;
}

} // namespace

class TestMessages : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void values_by_what_they_are() {
        QCOMPARE(range::amount_text(0), "0");
        QCOMPARE(range::amount_text(1'234'567), "1,234,567");
        QCOMPARE(range::tokens_text({}), "none");
        QCOMPARE(range::tokens_text({{{2, 0}, 5000}, {{2, 7}, 1}}), "5,000 of 2:0, 1 of 2:7");
        QCOMPARE(range::inputs_text({77, 1, 0}), "77, 1, 0");
        QCOMPARE(range::bytes_text(""), "empty");
        QCOMPARE(range::bytes_text("plain text"), "\"plain text\"");
        QCOMPARE(range::bytes_text(u128_bytes(1'000'000)), "1,000,000");
        QCOMPARE(range::bytes_text(std::string("\x01\x00\x00\x00", 4)), "1");
        QCOMPARE(range::bytes_text(std::string("\x01\x02\x03", 3)), "0x010203");
        QCOMPARE(range::bytes_text(std::string(2048, '\0')).substr(0, 6), "0x0000");
        QVERIFY(range::bytes_text(std::string(2048, '\0')).ends_with("… · 2.00 KiB"));
        using namespace alkanes;
        QCOMPARE(range::stored_text(sequence_key(), {}), "absent");
        const Parcel tokens{{{2, 3}, 40}};
        QCOMPARE(range::stored_text(sheet_key({}), state::Value(sheet_value(tokens))), "40 of 2:3");
        for (const auto& [key, value] : clone_entries({2, 9}, {2, 1}))
            QCOMPARE(range::stored_text(key, value), "the code of 2:1");
    }

    void a_task_is_the_protostone_that_the_trace_names() {
        const auto range = executed("mixed", 80);
        QVERIFY(range);
        std::uint64_t messages = 0, reverted = 0, fuel = 0;
        for (const auto& block : range->blocks) {
            const auto& execution = *block->replayed->execution;
            const auto records = records_of(*block);
            QCOMPARE(records.size(), std::size_t{block->trace->sets.tasks()});
            for (trace::TaskId task = 0; task < records.size(); ++task) {
                const auto found = range::executed_task(execution, task);
                QVERIFY(found && &found->record() == records[task]);
                QCOMPARE(
                    block->trace->names->printable(task),
                    fmt::format("{}:{}",
                                to_reversed_hex(block->block->txids[records[task]->transaction]),
                                records[task]->protostone));
                messages += records[task]->is_message ? 1 : 0;
                reverted += records[task]->ok() ? 0 : 1;
                fuel += records[task]->fuel_used;
            }
            QVERIFY(!range::executed_task(execution, static_cast<trace::TaskId>(records.size())));
        }
        QCOMPARE(range->totals.executed, std::uint64_t{2});
        QCOMPARE(range->totals.messages, messages);
        QCOMPARE(range->totals.reverted, reverted);
        QCOMPARE(range->totals.fuel, fuel);
    }

    /// Executing a block indexes its conflicts; the analysis has that index, not one of its own.
    void conflicts_are_indexed_once() {
        SilentProgress silent;
        for (const auto model :
             {conflict::ConflictModel::single_version, conflict::ConflictModel::multi_version}) {
            schedule::AnalysisOptions analysis;
            analysis.model = model;
            const auto range = executed("mixed", 80, false, analysis);
            QVERIFY(range);
            analysis.policy.ignore = {"kind:balance"};
            const auto policed = range::reanalyse(*range, analysis, silent, {}, 1);
            const auto again = range::reanalyse(**policed, range->options.analysis, silent, {}, 1);
            for (std::size_t i = 0; i < range->blocks.size(); ++i) {
                const range::BlockRecord& block = *range->blocks[i];
                QVERIFY(block.replayed->index);
                QCOMPARE(block.analysis.index, block.replayed->index);
                QCOMPARE(block.analysis.index->trace->original, block.trace);
                QCOMPARE(block.analysis.index->model, model);
                QVERIFY(block.times.analyse >= block.replayed->phases[execute::Phase::analyse]);
                QVERIFY((*policed)->blocks[i]->analysis.index != block.replayed->index);
                QCOMPARE((*again)->blocks[i]->analysis.index, block.replayed->index);
                // As an analysis that is offered no index makes it.
                range::BlockRecord alone = block;
                alone.analysis = *schedule::analyse(block.trace, block.analysis.options);
                QCOMPARE(figures(block), figures(alone));
            }
        }
        // Estimated sets are other sets: nothing there is of the execution's.
        const auto estimated = executed("mixed", 80, true);
        QVERIFY(estimated);
        for (const auto& block : estimated->blocks)
            QVERIFY(block->analysis.index != block->replayed->index);
    }

    /// Who touches a key, in block order, and what it held: what one task left the next one finds.
    void a_key_tells_who_touches_it_and_what_it_held() {
        const auto range = executed("mixed", 80);
        QVERIFY(range);
        const range::BlockRecord& block = *range->blocks.back();
        const trace::PolicedTrace& trace = *block.analysis.index->trace;
        std::uint64_t links = 0;
        for (conflict::KeyId key = 0; key < trace.access_sets().key_count; ++key) {
            const range::TaskDetails details = range::describe_key(block, key);
            QCOMPARE(details.hash, trace.keys->printable(key));
            const DetailSection* touched = section(details, "Tasks that access it");
            const DetailSection* contention = section(details, "Contention");
            QVERIFY(touched != nullptr && contention != nullptr);
            std::uint64_t readers = 0, writers = 0;
            std::size_t at = 0;
            std::string left; // by the last task that wrote it
            for (conflict::TaskId task = 0; task < trace.tasks(); ++task)
                for (const trace::Access access : trace.access_sets().of(task)) {
                    if (access.key() != key) continue;
                    readers += access.reads() ? 1 : 0;
                    writers += access.writes() ? 1 : 0;
                    if (at == touched->rows.size()) continue; // the rest is counted
                    const DetailRow& shown = touched->rows[at++];
                    QCOMPARE(shown.task, std::optional<conflict::TaskId>(task));
                    const auto dot = shown.value.find(" · ");
                    const auto arrow = shown.value.find(" → ");
                    if (dot == std::string::npos || arrow == std::string::npos) continue;
                    const std::string before = shown.value.substr(dot + 4, arrow - dot - 4);
                    if (!left.empty()) {
                        QCOMPARE(before, left);
                        ++links;
                    }
                    left = shown.value.substr(arrow + 5);
                }
            QCOMPARE(row(*contention, "Readers")->value, counted(readers, "task"));
            QCOMPARE(row(*contention, "Writers")->value, counted(writers, "task"));
        }
        QVERIFY(links > 20);
        QVERIFY(range::describe_key(block, trace.access_sets().key_count).sections.empty());
    }

    void fuel_that_is_not_certain_is_marked() {
        const auto range = executed("mixed", 80);
        QVERIFY(range);
        range::BlockRecord block = *range->blocks.back();
        auto replayed = std::make_shared<execute::ReplayedBlock>(*block.replayed);
        auto execution = std::make_shared<alkanes::BlockExecution>(*replayed->execution);
        replayed->execution = execution;
        block.replayed = replayed;
        conflict::TaskId first = 0;
        for (const auto records = records_of(block); !records[first]->is_message;) ++first;
        const auto found = range::executed_task(*execution, first);
        for (auto& transaction : execution->transactions)
            for (auto& record : transaction.records)
                if (&record == &found->record()) record.fuel_doubt = "2:5: function 3 is in doubt";
        const auto details = range::describe_task(block, first);
        QVERIFY(row(*section(details, "Message"), "Fuel")
                    ->value.ends_with(" · uncertain: 2:5: function 3 is in doubt"));
    }

    void rows_say_what_the_message_did() {
        const auto range = executed("mixed", 80);
        QVERIFY(range);
        const range::BlockRecord& block = *range->blocks.back();
        const auto records = records_of(block);
        QVERIFY(records.size() >= 80);
        std::size_t with_calls = 0;
        for (conflict::TaskId task = 0; task < records.size(); ++task) {
            const alkanes::MessageRecord& record = *records[task];
            const auto details = range::describe_task(block, task);
            if (!record.is_message) {
                QCOMPARE(details.title, "Task #" + count_text(task));
                QVERIFY(row(*section(details, "Protostone"), "Outcome"));
                continue;
            }
            QCOMPARE(details.title, "Message #" + count_text(task));
            const DetailSection* message = section(details, "Message");
            QVERIFY(message);
            QCOMPARE(row(*message, "Target")->value, alkanes::id_text(record.target));
            const std::string& fuel = row(*message, "Fuel")->value;
            QVERIFY(fuel.starts_with(count_text(record.fuel_used)));
            QVERIFY(fuel.find("certain") == std::string::npos);
            QCOMPARE(row(*message, "Tokens in")->value, range::tokens_text(record.incoming));
            QCOMPARE(row(*message, "Outcome")->tone,
                     record.ok() ? range::Tone::ok : range::Tone::warning);
            QCOMPARE(row(*message, "Reason") != nullptr, !record.text.empty());
            const DetailSection* calls = section(details, "Host calls");
            QVERIFY(calls);
            QCOMPARE(calls->rows.size(), std::min<std::size_t>(record.host_calls.size(), 200));
            for (std::size_t i = 0; i < calls->rows.size(); ++i)
                QVERIFY(calls->rows[i].label.ends_with(record.host_calls[i].name));
            with_calls += record.host_calls.empty() ? 0 : 1;
            QVERIFY(section(details, "Outputs"));
            QVERIFY(section(details, "Waits for"));
        }
        QVERIFY(with_calls > 40);
    }

    /// Each value before is the value after of the writer before it, all through the block.
    void before_and_after_are_one_chain() {
        const auto range = executed("mixed", 80);
        QVERIFY(range);
        std::map<std::string, std::string> last;
        std::size_t linked = 0;
        for (const auto& block : range->blocks)
            for (conflict::TaskId task = 0; task < block->analysis.index->tasks(); ++task) {
                const auto details = range::describe_task(*block, task);
                const DetailSection* writes = section(details, "State before and after");
                QVERIFY(writes);
                for (std::size_t i = 0; i + 1 < writes->rows.size(); i += 2) {
                    const DetailRow& key = writes->rows[i];
                    QCOMPARE(key.label, std::string("W"));
                    QVERIFY(key.key);
                    QCOMPARE(block->trace->keys->printable(*key.key), key.value);
                    const std::string& value = writes->rows[i + 1].value;
                    if (value == "rolled back") continue;
                    const std::size_t arrow = value.find(" → ");
                    QVERIFY(arrow != std::string::npos);
                    // Host tasks spend sheets, too, and are no task: only contracts' keys chain.
                    const bool chains = key.value.starts_with("storage:");
                    if (const auto known = last.find(key.value); chains && known != last.end()) {
                        QCOMPARE(value.substr(0, arrow), known->second);
                        ++linked;
                    }
                    last[key.value] = value.substr(arrow + std::string(" → ").size());
                }
            }
        QVERIFY(linked > 20);
    }

    void failures_are_told_apart() {
        const auto range = executed("adversarial", 120);
        QVERIFY(range);
        const range::BlockRecord& block = *range->blocks.back();
        const auto records = records_of(block);
        const auto failed = range::failed_tasks(block);
        QVERIFY(failed);
        QCOMPARE(failed->size(), records.size());
        std::map<CallStatus, std::size_t> seen;
        for (conflict::TaskId task = 0; task < records.size(); ++task) {
            QCOMPARE((*failed)[task], !records[task]->ok());
            if (!records[task]->is_message) continue;
            ++seen[records[task]->status];
            const auto details = range::describe_task(block, task);
            QCOMPARE(row(*section(details, "Message"), "Outcome")->value,
                     range::outcome_text(records[task]->status));
        }
        QVERIFY(seen[CallStatus::success] > 0);
        QVERIFY(seen.size() >= 3); // it misbehaves in several ways
    }

    void host_calls_in_words() {
        alkanes::TransactionResult result;
        alkanes::MessageRecord message;
        message.host_calls = {{"__call", {"2:7", "1, 2"}, 48, 1'234, 0},
                              {"__request_storage", {"/totalsupply"}, 16, 0, 1},
                              {"__log", {}, std::nullopt, 0, 0}};
        result.records.push_back(message);
        const DetailSection calls = range::host_call_section({&result, 0});
        QCOMPARE(calls.note, std::string("3 calls"));
        QCOMPARE(calls.rows[0].label, std::string("__call"));
        QCOMPARE(calls.rows[0].value, std::string("2:7, 1, 2 → 48 · fee 1,234"));
        QCOMPARE(calls.rows[1].label, std::string("\u2003__request_storage")); // nested: indented
        QCOMPARE(calls.rows[1].value, std::string("/totalsupply → 16"));
        QCOMPARE(calls.rows[2].value, std::string());

        result.records.front().host_calls.assign(250, {"__fuel", {}, 0, 0, 0});
        const DetailSection many = range::host_call_section({&result, 0});
        QCOMPARE(many.rows.size(), std::size_t{200});
        QCOMPARE(many.sentence, std::string("And 50 more."));
    }

    void a_message_run_again_says_where_its_fuel_went() {
        const auto range = executed("mixed", 60);
        QVERIFY(range);
        const range::BlockRecord& block = *range->blocks.back();
        const auto& transactions = block.replayed->execution->transactions;
        const std::uint64_t stored_byte = block.replayed->context->rules.stored_byte;
        std::size_t checked = 0;
        for (std::size_t entry = 0; entry < transactions.size(); ++entry)
            for (std::size_t place = 0; place < transactions[entry].records.size(); ++place) {
                const alkanes::MessageRecord& record = transactions[entry].records[place];
                if (record.code == Hash256{}) continue;
                const auto profile = execute::profile_message(*block.replayed, entry, place);
                QVERIFY2(profile.ok(), profile.ok() ? "" : profile.error().message.c_str());
                QCOMPARE(profile->fuel, record.fuel_used);
                QVERIFY(!profile->functions.empty());
                const auto section = range::profile_section(*profile);
                QCOMPARE(section.rows.size(),
                         std::min<std::size_t>(profile->functions.size(), 200));
                const bool nested = std::any_of(record.host_calls.begin(), record.host_calls.end(),
                                                [](const auto& call) { return call.level > 0; });
                if (nested || !record.ok()) continue; // their fuel is reported twice, or drained
                std::uint64_t own = 0;
                for (const auto& function : profile->functions) own += function.self_fuel;
                QCOMPARE(own + stored_byte * alkanes::storage_map_size(record.storage),
                         record.fuel_used);
                ++checked;
            }
        QVERIFY(checked > 10);
    }

    void other_sets_are_called_so() {
        const auto range = executed("mixed", 60, true);
        QVERIFY(range);
        const range::BlockRecord& block = *range->blocks.back();
        QVERIFY(block.replayed->estimated);
        const auto estimated = range::describe_task(block, 3);
        QVERIFY(section(estimated, "Estimated reads and writes"));

        schedule::AnalysisOptions rules;
        rules.policy.ignore = {"sheet:*"};
        const auto policed = executed("mixed", 60, false, rules);
        QVERIFY(policed);
        const auto details = range::describe_task(*policed->blocks.back(), 3);
        const DetailSection* counted = section(details, "Counted keys");
        QVERIFY(counted);
        for (const DetailRow& key : counted->rows) QVERIFY(!key.value.starts_with("sheet:"));
        QVERIFY(!section(range::describe_task(*executed("mixed", 60)->blocks.back(), 3),
                         "Counted keys"));
    }

    void blocks_that_were_not_executed_have_no_messages() {
        const Folder folder;
        folder.add(small_recipe(1));
        const auto range = open(open_options({folder.path()}));
        const range::BlockRecord& block = *(*range)->blocks.front();
        QVERIFY(!range::failed_tasks(block));
        QCOMPARE((*range)->totals.executed, std::uint64_t{0});
        QCOMPARE(range::describe_task(block, 1).title, std::string("Transaction #1"));
    }
};

QTEST_APPLESS_MAIN(TestMessages)
#include "test_messages.moc"
