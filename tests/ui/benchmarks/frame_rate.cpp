// Measures how many frames per second the panes present while a mesh is orbited:
//   tests/ui/with_display build/release/bin/threefold_frame_rate [TRIANGLES [SECONDS [NICE]]]
// NICE: niceness of threads that reconstruct a sample repeatedly on the processor meanwhile; by
// default, nothing is reconstructed.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numbers>
#include <thread>
#include <utility>
#include <vector>

#include <sys/resource.h>

#include <fmt/core.h>

#include <QApplication>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <QVulkanInstance>

#include "engine/error.h"
#include "engine/network/cpu_backend.h"
#include "engine/resources.h"
#include "engine/sample/sample.h"
#include "engine/sample/sample_views.h"
#include "render/device.h"
#include "ui/panes/viewport.h"

namespace threefold::ui {
namespace {

constexpr QSize kSize(1280, 720);

/// Torus of about `triangles` triangles, with the size and position of a reconstructed object.
render::SceneMeshRef makeRing(int triangles) {
    const int around = std::max(3, static_cast<int>(std::lround(std::sqrt(triangles))));
    const int across = std::max(3, triangles / (2 * around));
    render::SceneMesh mesh;
    for (int i = 0; i < around; ++i) {
        for (int j = 0; j < across; ++j) {
            const float a = 2 * std::numbers::pi_v<float> * static_cast<float>(i) / around;
            const float b = 2 * std::numbers::pi_v<float> * static_cast<float>(j) / across;
            const float out = 0.2F + 0.08F * std::cos(b);
            mesh.vertices.emplace_back(out * std::cos(a), 0.08F * std::sin(b),
                                       out * std::sin(a) - 0.8F);
            const auto vertexAt = [&](int p, int q) {
                return static_cast<std::uint32_t>(p % around * across + q % across);
            };
            mesh.faces.emplace_back(vertexAt(i, j), vertexAt(i + 1, j), vertexAt(i, j + 1));
            mesh.faces.emplace_back(vertexAt(i + 1, j), vertexAt(i + 1, j + 1), vertexAt(i, j + 1));
        }
    }
    return std::make_shared<const render::SceneMesh>(std::move(mesh));
}

void sendMouse(Viewport& viewport, QEvent::Type type, QPointF at) {
    const Qt::MouseButtons held = type == QEvent::MouseMove ? Qt::LeftButton : Qt::NoButton;
    const auto button = type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton;
    QMouseEvent event(type, at, viewport.mapToGlobal(at), button, held | button, Qt::NoModifier);
    QCoreApplication::sendEvent(&viewport, &event);
}

std::jthread startNetwork(int nice) {
    return std::jthread([nice](const std::stop_token& stop) {
        setpriority(PRIO_PROCESS, 0, nice);  // on Linux: this thread and threads that it starts
        const auto network = makeCpuBackend(loadModel(defaultModelFile()));
        const auto sample = bundledSamplesFolder() / "ShapeNetRendering/02691156/p0001";
        const NetworkInput input = loadViews(findSample(sample), std::vector{0, 6, 7});
        BatchOptions options;
        options.cancel = stop;
        try {
            while (true) network->reconstruct(input, options);
        } catch (const Cancelled&) {
        }
    });
}

int measure(int triangles, double seconds, int nice) {
    render::InstanceOptions options;
    options.surface = true;
    const render::Instance instance(options);
    QVulkanInstance vulkan;
    vulkan.setVkInstance(instance.handle());
    if (!vulkan.create()) return EXIT_FAILURE;
    Viewport viewport(instance);
    viewport.setVulkanInstance(&vulkan);
    viewport.resize(kSize);
    render::Scene scene;
    const render::SceneMeshRef mesh = makeRing(triangles);
    scene.panes.resize(2);
    for (render::Pane& pane : scene.panes) pane.layers.emplace_back().mesh = mesh;

    std::vector<double> intervals;  // ms between presented frames
    QElapsedTimer sinceFrame, sinceStart;
    QObject::connect(&viewport, &Viewport::presented, &viewport, [&](quint64 serial) {
        if (serial < viewport.newestSerial() && intervals.empty() && !sinceStart.isValid()) return;
        if (!sinceStart.isValid()) sinceStart.start();
        if (sinceFrame.isValid()) {
            intervals.push_back(static_cast<double>(sinceFrame.nsecsElapsed()) * 1e-6);
        }
        sinceFrame.start();
        if (static_cast<double>(sinceStart.elapsed()) > seconds * 1e3) return QApplication::quit();
        const auto step = static_cast<double>(intervals.size());
        sendMouse(viewport, QEvent::MouseMove, {100.0 + 2 * step, 100.0 + std::fmod(step, 50)});
    });
    QObject::connect(&viewport, &Viewport::drawingFailed, &viewport,
                     [] { QApplication::exit(EXIT_FAILURE); });
    const std::jthread network = nice >= 0 ? startNetwork(nice) : std::jthread();
    viewport.setVisible(true);
    viewport.setScene(std::move(scene));
    sendMouse(viewport, QEvent::MouseButtonPress, {100, 100});
    if (QApplication::exec() != EXIT_SUCCESS || intervals.empty()) return EXIT_FAILURE;

    const double rate = static_cast<double>(intervals.size()) / sinceStart.elapsed() * 1e3;
    std::sort(intervals.begin(), intervals.end());
    const auto quantile = [&](double fraction) {
        return intervals[static_cast<std::size_t>(fraction * (intervals.size() - 1))];
    };
    fmt::print(
        "{} triangles in each of two panes, {}x{}: {:.1f} frames/s, median {:.1f} ms, "
        "p95 {:.1f} ms ({} frames)\n",
        mesh->faces.size(), kSize.width(), kSize.height(), rate, quantile(0.5), quantile(0.95),
        intervals.size());
    return EXIT_SUCCESS;
}

}  // namespace
}  // namespace threefold::ui

int main(int argc, char** argv) {
    const QApplication application(argc, argv);
    const int triangles = argc > 1 ? std::atoi(argv[1]) : 5000;
    const double seconds = argc > 2 ? std::atof(argv[2]) : 5;
    const int nice = argc > 3 ? std::atoi(argv[3]) : -1;
    return threefold::ui::measure(std::max(triangles, 18), seconds, nice);
}
