// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage
import RealmSystem

/// Determines the stored properties of a key path by applying it to an object whose properties report reads. Every API
/// that accepts a key path uses this class to find the names of the properties.
///
/// A probe is an unmanaged object whose wrappers have keys. Every read of one takes a slow path, because it has no row,
/// and is reported there; the fast paths need no checks. Collections of a probe are empty and unmanaged. A subscript of
/// one gets its element from the current probe.
///
/// Unchecked: all state is confined to the thread that applies the key path, which a task-local value can't express.
final class PropertyProbe: @unchecked Sendable {
    private var steps: [(object: ObjectBase, property: PropertyInfo)] = []
    /// The probes created so far: the root, and one for each link that was followed.
    private var objects: [ObjectBase] = []
    private var isAtElement = false

    @TaskLocal private static var current: PropertyProbe?

    /// The result of applying a key path.
    ///
    /// Unchecked: immutable, and its node holds no constant.
    private final class Trace: @unchecked Sendable {
        /// The stored properties or linking objects that were read, starting at the root.
        let properties: [PropertyInfo]
        let isExact: Bool
        let node: QueryNode

        init(_ properties: [PropertyInfo] = [], isExact: Bool = false) {
            self.properties = properties
            self.isExact = isExact
            node = .path(properties.reduce(QueryPath()) { $0.appending($1) })
        }
    }

    private static let known = Locked<[AnyKeyPath: Trace]>([:])

    /// Returns the properties of a key path of an object class or a projection. Traps unless they are stored ones or
    /// linking objects.
    static func properties(of keyPath: AnyKeyPath) -> [PropertyInfo] { exactTrace(of: keyPath).properties }

    static func node(of keyPath: AnyKeyPath) -> QueryNode { exactTrace(of: keyPath).node }

    private static func exactTrace(of keyPath: AnyKeyPath) -> Trace {
        let trace = trace(of: keyPath)
        if trace.isExact { return trace }
        let root = (type(of: keyPath).rootType as? ObjectBase.Type)?.className()
        throwRealmException(
            """
            The key path does not lead through properties of '\(root ?? "\(type(of: keyPath).rootType)")' that are \
            declared @Persisted.
            """)
    }

    static func name(of keyPath: AnyKeyPath) -> String {
        properties(of: keyPath).map(\.name).joined(separator: ".")
    }

    /// Like `name(of:)`, but returns nil for a key path that doesn't consist of stored properties.
    static func nameIfStored(_ keyPath: AnyKeyPath) -> String? {
        let trace = trace(of: keyPath)
        return trace.isExact ? trace.properties.map(\.name).joined(separator: ".") : nil
    }

    /// Returns the stored properties at the beginning of a key path, which may process the last one's value.
    static func beginning(of keyPath: AnyKeyPath) -> [PropertyInfo] {
        trace(of: keyPath).properties
    }

    /// Returns an element for the subscript of an empty unmanaged collection while a key path is applied; otherwise
    /// nil. The collection is the one that was read last.
    static func element<Element>(_ type: Element.Type) -> Element? { current?.makeElement(type) }

    // MARK: Tracing

    private static func trace(of keyPath: AnyKeyPath) -> Trace {
        if let trace = known.withLock({ $0[keyPath] }) { return trace }
        let trace = PropertyProbe().follow(keyPath)
        known.withLock { $0[keyPath] = trace }
        return trace
    }

    private func follow(_ keyPath: AnyKeyPath) -> Trace {
        defer { for object in objects { object._rlmRow.leaf = nil } }
        switch type(of: keyPath).rootType {
        case let root as ObjectBase.Type:
            let object = makeObject(root)
            let value = PropertyProbe.$current.withValue(self) { object[keyPath: keyPath] }
            if let value, steps.isEmpty { record(object, holding: value) }
        case let root as any ProjectionClass.Type:
            let object = makeObject(root.rootClass)
            PropertyProbe.$current.withValue(self) { _ = root.projection(of: object)[keyPath: keyPath] }
        default: return Trace()
        }
        forgetReads(behind: type(of: keyPath).valueType)
        guard isChain else { return Trace(commonBeginning) }
        return Trace(steps.map(\.property), isExact: isPath(to: type(of: keyPath).valueType))
    }

    /// Discards the reads of properties inside a custom type that is stored as an embedded object. They aren't part of
    /// the path.
    private func forgetReads(behind type: Any.Type) {
        func wrapped<Wrapper: OptionalProtocol>(_: Wrapper.Type) -> Any.Type { Wrapper.Wrapped.self }
        let valueType = (type as? any OptionalProtocol.Type).map { wrapped($0) } ?? type
        guard let stored = (valueType as? any _CustomPersistable.Type)?._shape.objectType,
            let index = steps.lastIndex(where: {
                $0.property.shape.collection == .none && $0.property.shape.objectType == stored
            })
        else { return }
        steps.removeLast(steps.count - index - 1)
        for object in objects.dropFirst(index + 2) { object._rlmRow.leaf = nil }
        objects.removeLast(max(0, objects.count - index - 2))
    }

    /// Whether the reads form a single chain of links from the root. A computed property may read several properties.
    private var isChain: Bool {
        (steps.count == objects.count || steps.count + 1 == objects.count)
            && zip(steps, objects).allSatisfy { $0.object === $1 }
    }

    /// The reads up to the first object of which several properties were read by a computed property (row S16).
    private var commonBeginning: [PropertyInfo] {
        var beginning: [PropertyInfo] = []
        for (place, step) in steps.enumerated() {
            guard place < objects.count, step.object === objects[place],
                steps.count(where: { $0.object === step.object }) == 1
            else { break }
            beginning.append(step.property)
        }
        return beginning
    }

    /// Whether the last property has the key path's value type. A computed property may convert the values of the
    /// properties that it reads.
    private func isPath(to type: Any.Type) -> Bool {
        guard let last = steps.last?.property.shape else { return false }
        if let projected = type as? any ProjectedElements.Type { return projected.elementShape?.type == last.type }
        guard let shape = (type as? any _RealmSchemaDiscoverable.Type)?._shape else { return false }
        return shape.type == last.type && (isAtElement || shape.collection == last.collection)
            && shape.objectType == last.objectType
    }

    private func makeElement<Element>(_ type: Element.Type) -> Element? {
        guard let shape = steps.last?.property.shape, shape.collection != .none, !isAtElement else { return nil }
        isAtElement = true
        if let target = shape.objectType { return makeObject(target) as? Element }
        if let nothing = (Element.self as? any ExpressibleByNilLiteral.Type)?.init(nilLiteral: ()) {
            return nothing as? Element
        }
        return (Element.self as? any _DefaultConstructible.Type)?.init() as? Element
    }

    private func makeObject<Target: ObjectBase>(_ type: Target.Type) -> Target {
        let object = type.init()
        object._rlmRow.leaf = unsafe UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
        for (index, property) in object.classInfo.allProperties.enumerated() {
            unsafe property.field.wrapper.bindProbe(PropertyKey(index), at: property.field.address(in: object))
        }
        objects.append(object)
        return object
    }

    /// Records the read of a property in a class without `@Persisted`, where reads aren't reported.
    private func record(_ object: ObjectBase, holding value: Any) {
        let property = object.classInfo.allProperties.first {
            unsafe $0.field.wrapper.holds(value, at: $0.field.address(in: object))
        }
        if let property { steps.append((object, property)) }
    }

    func record(_ object: ObjectBase, _ key: PropertyKey) {
        isAtElement = false
        steps.append((object, object.classInfo.allProperties[Int(key)]))
    }

    func record<Target: ObjectBase>(_ object: ObjectBase, _ key: PropertyKey, to target: Target.Type) -> Target {
        record(object, key)
        return makeObject(target)
    }
}

extension ObjectBase {
    var probe: PropertyProbe? {
        guard unsafe _rlmRow.state == nil, let address = _rlmRow.leaf else { return nil }
        return unsafe Unmanaged<PropertyProbe>.fromOpaque(address).takeUnretainedValue()
    }
}
