#include "range/sources.h"

#include "base/file.h"
#include "base/number_text.h"
#include "chain/block_file.h"
#include "chain/ordering.h"
#include "range/database_source.h"
#include "range/demo_source.h"
#include "range/left_out.h"
#include "range/node_blocks.h"
#include "trace/bloomtrace.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

namespace blockloom::range {
namespace {

namespace fs = std::filesystem;

/// Which chains can be requested, and why one cannot.
Status check_chain(const RangeOptions& options) {
    const std::string& chain = options.chain;
    const std::string& place = options.sources.front();
    if (chain == "auto" || chain == "bitcoin" || chain == "trace" || chain == "alkanes") return {};
    if (chain == "ethereum" || chain == "solana")
        return Error{ErrorCode::bad_input, fmt::format("{}: --chain {}: not supported yet; convert "
                                                       "the blocks to .bloomtrace to analyse them",
                                                       place, chain)};
    return Error{
        ErrorCode::wrong_usage,
        fmt::format("--chain {}: expected auto, bitcoin, alkanes, ethereum, solana or trace",
                    chain)};
}

/// Before anything repeats a source: a URL may have a password in it. And credentials are for one
/// node.
Status check_nodes(const RangeOptions& options) {
    const node::NodeAccess& access = options.nodes;
    for (const std::string& source : options.sources) {
        std::error_code unknown;
        for (const std::string_view kind : {"core:", "rest:"})
            if (source.starts_with(kind) && source.find("://") == std::string::npos &&
                !fs::exists(source, unknown)) // not repeated either
                return Error{ErrorCode::wrong_usage,
                             fmt::format("{0} expected http:// or https:// after it, such as "
                                         "{0}http://127.0.0.1:8332, found neither",
                                         kind)};
        if (source.find("://") != std::string::npos && !is_node_source(source) &&
            !fs::exists(source, unknown)) // not repeated: it may have a password in it
            return Error{ErrorCode::wrong_usage,
                         "expected core:, rest: or metashrew: before the URL of a node, found "
                         "another word"};
    }
    const bool any = std::any_of(options.sources.begin(), options.sources.end(), is_node_source);
    if (!any) return {};
    const auto credentials = node::Credentials::read(access);
    if (!credentials) return credentials.error();
    std::optional<std::string> origin;
    for (const std::string& source : options.sources) {
        if (!is_node_source(source)) continue;
        const auto node = open_node(source, access);
        if (!node) return node.error();
        const std::string& own = (*node)->address().origin;
        if (credentials->kind() != node::Credentials::Kind::none && origin && *origin != own)
            return Error{ErrorCode::wrong_usage,
                         fmt::format("credentials: expected one node to send them to, found "
                                     "{} and {}",
                                     *origin, own)};
        origin = own;
    }
    return {};
}

class Gathering {
public:
    Gathering(const RangeOptions& options, ProgressSink& progress, const std::stop_token& stop)
        : options_(options), progress_(progress), stop_(stop) {}

    Status list() {
        std::vector<fs::path> paths;
        for (const std::string& source : options_.sources) {
            if (is_node_source(source)) {
                if (const Status read = add_node(source); !read) return read;
            } else if (is_database_source(source)) {
                auto blocks = database_blocks(options_, source, progress_, stop_);
                if (!blocks) return blocks.error();
                take_blocks(*std::move(blocks));
            } else if (source != "demo") {
                paths.emplace_back(source);
            } else if (const Status made = add_demo(); !made) {
                return made;
            }
        }
        if (paths.empty()) return {};
        auto listing = chain::list_blocks(paths, progress_, stop_);
        if (!listing) return listing.error();
        for (auto& note : listing->notes)
            if (fs::path(note.source).filename() != manifest_name)
                leave_out(std::move(note.source), std::move(note.reason));
        for (auto& bad : listing->malformed)
            if (const Status skipped = skip(bad.source, bad.error); !skipped) return skipped;
        for (auto& file : listing->files) files_.push_back({file.path, file.bytes, {}});
        take_blocks(std::move(listing->blocks));
        return read_traces(listing->trace_files);
    }

    Result<Sources> finish() {
        std::vector<Pending> pending = ordered_blocks();
        // Imported traces have no links; heights order them, and their files where there are none.
        std::stable_sort(traces_.begin(), traces_.end(), [](const Pending& a, const Pending& b) {
            return a.height && b.height ? *a.height < *b.height : a.height && !b.height;
        });
        for (Pending& trace : traces_) pending.push_back(std::move(trace));
        std::erase_if(pending, [this](const Pending& p) { return !inside(p.height, p.source); });
        if (pending.empty()) return nothing_left();
        return Sources{std::move(pending), std::move(left_out_), std::move(files_),
                       manifest_of(own_sources())};
    }

private:
    void leave_out(std::string source, std::string reason, bool stale = false) {
        left_out_.push_back({std::move(source), std::move(reason), stale});
    }

    /// The sources without the files whose blocks are all in other files too: a file that is given
    /// beside its folder adds nothing, and does not show where the blocks come from.
    [[nodiscard]] std::vector<std::string> own_sources() const {
        std::map<Hash256, std::set<const chain::BlockFile*>> files; // a file listed twice is two
        std::map<std::string, std::vector<Hash256>> blocks;
        for (const chain::BlockRef& block : blocks_) {
            files[block.hash].insert(block.file.get());
            blocks[block.file->name()].push_back(block.hash);
        }
        std::vector<std::string> own = options_.sources;
        std::erase_if(own, [&](const std::string& source) {
            const auto held = blocks.find(fs::path(source).string());
            return held != blocks.end() &&
                   std::all_of(held->second.begin(), held->second.end(),
                               [&](const Hash256& hash) { return files.at(hash).size() > 1; });
        });
        return own;
    }

    /// A malformed piece: left out with `keep_going`, else the error itself.
    Status skip(const std::string& source, const Error& error) {
        if (!options_.keep_going || error.code == ErrorCode::cancelled) return error;
        leave_out(source, error.message);
        return {};
    }

    Status add_demo() {
        progress_.report({"Generating the demo", 0, 0});
        auto blocks = demo_blocks(stop_);
        if (!blocks) return blocks.error();
        take_blocks(*std::move(blocks));
        return {};
    }

    Status add_node(const std::string& source) {
        auto blocks =
            node_blocks(source, options_.nodes, options_.from, options_.to, progress_, stop_);
        if (!blocks) return blocks.error();
        take_blocks(*std::move(blocks));
        return {};
    }

    void take_blocks(std::vector<chain::BlockRef> blocks) {
        if (options_.chain == "trace") {
            for (const chain::BlockRef& block : blocks)
                leave_out(block.source(), "it is a Bitcoin block, but --chain trace was given");
            return;
        }
        blocks_.insert(blocks_.end(), std::make_move_iterator(blocks.begin()),
                       std::make_move_iterator(blocks.end()));
    }

    Status read_traces(const std::vector<fs::path>& paths) {
        for (std::size_t i = 0; i < paths.size(); ++i) {
            if (stop_.stop_requested()) return cancelled_error();
            const std::string path = paths[i].string();
            if (options_.chain == "bitcoin" || options_.chain == "alkanes") {
                leave_out(path,
                          fmt::format("it is a trace, but --chain {} was given", options_.chain));
                continue;
            }
            progress_.report({"Reading traces", i, paths.size()});
            if (const Status read = read_trace(paths[i]); !read)
                if (const Status skipped = skip(path, read.error()); !skipped) return skipped;
        }
        return {};
    }

    Status read_trace(const fs::path& path) {
        Stopwatch watch;
        const auto file = FileContent::read(path);
        if (!file) return file.error();
        auto content = trace::read_bloomtrace(file->bytes(), path.string(), stop_);
        if (!content) return content.error();
        const auto blocks =
            static_cast<Nanoseconds>(std::max<std::size_t>(content->blocks.size(), 1));
        const Nanoseconds each = watch.lap() / blocks;
        files_.push_back({path.string(), file->bytes().size(), {}});
        if (content->blocks.empty()) leave_out(path.string(), "a trace without blocks");
        for (auto& block : content->blocks)
            traces_.push_back(
                {std::nullopt, block->block.height, {}, block, path.string(), each, nullptr});
        return {};
    }

    std::vector<Pending> ordered_blocks() {
        const chain::ChainOrder order = chain::order_blocks(blocks_);
        for (const chain::OffChain& off : order.off_chain)
            if (inside(order.heights[off.block], {}))
                leave_out(blocks_[off.block].source(), off.reason, off.stale);
        std::vector<Pending> pending;
        pending.reserve(order.order.size());
        for (const std::size_t at : order.order)
            pending.push_back(
                {blocks_[at], order.heights[at], {}, nullptr, blocks_[at].source(), 0, nullptr});
        add_copies(pending, order);
        return pending;
    }

    void add_copies(std::vector<Pending>& pending, const chain::ChainOrder& order) const {
        std::map<Hash256, std::size_t> place;
        for (const chain::OffChain& off : order.off_chain)
            if (!off.stale) place.emplace(blocks_[off.block].hash, pending.size());
        if (place.empty()) return;
        for (std::size_t i = 0; i < pending.size(); ++i)
            if (const auto found = place.find(pending[i].block->hash); found != place.end())
                found->second = i;
        for (const chain::OffChain& off : order.off_chain) {
            const auto found = place.find(blocks_[off.block].hash);
            if (!off.stale && found != place.end() && found->second < pending.size())
                pending[found->second].copies.push_back(blocks_[off.block]);
        }
    }

    /// Whether a height lies in the requested range. An unknown one does not; `source`, unless
    /// empty, is then listed as left out.
    bool inside(const std::optional<std::uint64_t>& height, const std::string& source) {
        if (!options_.from && !options_.to) return true;
        if (!height) {
            if (!source.empty())
                leave_out(source, "its height is unknown, but a range of heights was given");
            return false;
        }
        lowest_ = std::min(lowest_.value_or(*height), *height);
        highest_ = std::max(highest_.value_or(*height), *height);
        return *height >= options_.from.value_or(0) &&
               *height <= options_.to.value_or(~std::uint64_t{0});
    }

    [[nodiscard]] Error nothing_left() const {
        std::string message = fmt::format("{}: ", fmt::join(options_.sources, ", "));
        if (lowest_)
            message += fmt::format(
                "expected blocks from height {} to {}, found {} to {}", options_.from.value_or(0),
                options_.to ? fmt::format("{}", *options_.to) : "the last", *lowest_, *highest_);
        else
            message += "expected blocks, found none";
        if (left_out_.size() == 1 && options_.sources == std::vector{left_out_.front().source})
            message += fmt::format(" ({})", reason_alone(left_out_.front())); // named above
        else if (!left_out_.empty())
            message +=
                fmt::format(" ({} left out; the first, {}: {})", count_text(left_out_.size()),
                            left_out_.front().source, reason_alone(left_out_.front()));
        return {ErrorCode::bad_input, std::move(message)};
    }

    const RangeOptions& options_;
    ProgressSink& progress_;
    const std::stop_token& stop_;
    std::vector<chain::BlockRef> blocks_;
    std::vector<Pending> traces_;
    std::vector<LeftOut> left_out_;
    std::vector<SourceFile> files_;
    std::optional<std::uint64_t> lowest_, highest_; ///< heights that were seen while cutting
};

/// The manifest of `synth` determines the rules of its blocks: if it cannot be read, nothing is
/// guessed.
Status check_manifests(const std::vector<std::string>& sources) {
    for (const std::string& source : sources) {
        const fs::path file = fs::path(source) / manifest_name;
        std::error_code unknown;
        if (source == "demo" || !fs::exists(file, unknown)) continue;
        if (const auto read = read_manifest(file); !read) return read.error();
    }
    return {};
}

} // namespace

execute::ReplaySource replay_source(const Pending& pending) {
    return {*pending.block, pending.height, pending.copies};
}

std::optional<Manifest> manifest_of(const std::vector<std::string>& sources) {
    std::optional<Manifest> common;
    for (const std::string& source : sources) {
        std::optional<Manifest> own;
        if (source == "demo")
            own = demo_manifest();
        else if (auto read = read_manifest(fs::path(source) / manifest_name))
            own = *std::move(read);
        if (!own) return std::nullopt;
        if (!common) {
            common = std::move(own);
            continue;
        }
        if (common->chain != own->chain || common->network != own->network) return std::nullopt;
        common->first_blocks.insert(common->first_blocks.end(), own->first_blocks.begin(),
                                    own->first_blocks.end());
    }
    return common;
}

Result<Sources> gather_sources(const RangeOptions& options, ProgressSink& progress,
                               const std::stop_token& stop) {
    if (options.sources.empty())
        return Error{ErrorCode::wrong_usage, "expected a source, found none"};
    if (const Status nodes = check_nodes(options); !nodes) return nodes.error();
    if (const Status chain = check_chain(options); !chain) return chain.error();
    if (const Status manifests = check_manifests(options.sources); !manifests)
        return manifests.error();
    Gathering gathering(options, progress, stop);
    if (const Status listed = gathering.list(); !listed) return listed.error();
    if (stop.stop_requested()) return cancelled_error();
    return gathering.finish();
}

} // namespace blockloom::range
