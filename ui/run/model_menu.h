#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include <QObject>

#include "engine/error.h"
#include "ui/run/worker.h"
#include "ui/shell/window_parts.h"

class QAction;
class QMenu;

namespace threefold::ui {

/// Where the network's weights come from.
struct ModelSources {
    NetworkOpener first;           ///< the network at the window's start
    ModelOpener open;              ///< null: no other model can be loaded
    std::function<bool()> locked;  ///< whether a list being evaluated needs the present one
};

/// Reconstruct > Model: the model that the window began with, those loaded last, and others from
/// files. A loaded one reconstructs the input at once; one that cannot be loaded leaves the present
/// one in place and is reported in the banner.
class ModelMenu : public QObject {
    Q_OBJECT

  public:
    static constexpr std::size_t kMostRecent = 6;

    ModelMenu(const WindowParts& parts, ModelSources sources);

    /// The loaded model, or the one being loaded; empty: the window's first.
    const std::filesystem::path& file() const { return wanted_ ? *wanted_ : file_; }
    /// Loads a model in the background; empty: the window's first.
    void load(const std::filesystem::path& file);
    QMenu& menu() { return *menu_; }

  private:
    void ask();
    void onLoaded();
    void onRefused(const ErrorReport& report);
    void fill();

    WindowParts parts_;
    ModelSources sources_;
    QMenu* menu_;
    std::filesystem::path file_;
    std::optional<std::filesystem::path> wanted_;  ///< being loaded
    QString firstName_;
    std::vector<std::filesystem::path> recent_;  ///< newest first
};

}  // namespace threefold::ui
