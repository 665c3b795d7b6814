#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

#include "engine/model/template_mesh.h"

namespace threefold {

/// Handling of a published template whose hypotheses lack the centre.
enum class MissingCentre {
    refuse,
    /// Insert the centre as the first hypothesis and connect it to all others, as in training
    /// (METHOD.md §7). The edges of the template's graph are kept.
    complete,
};

/// Result of loadTemplate().
struct LoadedTemplate {
    TemplateMesh mesh;
    bool centreAdded = false;  ///< the centre was inserted
};

/// Loads a template from a pickle (METHOD.md §10). Throws IoError, NotThisFormat, FormatError,
/// ModelError.
LoadedTemplate loadTemplate(const std::filesystem::path& pickle,
                            MissingCentre centre = MissingCentre::refuse);
/// Loads a template from bytes in memory, which may be untrusted. `subject`: name for errors.
LoadedTemplate decodeTemplate(std::span<const std::byte> pickle,
                              const std::filesystem::path& subject, MissingCentre centre);

}  // namespace threefold
