#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "engine/text.h"

namespace threefold {

/// Reads words and numbers of an untrusted text line by line. Blanks are spaces, tabs and carriage
/// returns. The text must outlive the scanner, which refers to it.
class TextScanner {
  public:
    TextScanner(std::string_view text, std::filesystem::path subject, std::size_t firstLine = 1)
        : begin_(text.data()),
          position_(text.data()),
          end_(text.data() + text.size()),
          line_(firstLine),
          subject_(std::move(subject)) {}

    std::size_t offset() const { return static_cast<std::size_t>(position_ - begin_); }
    std::size_t line() const { return line_; }
    bool atEnd() const { return position_ == end_; }

    /// Sets whether a backslash before the line's end joins the next line.
    void setContinuation(bool joins) { joinsLines_ = joins; }
    /// Sets the character that begins a comment, which ends with the line.
    void setComment(char mark) { comment_ = mark; }
    /// Sets a further character that separates words.
    void setSeparator(char mark) { separator_ = mark; }

    /// Whether this line has another word; skips the blanks before the word.
    bool hasWord();
    /// Moves to the beginning of the line after this one and all lines joined to it.
    void nextLine();
    /// The rest of this line, trimmed: comment marks belong to the text, and a backslash at the end
    /// joins nothing.
    std::string_view restOfLine();
    /// The next word of this line; empty if there is none.
    std::string_view word();
    /// The next word of this or a later line; empty at the end.
    std::string_view nextWordOfText();

    /// The next word of this line. Throws FormatError if there is none.
    std::string_view requireWord(std::string_view expected);
    /// The next word of this line as a number. Throws FormatError: missing, not a number, not
    /// finite, out of range.
    double requireDouble(std::string_view expected) {
        return toDouble(requireWord(expected), expected);
    }
    std::int64_t requireInteger(std::string_view expected) {
        return toInteger(requireWord(expected), expected);
    }
    /// The word as a finite number; 0 for a number too small for its type. A plus sign may precede
    /// any number. Throws FormatError at this line.
    float toFloat(std::string_view word, std::string_view expected) const;
    double toDouble(std::string_view word, std::string_view expected) const;
    std::int64_t toInteger(std::string_view word, std::string_view expected) const;

    /// Throws FormatError at this line, or at `line`.
    [[noreturn]] void fail(const std::string& problem) const { failAt(line_, problem); }
    [[noreturn]] void failAt(std::size_t line, const std::string& problem) const;

  private:
    template <class Number>
    Number toFinite(std::string_view word, std::string_view expected) const;
    bool isBlank(char c) const { return c == ' ' || c == '\t' || c == '\r' || c == separator_; }
    /// Beginning of the next line if a continuation is at the position; else null.
    const char* afterContinuation() const;
    bool skipContinuation();
    std::string_view toLineEnd();

    const char* begin_;
    const char* position_;
    const char* end_;
    std::size_t line_;
    std::filesystem::path subject_;
    bool joinsLines_ = false;
    char comment_ = '\n';
    char separator_ = ' ';
};

/// Whether a word is a program's text for NaN or infinity: "nan", "-inf", "1.#IND".
bool isNotFiniteWord(std::string_view word);

}  // namespace threefold
