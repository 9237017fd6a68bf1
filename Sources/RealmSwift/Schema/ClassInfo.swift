// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// What the library knows about one object class. Made once per class and process by `ClassRegistry`.
///
/// Immutable, therefore free to share between threads.
final class ClassInfo: @unchecked Sendable {
    let objectClass: ObjectBase.Type
    /// The name of the class, and of its table.
    let name: String
    let isEmbedded: Bool
    /// The stored properties in the order of their declaration, those of superclasses first.
    let properties: [PropertyInfo]
    /// The linking objects, in the same order.
    let computedProperties: [PropertyInfo]
    let primaryKey: PropertyInfo?
    private let byName: [String: PropertyInfo]

    /// `name` is for a table that there is no class of.
    init(objectClass: ObjectBase.Type, properties all: [PropertyInfo], name: String? = nil) {
        self.objectClass = objectClass
        self.name = name ?? objectClass.className()
        isEmbedded = objectClass.isEmbedded()
        properties = all.filter { !$0.isComputed }
        computedProperties = all.filter(\.isComputed)
        primaryKey = all.first(where: \.isPrimaryKey)
        byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
    }

    var allProperties: [PropertyInfo] { properties + computedProperties }

    /// The stored or computed property with this Swift name.
    func property(named name: String) -> PropertyInfo? {
        byName[name]
    }
}
