#include "ui/panes/picking.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/mat4x4.hpp>

#include "engine/error.h"

namespace threefold::ui {
namespace {

constexpr std::size_t kLeafSize = 4;
// Fraction of a ray, from camera to vertex, in which triangles occlude the vertex. The ray's end is
// left out, because rounding puts a vertex a little in front of or behind the triangles around it.
constexpr float kOcclusionLimit = 1.0F - 1e-4F;

struct Ray {
    glm::vec3 origin, direction;
};

// Möller-Trumbore for both sides of a triangle. Returns the distance of the hit in lengths of the
// ray's direction, negative behind the ray's origin.
std::optional<float> hitDistance(const Ray& ray, glm::vec3 a, glm::vec3 b, glm::vec3 c) {
    const glm::vec3 ab = b - a;
    const glm::vec3 ac = c - a;
    const glm::vec3 h = glm::cross(ray.direction, ac);
    const float determinant = glm::dot(ab, h);
    if (determinant == 0.0F || !std::isfinite(determinant)) return std::nullopt;
    const glm::vec3 toOrigin = ray.origin - a;
    const float u = glm::dot(toOrigin, h) / determinant;
    const glm::vec3 q = glm::cross(toOrigin, ab);
    const float v = glm::dot(ray.direction, q) / determinant;
    if (!(u >= 0.0F && v >= 0.0F && u + v <= 1.0F)) return std::nullopt;
    return glm::dot(ac, q) / determinant;
}

// Whether the ray meets the box within `maxDistance` lengths of the ray's direction.
bool intersectsBox(const Ray& ray, float maxDistance, const Box3f& box) {
    float begin = 0.0F;
    float end = maxDistance;
    for (int axis = 0; axis < 3; ++axis) {
        const float a = (box.min[axis] - ray.origin[axis]) / ray.direction[axis];
        const float b = (box.max[axis] - ray.origin[axis]) / ray.direction[axis];
        // Slab test. fmin and fmax ignore the NaN of 0 ÷ 0, which arises if the ray lies in the
        // plane of a face.
        begin = std::fmax(begin, std::fmin(a, b));
        end = std::fmin(end, std::fmax(a, b));
    }
    return begin <= end;
}

bool notFinite(glm::vec3 point) {
    return !std::isfinite(point.x + point.y + point.z);
}

}  // namespace

template <class BoxOf>
PickTree::Tree PickTree::build(std::size_t count, const BoxOf& boxOf,
                               const std::stop_token& cancel) {
    Tree tree;
    if (cancel.stop_requested()) throw Cancelled();
    tree.indices.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        const Box3f box = boxOf(i);
        if (!notFinite(box.min) && !notFinite(box.max))
            tree.indices.push_back(static_cast<std::uint32_t>(i));
    }
    if (tree.indices.empty()) return tree;
    struct Task {
        std::size_t begin, end;
        std::optional<std::size_t> parent;  // the node whose second child this task builds
    };
    std::vector<Task> tasks{{0, tree.indices.size(), std::nullopt}};
    while (!tasks.empty()) {
        if (cancel.stop_requested()) throw Cancelled();
        const auto [begin, end, parent] = tasks.back();
        tasks.pop_back();
        if (parent) tree.nodes[*parent].first = static_cast<std::uint32_t>(tree.nodes.size());
        Node node;
        for (std::size_t i = begin; i < end; ++i) {
            const Box3f box = boxOf(tree.indices[i]);
            node.box.include(box.min);
            node.box.include(box.max);
        }
        const std::size_t self = tree.nodes.size();
        if (end - begin <= kLeafSize) {
            node.first = static_cast<std::uint32_t>(begin);
            node.count = static_cast<std::uint32_t>(end - begin);
            tree.nodes.push_back(node);
            continue;
        }
        tree.nodes.push_back(node);
        const glm::vec3 size = node.box.max - node.box.min;
        int axis = size.x >= size.y ? 0 : 1;
        if (size.z > size[axis]) axis = 2;
        const std::size_t median = begin + (end - begin) / 2;
        const auto at = [&](std::size_t i) {
            return tree.indices.begin() + static_cast<std::ptrdiff_t>(i);
        };
        std::nth_element(at(begin), at(median), at(end), [&](std::uint32_t a, std::uint32_t b) {
            const Box3f first = boxOf(a);
            const Box3f second = boxOf(b);
            return first.min[axis] + first.max[axis] < second.min[axis] + second.max[axis];
        });
        tasks.push_back({median, end, self});
        tasks.push_back({begin, median, std::nullopt});
    }
    return tree;
}

template <class Enter, class Visit>
void PickTree::traverse(const Tree& tree, const Enter& enter, const Visit& visit) {
    if (tree.nodes.empty()) return;
    std::vector<std::uint32_t> stack{0};
    while (!stack.empty()) {
        const std::uint32_t index = stack.back();
        stack.pop_back();
        const Node& node = tree.nodes[index];
        if (!enter(node.box)) continue;
        if (node.count == 0) {
            stack.push_back(node.first);
            stack.push_back(index + 1);
            continue;
        }
        for (std::uint32_t i = 0; i < node.count; ++i)
            if (!visit(tree.indices[node.first + i])) return;
    }
}

PickTree::PickTree(render::SceneMeshRef mesh, const std::stop_token& cancel)
    : mesh_(std::move(mesh)) {
    const Points& points = mesh_->vertices;
    const Faces& faces = mesh_->faces;
    // A NaN box leaves out a face with a bad index or a vertex that is not finite.
    const auto boxOfFace = [&](std::size_t i) -> Box3f {
        const glm::u32vec3 f = faces[i];
        if (std::max({f.x, f.y, f.z}) >= points.size()) return {glm::vec3(NAN), glm::vec3(NAN)};
        const glm::vec3 a = points[f.x], b = points[f.y], c = points[f.z];
        if (notFinite(a + b + c)) return {glm::vec3(NAN), glm::vec3(NAN)};
        return {glm::min(glm::min(a, b), c), glm::max(glm::max(a, b), c)};
    };
    vertices_ = build(
        points.size(),
        [&](std::size_t i) {
            return Box3f{points[i], points[i]};
        },
        cancel);
    triangles_ = build(faces.size(), boxOfFace, cancel);
}

std::optional<Pick> PickTree::pick(const PickView& view) const {
    if (view.size.x < 1 || view.size.y < 1) return std::nullopt;
    const glm::mat4 toView = view.camera.viewMatrix();
    // Pixels per unit in the plane at depth 1, and the pointer's position in this plane.
    const float scale = 0.5F * view.size.y / std::tan(0.5F * view.camera.fieldOfView);
    const glm::vec2 slope = (view.pointer - 0.5F * view.size) * glm::vec2(1.0F, -1.0F) / scale;
    const float spread = view.maxDistance / scale;
    const float nearest = view.camera.nearDistance();

    const auto enter = [&](const Box3f& box) {
        const glm::vec3 centre(toView * glm::vec4(box.centre(), 1.0F));
        const float radius = 0.5F * box.diagonal();
        const float depth = -centre.z;
        if (depth + radius < nearest) return false;
        // Conservative test of the pointer's cone against the box's bounding sphere: `slant` allows
        // for the inclination of the cone's axis and side.
        const float slant = 1.0F + glm::length(slope) + spread;
        const glm::vec2 offset = glm::vec2(centre) - slope * depth;
        return glm::length(offset) <= radius * slant + spread * std::max(depth, 0.0F);
    };
    std::vector<Pick> close;
    traverse(vertices_, enter, [&](std::uint32_t index) {
        const glm::vec3 p(toView * glm::vec4(mesh_->vertices[index], 1.0F));
        const float depth = -p.z;
        if (depth < nearest) return true;
        const float pixels = scale * glm::length(glm::vec2(p) / depth - slope);
        if (pixels <= view.maxDistance) close.push_back({index, depth, pixels});
        return true;
    });
    // Sorts by the distance to the pointer; of about equally close vertices, the front-most comes
    // first. The index breaks ties.
    constexpr float kPixelBin = 2.0F;
    std::ranges::sort(close, {}, [](const Pick& pick) {
        return std::tuple(std::floor(pick.pointerDistance / kPixelBin), pick.depth, pick.index);
    });
    // A dense mesh has many occluded vertices; each costs a ray.
    constexpr std::size_t kMaxRays = 256;
    if (close.size() > kMaxRays) close.resize(kMaxRays);
    const glm::vec3 cameraCentre = view.camera.centre();
    for (const Pick& pick : close) {
        // Geometry in front of the near plane occludes nothing.
        const glm::vec3 from =
            glm::mix(cameraCentre, mesh_->vertices[pick.index], nearest / pick.depth);
        if (!isOccluded(pick.index, from)) return pick;
    }
    return std::nullopt;
}

bool PickTree::isOccluded(std::size_t vertex, glm::vec3 cameraCentre) const {
    const Points& points = mesh_->vertices;
    const Ray ray{cameraCentre, points[vertex] - cameraCentre};
    bool hidden = false;
    traverse(
        triangles_, [&](const Box3f& box) { return intersectsBox(ray, kOcclusionLimit, box); },
        [&](std::uint32_t triangle) {
            const glm::u32vec3 f = mesh_->faces[triangle];
            if (f.x == vertex || f.y == vertex || f.z == vertex) return true;
            const auto distance = hitDistance(ray, points[f.x], points[f.y], points[f.z]);
            hidden = distance && *distance > 0.0F && *distance < kOcclusionLimit;
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

glm::vec3 PickTree::bestViewDirection(std::size_t vertex, glm::vec3 current, glm::vec3 target,
                                      float distance) const {
    constexpr int kStepsAround = 24;
    constexpr int kStepsUp = 11;
    constexpr float kPi = std::numbers::pi_v<float>;
    constexpr float kGoodFacing = 0.5F;  // cosine between normal and line of sight that suffices
    const glm::vec3 normal = normalAt(vertex);
    glm::vec3 best = current;
    float bestScore = -INFINITY;
    for (int up = 0; up < kStepsUp; ++up) {
        const float pitch = kPi * (static_cast<float>(up) / (kStepsUp - 1) - 0.5F) * 0.95F;
        for (int around = 0; around < kStepsAround; ++around) {
            const float yaw = 2 * kPi * static_cast<float>(around) / kStepsAround;
            const glm::vec3 direction(std::cos(pitch) * std::sin(yaw), std::sin(pitch),
                                      std::cos(pitch) * std::cos(yaw));
            const glm::vec3 cameraCentre = target + distance * direction;
            const float facing =
                std::min(kGoodFacing,
                         glm::dot(normal, glm::normalize(cameraCentre - mesh_->vertices[vertex])));
            constexpr float kFacingWeight = 8.0F;
            constexpr float kOcclusionPenalty = 100.0F;
            float score = glm::dot(direction, current) + kFacingWeight * facing;
            if (score <= bestScore) continue;
            if (isOccluded(vertex, cameraCentre)) score -= kOcclusionPenalty;
            if (score <= bestScore) continue;
            best = direction;
            bestScore = score;
        }
    }
    return best;
}

}  // namespace threefold::ui
