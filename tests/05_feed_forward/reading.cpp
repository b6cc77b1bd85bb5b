// tests/05_feed_forward/reading.cpp · how well endings say to which contexts a recorded unit responds
#include "tests/05_feed_forward/reading.hpp"

#include <algorithm>

namespace tfs::test {

Reading read(const RecordedUnits& recorded, std::size_t unit, const std::vector<std::string>& endings) {
    Reading r;
    for (std::size_t i = 0; i < recorded.contexts.size(); ++i) {
        const std::string& context = recorded.contexts[i];
        const bool responds = recorded.responds(unit, i);
        const bool found = std::any_of(endings.begin(), endings.end(),
                                       [&](const std::string& ending) { return context.ends_with(ending); });
        r.responses += responds;
        r.found += found;
        r.both += responds && found;
        if (responds && !found) r.missed.push_back(context);
        if (!responds && found) r.wrong.push_back(context);
    }
    return r;
}

}  // namespace tfs::test
