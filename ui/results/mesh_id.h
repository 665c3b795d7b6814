#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace threefold::ui {

/// Identifies a mesh of the document, or another content of a pane. The stage that the slider shows
/// is `result`.
struct MeshId {
    enum class Kind : std::uint8_t {
        // The reconstructed kinds come first, see isReconstructed().
        firstPublished,  ///< the network's first published mesh
        result,          ///< the network's last mesh, or the stage at the slider
        hull,
        fitted,
        textured,  ///< in panes: the best finished mesh in the photographs' colours
        truth,
        photograph,  ///< in panes: no mesh, but the photograph nearest to the camera
        opened,
    };
    Kind kind = Kind::result;
    std::uint32_t number = 0;  ///< of an opened mesh, from 1; else 0

    static const MeshId firstPublished, result, hull, fitted, textured, truth, photograph;
    static constexpr MeshId opened(std::uint32_t number) { return {Kind::opened, number}; }

    constexpr bool isOpened() const { return kind == Kind::opened; }
    /// Whether the mesh comes from a reconstruction: not the truth, the photograph or an opened
    /// mesh.
    constexpr bool isReconstructed() const { return kind < Kind::truth; }
    /// Name in sessions: "truth", "opened1", …
    std::string name() const;
    /// The inverse of name(); none for an unknown name.
    static std::optional<MeshId> fromName(std::string_view name);

    auto operator<=>(const MeshId&) const = default;
};

inline constexpr MeshId MeshId::firstPublished{Kind::firstPublished};
inline constexpr MeshId MeshId::result{Kind::result};
inline constexpr MeshId MeshId::hull{Kind::hull};
inline constexpr MeshId MeshId::fitted{Kind::fitted};
inline constexpr MeshId MeshId::textured{Kind::textured};
inline constexpr MeshId MeshId::truth{Kind::truth};
inline constexpr MeshId MeshId::photograph{Kind::photograph};

/// Ids that only panes show: they have no mesh of their own, and no measures.
inline constexpr MeshId kPaneOnlyIds[] = {MeshId::photograph, MeshId::textured};

/// All ids except kPaneOnlyIds and ids of opened meshes, in the order of menus and tables.
inline constexpr MeshId kResultMeshes[] = {MeshId::firstPublished, MeshId::result, MeshId::hull,
                                           MeshId::fitted, MeshId::truth};

}  // namespace threefold::ui
