#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/options/given_samples.h"
#include "app/options/model_options.h"
#include "engine/model/mesh_stages.h"
#include "engine/pipeline/fit_request.h"
#include "engine/sample/mesh_space.h"
#include "engine/sample/posed_photos/camera_file.h"

namespace threefold {

/// The options of `threefold reconstruct`.
struct ReconstructRequest {
    ModelOptions model;
    std::vector<std::string> samples;  ///< as given: samples, images, test lists
    std::filesystem::path output;
    /// Views; the first defines the space of the meshes. Empty: defaultViews().
    std::vector<int> views;
    ObjectPlacement object;            ///< placement of the object in the user's own photographs
    std::vector<std::string> formats;  ///< formats to write: "obj"
    std::string stage;                 ///< a published mesh's name, or "all"
    std::string frame;  ///< "camera": the first view's; "world": ShapeNet's or one's own
    std::optional<FitRequest> fit;  ///< for fitRequestFor(); none: no third stage
    bool byBoard = false;           ///< compute cameras from the printed board first
    bool cutOut = false;            ///< cut out photographs without masks first
    bool hull = false;              ///< also write the visual hull of all photographs
    std::size_t vertices = 0;  ///< of the hull and the fitted mesh; 0: SurfaceFitOptions::vertices
    int texture = 0;           ///< side of the textures in pixels; 0: none
    bool textureAsTaken = false;  ///< leave exposure and white balance of the photographs
    bool textureSeen = false;     ///< also write which texels a photograph shows
    std::filesystem::path truthRoot;
    TruthSpace truthSpace = TruthSpace::unset;
    std::filesystem::path imageRoot;
    std::filesystem::path trace;  ///< file for a Chrome trace of the run; empty: none
    bool json = false;

    /// Whether a published mesh is written; `isResult`: `mesh` is the network's last one.
    bool wants(std::string_view mesh, bool isResult) const {
        return stage == "all" || (stage == kPublishedMeshes.back() ? isResult : mesh == stage);
    }
};

/// Adds --fit-views, --surface, --fit-colour, and --fit, which combines all of them in one word;
/// the same in every command that reconstructs. Without any of them, isDefaultFit() holds.
void addFit(CLI::App& command, std::optional<FitRequest>& fit);
/// Adds --surface alone; `word` stays empty without it.
CLI::Option* addSurface(CLI::App& command, std::string& word);
/// Adds --vertices N; `what` begins the help.
void addFittedVertices(CLI::App& command, std::size_t& vertices, const char* what);
/// Whether no option requests a fit: fitRequestFor() then decides by the sample.
bool isDefaultFit(const FitRequest& fit);
/// Whether findSample() would treat the path as the user's own photographs. Reads no file.
bool mayBePhotographs(const std::filesystem::path& sample);
/// Whether one of the samples may be fitted.
bool mayFit(const std::optional<FitRequest>& fit, std::span<const NamedSample> samples);
/// A sentence for isDefaultFit(): the mesh is fitted to all photographs, and the option that leaves
/// the fit out. `photographs`: "16 photographs".
std::string defaultFitNote(std::string_view photographs, std::size_t vertices);
/// Adds --texture [PIXELS].
void addTexture(CLI::App& command, int& side);
/// Adds --gt-space view|world|auto.
void addTruthSpace(CLI::App& command, TruthSpace& space);

/// "5 views: the model was trained with 3; expect a rougher mesh"; empty for 3 views or none.
std::string viewCountWarning(std::size_t views);

/// Formats of the request that cannot carry the requested texture, as a line: "xyz: no texture: …";
/// empty: none. Throws UsageError if no format can.
std::string withoutTexture(const ReconstructRequest& request);

/// Throws UsageError: a size not above zero, an up without direction, a value that is not finite.
void checkObject(const ObjectPlacement& object);

/// Output folder, created with its parents if missing. The destructor removes created folders that
/// are still empty: a failed run leaves nothing behind.
class OutputFolder {
  public:
    /// Throws IoError: the folder cannot be created, is a file, or is not writable.
    explicit OutputFolder(std::filesystem::path folder);
    ~OutputFolder();
    OutputFolder(const OutputFolder&) = delete;
    OutputFolder& operator=(const OutputFolder&) = delete;
    /// Removes created folders that are empty, as the destructor does. Any thread.
    void removeIfEmpty() const;

    const std::filesystem::path& path() const { return folder_; }

  private:
    std::filesystem::path folder_;
    std::vector<std::filesystem::path> createdFolders_;  ///< innermost first
};

/// Checks, before long work, that the file of `option` may be replaced: only an empty file, or an
/// earlier one of its kind, which begins with `beginning`. Does nothing if `file` is empty. Throws
/// IoError as requireWritable(), UsageError: the file holds something else. `kind`: "a trace".
void requireReplaceable(const std::string& option, const std::filesystem::path& file,
                        std::string_view beginning, const std::string& kind);

}  // namespace threefold
