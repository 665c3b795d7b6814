#pragma once

#include <filesystem>
#include <optional>

#include <QObject>

#include "engine/sample/mesh_space.h"
#include "ui/files/file_reading.h"

namespace threefold::ui {

class InputPanel;
class Viewport;

/// A truth of the user's own in place of the sample's.
class TruthChoice : public QObject {
    Q_OBJECT

  public:
    TruthChoice(const WindowParts& parts, InputPanel& input, Viewport& viewport,
                FileReading& reading);

    /// Measures the shown result against this truth without running the network again. Waits for a
    /// result if there is none yet. Without a sample: the compared mesh is judged against it.
    void use(const std::filesystem::path& file, std::optional<MeshSpace> space = {});
    /// The same for the next result, of another item. Empty: that item keeps its own truth.
    void useForNext(const std::filesystem::path& file);

  Q_SIGNALS:
    /// For the recent files.
    void opened(const std::filesystem::path& file);

  private:
    struct Truth {
        std::filesystem::path file;
        std::optional<MeshSpace> space;
    };

    void apply();
    void judge(const std::filesystem::path& file);

    WindowParts parts_;
    InputPanel& input_;
    Viewport& viewport_;
    FileReading& reading_;
    NewestRequest request_;
    std::optional<Truth> waiting_;  // for a result
};

}  // namespace threefold::ui
