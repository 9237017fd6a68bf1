// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery
import RealmSystem

/// The classes that a database stores, by what is known of them and by their names.
///
/// All state is guarded by `lock`.
final class ManagedClasses: @unchecked Sendable {
    private let lock = Lock()
    private var byInfo: [ObjectIdentifier: ManagedClass] = [:]
    private var byName: [String: ManagedClass] = [:]

    init(_ classes: [ManagedClass]) {
        byInfo.reserveCapacity(classes.count)
        byName.reserveCapacity(classes.count)
        insert(classes)
    }

    /// In no order.
    var all: [ManagedClass] { lock.locked { Array(byInfo.values) } }

    subscript(info: ClassInfo) -> ManagedClass? { lock.locked { byInfo[ObjectIdentifier(info)] } }

    subscript(name: String) -> ManagedClass? { lock.locked { byName[name] } }

    /// What a class was before is forgotten.
    func add(_ classes: [ManagedClass]) { lock.locked { insert(classes) } }

    func replaceAll(by classes: [ManagedClass]) {
        lock.locked {
            (byInfo, byName) = ([:], [:])
            insert(classes)
        }
    }

    private func insert(_ classes: [ManagedClass]) {
        for managed in classes {
            byInfo[ObjectIdentifier(managed.info)] = managed
            byName[managed.info.name] = managed
        }
    }

    /// What the property of a class is in the file. Classes without a model have the names of their columns.
    func namedProperty(_ className: String, _ name: String) -> NamedProperty? {
        guard let info = self[className]?.info else { return .column(name) }
        guard let property = info.property(named: name) else { return nil }
        guard property.isComputed else { return .column(property.columnName) }
        guard let origin = property.objectClassName, let originName = property.originProperty,
            let column = self[origin]?.info.property(named: originName)?.columnName
        else { return nil }
        return .backlinks(className: origin, column: column)
    }
}
