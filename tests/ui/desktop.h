#pragma once

#include <QDesktopServices>
#include <QObject>
#include <QString>
#include <QUrl>

namespace threefold::ui::test {

/// Keeps the last path that QDesktopServices was asked to open, in place of opening it.
class Desktop : public QObject {
    Q_OBJECT

  public:
    Desktop() { QDesktopServices::setUrlHandler("file", this, "take"); }
    ~Desktop() override { QDesktopServices::unsetUrlHandler("file"); }
    QString opened;

  public Q_SLOTS:
    void take(const QUrl& url) { opened = url.toLocalFile(); }
};

}  // namespace threefold::ui::test
