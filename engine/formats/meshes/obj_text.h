#pragma once

#include <array>
#include <cstddef>
#include <streambuf>
#include <string>
#include <string_view>

#include <glm/vec3.hpp>

#include "engine/formats/bytes/text_scanner.h"
#include "engine/formats/meshes/mesh_readers.h"
#include "engine/formats/meshes/obj_statements.h"

namespace threefold {

/// Stream of an OBJ file's text, in a form that tinyobjloader reads correctly. Plain statements
/// come from the file unchanged. Every other statement is checked, then dropped where the mesh does
/// not need it, or rewritten as a plain statement. The check runs after tinyobjloader has called
/// back for all earlier statements, so that the first of several errors is thrown. For one thread.
class ObjText : public std::streambuf {
  public:
    /// Counts dropped statements in `mesh.ignored`.
    ObjText(const MeshInput& input, MeshFile& mesh);

    // Defects found so far. A defect of anything but the shape is no error.

    bool coordinatesBroken() const { return coordinatesBroken_; }
    bool coloursBroken() const { return coloursBroken_; }
    /// Whether each vertex can have one of the normals. If not, faces' normals are not checked.
    bool normalsFit() const { return normalsFit_; }
    void dropNormals() { normalsFit_ = false; }
    /// Throws FormatError at the first statement that OBJ does not have, if there is one.
    void checkKnown() const;

    // The statement that tinyobjloader calls back for.

    /// Not 0: the texture coordinate is a colour, which begins with this number of its statement.
    /// tinyobjloader's callbacks have no colours. Answers so once for each; a vertex of seven
    /// numbers has two, as its fourth number may be a weight or the colour's first.
    std::size_t takeColour();
    /// The floats nearest to three numbers of the statement, from its number `from` on, of which
    /// tinyobjloader read these.
    glm::vec3 nearest(double x, double y, double z, std::size_t from = 0) const;
    /// Of a vertex: the same, less the origin.
    glm::vec3 vertex(double x, double y, double z) const;
    /// A place in the text, on the last line of the statement.
    std::size_t place() const {
        return isChanged_ ? end_ : static_cast<std::size_t>(gptr() - 1 - text_.data());
    }

    /// Throws FormatError at the line of this place.
    [[noreturn]] void failAt(std::size_t place, const std::string& problem) const;

  protected:
    int_type underflow() override;

  private:
    /// Of a statement; 0 where it has no more.
    struct Numbers {
        std::array<float, 7> values{};
        glm::dvec3 place{0.0};  // the first three, with a double's digits
        std::size_t count = 0;

        void add(float value) { values[count++] = value; }
    };

    void give(const char* first, const char* last);
    bool passLines();
    bool passes(ObjStatement kind) const;
    bool changeStatement();
    void writeColouredVertex();
    void writeColours(std::string_view numbers, std::size_t count);

    void checkStatement(TextScanner& scanner);
    void checkName(std::string_view word, std::string_view name);
    bool hasWindowsNan() const;
    void checkVertex(TextScanner& scanner);
    void checkNormal(TextScanner& scanner);
    void checkCoordinate(TextScanner& scanner);
    void checkFace(TextScanner& scanner);
    void checkCorner(const TextScanner& scanner, std::string_view word);
    template <class Check>
    bool checkLook(Check check);

    void put(std::string_view word) { words_.append(" ").append(word); }
    void putNumber(TextScanner& scanner, std::string_view what);
    void putVertexNumber(TextScanner& scanner);
    void ignore(const char* what) { ++mesh_.ignored[what]; }
    bool readsCoordinates() const { return input_.look != nullptr && !coordinatesBroken_; }
    std::size_t linesBetween(std::size_t first, std::size_t last) const;
    TextScanner scannerAt(std::size_t offset, std::size_t line) const;
    Numbers readNumbers() const;

    const MeshInput& input_;
    MeshFile& mesh_;
    std::string_view text_;
    std::size_t lastLine_;  // behind the last line that has an end
    ReadingSteps steps_;
    std::size_t at_ = 0;       // how far the text was given or left out
    std::size_t checked_ = 0;  // where the last statement was checked
    std::size_t line_ = 1;     // of checked_
    // What the stream gives:
    PlainStatement plain_;        // the first that it could not pass
    bool isChanged_ = false;      // whether it gives words_, and not the text itself
    std::string words_;           // a statement in other words
    std::size_t begin_ = 0;       // of that statement in the text
    std::size_t end_ = 0;         // of its last word
    Numbers numbers_;             // its numbers, if they were read here
    std::size_t colourFrom_ = 0;  // the first number of a colour that was not taken; 0: none
    std::size_t lastColour_ = 0;  // the same of the last one
    // What was found:
    bool normalsFit_ = true;
    bool coloursBroken_ = false;
    bool coordinatesBroken_ = false;
    std::string firstUnknown_;
    std::size_t firstUnknownAt_ = 0;
};

}  // namespace threefold
