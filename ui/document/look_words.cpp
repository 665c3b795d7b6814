#include "ui/document/look_words.h"

#include "ui/document/look_fields.h"

namespace threefold::ui {
namespace {

struct WordsReader {
    const std::map<std::string, std::string>& words;

    void operator()(LookKey key, bool& value) const {
        const auto found = words.find(key.session);
        if (found != words.end()) value = found->second == "true";
    }
    void operator()(LookKey, float&, double, double) const {}
    template <class Value, std::size_t kCount>
    void operator()(LookKey key, Value& value, const Named<Value> (&names)[kCount]) const {
        const auto found = words.find(key.session);
        if (found == words.end()) return;
        for (const auto& [name, each] : names) {
            if (name == found->second) value = each;
        }
    }
};

}  // namespace

void setFromWords(Look& look, const std::map<std::string, std::string>& words) {
    visitLook(look, WordsReader{words});
}

}  // namespace threefold::ui
