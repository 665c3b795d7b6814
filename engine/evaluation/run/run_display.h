#pragma once

#include <string>
#include <vector>

#include "engine/evaluation/run/evaluation_run.h"

namespace threefold {

/// The views of all samples, the reference view first; empty if samples have different views, or if
/// no views were chosen and no sample is done.
std::vector<int> usedViews(const EvaluationRun& run);
/// usedViews() as text: "0, 6, 7"; if samples differ, how their views are chosen.
std::string viewsText(const EvaluationRun& run);

/// RunIdentity::fit in words, as fitRequestText() writes it.
std::string fitText(const std::string& name);

/// The name of a category as reports show it: "airplane"; "no category" for an empty one.
std::string displayCategory(const std::string& category);

/// The sample's name, "02691156_p0001_00", or the line of the list if the sample was not found.
const std::string& displayName(const SampleRecord& record);

}  // namespace threefold
