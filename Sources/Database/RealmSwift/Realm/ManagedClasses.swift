// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery
import RealmRuntime
import RealmSystem

/// The classes that a database stores, by class information and by name.
///
/// All state is guarded by `lock`.
final class ManagedClasses: @unchecked Sendable {
    private let lock = Lock()
    private var byInfo: [ObjectIdentifier: ManagedClass] = [:]
    /// Keyed by the name in the file, and by the name in the program if no class of the file has that name.
    private var byName: [String: ManagedClass] = [:]
    /// Classes that share a table, by its name.
    private var sharing: [String: [ManagedClass]] = [:]

    init(_ classes: [ManagedClass]) {
        byInfo.reserveCapacity(classes.count)
        byName.reserveCapacity(classes.count)
        insert(classes)
    }

    var all: [ManagedClass] { lock.locked { Array(byInfo.values) } }

    subscript(info: ClassInfo) -> ManagedClass? { lock.locked { byInfo[ObjectIdentifier(info)] } }

    subscript(name: String) -> ManagedClass? { lock.locked { byName[name] } }

    func add(_ classes: [ManagedClass]) { lock.locked { insert(classes) } }

    func replaceAll(by classes: [ManagedClass]) {
        lock.locked {
            (byInfo, byName, sharing) = ([:], [:], [:])
            insert(classes)
        }
    }

    private func insert(_ classes: [ManagedClass]) {
        for managed in classes where byName[managed.info.swiftName]?.info.name != managed.info.swiftName {
            byName[managed.info.swiftName] = managed
        }
        for managed in classes {
            byInfo[ObjectIdentifier(managed.info)] = managed
            let name = managed.info.name
            if let other = byName[name], other.info.tableName == managed.info.tableName, other.info !== managed.info {
                sharing[name, default: [other]].append(managed)
            }
            byName[name] = managed
        }
    }

    /// A property that only another class of the same table has.
    private func sharedProperty(_ className: String, _ name: String) -> PropertyInfo? {
        let others = lock.locked { sharing[className] ?? [] }
        return others.lazy.compactMap { $0.info.property(named: name) }.first
    }

    /// Returns the stored property of a class. Classes without a model use the names of their columns.
    func namedProperty(_ className: String, _ name: String) -> NamedProperty? {
        guard let info = self[className]?.info else { return .column(name) }
        guard let property = info.property(named: name) ?? sharedProperty(className, name) else { return nil }
        guard property.isComputed else { return .column(property.columnName) }
        guard let origin = property.objectClassName, let originName = property.originProperty,
            let column = property.target(in: all.map(\.info))?.property(named: originName)?.columnName
        else { return nil }
        return .backlinks(className: origin, column: column)
    }
}
