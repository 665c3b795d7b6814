#pragma once

#include <cmath>
#include <numbers>

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <gtest/gtest.h>

#include "engine/structure_from_motion/sparse_model.h"
#include "tests/engine/turntable/scene.h"

namespace threefold::test {

/// Model with the turntable scene's cameras around a ball of radius 0.1 on the plane z = 0.
class ObjectOfPoints : public testing::Test {
  protected:
    static constexpr double kRadius = 0.1;

    ObjectOfPoints() {
        for (const PosedMask& view : TurntableScene::outlines({}, TurntableScene::azimuths(8, 45)))
            model_.images.push_back({model_.images.size(), view.pose, view.lens, 0});
        for (int i = 0; i < 200; ++i) {
            const double z = 1 - 2 * (i + 0.5) / 200;
            const double ring = std::sqrt(1 - z * z);
            const double angle = i * std::numbers::pi * (3 - std::sqrt(5));
            add(glm::dvec3(0, 0, kRadius) +
                kRadius * glm::dvec3(ring * std::cos(angle), ring * std::sin(angle), z));
        }
    }

    void add(glm::dvec3 point) { model_.points.push_back({point, 0.5, 4}); }
    void addTable() {
        for (int x = -20; x <= 20; ++x)
            for (int y = -20; y <= 20; ++y) add({x * 0.02, y * 0.02, 0});
    }

    /// Rotation about x.
    static glm::dmat3 tiltBy(double degrees) {
        const double angle = degrees * std::numbers::pi / 180;
        return glm::dmat3(1, 0, 0, 0, std::cos(angle), std::sin(angle), 0, -std::sin(angle),
                          std::cos(angle));
    }
    void turn(const glm::dmat3& rotation) {
        for (structure_from_motion::SparsePoint& point : model_.points)
            point.position = rotation * point.position;
        for (structure_from_motion::RegisteredImage& image : model_.images) {
            image.pose.centre = rotation * image.pose.centre;
            image.pose.rotation = image.pose.rotation * glm::transpose(rotation);
        }
    }

    structure_from_motion::SparseModel model_;
};

}  // namespace threefold::test
