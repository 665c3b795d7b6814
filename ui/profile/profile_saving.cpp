#include "ui/profile/profile_saving.h"

#include <cmath>
#include <exception>
#include <utility>

#include <QThreadPool>

#include "engine/profile/trace.h"
#include "render/overlay_layout.h"
#include "ui/panes/viewport.h"

namespace threefold::ui {
namespace {

void onThePool(ProfileTarget target, std::function<void(const std::filesystem::path&)> write) {
    QThreadPool::globalInstance()->start([target = std::move(target), write = std::move(write)] {
        std::shared_ptr<const ErrorReport> problem;
        try {
            write(target.file);
        } catch (const Error& error) {
            problem = std::make_shared<const ErrorReport>(error.report());
        } catch (const std::exception& error) {
            problem = std::make_shared<const ErrorReport>(
                ErrorReport{target.file.string(), "", error.what(), ""});
        }
        target.done(problem);
    });
}

}  // namespace

void saveTrace(const Spans& spans, ProfileTarget target) {
    onThePool(std::move(target),
              [spans](const std::filesystem::path& file) { writeChromeTrace(file, spans); });
}

void saveReport(const Spans& spans, ProfileTarget target) {
    onThePool(std::move(target),
              [spans](const std::filesystem::path& file) { writeProfileJson(file, spans); });
}

void savePicture(Viewport& viewport, const render::OverlayView& view, ProfileTarget target) {
    render::OverlayView alone = view;
    alone.margin = 0;
    alone.pointer.reset();
    alone.colours.panel.w = 1;
    const glm::vec2 size = render::overlaySize(alone);
    constexpr float kScale = 2;
    render::Scene scene;
    scene.background = glm::vec4(0);
    scene.pixelRatio = kScale;
    scene.overlay = std::make_shared<const render::OverlayView>(std::move(alone));
    const auto refuse = [](const ProfileTarget& to) {
        to.done(std::make_shared<const ErrorReport>(
            ErrorReport{to.file.string(), "", "there is nothing that could draw the picture",
                        "Wait until the panes are drawn."}));
    };
    const bool asked = viewport.drawImage(
        std::move(scene), static_cast<int>(std::lround(size.x * kScale)),
        static_cast<int>(std::lround(size.y * kScale)), [target, refuse](Image image) {
            if (image.rgba.empty()) {
                refuse(target);
                return;
            }
            auto picture = std::make_shared<const Image>(std::move(image));
            onThePool(target,
                      [picture](const std::filesystem::path& file) { writePng(file, *picture); });
        });
    if (!asked) refuse(target);
}

}  // namespace threefold::ui
