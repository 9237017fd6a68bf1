// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

/// Resolves key paths of the models.
extension KeyPathFilter {
    /// Traps with the documented text for a path that doesn't exist.
    init(_ keyPaths: [String], of managed: ManagedClass, in realm: RealmInstance) {
        self.init(keyPaths, paths: keyPaths.map { KeyPathFilter.path($0, managed, realm) })
    }

    private static func path(_ keyPath: String, _ root: ManagedClass, _ realm: RealmInstance) -> [Step] {
        var steps: [Step] = []
        var current: ManagedClass? = root
        var before = ""
        for part in keyPath.split(separator: ".", omittingEmptySubsequences: false) {
            let name = String(part)
            guard let managed = current else {
                throwRealmException(
                    """
                    Property '\(before)' in KeyPath '\(keyPath)' is not a collection of objects or an object \
                    reference, so it cannot be used as an intermediate keypath element.
                    """)
            }
            guard let (step, target) = step(name, managed, realm) else {
                throwRealmException(
                    "Invalid property name: property '\(name)' not found in object of type '\(managed.info.name)'")
            }
            steps.append(step)
            current = target
            before = name
        }
        return steps
    }

    private static func step(
        _ name: String, _ managed: ManagedClass, _ realm: RealmInstance
    ) -> (step: Step, target: ManagedClass?)? {
        let properties = managed.info.allProperties
        guard let index = properties.firstIndex(where: { $0.name == name }) else { return nil }
        let property = properties[index]
        let target = realm.observedTarget(of: property) ?? property.unstoredTarget
        let columns = managed.columns + managed.backlinks
        guard index < columns.count else { return nil }
        var kind = Kind.stored
        if property.isComputed {
            guard let target, let origin = property.originProperty.flatMap({ target.column(named: $0) }) else {
                return nil
            }
            kind = .inverse(target.tableKey, origin)
        }
        let step = Step(
            table: managed.tableKey, column: columns[index], index: index, kind: kind, target: target?.tableKey)
        return (step, target)
    }
}

extension PropertyInfo {
    /// The class that the property links to, if the file has no table for it.
    fileprivate var unstoredTarget: ManagedClass? {
        shape.objectType.map { ManagedClass(unstored: ClassRegistry.shared.info(for: $0)) }
    }
}

extension RealmInstance {
    fileprivate func observedTarget(of property: PropertyInfo) -> ManagedClass? {
        let known = property.shape.objectType.flatMap { coordinator.managedClass(ClassRegistry.shared.info(for: $0)) }
        guard known == nil, let name = property.objectClassName else { return known }
        return coordinator.managedClass(named: name) ?? dynamicClass(named: name)
    }
}
