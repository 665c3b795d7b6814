#include "ui/shell/banner.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/style/theme.h"

namespace threefold::ui {
namespace {

QLabel* line(QWidget* parent) {
    auto* label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

}  // namespace

Banner::Banner(QWidget* parent) : QFrame(parent), message_(line(this)), remedy_(line(this)) {
    setObjectName(QStringLiteral("banner"));
    setAccessibleName(tr("Error"));
    auto* close = new QToolButton(this);
    close->setText(QStringLiteral("✕"));
    close->setAccessibleName(tr("Close the message"));
    close->setToolTip(tr("Close the message (Esc)"));
    setRank(*close, "flat");
    connect(close, &QToolButton::clicked, this, &QWidget::hide);
    setRank(*remedy_, "muted");

    auto* texts = new QVBoxLayout;
    texts->setSpacing(2);
    texts->addWidget(message_);
    texts->addWidget(remedy_);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(16, 8, 8, 8);
    layout->addLayout(texts, 1);
    layout->addWidget(close, 0, Qt::AlignTop);
    hide();
}

void Banner::show(const ErrorReport& report) {
    ErrorReport withoutRemedy = report;
    withoutRemedy.remedy.clear();
    message_->setText(QString::fromStdString(Error(withoutRemedy).what()));
    remedy_->setText(QString::fromStdString(report.remedy));
    remedy_->setVisible(!report.remedy.empty());
    setAccessibleDescription(message_->text() + ' ' + remedy_->text());
    QFrame::show();
}

void Banner::showEvent(QShowEvent* event) {
    QFrame::showEvent(event);
    Q_EMIT opened();
}

void Banner::hideEvent(QHideEvent* event) {
    QFrame::hideEvent(event);
    if (isHidden()) Q_EMIT closed();  // not where the whole window went
}

QString Banner::text() const {
    return isHidden() ? QString() : message_->text() + ' ' + remedy_->text();
}

}  // namespace threefold::ui
