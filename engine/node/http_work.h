// The requests of one call of HttpClient::perform: queued, under way, repeated.
#pragma once

#include "node/transfer.h"

#include <condition_variable>
#include <mutex>
#include <vector>

namespace blockloom::node {

struct HttpClient::Inside {
    using Shared = std::shared_ptr<const Credentials>;

    Inside(NodeAddress where, Credentials with, NodeAccess from, const HttpLimits& bounds,
           WaitClock& time)
        : address(std::move(where)), access(std::move(from)), limits(bounds), clock(time),
          free_places(std::max(1U, bounds.parallel)) {
        credentials.push_back(std::make_shared<const Credentials>(std::move(with)));
    }

    [[nodiscard]] Shared current();
    /// Whether there are other credentials now than those that were `used`: reads the file again.
    /// Bitcoin Core makes a new cookie at each start.
    [[nodiscard]] bool renewed(const Shared& used);
    [[nodiscard]] std::string without_secrets(std::string text);

    NodeAddress address;
    NodeAccess access;
    HttpLimits limits;
    WaitClock& clock;

    std::mutex guard;                ///< of all below
    std::vector<Shared> credentials; ///< that were ever used, the present ones last
    std::condition_variable_any changed;
    unsigned free_places;                                   ///< of limits.parallel
    std::vector<std::unique_ptr<CURLM, MultiDeleter>> idle; ///< with their open connections
    HttpCounts counts;
    bool has_answered = false;
    Nanoseconds not_before = 0; ///< the node asked for a pause
    std::uint64_t pauses = 0;   ///< spreads them
};

class HttpClient::Work {
public:
    Work(const HttpClient& client, std::span<const HttpRequest> requests, const TakeAnswer& take,
         const std::stop_token& stop);
    ~Work();
    Work(const Work&) = delete;
    Work& operator=(const Work&) = delete;

    Status run();

private:
    struct Item {
        std::size_t request = 0;
        unsigned attempt = 0; ///< how often it was sent
        Nanoseconds due = 0;
        std::string redirected; ///< a URL elsewhere; empty: the node's own
        unsigned redirects = 0;
        bool ours = true;     ///< of the node's origin: gets the credentials
        bool renewed = false; ///< the credentials were read again for it
    };
    struct Flight {
        Item item;
        std::unique_ptr<Transfer> transfer;
        Inside::Shared credentials; ///< null: none were sent
    };

    Status take_places();
    Status start_due();
    Status start(Item item);
    Status finish_all();
    Status finish(Flight flight, CURLcode code);
    Status end_late();
    Status follow(Flight& flight);
    Status repeat(Item item, Error why, std::optional<Nanoseconds> asked, bool unreachable = false);
    [[nodiscard]] Nanoseconds pause_after(unsigned attempt);
    [[nodiscard]] Error failure(const std::string& found) const;
    [[nodiscard]] Error words_of(const Flight& flight, CURLcode code) const;
    Flight land(std::size_t place);

    const HttpClient& client_;
    Inside& inside_;
    std::span<const HttpRequest> requests_;
    const TakeAnswer& take_;
    const std::stop_token& stop_;
    unsigned places_ = 0;
    std::unique_ptr<CURLM, MultiDeleter> multi_;
    std::vector<Item> queue_; ///< the next one last
    std::vector<Flight> flights_;
    std::vector<std::unique_ptr<Transfer>> rested_;
};

} // namespace blockloom::node
