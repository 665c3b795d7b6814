#pragma once

#include <array>

#include <QStringList>
#include <QWidget>

#include "ui/document/document.h"
#include "ui/document/measure_rows.h"

class QBoxLayout;
class QLabel;
class QSlider;

namespace threefold::ui {

/// A header's text about one mesh.
struct HeaderText {
    QString title;       ///< "Coarse"
    QStringList parts;   ///< "2 466 v", "CD 3.21e-4", "F(τ) 71.23 %": the last matters most
    QString difference;  ///< "+20.54", empty if there is nothing to compare
    Verdict verdict = Verdict::same;  ///< of the difference
    QString note = {};                ///< the title's tooltip
    bool operator==(const HeaderText&) const = default;
};
HeaderText headerText(const Document& document, MeshRole role);
/// What the refined mesh's pane shows: "Refined", or "Coarse → Refined 1" between two stages.
QString stageTitle(const Document& document);

/// The strip above one mesh: which it is, and its leading measures.
class PaneHeader : public QWidget {
    Q_OBJECT

  public:
    explicit PaneHeader(QWidget* parent = nullptr);
    void setText(const HeaderText& text);

    QString title() const { return text_.title; }
    QString detail() const;  ///< the shown measures, without markup
    /// Adds a widget at the right of the title.
    void addBeside(QWidget* widget);

  protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void refresh();

    HeaderText text_;
    QLabel* title_;
    QLabel* detail_;
    QBoxLayout* first_;  ///< the title's row
};

/// The headers above the panes, one a mesh: they follow the document and its layout. In an overlay
/// the second has a slider for its opacity.
class PaneHeaders : public QWidget {
    Q_OBJECT

  public:
    explicit PaneHeaders(Document& document, QWidget* parent = nullptr);

    const PaneHeader& first() const { return *headers_[0]; }
    const PaneHeader& second() const { return *headers_[1]; }
    const PaneHeader& fitted() const { return *headers_[2]; }
    const PaneHeader& truth() const { return *headers_[3]; }
    QSlider& opacity() { return *opacity_; }

  private:
    void follow();

    Document& document_;
    std::array<PaneHeader*, 4> headers_;
    QBoxLayout* row_;
    QSlider* opacity_;
};

}  // namespace threefold::ui
