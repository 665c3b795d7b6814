#include "ui/shell/banner.h"

#include <algorithm>

#include <QHBoxLayout>

#include "engine/text.h"
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
    message_->setToolTip({});
    remedy_->setText(withControlNames(report.remedy));
    showTexts(report.subject);
}

void Banner::showRemarks(const QString& subject, const QStringList& remarks) {
    constexpr qsizetype kMaxShown = 3;
    QStringList lines;
    for (const QString& remark : remarks) {
        const QString line = lines.isEmpty() ? subject + ": " + remark : remark;
        lines << withControlNames(escapeControls(line.toStdString()));
    }
    const qsizetype shown = std::min(lines.size(), kMaxShown);
    message_->setText(lines.first(shown).join('\n'));
    message_->setToolTip(lines.join('\n'));
    const qsizetype hidden = lines.size() - shown;
    remedy_->setText(hidden == 0 ? QString()
                     : hidden == 1
                         ? tr("1 more: point at this message to read it.")
                         : tr("%1 more: point at this message to read them.").arg(hidden));
    showTexts(subject.toStdString());
}

void Banner::showTexts(const std::string& subject) {
    remedy_->setVisible(!remedy_->text().isEmpty());
    setAccessibleDescription(message_->text() + ' ' + remedy_->text());
    subject_ = subject;
    QFrame::show();
}

void Banner::hideReportOf(const std::string& subject) {
    if (subject_ == subject) hide();
}

}  // namespace threefold::ui
