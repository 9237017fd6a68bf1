// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PersistedMembers || Previews
    import SwiftCompilerPlugin
    import SwiftSyntaxMacros

    /// What the compiler runs to expand the macros of this package.
    @main
    struct Plugin: CompilerPlugin {
        var providingMacros: [any Macro.Type] {
            var macros: [any Macro.Type] = []
            #if PersistedMembers
                macros.append(PersistedMembersMacro.self)
            #endif
            #if Previews
                macros.append(PreviewMacro.self)
            #endif
            return macros
        }
    }
#else
    /// Without the traits there is no macro to expand, and nothing of swift-syntax to expand it with; the target is
    /// built all the same, and a program needs an entry.
    @main
    enum Plugin {
        static func main() {}
    }
#endif
