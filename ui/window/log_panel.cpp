#include "ui/window/log_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTime>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/document/log_store.h"
#include "ui/style/theme.h"

namespace threefold::ui {
namespace {

QString levelName(LogLevel level) {
    switch (level) {
        case LogLevel::debug:
            return LogPanel::tr("debug");
        case LogLevel::info:
            return LogPanel::tr("info");
        case LogLevel::warning:
            return LogPanel::tr("warning");
        case LogLevel::error:
            break;
    }
    return LogPanel::tr("error");
}

QColor colourOf(LogLevel level, const ThemeColours& colours) {
    switch (level) {
        case LogLevel::warning:
            return colours.warm;
        case LogLevel::error:
            return colours.bad;
        case LogLevel::debug:
        case LogLevel::info:
            break;
    }
    return colours.muted;
}

QString lineOf(const LogEntry& entry) {
    constexpr int kLevelWidth = 8;
    const QString time = QTime::fromMSecsSinceStartOfDay(static_cast<int>(entry.millisecondsOfDay))
                             .toString(QStringLiteral("HH:mm:ss.zzz"));
    return time + QStringLiteral("  ") + levelName(entry.level).leftJustified(kLevelWidth) +
           QString::fromStdString(entry.text);
}

}  // namespace

LogPanel::LogPanel(LogStore& store, QWidget* parent)
    : QWidget(parent), store_(store), text_(new QPlainTextEdit(this)) {
    text_->setReadOnly(true);
    text_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    text_->setFrameShape(QFrame::NoFrame);
    text_->setFont(numberFont(font()));
    text_->setLineWrapMode(QPlainTextEdit::NoWrap);
    text_->setMaximumBlockCount(static_cast<int>(LogStore::kMost));
    text_->setUndoRedoEnabled(false);
    text_->setTabChangesFocus(true);
    text_->setAccessibleName(tr("Log"));
    text_->viewport()->setAutoFillBackground(false);

    auto* copy = new QToolButton(this);
    copy->setText(tr("Copy all"));
    copy->setToolTip(tr("Copy the whole log"));
    auto* clear = new QToolButton(this);
    clear->setText(tr("Clear"));
    clear->setToolTip(tr("Empty this list"));
    for (QToolButton* button : {copy, clear}) {
        setRank(*button, "flat");
        button->setFocusPolicy(Qt::TabFocus);
        button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    }
    connect(copy, &QToolButton::clicked, this,
            [this] { QApplication::clipboard()->setText(text()); });
    connect(clear, &QToolButton::clicked, text_, &QPlainTextEdit::clear);

    auto* buttons = new QVBoxLayout;
    buttons->setSpacing(0);
    buttons->addWidget(copy);
    buttons->addWidget(clear);
    buttons->addStretch(1);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 0, 8, 4);
    row->addWidget(text_, 1);
    row->addLayout(buttons);
    // The window's thread reads; others only tell that there is something.
    connect(&store_, &LogStore::grew, this, &LogPanel::takeNew, Qt::QueuedConnection);
    takeNew();
}

QSize LogPanel::sizeHint() const {
    constexpr int kLines = 8;
    return {QWidget::sizeHint().width(), kLines * text_->fontMetrics().lineSpacing()};
}

QString LogPanel::text() const {
    return text_->toPlainText();
}

void LogPanel::takeNew() {
    QScrollBar& bar = *text_->verticalScrollBar();
    const bool follows = bar.value() == bar.maximum();
    const ThemeColours colours = themeColours(palette());
    for (const LogEntry& entry : store_.since(last_)) {
        last_ = entry.number;
        text_->appendHtml(
            QStringLiteral("<pre style=\"color:%1;margin:0\">%2</pre>")
                .arg(colourOf(entry.level, colours).name(), lineOf(entry).toHtmlEscaped()));
    }
    if (follows) bar.setValue(bar.maximum());
}

}  // namespace threefold::ui
