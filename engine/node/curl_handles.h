// Handles of libcurl that free themselves.
#pragma once

#include <curl/curl.h>

namespace blockloom::node {

// CURL and CURLM are both void: the deleter says what it is.
struct EasyDeleter {
    void operator()(CURL* handle) const noexcept { curl_easy_cleanup(handle); }
};
struct MultiDeleter {
    void operator()(CURLM* handle) const noexcept { curl_multi_cleanup(handle); }
};
struct ListDeleter {
    void operator()(curl_slist* list) const noexcept { curl_slist_free_all(list); }
};

} // namespace blockloom::node
