// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

/// The metadata of an object class. `ClassRegistry` creates it once per class and process.
///
/// Immutable, and therefore safe to share between threads.
final class ClassInfo: @unchecked Sendable {
    let objectClass: ObjectBase.Type
    /// The name in the file.
    let name: String
    /// The name in the program.
    let swiftName: String
    let tableName: String
    let kind: TableKind
    /// In the order of their declaration, those of superclasses first.
    let properties: [PropertyInfo]
    let computedProperties: [PropertyInfo]
    let allProperties: [PropertyInfo]
    let primaryKey: PropertyInfo?
    /// Whether a managed instance has no other fields.
    let hasOnlyProperties: Bool
    private let byName: [String: PropertyInfo]
    /// The names of the first properties, in the memory layout of strings.
    private let names: [SIMD2<UInt64>]
    private static let namesLimit = 16
    let lastManaged = Locked<ManagedClass?>(nil)

    /// `name`, `swiftName` and `kind` are for classes without a Swift class of their own.
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

    /// The wrappers of dynamic objects aren't stored in the instance.
    var isDynamic: Bool { objectClass == DynamicObject.self }

    func property(named name: String) -> PropertyInfo? {
        // Strings with equal bits are equal, and the comparison is faster than hashing. Most names are short and stored
        // in these bits, or are constants of the program.
        if let name = ClassInfo.bits(of: name), let index = names.firstIndex(of: name) { return allProperties[index] }
        return byName[name]
    }

    /// Returns the bits of a string value, without the memory that it refers to; nil if strings have another size on
    /// this platform.
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
