// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PersistedMembers || Previews
    import SwiftCompilerPlugin
    import SwiftSyntaxMacros

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
    /// Without the traits the package has no macros and doesn't depend on swift-syntax. The target is still built, and
    /// an executable needs an entry point.
    @main
    enum Plugin {
        static func main() {}
    }
#endif
