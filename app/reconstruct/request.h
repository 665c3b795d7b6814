#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/options/options.h"
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
    /// The first gives the space of the meshes; none: as defaultViews() has it.
    std::vector<int> views;
    ObjectPlace object;                ///< of photographs of one's own
    std::vector<std::string> formats;  ///< of those that are written: "obj"
    std::string level;                 ///< "coarse", "refined", "all"
    std::string frame;  ///< "camera": the first view's; "world": ShapeNet's or one's own
    std::optional<FitRequest> fit;  ///< for fitRequestFor(); none: no third stage
    bool byBoard = false;           ///< cameras by the printed board, before all else
    bool cutOut = false;            ///< photographs that are not cut out already, before all else
    bool hull = false;              ///< the visual hull of all photographs as well
    std::size_t vertices = 0;       ///< of the hull and the fitted mesh; 0: FitOptions::vertices
    int texture = 0;                ///< pixels of the photographs on the meshes; 0: none
    bool textureAsTaken = false;    ///< leave exposure and white balance of the photographs
    bool textureSeen = false;       ///< and which of them a photograph shows
    std::filesystem::path truthRoot;
    TruthSpace truthSpace = TruthSpace::unset;
    std::filesystem::path imageRoot;
    std::filesystem::path trace;  ///< file for a Chrome trace of the run; empty: none
    bool json = false;

    /// Whether a published mesh is written; `isResult`: the network's last one.
    bool wants(std::string_view mesh, bool isResult) const {
        return level == "all" || (level == kPublishedMeshes.back() ? isResult : mesh == level);
    }
};

/// --fit-views, --surface, --fit-colour, and --fit, which says all of that in one word; the same in
/// every command that reconstructs. Without any of them, isDefaultFit().
void addFit(CLI::App& command, std::optional<FitRequest>& fit);
/// --surface alone; `word` stays empty without it.
CLI::Option* addSurface(CLI::App& command, std::string& word);
/// The surface of such a word.
FitRequest::From surfaceFromName(std::string_view word);
/// --vertices N; `what` they are of begins the help.
void addFittedVertices(CLI::App& command, std::size_t& vertices, const char* what);
/// Whether no option asks for a fit: fitRequestFor() then decides by the sample.
bool isDefaultFit(const FitRequest& fit);
/// Whether findSample() would take the place for photographs of one's own. Reads no file.
bool mayBePhotographs(const std::filesystem::path& sample);
/// Whether one of the samples may be fitted.
bool mayFit(const std::optional<FitRequest>& fit, std::span<const NamedSample> samples);
/// A sentence for isDefaultFit(): the mesh is fitted to all photographs, and the option that leaves
/// the fit out. `photographs`: "16 photographs".
std::string defaultFitNote(std::string_view photographs, std::size_t vertices);
/// --texture [PIXELS].
void addTexture(CLI::App& command, int& side);
/// --gt-space view|world|auto, likewise.
void addTruthSpace(CLI::App& command, TruthSpace& space);

/// "5 views: the model was trained with 3; expect a rougher mesh"; empty for 3 views or none.
std::string viewCountWarning(std::size_t views);

/// Which of the request's formats cannot carry the texture that it asks for, as a line: "xyz: no
/// texture: …"; empty: none. Throws UsageError: no format can.
std::string withoutTexture(const ReconstructRequest& request);

/// Throws UsageError: a size not above zero, an up without direction, a value that is not finite.
void checkObject(const ObjectPlace& object);

/// The folder results are written to, made with its parents if it is not there. Folders that it
/// made and that are still empty at the end are removed: a failed run leaves nothing behind.
class OutputFolder {
  public:
    /// Throws IoError: it cannot be made, is a file, or cannot be written to.
    explicit OutputFolder(std::filesystem::path folder);
    ~OutputFolder();
    OutputFolder(const OutputFolder&) = delete;
    OutputFolder& operator=(const OutputFolder&) = delete;
    /// Removes what the constructor made of it, as the destructor does. Any thread.
    void removeIfEmpty() const;

    const std::filesystem::path& path() const { return folder_; }

  private:
    std::filesystem::path folder_;
    std::vector<std::filesystem::path> made_;  ///< innermost first
};

/// Before long work, for a file that `option` names: an earlier one of its kind, which begins with
/// `beginning`, may be replaced, and an empty one; nothing else. Nothing where `file` is empty.
/// Throws IoError as requireWritable(), UsageError: it holds something else. `kind`: "a trace".
void requireReplaceable(const std::string& option, const std::filesystem::path& file,
                        std::string_view beginning, const std::string& kind);

}  // namespace threefold
