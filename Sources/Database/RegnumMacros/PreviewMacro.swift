// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Previews
    import SwiftSyntax
    import SwiftSyntaxMacros

    /// The implementation of `#Preview`. It expands to nothing: the compiler has already type-checked the views, and
    /// only Xcode shows them.
    public enum PreviewMacro: DeclarationMacro {
        public static func expansion(
            of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
        ) throws -> [DeclSyntax] { [] }
    }
#endif
