#pragma once

#include <vector>

#include "app/options/sample_arguments.h"
#include "engine/profile/span.h"

namespace threefold {

/// Adds, for each sample, a span that covers all spans of the sample and is named by
/// SampleArgument::location. Span::number counts the samples from 1.
void addSampleSpans(Spans& spans, const std::vector<SampleArgument>& samples);

}  // namespace threefold
