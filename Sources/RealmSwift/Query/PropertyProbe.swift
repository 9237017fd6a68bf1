// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Finds out which stored properties a key path goes through, by following it on an object whose properties report that
/// they are read.
///
/// Such a probe is an object that no Realm manages but whose wrappers have keys. Every read of one ends in a slow path,
/// because there is no row, and that is where it is reported; the quick paths know nothing of this.
final class PropertyProbe {
    private var steps: [(object: ObjectBase, property: PropertyInfo)] = []
    /// The probes made so far: the root, and one for each link that was followed.
    private var objects: [ObjectBase] = []

    /// Key paths that were followed before.
    private static let known = Locked<[AnyKeyPath: [PropertyInfo]]>([:])

    /// The properties that a key path of an object class goes through, which must be stored ones or linking objects.
    static func properties(of keyPath: AnyKeyPath) -> [PropertyInfo] {
        if let properties = known.withLock({ $0[keyPath] }) { return properties }
        guard let root = type(of: keyPath).rootType as? ObjectBase.Type else {
            throwRealmException("The key path does not start at a Realm object class.")
        }
        let probe = PropertyProbe()
        let properties = probe.follow(keyPath, from: root)
        known.withLock { $0[keyPath] = properties }
        return properties
    }

    /// The names of the properties, with dots between them.
    static func name(of keyPath: AnyKeyPath) -> String {
        properties(of: keyPath).map(\.name).joined(separator: ".")
    }

    private func follow(_ keyPath: AnyKeyPath, from root: ObjectBase.Type) -> [PropertyInfo] {
        let object = makeObject(root)
        if let value = object[keyPath: keyPath], steps.isEmpty { record(object, holding: value) }
        defer { for object in objects { object._rlmRow.leaf = nil } }
        guard isPath(to: type(of: keyPath).valueType) else {
            throwRealmException(
                """
                The key path does not lead through properties of '\(root.className())' that are declared @Persisted.
                """)
        }
        return steps.map(\.property)
    }

    /// Whether what was read is one chain of links from the root, to a property of the key path's own type. A computed
    /// property reads others, and not as its own value.
    private func isPath(to type: Any.Type) -> Bool {
        guard let last = steps.last?.property, steps.count == objects.count || steps.count + 1 == objects.count,
            zip(steps, objects).allSatisfy({ $0.object === $1 }),
            let shape = (type as? any _RealmSchemaDiscoverable.Type)?._shape
        else { return false }
        return shape.type == last.shape.type && shape.collection == last.shape.collection
            && shape.objectType == last.shape.objectType
    }

    private func makeObject<Target: ObjectBase>(_ type: Target.Type) -> Target {
        let object = type.init()
        object._rlmRow.leaf = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
        for (index, property) in object.classInfo.allProperties.enumerated() {
            property.field.wrapper.bindProbe(PropertyKey(index), at: property.field.address(in: object))
        }
        objects.append(object)
        return object
    }

    /// A property that does not report it may have been read: one of a class without `@Persisted`.
    private func record(_ object: ObjectBase, holding value: Any) {
        let property = object.classInfo.allProperties.first {
            $0.field.wrapper.holds(value, at: $0.field.address(in: object))
        }
        if let property { steps.append((object, property)) }
    }

    /// A property of a probe was read.
    func record(_ object: ObjectBase, _ key: PropertyKey) {
        steps.append((object, object.classInfo.allProperties[Int(key)]))
    }

    /// A link of a probe was read: it leads to another one.
    func record<Target: ObjectBase>(_ object: ObjectBase, _ key: PropertyKey, to target: Target.Type) -> Target {
        record(object, key)
        return makeObject(target)
    }
}

extension ObjectBase {
    /// The probe that this object belongs to, if any.
    var probe: PropertyProbe? {
        guard _rlmRow.state == nil, let address = _rlmRow.leaf else { return nil }
        return Unmanaged<PropertyProbe>.fromOpaque(address).takeUnretainedValue()
    }
}
