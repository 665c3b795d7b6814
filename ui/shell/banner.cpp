#include "ui/shell/banner.h"

#include <QHBoxLayout>

#include "ui/style/control_names.h"
#include "ui/style/widgets.h"

namespace threefold::ui {

Banner::Banner(QWidget* parent)
    : QFrame(parent), message_(new QLabel(this)), remedy_(roleLabel("muted", this)) {
    for (QLabel* label : {message_, remedy_}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    setObjectName(QStringLiteral("banner"));
    setAccessibleName(tr("Error"));
    auto* close = flatButton(QStringLiteral("✕"), tr("Close the message (Esc)"), this,
                             tr("Close the message"));
    connect(close, &QToolButton::clicked, this, &QWidget::hide);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(16, 8, 8, 8);
    layout->addLayout(columnOf({message_, remedy_}, 2), 1);
    layout->addWidget(close, 0, Qt::AlignTop);
    hide();
}

void Banner::show(const ErrorReport& report) {
    ErrorReport withoutRemedy = report;
    withoutRemedy.remedy.clear();
    message_->setText(withControlNames(Error(withoutRemedy).what()));
    remedy_->setText(withControlNames(report.remedy));
    remedy_->setVisible(!remedy_->text().isEmpty());
    setAccessibleDescription(message_->text() + ' ' + remedy_->text());
    subject_ = report.subject;
    QFrame::show();
}

void Banner::hideReportOf(const std::string& subject) {
    if (subject_ == subject) hide();
}

}  // namespace threefold::ui
