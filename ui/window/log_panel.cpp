#include "ui/window/log_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTime>

#include "ui/document/log_store.h"
#include "ui/shell/actions.h"
#include "ui/style/theme.h"
#include "ui/style/widgets.h"

namespace threefold::ui {
namespace {

QString lineOf(const LogEntry& entry, const QString& level) {
    constexpr int kLevelWidth = 8;
    const QString time = QTime::fromMSecsSinceStartOfDay(static_cast<int>(entry.millisecondsOfDay))
                             .toString(QStringLiteral("HH:mm:ss.zzz"));
    return time + QStringLiteral("  ") + level.leftJustified(kLevelWidth) +
           QString::fromStdString(entry.text);
}

/// Log with time and level, as text to select and copy. Scrolls along while its end is visible.
class LogPanel : public QWidget {
    Q_DECLARE_TR_FUNCTIONS(LogPanel)

  public:
    /// `store` must outlive the panel.
    explicit LogPanel(LogStore& store) : store_(store), text_(new QPlainTextEdit(this)) {
        text_->setReadOnly(true);
        text_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        text_->setFrameShape(QFrame::NoFrame);
        text_->setFont(numberFont(font()));
        text_->setLineWrapMode(QPlainTextEdit::NoWrap);
        text_->setMaximumBlockCount(static_cast<int>(LogStore::kMaxEntries));
        text_->setUndoRedoEnabled(false);
        text_->setTabChangesFocus(true);
        text_->setAccessibleName(tr("Log"));
        text_->viewport()->setAutoFillBackground(false);

        auto* copy = flatButton(tr("Copy all"), tr("Copy the whole log"), this);
        auto* clear = flatButton(tr("Clear"), tr("Clear this list"), this);
        for (QToolButton* button : {copy, clear})
            button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        connect(copy, &QToolButton::clicked, this,
                [this] { QApplication::clipboard()->setText(text_->toPlainText()); });
        connect(clear, &QToolButton::clicked, text_, &QPlainTextEdit::clear);
        setLayout(
            rowOf({stretched(text_), columnOf({copy, clear, stretch()}, 0)}, -1, {12, 0, 8, 4}));
        // Entries come from any thread; they are read on the GUI thread.
        connect(&store_, &LogStore::entriesAdded, this, &LogPanel::appendNew, Qt::QueuedConnection);
        appendNew();
    }

    QSize sizeHint() const override {
        constexpr int kLines = 8;
        return {QWidget::sizeHint().width(), kLines * text_->fontMetrics().lineSpacing()};
    }

  private:
    void appendNew() {
        QScrollBar& bar = *text_->verticalScrollBar();
        const bool follows = bar.value() == bar.maximum();
        const ThemeColours colours = themeColours(palette());
        // Same order as LogLevel.
        const std::pair<QString, QColor> styles[] = {{tr("debug"), colours.muted},
                                                     {tr("info"), colours.muted},
                                                     {tr("warning"), colours.warning},
                                                     {tr("error"), colours.bad}};
        for (const LogEntry& entry : store_.since(last_)) {
            last_ = entry.number;
            const auto& [level, colour] = styles[static_cast<std::size_t>(entry.level)];
            text_->appendHtml(QStringLiteral("<pre style=\"color:%1;margin:0\">%2</pre>")
                                  .arg(colour.name(), lineOf(entry, level).toHtmlEscaped()));
        }
        if (follows) bar.setValue(bar.maximum());
    }

    LogStore& store_;
    std::size_t last_ = 0;
    QPlainTextEdit* text_;
};

}  // namespace

void addLog(QMainWindow& window, Actions& actions, LogStore& store) {
    auto* dock = new QDockWidget(LogPanel::tr("Log"), &window);
    dock->setObjectName(QStringLiteral("log"));
    dock->setAllowedAreas(Qt::BottomDockWidgetArea | Qt::TopDockWidgetArea);
    dock->setWidget(new LogPanel(store));
    window.addDockWidget(Qt::BottomDockWidgetArea, dock);
    dock->hide();
    QAction* show =
        actions.add({.menu = MenuSection::viewPanels,
                     .text = LogPanel::tr("L&og"),
                     .keys = Qt::Key_F9,
                     .tooltip = LogPanel::tr("The program's messages with time and level")},
                    dock, &QWidget::setVisible);
    show->setCheckable(true);
    QObject::connect(dock->toggleViewAction(), &QAction::toggled, show, &QAction::setChecked);
}

}  // namespace threefold::ui
