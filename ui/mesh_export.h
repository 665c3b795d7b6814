#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "ui/result.h"

namespace threefold::ui {

enum class ExportFormat { obj, xyz };

struct ExportChoice {
    ExportFormat format = ExportFormat::obj;
    bool coarse = false;
    bool refined = true;
    std::filesystem::path folder;
};

/// One file to be written: "02691156_p0001_00_predict.obj" for the refined mesh (METHOD.md §10),
/// "…_coarse.obj" for the coarse one.
struct ExportFile {
    std::filesystem::path path;
    bool refined = true;
};
std::vector<ExportFile> exportFiles(const Result& result, const ExportChoice& choice);

/// Writes them, in the reference view's camera space as the published scripts do. Throws as
/// writeObj and writeXyz do; files already written stay.
void exportMeshes(const Result& result, const ExportChoice& choice);

}  // namespace threefold::ui
