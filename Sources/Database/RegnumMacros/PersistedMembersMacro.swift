// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PersistedMembers
    import SwiftDiagnostics
    import SwiftSyntax
    import SwiftSyntaxMacros

    /// The implementation of `@PersistedMembers`, which declares each `dynamic var` of a class as stored.
    ///
    /// Each `@Persisted` that the macro adds has an argument that marks its origin, so that `primaryKey()` and similar
    /// overrides apply to the class. If a class declares a `@Persisted` itself, no other property is stored.
    public enum PersistedMembersMacro: MemberAttributeMacro {
        public static func expansion(
            of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
            providingAttributesFor member: some DeclSyntaxProtocol, in context: some MacroExpansionContext
        ) throws -> [AttributeSyntax] {
            guard declaration.is(ClassDeclSyntax.self) else { throw PersistedMembersError.noClass }
            guard let variable = member.as(VariableDeclSyntax.self), variable.isStoredDynamic,
                let name = variable.bindings.first?.pattern.as(IdentifierPatternSyntax.self)?.identifier.text,
                !ignoredProperties(of: declaration).contains(name)
            else { return [] }
            if variable.bindings.count > 1 { throw PersistedMembersError.severalVariables }
            return ["@RealmSwift.Persisted(_dynamic: true)"]
        }

        /// Returns the literals in an override of `ignoredProperties()`. The schema calls that method, so the macro
        /// only has to recognise properties whose types can't be stored.
        private static func ignoredProperties(of declaration: some DeclGroupSyntax) -> Set<String> {
            var names: Set<String> = []
            for member in declaration.memberBlock.members {
                guard let function = member.decl.as(FunctionDeclSyntax.self), let body = function.body,
                    function.name.text == "ignoredProperties"
                else { continue }
                names.formUnion(literals(in: body))
            }
            return names
        }

        private static func literals(in body: CodeBlockSyntax) -> [String] {
            let collector = LiteralCollector(viewMode: .sourceAccurate)
            collector.walk(body)
            return collector.literals
        }
    }

    extension VariableDeclSyntax {
        fileprivate var isStoredDynamic: Bool {
            let words = modifiers.map(\.name.text)
            guard bindingSpecifier.text == "var", words.contains("dynamic"), attributes.isEmpty,
                !words.contains(where: { ["static", "class", "lazy", "weak", "unowned"].contains($0) })
            else { return false }
            return bindings.allSatisfy { $0.accessorBlock?.isComputed != true }
        }
    }

    extension AccessorBlockSyntax {
        /// Property observers don't make a property computed.
        fileprivate var isComputed: Bool {
            switch accessors {
            case .getter: true
            case .accessors(let list):
                !list.allSatisfy { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
            }
        }
    }

    private final class LiteralCollector: SyntaxVisitor {
        var literals: [String] = []

        override func visit(_ node: StringLiteralExprSyntax) -> SyntaxVisitorContinueKind {
            if let text = node.representedLiteralValue { literals.append(text) }
            return .skipChildren
        }
    }

    enum PersistedMembersError: Error, CustomStringConvertible {
        case noClass
        case severalVariables

        var description: String {
            switch self {
            case .noClass: "@PersistedMembers can only be attached to a class of Realm objects"
            case .severalVariables: "declare each persisted property in a separate 'dynamic var'"
            }
        }
    }
#endif
