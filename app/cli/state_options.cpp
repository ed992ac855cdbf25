#include "state_options.h"

namespace blockloom::cli {

void StateOptions::add_to(CLI::App& command, const std::string& group) {
    const auto text = [&](const char* name, std::string& into, const char* words,
                          const char* type) {
        return command.add_option(name, into, words)
            ->type_name(type)
            ->default_str("")
            ->group(group);
    };
    text("--state", place_,
         "Where the state before the range is, if not in a workspace: metashrew:DIR, the database "
         "of an indexer, metashrew:URL, its JSON-RPC, or the file of a state bundle "
         "(docs/metashrew.md). It is only read: nothing is committed",
         "PLACE");
    height_given_ = command
                        .add_option("--state-height", height_,
                                    "Use the state after this block [the one before the range]")
                        ->type_name("H")
                        ->default_str("")
                        ->group(group);
    text("--state-fork", fork_, "The indexer's second folder, if it runs with --fork", "DIR");
    text("--state-label", label_, "The indexer's label, if it runs with --label", "TEXT");
    command
        .add_option("--state-access", access_,
                    "Whether a process is writing to the database: running; stopped, also for a "
                    "copy; auto, which only detects processes of this machine")
        ->check(CLI::IsMember({"auto", "stopped", "running"}))
        ->group(group);
    text("--state-credentials", credentials_,
         "File with user:password or bearer TOKEN for a URL; else the variable "
         "BLOCKLOOM_STATE_CREDENTIALS",
         "FILE");
    text("--state-ca", ca_, "Certificates to trust for a URL, PEM [those of the system]", "FILE");
}

Result<range::StateSource> StateOptions::chosen() const {
    using Access = store::NodeOptions::Access;
    range::StateSource source;
    source.place = place_;
    source.fork = fork_;
    source.label = label_;
    source.access = access_ == "running"   ? Access::running
                    : access_ == "stopped" ? Access::stopped
                                           : Access::automatic;
    source.access_of_node.credentials_file = credentials_;
    source.access_of_node.ca_file = ca_;
    if (height_given_->count() != 0) source.height = height_;
    if (const Status known = range::check_state_source(source); !known) return known.error();
    return source;
}

} // namespace blockloom::cli
