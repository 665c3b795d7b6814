#pragma once

#include <memory>
#include <optional>

#include <QObject>

#include "ui/run/network_client.h"
#include "ui/shell/feature_context.h"

namespace threefold::ui {

class OpenedMeshSource;
class OpenedFiles;
class NetworkMenu;

/// Runs the input of the shown result on a second network, with another model, device or precision,
/// and opens the second network's mesh beside the result (Reconstruct > Compare networks). The
/// second network runs while the window's own network is idle, so that neither slows the other
/// down. Its first run only warms up and is repeated. Closing its mesh switches the second network
/// off.
class SecondNetwork : public QObject {
    Q_OBJECT

  public:
    SecondNetwork(const FeatureContext& context, NetworkClient& client, NetworkMenu& networks,
                  OpenedFiles& files);

    const std::optional<NetworkChoice>& choice() const { return choice_; }
    /// Runs this network beside the window's own, in place of the previous second network.
    void start(const NetworkChoice& choice);
    /// Switches the second network off and closes its mesh.
    void stop();
    QMenu& menu() { return *menu_; }

  private:
    void fillMenu();
    void updateRun();
    void onFinished(const ResultRef& result);
    void onFailed(const ErrorReport& report);
    void switchOffIfClosed() {
        if (shown_ && meshSource() == nullptr) stop();
    }
    void endRun();
    OpenedMeshSource* meshSource() const;  ///< of the second network's mesh; null: none, or closed
    void closeMesh();
    QString title() const;

    FeatureContext context_;
    NetworkMenu& networks_;
    OpenedFiles& files_;
    QMenu* menu_;
    std::optional<NetworkChoice> choice_;
    std::unique_ptr<NetworkClient> client_;  // null before the first choice
    NetworkClient::Id running_ = 0;          // 0: no run
    NetworkClient::Id opened_ = 0;           // newest call of useNetwork(); 0: none
    bool isWarmedUp_ = false;
    ResultRef shown_;  // the second network's result beside the shown one
};

}  // namespace threefold::ui
