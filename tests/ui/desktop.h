#pragma once

#include <QDesktopServices>
#include <QObject>
#include <QString>
#include <QUrl>

namespace threefold::ui::test {

/// Takes, while it is there, the folders and files that the desktop would be asked to open.
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
