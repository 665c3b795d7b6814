#pragma once

#include "engine/sample/sample.h"
#include "render/orbit_camera.h"
#include "ui/results/look.h"
#include "ui/results/result.h"

namespace threefold::ui {

/// Everything needed to restore a window's contents, but not its size and panels.
struct Session {
    /// With the saved cameras and truth, even if its folder has changed since. Null: none.
    std::shared_ptr<const Sample> sample;
    std::vector<int> views;
    std::filesystem::path model;  ///< empty: the window's first
    struct Opened {
        std::filesystem::path file;
        std::optional<MeshSpace> space;
        bool operator==(const Opened&) const = default;
    };
    std::vector<Opened> opened;
    Look look;
    std::optional<FitChoice> fit;              ///< none: the session is older than fits
    std::vector<render::OrbitCamera> cameras;  ///< of the panes, from the left; may be empty
    bool linked = true;
};

inline constexpr int kSessionVersion = 1;

/// JSON. Files below `folder`, where the session is to lie, are named relative to it.
std::string formatSession(const Session& session, const std::filesystem::path& folder);
/// `file`: for messages. `text` may hold anything. Throws FormatError (not JSON, not a session, a
/// value that makes no sense: with its place), InputError (of a newer version).
Session parseSession(std::string_view text, const std::filesystem::path& file);

/// Throw IoError as well. A session is written whole or not at all.
Session readSession(const std::filesystem::path& file);
void writeSession(const std::filesystem::path& file, const Session& session);

}  // namespace threefold::ui
