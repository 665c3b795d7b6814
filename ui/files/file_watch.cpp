#include "ui/files/file_watch.h"

#include <QFileInfo>

#include "ui/style/path_text.h"

namespace threefold::ui {

FileWatch::FileWatch(QObject* parent) : QObject(parent) {
    constexpr int kPause = 300;  // milliseconds without a change
    timer_.setSingleShot(true);
    timer_.setInterval(kPause);
    connect(&timer_, &QTimer::timeout, this, &FileWatch::check);
}

void FileWatch::watch(const std::filesystem::path& file) {
    if (file == file_) return;
    timer_.stop();
    watcher_.reset();
    file_ = file;
    if (file.empty()) return;
    known_ = seen_ = stamp();
    watcher_ = std::make_unique<QFileSystemWatcher>();
    const auto wait = [this] { timer_.start(); };
    connect(watcher_.get(), &QFileSystemWatcher::fileChanged, this, wait);
    // The folder is watched, too, since a program that replaces the file by renaming another file
    // ends the watch of the file.
    connect(watcher_.get(), &QFileSystemWatcher::directoryChanged, this, wait);
    watcher_->addPaths({pathText(file), QFileInfo(pathText(file)).absolutePath()});
}

FileWatch::Stamp FileWatch::stamp() const {
    const QFileInfo info(pathText(file_));
    return info.exists() ? Stamp(info.lastModified(), info.size()) : Stamp(QDateTime(), -1);
}

void FileWatch::check() {
    const Stamp now = stamp();
    if (now.second < 0) return;  // the watch of the folder will report a new file
    if (!watcher_->files().contains(pathText(file_))) watcher_->addPath(pathText(file_));
    if (now == known_) return;
    if (std::exchange(seen_, now) != now) return timer_.start();
    known_ = now;
    Q_EMIT changed(file_);
}

}  // namespace threefold::ui
