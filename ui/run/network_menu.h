#pragma once

#include <optional>

#include "ui/run/worker.h"
#include "ui/shell/window_parts.h"

namespace threefold::ui {

class InputPanel;

/// The networks that the window can run.
struct NetworkSources {
    NetworkOpener first;                                ///< the one at the window's start
    NetworkChooser open;                                ///< another one; null: there is none
    std::function<std::vector<std::string>()> devices;  ///< that a choice may name; may be null
    std::function<bool()> locked;  ///< whether a list being evaluated needs the present network
};

/// Reconstruct > Model: the weights that the window began with, those loaded last, and others from
/// files; Reconstruct > Device: which back end computes, and how precisely. What is chosen
/// reconstructs the input at once; where it cannot be opened, the present network stays and the
/// banner says why.
class NetworkMenu : public QObject {
    Q_OBJECT

  public:
    static constexpr std::size_t kMostRecent = 6;

    NetworkMenu(const WindowParts& parts, InputPanel& input, Worker& worker,
                NetworkSources sources);

    /// The network in use, or the one being opened.
    const NetworkChoice& choice() const { return wanted_ ? *wanted_ : choice_; }
    /// Opens it in the background.
    void choose(const NetworkChoice& choice);
    void load(const std::filesystem::path& model) { choose({model, choice().device}); }

    const NetworkSources& sources() const { return sources_; }
    QMenu& models() { return *models_; }
    QMenu& devices() { return *devices_; }

    /// Fills a menu with the models and the devices that there are; `current` is checked, and
    /// `chosen` called with what the user takes instead.
    void addModels(QMenu& menu, const std::optional<std::filesystem::path>& current,
                   const std::function<void(const std::filesystem::path&)>& chosen);
    void addDevices(QMenu& menu, const std::optional<std::string>& current,
                    const std::function<void(const std::string&)>& chosen) const;

  Q_SIGNALS:
    /// Choice, recent models or devices have changed.
    void changed();

  private:
    void onOpened();
    void onRefused(const ErrorReport& report);
    void fill();

    WindowParts parts_;
    InputPanel& input_;
    Worker& worker_;
    NetworkSources sources_;
    QMenu* models_;
    QMenu* devices_;
    NetworkChoice choice_;
    std::optional<NetworkChoice> wanted_;  ///< being opened
    QString firstModel_;
    QString firstDevice_;
    std::vector<std::filesystem::path> recent_;  ///< newest first
};

/// "Processor · bfloat16" for "cpu:bfloat16".
QString deviceText(const std::string& device);

}  // namespace threefold::ui
