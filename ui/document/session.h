#pragma once

#include "engine/sample/sample.h"
#include "render/orbit_camera.h"
#include "ui/results/look.h"
#include "ui/results/result.h"

namespace threefold::ui {

/// File of an opened mesh.
struct OpenedFile {
    std::filesystem::path file;
    std::optional<MeshSpace> space;
    bool operator==(const OpenedFile&) const = default;
};

/// The contents of a window, to save and restore; without its size and panels.
struct Session {
    /// The sample with the saved cameras and truth, whatever its folder holds now. Null: none.
    std::shared_ptr<const Sample> sample;
    std::vector<int> views;
    std::filesystem::path model;  ///< empty: the window's default model
    std::vector<OpenedFile> opened;
    Look look;
    std::optional<FitChoice> fit;              ///< none in sessions from before fits existed
    std::vector<render::OrbitCamera> cameras;  ///< of the panes, from left to right; may be empty
    bool camerasLinked = true;
};

inline constexpr int kSessionVersion = 1;

/// Formats a session as JSON. Paths below `folder`, the session file's folder, become relative to
/// this folder.
std::string formatSession(const Session& session, const std::filesystem::path& folder);
/// Parses untrusted `text`. `file` is named in messages; relative paths start at its folder. Reads
/// the camera file of posed photographs. Throws FormatError (no JSON, no session, an invalid value,
/// with its position), InputError (newer version), and what readPosedPhotos() throws.
Session parseSession(std::string_view text, const std::filesystem::path& file);

/// Reads a session file. Throws like parseSession(), and IoError.
Session readSession(const std::filesystem::path& file);
/// Writes a session file, all of it or nothing. Throws IoError.
void writeSession(const std::filesystem::path& file, const Session& session);

}  // namespace threefold::ui
