// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// What the library knows about one object class. Made once per class and process by `ClassRegistry`.
///
/// Immutable, therefore free to share between threads.
final class ClassInfo: @unchecked Sendable {
    let objectClass: ObjectBase.Type
    /// The name in the file.
    let name: String
    /// The name in the program.
    let swiftName: String
    let tableName: String
    let kind: TableKind
    /// The stored properties in the order of their declaration, those of superclasses first.
    let properties: [PropertyInfo]
    /// The linking objects, in the same order.
    let computedProperties: [PropertyInfo]
    /// The stored ones first.
    let allProperties: [PropertyInfo]
    let primaryKey: PropertyInfo?
    /// Whether a managed instance holds nothing but these.
    let hasOnlyProperties: Bool
    private let byName: [String: PropertyInfo]
    /// The names of the first properties, as strings hold them.
    private let names: [SIMD2<UInt64>]
    private static let namesLimit = 16
    /// How a file stores the class, as it was found last.
    let lastManaged = Locked<ManagedClass?>(nil)

    /// `name`, `swiftName` and `kind` are for objects without a Swift class of their own.
    init(
        objectClass: ObjectBase.Type, properties all: [PropertyInfo], name: String? = nil, swiftName: String? = nil,
        kind: TableKind? = nil, hasOnlyProperties: Bool = false
    ) {
        self.objectClass = objectClass
        self.name = name ?? objectClass.tableClassName
        self.swiftName = swiftName ?? name ?? objectClass.className()
        tableName = FileFormat.classPrefix + self.name
        self.kind = kind ?? objectClass.tableKind
        properties = all.filter { !$0.isComputed }
        computedProperties = all.filter(\.isComputed)
        allProperties = properties + computedProperties
        primaryKey = all.first(where: \.isPrimaryKey)
        self.hasOnlyProperties = hasOnlyProperties
        byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        names = allProperties.prefix(ClassInfo.namesLimit).compactMap { ClassInfo.bits(of: $0.name) }
    }

    var isEmbedded: Bool { kind == .embedded }

    var isAsymmetric: Bool { kind == .asymmetric }

    /// Whether the objects are `DynamicObject`s, whose wrappers have no place in the instance.
    var isDynamic: Bool { objectClass == DynamicObject.self }

    /// The stored or computed property with this Swift name.
    func property(named name: String) -> PropertyInfo? {
        // Strings of the same bits are the same text, which is told sooner than a hash is made. Most names are short
        // and lie in these bits, or are constants of the program.
        if let name = ClassInfo.bits(of: name), let index = names.firstIndex(of: name) { return allProperties[index] }
        return byName[name]
    }

    /// What a string consists of, besides what it refers to; nil where it has another size.
    private static func bits(of name: String) -> SIMD2<UInt64>? {
        guard MemoryLayout<String>.size == MemoryLayout<SIMD2<UInt64>>.size else { return nil }
        return unsafe withUnsafeBytes(of: name) { unsafe $0.loadUnaligned(as: SIMD2<UInt64>.self) }
    }
}

extension ObjectBase {
    fileprivate static var tableKind: TableKind {
        if isEmbedded() { return .embedded }
        return self is AsymmetricObject.Type ? .asymmetric : .topLevel
    }
}
