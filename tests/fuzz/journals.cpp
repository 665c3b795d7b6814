#include <stdexcept>
#include <string>

#include "engine/evaluation/journal/journal_text.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "tests/fuzz/targets.h"

namespace threefold::test {
namespace {

std::string written(const JournalContents& contents) {
    std::string text =
        journalHeaderLine(contents.description) + journalSessionLine(contents.description);
    for (const auto& [position, record] : contents.records) text += journalRecordLine(record, 1);
    return text;
}

}  // namespace

void fuzzJournal(FuzzBytes bytes) {
    const ParsedJournal read = parseJournal(asText(bytes), "journal.jsonl");
    if (read.completeBytes > bytes.size())
        throw std::runtime_error("more complete bytes than the file has");
    constexpr std::size_t kQuick = 1 << 16;
    if (!read.hasHeader || bytes.size() > kQuick) return;
    const std::string text = written(read.contents);
    const ParsedJournal again = parseJournal(text, "written.jsonl");
    if (again.contents.damagedLines > 0 || written(again.contents) != text)
        throw std::runtime_error("a journal that reads back as another");
}

}  // namespace threefold::test
