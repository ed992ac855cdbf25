// Reader of a kept document's file: any bytes give sections that lie within the file, or an error;
// what is read is written again to the same bytes.
#include "store/document_bytes.h"

#include <algorithm>
#include <cstdlib>

using namespace blockloom;

namespace {

/// A property that must hold whatever the input.
void require(bool holds) {
    if (!holds) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view file(reinterpret_cast<const char*>(data), size);
    const auto heading = store::heading_size(file.substr(0, store::heading_start), size, "fuzz");
    if (!heading) {
        require(heading.error().message.starts_with("fuzz"));
        return 0;
    }
    require(*heading <= size);
    const auto places = store::read_heading(file.substr(0, *heading), size, "fuzz");
    if (!places) {
        require(places.error().message.starts_with("fuzz"));
        return 0;
    }
    std::vector<store::Section> sections;
    for (const store::SectionPlace& place : *places) {
        require(place.offset <= size && place.size <= size - place.offset);
        const std::string_view content = file.substr(place.offset, place.size);
        if (!store::check_section(place, content, "fuzz")) return 0;
        sections.push_back({place.name, content});
    }
    require(store::document_bytes(sections) == file);
    return 0;
}
