#include "ui/panes/picking.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <tuple>

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/mat4x4.hpp>

#include "ui/document/background.h"
#include "ui/panes/compare_arrangement.h"

namespace threefold::ui {
namespace {

constexpr std::size_t kLeaf = 4;
// Floating point puts a vertex a little before or behind the triangles around it.
constexpr float kBehind = 1.0F - 1e-4F;

struct Ray {
    glm::vec3 origin, direction;
};

// Where the ray meets the triangle, in lengths of its direction; from either side.
std::optional<float> meeting(const Ray& ray, glm::vec3 a, glm::vec3 b, glm::vec3 c) {
    const glm::vec3 ab = b - a;
    const glm::vec3 ac = c - a;
    const glm::vec3 across = glm::cross(ray.direction, ac);
    const float determinant = glm::dot(ab, across);
    if (determinant == 0.0F || !std::isfinite(determinant)) return std::nullopt;
    const glm::vec3 from = ray.origin - a;
    const float u = glm::dot(from, across) / determinant;
    const glm::vec3 along = glm::cross(from, ab);
    const float v = glm::dot(ray.direction, along) / determinant;
    if (!(u >= 0.0F && v >= 0.0F && u + v <= 1.0F)) return std::nullopt;
    return glm::dot(ac, along) / determinant;
}

bool meets(const Ray& ray, float most, glm::vec3 lowest, glm::vec3 highest) {
    float begin = 0.0F;
    float end = most;
    for (int axis = 0; axis < 3; ++axis) {
        const float a = (lowest[axis] - ray.origin[axis]) / ray.direction[axis];
        const float b = (highest[axis] - ray.origin[axis]) / ray.direction[axis];
        // 0 ÷ 0, on a face of the box and along it, leaves the bounds as they are.
        begin = std::fmax(begin, std::fmin(a, b));
        end = std::fmin(end, std::fmax(a, b));
    }
    return begin <= end;
}

bool broken(glm::vec3 point) {
    return !std::isfinite(point.x + point.y + point.z);
}

}  // namespace

template <class BoxOf>
PickTree::Tree PickTree::build(std::size_t count, const BoxOf& boxOf,
                               const std::stop_token& cancel) {
    Tree tree;
    if (cancel.stop_requested()) throw Cancelled();
    tree.items.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        const Box box = boxOf(i);
        if (!broken(box.lowest) && !broken(box.highest))
            tree.items.push_back(static_cast<std::uint32_t>(i));
    }
    if (tree.items.empty()) return tree;
    struct Task {
        std::size_t begin, end;
        std::optional<std::size_t> parent;  // whose second child this is
    };
    std::vector<Task> tasks{{0, tree.items.size(), std::nullopt}};
    while (!tasks.empty()) {
        if (cancel.stop_requested()) throw Cancelled();
        const auto [begin, end, parent] = tasks.back();
        tasks.pop_back();
        if (parent) tree.nodes[*parent].first = static_cast<std::uint32_t>(tree.nodes.size());
        Node node{{glm::vec3(INFINITY), glm::vec3(-INFINITY)}};
        for (std::size_t i = begin; i < end; ++i) {
            const Box box = boxOf(tree.items[i]);
            node.box = {glm::min(node.box.lowest, box.lowest),
                        glm::max(node.box.highest, box.highest)};
        }
        const std::size_t self = tree.nodes.size();
        if (end - begin <= kLeaf) {
            node.first = static_cast<std::uint32_t>(begin);
            node.count = static_cast<std::uint32_t>(end - begin);
            tree.nodes.push_back(node);
            continue;
        }
        tree.nodes.push_back(node);
        const glm::vec3 size = node.box.highest - node.box.lowest;
        int axis = size.x >= size.y ? 0 : 1;
        if (size.z > size[axis]) axis = 2;
        const std::size_t middle = begin + (end - begin) / 2;
        const auto at = [&](std::size_t i) {
            return tree.items.begin() + static_cast<std::ptrdiff_t>(i);
        };
        std::nth_element(at(begin), at(middle), at(end), [&](std::uint32_t a, std::uint32_t b) {
            const Box first = boxOf(a);
            const Box second = boxOf(b);
            return first.lowest[axis] + first.highest[axis] <
                   second.lowest[axis] + second.highest[axis];
        });
        tasks.push_back({middle, end, self});
        tasks.push_back({begin, middle, std::nullopt});
    }
    return tree;
}

template <class Enter, class Visit>
void PickTree::walk(const Tree& tree, const Enter& enter, const Visit& visit) {
    if (tree.nodes.empty()) return;
    std::vector<std::uint32_t> open{0};
    while (!open.empty()) {
        const std::uint32_t at = open.back();
        open.pop_back();
        const Node& node = tree.nodes[at];
        if (!enter(node.box.lowest, node.box.highest)) continue;
        if (node.count == 0) {
            open.push_back(node.first);
            open.push_back(at + 1);
            continue;
        }
        for (std::uint32_t i = 0; i < node.count; ++i)
            if (!visit(tree.items[node.first + i])) return;
    }
}

PickTree::PickTree(render::SceneMeshRef mesh, const std::stop_token& cancel)
    : mesh_(std::move(mesh)) {
    const Points& points = mesh_->vertices;
    const Faces& faces = mesh_->faces;
    // A face with an index beyond the vertices, or with a vertex that is not finite, is left out.
    const auto boxOfFace = [&](std::size_t i) -> Box {
        const glm::u32vec3 f = faces[i];
        if (std::max({f.x, f.y, f.z}) >= points.size()) return {glm::vec3(NAN), glm::vec3(NAN)};
        const glm::vec3 a = points[f.x], b = points[f.y], c = points[f.z];
        if (broken(a + b + c)) return {glm::vec3(NAN), glm::vec3(NAN)};
        return {glm::min(glm::min(a, b), c), glm::max(glm::max(a, b), c)};
    };
    vertices_ = build(
        points.size(),
        [&](std::size_t i) {
            return Box{points[i], points[i]};
        },
        cancel);
    triangles_ = build(faces.size(), boxOfFace, cancel);
}

std::optional<Pick> PickTree::pick(const PickView& view) const {
    if (view.size.x < 1 || view.size.y < 1) return std::nullopt;
    const glm::mat4 toView = view.camera.viewMatrix();
    // Pixels of a unit at depth 1, and where the cursor looks there.
    const float scale = 0.5F * view.size.y / std::tan(0.5F * view.camera.fieldOfView);
    const glm::vec2 slope = (view.cursor - 0.5F * view.size) * glm::vec2(1.0F, -1.0F) / scale;
    const float spread = view.radius / scale;
    const float nearest = view.camera.nearest();

    const auto enter = [&](glm::vec3 lowest, glm::vec3 highest) {
        const glm::vec3 centre(toView * glm::vec4(0.5F * (lowest + highest), 1.0F));
        const float radius = 0.5F * glm::distance(lowest, highest);
        const float depth = -centre.z;
        if (depth + radius < nearest) return false;
        // The cone around the pointer, as wide as it gets within the ball around the box. Its
        // slanted side and its slanted axis come closer by less than the slope's length.
        const float steep = 1.0F + glm::length(slope) + spread;
        const glm::vec2 aside = glm::vec2(centre) - slope * depth;
        return glm::length(aside) <= radius * steep + spread * std::max(depth, 0.0F);
    };
    std::vector<Pick> close;
    walk(vertices_, enter, [&](std::uint32_t index) {
        const glm::vec3 p(toView * glm::vec4(mesh_->vertices[index], 1.0F));
        const float depth = -p.z;
        if (depth < nearest) return true;
        const float pixels = scale * glm::length(glm::vec2(p) / depth - slope);
        if (pixels <= view.radius) close.push_back({index, depth, pixels});
        return true;
    });
    // Among about equally close points the front-most; the index breaks ties.
    constexpr float kSame = 2.0F;
    std::ranges::sort(close, {}, [](const Pick& pick) {
        return std::tuple(std::floor(pick.pixels / kSame), pick.depth, pick.index);
    });
    // A dense mesh has many hidden vertices, each of which costs a ray.
    constexpr std::size_t kMostRays = 256;
    if (close.size() > kMostRays) close.resize(kMostRays);
    const glm::vec3 eye = view.camera.eye();
    for (const Pick& pick : close) {
        // What is cut away hides nothing.
        const glm::vec3 from = glm::mix(eye, mesh_->vertices[pick.index], nearest / pick.depth);
        if (!hides(pick.index, from)) return pick;
    }
    return std::nullopt;
}

bool PickTree::hides(std::size_t vertex, glm::vec3 eye) const {
    const Points& points = mesh_->vertices;
    const Ray ray{eye, points[vertex] - eye};
    bool hidden = false;
    walk(
        triangles_,
        [&](glm::vec3 lowest, glm::vec3 highest) { return meets(ray, kBehind, lowest, highest); },
        [&](std::uint32_t triangle) {
            const glm::u32vec3 f = mesh_->faces[triangle];
            if (f.x == vertex || f.y == vertex || f.z == vertex) return true;
            const auto at = meeting(ray, points[f.x], points[f.y], points[f.z]);
            hidden = at && *at > 0.0F && *at < kBehind;
            return !hidden;
        });
    return hidden;
}

glm::vec3 PickTree::normalAt(std::size_t vertex) const {
    const Points& points = mesh_->vertices;
    glm::vec3 sum(0.0F);
    for (const glm::u32vec3 f : mesh_->faces) {
        if (f.x != vertex && f.y != vertex && f.z != vertex) continue;
        if (std::max({f.x, f.y, f.z}) >= points.size()) continue;
        sum += glm::cross(points[f.y] - points[f.x], points[f.z] - points[f.x]);
    }
    const float length = glm::length(sum);
    return length > 0.0F && std::isfinite(length) ? sum / length : glm::vec3(0.0F);
}

glm::vec3 PickTree::directionTo(std::size_t vertex, glm::vec3 present, glm::vec3 target,
                                float distance) const {
    constexpr int kStepsAround = 24;
    constexpr int kStepsUp = 11;
    constexpr float kPi = std::numbers::pi_v<float>;
    constexpr float kWell = 0.5F;  // cosine between the surface's normal and the line of sight
    const glm::vec3 normal = normalAt(vertex);
    glm::vec3 best = present;
    float bestScore = -INFINITY;
    for (int up = 0; up < kStepsUp; ++up) {
        const float pitch = kPi * (static_cast<float>(up) / (kStepsUp - 1) - 0.5F) * 0.95F;
        for (int around = 0; around < kStepsAround; ++around) {
            const float yaw = 2 * kPi * static_cast<float>(around) / kStepsAround;
            const glm::vec3 direction(std::cos(pitch) * std::sin(yaw), std::sin(pitch),
                                      std::cos(pitch) * std::cos(yaw));
            const glm::vec3 eye = target + distance * direction;
            const float facing =
                std::min(kWell, glm::dot(normal, glm::normalize(eye - mesh_->vertices[vertex])));
            constexpr float kFacingCounts = 8.0F;
            constexpr float kHiddenCounts = 100.0F;
            float score = glm::dot(direction, present) + kFacingCounts * facing;
            if (score <= bestScore) continue;
            if (hides(vertex, eye)) score -= kHiddenCounts;
            if (score <= bestScore) continue;
            best = direction;
            bestScore = score;
        }
    }
    return best;
}

std::vector<std::size_t> peaks(const render::SceneMesh& mesh, const std::vector<float>& values,
                               std::size_t most) {
    const Points& points = mesh.vertices;
    if (values.size() != points.size()) return {};
    const auto greater = [&](std::size_t a, std::size_t b) {
        return values[a] != values[b] ? values[a] > values[b] : a < b;
    };
    std::vector<bool> out(points.size());
    glm::vec3 lowest(INFINITY);
    glm::vec3 highest(-INFINITY);
    for (std::size_t i = 0; i < points.size(); ++i) {
        out[i] = std::isnan(values[i]) || broken(points[i]);
        if (out[i]) continue;
        lowest = glm::min(lowest, points[i]);
        highest = glm::max(highest, points[i]);
    }
    for (const glm::u32vec3 f : mesh.faces) {
        for (const auto& [a, b] : {std::pair{f.x, f.y}, {f.y, f.z}, {f.z, f.x}}) {
            if (a == b || std::max(a, b) >= points.size()) continue;
            if (std::isnan(values[a]) || std::isnan(values[b])) continue;
            out[greater(a, b) ? b : a] = true;
        }
    }
    std::vector<std::size_t> candidates;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (!out[i]) candidates.push_back(i);
    std::ranges::sort(candidates, greater);

    constexpr float kApart = 0.01F;
    const float apart = kApart * glm::distance(lowest, highest);
    std::vector<std::size_t> found;
    for (const std::size_t candidate : candidates) {
        if (found.size() >= most) break;
        if (std::ranges::none_of(found, [&](std::size_t other) {
                return glm::distance(points[other], points[candidate]) < apart;
            }))
            found.push_back(candidate);
    }
    return found;
}

PickTrees::PickTrees(const Document& document, QObject* parent)
    : QObject(parent), document_(document) {
    connectAll(&document_, this, &PickTrees::forget, &Document::resultChanged,
               &Document::runChanged, &Document::openedChanged);
}

PickTreeRef PickTrees::find(const render::SceneMeshRef& mesh) {
    if (!mesh || mesh->vertices.empty()) return nullptr;
    const auto known = trees_.find(mesh);
    if (known != trees_.end()) return known->second;
    if (making_.contains(mesh)) return nullptr;
    forget();
    const std::stop_token cancel = making_[mesh].get_token();
    tryInBackground(
        this, [mesh, cancel] { return std::make_shared<const PickTree>(mesh, cancel); },
        [this, mesh, cancel](const Outcome<PickTreeRef>& outcome) {
            if (!outcome.value || cancel.stop_requested()) return;
            making_.erase(mesh);
            trees_[mesh] = *outcome.value;
            Q_EMIT ready();
        });
    return nullptr;
}

void PickTrees::forget() {
    std::set<render::SceneMeshRef> shown;
    for (const MeshId id : document_.meshIds()) shown.insert(meshOf(document_, id));
    std::erase_if(trees_, [&](const auto& entry) { return !shown.contains(entry.first); });
    std::erase_if(making_, [&](auto& entry) {
        return !shown.contains(entry.first) && entry.second.request_stop();
    });
}

}  // namespace threefold::ui
