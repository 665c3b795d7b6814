#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>

#include <QObject>
#include <QPointF>

#include "ui/profile/profile_history.h"
#include "ui/profile/profile_saving.h"
#include "ui/profile/profile_view.h"
#include "ui/shell/window_parts.h"

class QAction;

namespace threefold::ui {

/// The live profile over the panes: stages of the last runs, frame times, memory, queue. Turned on
/// and off with P; while off it only takes note of runs and frames. It asks for no frame by itself
/// but when a run ends or the pointer moves over it.
class ProfileOverlay : public QObject {
    Q_OBJECT

  public:
    explicit ProfileOverlay(const WindowParts& parts);
    ~ProfileOverlay() override;

    bool on() const;
    /// What the last frame was given; null while off.
    const render::OverlayViewRef& view() const { return view_; }
    const ProfileHistory& history() const { return history_; }

    /// Saved() or the banner tells how it ended.
    void save(const std::filesystem::path& file, ProfileFormat format);

  public Q_SLOTS:
    /// Items that wait or run while a batch does; nothing: what the worker says.
    void setQueued(std::optional<std::size_t> items);
    /// Requests overtaken in continuous mode; nothing: it is off.
    void setDropped(std::optional<std::size_t> requests);

  Q_SIGNALS:
    void saved(const QString& file);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void setOn(bool on);
    render::OverlayViewRef makeView();
    void noteFrame(const render::FrameCost& cost);
    bool overPanel(QPointF position) const;
    void movePointer(std::optional<QPointF> position);
    void askForFile();
    void changed();

    WindowParts parts_;
    QAction* action_;
    ProfileHistory history_;
    LaneKind device_ = LaneKind::processor;
    std::optional<std::size_t> queued_;
    std::optional<std::size_t> dropped_;
    std::uint64_t deviceBytes_ = 0;

    std::shared_ptr<const render::OverlayFont> font_;
    std::shared_ptr<const render::OverlayRuns> runs_;  // null: to be made anew
    bool runsDark_ = true;                             // the theme they were made for
    render::OverlayViewRef view_;
    double viewMilliseconds_ = 0;
    std::optional<QPointF> pointer_;
    bool pressed_ = false;  // a button went down over the panel: its drag is not the panes'
};

}  // namespace threefold::ui
