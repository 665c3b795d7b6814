#pragma once

#include <memory>
#include <optional>

#include <QObject>

#include "ui/run/worker.h"
#include "ui/shell/window_parts.h"

namespace threefold::ui {

class Comparison;
class OpenedFiles;
class NetworkMenu;

/// Reconstruct > Compare networks: runs the input of the shown result with another model, device or
/// precision as well, and shows that mesh beside it as an opened one. It runs while the window's
/// own network rests, so that neither slows the other down, and once more at first, as a network's
/// first run takes longer. Off as soon as its mesh is closed.
class SecondNetwork : public QObject {
    Q_OBJECT

  public:
    SecondNetwork(const WindowParts& parts, Worker& worker, NetworkMenu& networks,
                  OpenedFiles& files);

    const std::optional<NetworkChoice>& choice() const { return choice_; }
    /// None: no second network.
    void compareWith(const std::optional<NetworkChoice>& choice);
    QMenu& menu() { return *menu_; }

  private:
    void fill();
    void follow();
    void onFinished(const ResultRef& result);
    void onFailed(const ErrorReport& report);
    void followOpened() {
        if (shown_ && ownComparison() == nullptr) compareWith({});
    }
    Comparison* ownComparison() const;  ///< of its own mesh; null: it has none, or it was closed
    void closeOwn();
    QString title() const;

    WindowParts parts_;
    NetworkMenu& networks_;
    OpenedFiles& files_;
    QMenu* menu_;
    std::optional<NetworkChoice> choice_;
    std::unique_ptr<Worker> worker_;  // null before the first choice
    Worker::Id running_ = 0;          // 0: none
    bool warm_ = false;
    ResultRef shown_;  // its own, in the comparison
};

}  // namespace threefold::ui
