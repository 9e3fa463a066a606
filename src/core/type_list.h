#pragma once

namespace warpath {

/// A closed set of types: the table of contents of a folder.
template <class... T>
struct TypeList {
    static constexpr int size = sizeof...(T);

    /// Calls f.template operator()<T>() for each type, in order.
    template <class F>
    static void for_each(F&& f) { (f.template operator()<T>(), ...); }

    /// Calls f.template operator()<T>() for the first type with T::name == name; false if there is none.
    template <class Name, class F>
    static bool with_name(const Name& name, F&& f) {
        return ((name == T::name ? (f.template operator()<T>(), true) : false) || ...);
    }
};

}  // namespace warpath
