#include "app/reconstruct/sample_spans.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

namespace threefold {

void addSampleSpans(Spans& spans, const std::vector<SampleArgument>& samples) {
    std::map<int, Span> sampleSpans;
    for (const Span& span : spans) {
        Span& sampleSpan = sampleSpans.try_emplace(span.number, span).first->second;
        const double end = std::max(sampleSpan.end(), span.end());
        sampleSpan.begin = std::min(sampleSpan.begin, span.begin);
        sampleSpan.duration = end - sampleSpan.begin;
    }
    for (auto& [number, sampleSpan] : sampleSpans) {
        sampleSpan.name = samples.at(static_cast<std::size_t>(number) - 1).location;
        sampleSpan.lane = {};
        spans.push_back(std::move(sampleSpan));
    }
}

}  // namespace threefold
