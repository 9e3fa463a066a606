#include "viewer/key_bindings.h"

#include <gtest/gtest.h>

#include <set>

#include "support/temporary_folder.h"
#include "viewer/script.h"

namespace warpath::viewer {
namespace {

TEST(KeyBindings, no_key_does_two_things_and_every_action_has_a_key) {
    std::set<std::pair<int, int>> keys;
    std::set<Action> actions;
    for (const KeyBinding& binding : key_bindings()) {
        EXPECT_TRUE(keys.emplace(binding.key, binding.mods).second) << key_text(binding.key, binding.mods);
        EXPECT_TRUE(actions.insert(binding.action).second) << binding.meaning;
        EXPECT_EQ(find_binding(binding.key, binding.mods), &binding);
    }
    EXPECT_EQ(actions.size(), static_cast<size_t>(Action::Quit) + 1);
}

TEST(KeyBindings, texts_name_their_keys) {
    for (const KeyBinding& binding : key_bindings()) {
        const auto press = key_from_text(key_text(binding.key, binding.mods));
        ASSERT_TRUE(press) << binding.meaning;
        EXPECT_EQ(press->key, binding.key);
        EXPECT_EQ(press->mods, binding.mods);
    }
    EXPECT_FALSE(key_from_text("F99"));
    EXPECT_FALSE(key_from_text(""));
}

TEST(KeyBindings, the_document_lists_every_key_and_every_step) {
    const std::string text = test::file_bytes(WARPATH_SOURCE_DIR "/docs/viewer.md");
    for (const KeyBinding& binding : key_bindings())
        EXPECT_NE(text.find("| `" + key_text(binding.key, binding.mods) + "` | " + binding.meaning + " |"), std::string::npos)
            << key_text(binding.key, binding.mods) << ": " << binding.meaning;
    for (const MouseBinding& binding : mouse_bindings())
        EXPECT_NE(text.find(std::string("| ") + binding.gesture + " | " + binding.meaning + " |"), std::string::npos) << binding.gesture;
    for (const StepKind& kind : step_kinds())
        EXPECT_NE(text.find(std::string("| `") + kind.name + "` | "), std::string::npos) << kind.name;
}

}  // namespace
}  // namespace warpath::viewer
