#include "engine/sample/posed_photos/up_direction.h"

#include <cmath>

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

namespace threefold {
namespace {

/// Eigenvector of the smallest eigenvalue; nullopt if that eigenvalue is not clearly the smallest.
std::optional<glm::dvec3> minEigenvector(const glm::dmat3& symmetric) {
    const Eigen::Matrix3d matrix = Eigen::Map<const Eigen::Matrix3d>(&symmetric[0].x);
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(matrix);
    const Eigen::Vector3d& values = solver.eigenvalues();  // ascending
    constexpr double kMinGap = 1e-2;
    if (values[1] - values[0] < kMinGap * values[2]) return std::nullopt;
    const Eigen::Vector3d vector = solver.eigenvectors().col(0);
    return glm::dvec3(vector.x(), vector.y(), vector.z());
}

/// Whether the rows of the photographs lie along `direction`.
bool rowsLieAlong(std::span<const Photo> photos, glm::dvec3 direction) {
    constexpr double kMinCosine = 0.8;  // cosine of 37°
    double along = 0;
    for (const Photo& photo : photos) along += std::abs((photo.pose.rotation * direction).x);
    return along > kMinCosine * static_cast<double>(photos.size());
}

/// Whether the cameras are above the points they look at.
bool camerasAreAbove(std::span<const Photo> photos, glm::dvec3 up) {
    double above = 0;
    for (const Photo& photo : photos)
        above += glm::dot(up, glm::transpose(photo.pose.rotation) * glm::dvec3(0, 0, 1));
    return above > 0;
}

}  // namespace

std::optional<UpDirection> estimateUp(std::span<const Photo> photos) {
    glm::dmat3 rightProducts(0.0);
    glm::dmat3 upProducts(0.0);
    glm::dvec3 upSum(0.0);
    for (const Photo& photo : photos) {
        const glm::dmat3 axes = glm::transpose(photo.pose.rotation);
        rightProducts += glm::outerProduct(axes[0], axes[0]);
        upProducts += glm::outerProduct(axes[1], axes[1]);
        upSum += axes[1];
    }
    const std::optional<glm::dvec3> upOfLevelCameras = minEigenvector(rightProducts);
    constexpr double kMinLength = 0.1;
    constexpr double kMinAgreement = 0.6;
    const double length = glm::length(upSum) / static_cast<double>(photos.size());
    const std::optional<glm::dvec3> sideways = minEigenvector(upProducts);
    if (length < kMinAgreement && sideways && rowsLieAlong(photos, *sideways))
        // The eigenvector may point up or down; assumes photographs from above.
        return UpDirection{camerasAreAbove(photos, *sideways) ? *sideways : -*sideways,
                           "assuming photographs that lie on their side, from level cameras above "
                           "the object"};
    if (length < kMinLength) return std::nullopt;
    constexpr double kMinCosine = 0.5;
    const glm::dvec3 meanUp = glm::normalize(upSum);
    const bool useLevelCameras =
        upOfLevelCameras && std::abs(glm::dot(*upOfLevelCameras, meanUp)) > kMinCosine;
    const glm::dvec3 up = useLevelCameras ? *upOfLevelCameras : meanUp;
    return UpDirection{
        glm::dot(up, upSum) < 0 ? -up : up,
        useLevelCameras ? "assuming level cameras" : "the mean of the cameras' up vectors"};
}

}  // namespace threefold
