#pragma once

#include <map>
#include <stop_token>

#include "render/scene.h"
#include "ui/document/document.h"

namespace threefold::ui {

/// Looking at a pane with the pointer in it. Sizes and positions in device pixels from the pane's
/// top left.
struct PickView {
    render::OrbitCamera camera;
    glm::vec2 size{1.0F};
    glm::vec2 cursor{0.0F};
    float radius = 12.0F;  ///< largest distance of a vertex from the pointer
};

struct Pick {
    std::size_t index = 0;
    float depth = 0;   ///< distance from the eye along the line of sight
    float pixels = 0;  ///< distance from the pointer
};

/// A mesh, or a cloud of points, prepared for picking. Immutable and thread-safe. Made in O(n log
/// n): some milliseconds for 10 000 triangles, so not on the window's thread.
class PickTree {
  public:
    /// Throws Cancelled soon after `cancel` asks for it.
    explicit PickTree(render::SceneMeshRef mesh, const std::stop_token& cancel = {});

    /// Of the vertices within the radius that no triangle hides the one closest to the pointer;
    /// among about equally close ones the front-most.
    std::optional<Pick> pick(const PickView& view) const;

    /// Whether a triangle that does not share the vertex stands between it and the eye.
    bool hides(std::size_t vertex, glm::vec3 eye) const;

    /// From `target`, the direction (unit length) closest to `present` from which the vertex can be
    /// seen well: nothing hides it and its surface faces the eye, if there is such a direction.
    glm::vec3 directionTo(std::size_t vertex, glm::vec3 present, glm::vec3 target,
                          float distance) const;

    const render::SceneMeshRef& mesh() const { return mesh_; }

  private:
    struct Box {
        glm::vec3 lowest{0.0F}, highest{0.0F};
    };
    struct Node {
        Box box;
        std::uint32_t first = 0;  // of a leaf's items; of an inner node its second child
        std::uint32_t count = 0;  // 0: an inner node, whose first child follows it
    };
    struct Tree {
        std::vector<Node> nodes;
        std::vector<std::uint32_t> items;
    };

    template <class BoxOf>
    static Tree build(std::size_t count, const BoxOf& boxOf, const std::stop_token& cancel);
    template <class Enter, class Visit>
    static void walk(const Tree& tree, const Enter& enter, const Visit& visit);
    glm::vec3 normalAt(std::size_t vertex) const;

    render::SceneMeshRef mesh_;
    Tree vertices_;
    Tree triangles_;
};

/// The vertices in which `values` are locally greatest, the greatest first: none of them next to
/// one before it, by an edge or by less than a hundredth of the mesh's diagonal. At most `most`.
/// NaN is no value.
std::vector<std::size_t> peaks(const render::SceneMesh& mesh, const std::vector<float>& values,
                               std::size_t most);

using PickTreeRef = std::shared_ptr<const PickTree>;

/// The pick trees of the meshes in the panes: made on the thread pool on first use, dropped or
/// cancelled once their mesh is replaced. For the window's thread.
class PickTrees : public QObject {
    Q_OBJECT

  public:
    PickTrees(const Document& document, QObject* parent);
    ~PickTrees() override {
        for (auto& [mesh, source] : making_) source.request_stop();
    }

    /// Null while it is being made; ready() follows.
    PickTreeRef find(const render::SceneMeshRef& mesh);

  Q_SIGNALS:
    void ready();

  private:
    void forget();

    const Document& document_;
    std::map<render::SceneMeshRef, PickTreeRef> trees_;
    std::map<render::SceneMeshRef, std::stop_source> making_;
};

}  // namespace threefold::ui
