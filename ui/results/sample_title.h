#pragma once

#include <string>

#include <QString>

#include "engine/sample/sample.h"

namespace threefold::ui {

/// Name of a category for users: "airplane"; the id itself if ShapeNet has no category of this id.
QString categoryTitle(const std::string& category);

/// Name of a sample for users: "airplane · p0001"; without category the name alone.
QString sampleTitle(const std::string& category, const std::string& name);
QString sampleTitle(const Sample& sample);

}  // namespace threefold::ui
