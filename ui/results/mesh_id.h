#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace threefold::ui {

/// Which mesh of the document a pane, a value or a picked vertex belongs to. A stage that the
/// slider shows belongs to `result`.
struct MeshId {
    enum class Kind : std::uint8_t {
        first,   ///< the network's first published mesh
        result,  ///< the network's last mesh, or the stage at which the slider stands
        hull,
        fitted,
        truth,
        opened,
    };
    Kind kind = Kind::result;
    std::uint32_t number = 0;  ///< of an opened mesh, from 1; else 0

    static const MeshId first, result, hull, fitted, truth;
    static constexpr MeshId opened(std::uint32_t number) { return {Kind::opened, number}; }

    constexpr bool isOpened() const { return kind == Kind::opened; }
    /// Whether it is a mesh of the network or made from it: not opened, not the truth.
    constexpr bool isMade() const { return kind < Kind::truth; }
    /// "coarse", "refined", "truth", "opened1", …: in sessions.
    std::string name() const;
    /// The inverse; nothing for other words.
    static std::optional<MeshId> fromName(std::string_view name);

    auto operator<=>(const MeshId&) const = default;
};

inline constexpr MeshId MeshId::first{Kind::first};
inline constexpr MeshId MeshId::result{Kind::result};
inline constexpr MeshId MeshId::hull{Kind::hull};
inline constexpr MeshId MeshId::fitted{Kind::fitted};
inline constexpr MeshId MeshId::truth{Kind::truth};

/// All but opened ones, in the order of menus and tables.
inline constexpr MeshId kOwnMeshes[] = {MeshId::first, MeshId::result, MeshId::hull, MeshId::fitted,
                                        MeshId::truth};

}  // namespace threefold::ui
