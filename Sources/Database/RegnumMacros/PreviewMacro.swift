// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Previews
    import SwiftSyntax
    import SwiftSyntaxMacros

    /// Expands `#Preview` to nothing: the compiler has already type-checked its views, and only Xcode shows them.
    public enum PreviewMacro: DeclarationMacro {
        public static func expansion(
            of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
        ) throws -> [DeclSyntax] { [] }
    }
#endif
