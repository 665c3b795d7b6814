#pragma once

#include <QDialog>
#include <QSize>

class QBoxLayout;
class QButtonGroup;
class QCheckBox;
class QLabel;
class QSettings;
class QSpinBox;

namespace threefold::ui {

/// Choice of a screenshot.
struct ScreenshotChoice {
    bool wholeWindow = false;  ///< as on the screen; the other members apply to panes only
    QSize pixels;
    bool transparent = false;  ///< no background behind the meshes
    bool labelled = false;     ///< with titles, scale bars and the legend
};

/// Dialog that asks for the size of a screenshot. Not modal. Remembers the last choice.
class ScreenshotDialog : public QDialog {
    Q_OBJECT

  public:
    static constexpr int kMaxPictureSide = 16384;

    /// `panes`: the size of the panes in logical pixels.
    ScreenshotDialog(QSize panes, QSettings& settings, QWidget* parent = nullptr);

    ScreenshotChoice choice() const;
    /// Follows the panes, which can be resized while the dialog is open.
    void setPanes(QSize panes);

  private:
    /// Adds the choices of a size: multiples of the panes, exact numbers, the whole window.
    void addSizes(QBoxLayout& column);
    void refresh();
    void saveChoice();

    QSize panes_;
    QSettings& settings_;
    QButtonGroup* sizes_;
    QSpinBox* width_ = nullptr;
    QSpinBox* height_ = nullptr;
    QCheckBox* transparent_;
    QCheckBox* labelled_;
    QLabel* outcome_;
};

}  // namespace threefold::ui
