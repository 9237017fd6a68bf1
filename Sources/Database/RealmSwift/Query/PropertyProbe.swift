// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage
import RealmSystem

/// Determines the stored properties on a key path, by applying it to an object whose properties report reads.
///
/// A probe is an unmanaged object whose wrappers have keys. Every read of one ends in a slow path, because there isn't
/// a row, and is reported there; the fast paths need no checks. Collections of a probe are empty and unmanaged: if a
/// subscript finds no element, it gets one from the current probe.
///
/// Every API that accepts a key path of an object or a projection uses this to find the names of the properties.
///
/// Unchecked: all state is confined to the thread that follows the key path, which a task-local value can't express.
final class PropertyProbe: @unchecked Sendable {
    private var steps: [(object: ObjectBase, property: PropertyInfo)] = []
    /// The probes created so far: the root, and one for each link that was followed.
    private var objects: [ObjectBase] = []
    /// Whether the last read returned an element of the collection that is the last step.
    private var isAtElement = false

    /// The active probe of this thread.
    @TaskLocal private static var current: PropertyProbe?

    /// The result of following a key path.
    ///
    /// Unchecked: immutable, and its node holds no constant.
    private final class Trace: @unchecked Sendable {
        let keyPath: AnyKeyPath
        /// The stored properties or linking objects that were read in sequence, starting at the root.
        let properties: [PropertyInfo]
        /// Whether the key path consists of these properties only: its value is that of the last one.
        let isExact: Bool
        /// The properties as a query's node.
        let node: QueryNode

        init(_ keyPath: AnyKeyPath, _ properties: [PropertyInfo] = [], isExact: Bool = false) {
            self.keyPath = keyPath
            self.properties = properties
            self.isExact = isExact
            node = .path(properties.reduce(QueryPath()) { $0.appending($1) })
        }

        /// Creates the trace of a key path that is equal to the one of `trace`.
        init(_ keyPath: AnyKeyPath, like trace: Trace) {
            self.keyPath = keyPath
            (properties, isExact, node) = (trace.properties, trace.isExact, trace.node)
        }
    }

    /// Key paths that were followed before.
    private static let known = Locked<[AnyKeyPath: Trace]>([:])
    /// Traces by the address of their key path, in the slot of its hash or one of the next. A key path literal is the
    /// same object each time it is evaluated, and comparing two key paths takes longer than the other parts of a small
    /// query.
    private static let placed = PublishedPlaces<Trace>(count: placeCount)
    private static let placeCount = 1024

    /// Returns the properties that a key path of an object class or a projection goes through. They must be stored ones
    /// or linking objects.
    static func properties(of keyPath: AnyKeyPath) -> [PropertyInfo] { exactTrace(of: keyPath).properties }

    /// Returns the properties of a key path as a query's node.
    static func node(of keyPath: AnyKeyPath) -> QueryNode {
        let placed = unsafe placedTrace(of: keyPath)?._withUnsafeGuaranteedRef { $0.isExact ? $0.node : nil }
        return placed ?? exactTrace(of: keyPath).node
    }

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

    /// The names of the properties, with dots between them.
    static func name(of keyPath: AnyKeyPath) -> String {
        properties(of: keyPath).map(\.name).joined(separator: ".")
    }

    /// The names of the stored properties that the key path goes through, like `name(of:)`; nil for any other key path.
    static func nameIfStored(_ keyPath: AnyKeyPath) -> String? {
        let trace = trace(of: keyPath)
        return trace.isExact ? trace.properties.map(\.name).joined(separator: ".") : nil
    }

    /// The stored properties that a key path begins with. It may process the last one's value.
    static func beginning(of keyPath: AnyKeyPath) -> [PropertyInfo] {
        trace(of: keyPath).properties
    }

    /// Returns an element for the subscript of an empty unmanaged collection while a key path is followed: one of the
    /// collection that was read last. Otherwise nil.
    static func element<Element>(_ type: Element.Type) -> Element? { current?.makeElement(type) }

    // MARK: Following

    private static func trace(of keyPath: AnyKeyPath) -> Trace {
        if let trace = unsafe placedTrace(of: keyPath) { return unsafe trace.takeUnretainedValue() }
        let trace = Trace(keyPath, like: findTrace(of: keyPath))
        _ = places(of: keyPath).first { placed[$0] == nil && placed.publish(trace, at: $0) === trace }
        return trace
    }

    /// The cached trace of this key path object. Never deallocated.
    private static func placedTrace(of keyPath: AnyKeyPath) -> Unmanaged<Trace>? {
        for place in places(of: keyPath) {
            guard let trace = unsafe placed.unretained(place) else { return nil }
            if unsafe trace._withUnsafeGuaranteedRef({ $0.keyPath === keyPath }) { return unsafe trace }
        }
        return nil
    }

    /// The slots in which the trace of a key path may be stored.
    private static func places(of keyPath: AnyKeyPath) -> Range<Int> {
        let bits = UInt(bitPattern: ObjectIdentifier(keyPath))
        let first = Int((bits >> 4 ^ bits >> 14) % UInt(placeCount - 4))
        return first..<first + 4
    }

    private static func findTrace(of keyPath: AnyKeyPath) -> Trace {
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
        default: return Trace(keyPath)
        }
        forgetReads(behind: type(of: keyPath).valueType)
        guard isChain else { return Trace(keyPath, commonBeginning) }
        return Trace(keyPath, steps.map(\.property), isExact: isPath(to: type(of: keyPath).valueType))
    }

    /// Discards the reads of properties inside a custom type that is stored as an embedded object: they aren't part of
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

    /// The reads up to the first object with several read properties: a computed property combines these (row S16).
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

    /// Whether the last property has the key path's own type. A computed property reads others, whose values it
    /// converts.
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

    /// Records the read of a property that doesn't report it, in a class without `@Persisted`.
    private func record(_ object: ObjectBase, holding value: Any) {
        let property = object.classInfo.allProperties.first {
            unsafe $0.field.wrapper.holds(value, at: $0.field.address(in: object))
        }
        if let property { steps.append((object, property)) }
    }

    /// Records the read of a probe's property.
    func record(_ object: ObjectBase, _ key: PropertyKey) {
        isAtElement = false
        steps.append((object, object.classInfo.allProperties[Int(key)]))
    }

    /// Records the read of a probe's link, which leads to another probe.
    func record<Target: ObjectBase>(_ object: ObjectBase, _ key: PropertyKey, to target: Target.Type) -> Target {
        record(object, key)
        return makeObject(target)
    }
}

extension ObjectBase {
    /// The probe that this object belongs to, if any.
    var probe: PropertyProbe? {
        guard unsafe _rlmRow.state == nil, let address = _rlmRow.leaf else { return nil }
        return unsafe Unmanaged<PropertyProbe>.fromOpaque(address).takeUnretainedValue()
    }
}
