// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

/// The properties that a class describes in overrides (model 1.2 and 6). With `@Persisted` properties, these are
/// combined with the wrappers' declarations.
struct LegacyDeclarations {
    private let className: String
    private let primaryKey: String?
    private let indexed: Set<String>
    private let ignored: Set<String>

    init(of objectClass: ObjectBase.Type) {
        className = objectClass.className()
        let type = objectClass as? Object.Type
        primaryKey = type?.primaryKey()
        indexed = Set(type?.indexedProperties() ?? [])
        ignored = Set(type?.ignoredProperties() ?? (objectClass as? EmbeddedObject.Type)?.ignoredProperties() ?? [])
    }

    func ignores(_ name: String) -> Bool { ignored.contains(name) }

    func completed(_ declaration: PersistedDeclaration, of name: String) -> PersistedDeclaration {
        var declaration = declaration
        declaration.isPrimaryKey = declaration.isPrimaryKey || name == primaryKey
        declaration.isIndexed = declaration.isIndexed || indexed.contains(name)
        return declaration
    }

    func verifyFamilies(of names: [String]) {
        for name in names { verifyFamily(of: name) }
    }

    func verifyPrimaryKey(among names: [String]) {
        if let primaryKey, !names.contains(primaryKey) {
            throwRealmException("Primary key property '\(primaryKey)' does not exist on object '\(className)'")
        }
    }

    func verify(field name: String, _ type: Any.Type) {
        let lazyPrefix = "$__lazy_storage_$_"
        if name.hasPrefix(lazyPrefix) {
            let name = String(name.dropFirst(lazyPrefix.count))
            if ignores(name) { return }
            throwRealmException(
                """
                Lazy managed property '\(name)' is not allowed on a Realm Swift object class. Either add the property \
                to the ignored properties list or make it non-lazy.
                """)
        }
        if let optional = type as? any AnyRealmOptional.Type, !(type is any LegacyProperty.Type), !ignores(name) {
            throwRealmException(
                """
                Property \(className).\(name) has unsupported RealmOptional type \(optional.wrappedType). Extending \
                RealmOptionalType with custom types is not currently supported. 
                """)
        }
    }

    /// Enforces Objective-C's rules of ownership by name, so that a class works on every platform.
    private func verifyFamily(of name: String) {
        let bare = name.hasPrefix("_") ? name.dropFirst() : name[...]
        for family in ["alloc", "new", "copy", "mutableCopy"] where bare.hasPrefix(family) {
            if let next = bare.dropFirst(family.count).first, next.isLowercase { continue }
            throwRealmException(
                """
                Property names beginning with '\(family)' are not supported. Swift follows ARC's ownership rules \
                for methods based on their name, which results in memory leaks when accessing properties which return \
                retained values via KVC.
                """)
        }
    }
}
