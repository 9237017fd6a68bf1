// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PersistedMembers
    import SwiftCompilerPlugin
    import SwiftSyntaxMacros

    /// What the compiler runs to expand the macros of RealmSwiftLegacy.
    @main
    struct Plugin: CompilerPlugin {
        let providingMacros: [any Macro.Type] = [PersistedMembersMacro.self]
    }
#else
    /// Without the trait there is no macro to expand, and nothing of swift-syntax to expand it with; the target is
    /// built all the same, and a program needs an entry.
    @main
    enum Plugin {
        static func main() {}
    }
#endif
