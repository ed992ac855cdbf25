// The requests of one call of HttpClient::perform: queued, under way, repeated.
#pragma once

#include "node/http_connections.h"
#include "node/transfer.h"

#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace blockloom::node {

class HttpWork {
public:
    HttpWork(HttpConnections& inside, std::span<const HttpRequest> requests, const TakeAnswer& take,
             const std::stop_token& stop);
    ~HttpWork();
    HttpWork(const HttpWork&) = delete;
    HttpWork& operator=(const HttpWork&) = delete;

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
        HttpConnections::Shared credentials; ///< null: none were sent
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

    HttpConnections& inside_;
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
