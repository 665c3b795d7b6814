// Measures the times of frames of 1280 × 720 pixels with two panes of 5 120 faces each and four
// multisamples, drawn offscreen and read back. "Time" is wall time. "CPU" is the processor time of
// all threads; on a busy machine, compare only this time.
#include <benchmark/benchmark.h>

#include "render/offscreen.h"
#include "tests/render/shapes.h"

namespace threefold::render {
namespace {

Scene twoPanes(const Layer& layer) {
    OrbitCamera camera{.yaw = 0.5F, .pitch = 0.35F};
    frameBox(camera, {-0.28F, -0.25F, -1.08F}, {0.28F, 0.25F, -0.52F}, 640.0F / 720.0F);
    Scene scene;
    scene.panes.resize(2, Pane{.layers = {layer}, .camera = camera});
    return scene;
}

void drawFrames(benchmark::State& state, Scene scene) {
    const Instance instance({});
    const Device device(instance);
    OffscreenTarget target(device);
    target.draw(scene, 1280, 720);
    for (auto unused : state) {
        for (Pane& pane : scene.panes) pane.camera.yaw += 0.01F;
        benchmark::DoNotOptimize(target.draw(scene, 1280, 720));
    }
    state.counters["frames/s"] =
        benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

Layer pebbleWith(Shading shading) {
    Layer layer = layerOf(makePebble(4));
    layer.shading = shading;
    return layer;
}

void drawEmpty(benchmark::State& state) {
    drawFrames(state, twoPanes({}));
}

void drawShading(benchmark::State& state) {
    drawFrames(state, twoPanes(pebbleWith(static_cast<Shading>(state.range(0)))));
}

void drawEdges(benchmark::State& state) {
    Layer layer = pebbleWith(Shading::smooth);
    layer.edges = true;
    drawFrames(state, twoPanes(layer));
}

void drawMatcap(benchmark::State& state) {
    Scene scene = twoPanes(pebbleWith(Shading::smooth));
    scene.lighting = Lighting::matcap;
    drawFrames(state, scene);
}

void drawOverlay(benchmark::State& state) {
    Scene scene = twoPanes(pebbleWith(Shading::smooth));
    for (Pane& pane : scene.panes) {
        pane.layers.push_back(layerOf(makeRing(64, 40)));
        pane.layers.back().opacity = 0.5F;
    }
    drawFrames(state, scene);
}

void drawWipe(benchmark::State& state) {
    Scene scene = twoPanes(pebbleWith(Shading::smooth));
    for (Pane& pane : scene.panes) {
        pane.layers.push_back(layerOf(makeRing(64, 40)));
        pane.layers[0].rightEdge = pane.layers[1].leftEdge = 0.5F;
        pane.seamPosition = 0.5F;
    }
    drawFrames(state, scene);
}

BENCHMARK(drawEmpty)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();
BENCHMARK(drawShading)
    ->DenseRange(0, 3)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();
BENCHMARK(drawEdges)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();
BENCHMARK(drawMatcap)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();
BENCHMARK(drawOverlay)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();
BENCHMARK(drawWipe)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();

}  // namespace
}  // namespace threefold::render

BENCHMARK_MAIN();
