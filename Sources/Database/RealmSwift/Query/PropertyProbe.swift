// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem

/// Finds out which stored properties a key path goes through, by following it on an object whose properties report that
/// they are read.
///
/// Such a probe is an object that no Realm manages but whose wrappers have keys. Every read of one ends in a slow path,
/// because there is no row, and that is where it is reported; the quick paths know nothing of this. Collections of a
/// probe are empty ones that no Realm manages: where a subscript finds nothing, they ask the current probe for an
/// element.
///
/// Every API that takes a key path of an object or a projection finds the names of the properties here.
///
/// Unchecked: all state is confined to the thread that follows the key path, which a task-local value cannot say.
final class PropertyProbe: @unchecked Sendable {
    private var steps: [(object: ObjectBase, property: PropertyInfo)] = []
    /// The probes made so far: the root, and one for each link that was followed.
    private var objects: [ObjectBase] = []
    /// Whether what was read last is an element of the collection that the last step is.
    private var isAtElement = false

    /// The probe at work on this thread.
    @TaskLocal private static var current: PropertyProbe?

    /// What following a key path has shown.
    ///
    /// Unchecked: immutable, and its node holds no constant.
    private final class Trace: @unchecked Sendable {
        let keyPath: AnyKeyPath
        /// The stored properties or linking objects that were read one behind the other, from the root on.
        let properties: [PropertyInfo]
        /// Whether these are all there is: the value is that of the last property.
        let isExact: Bool
        /// The same in a query.
        let node: QueryNode

        init(_ keyPath: AnyKeyPath, _ properties: [PropertyInfo] = [], isExact: Bool = false) {
            self.keyPath = keyPath
            self.properties = properties
            self.isExact = isExact
            node = .path(properties.reduce(QueryPath()) { $0.appending($1) })
        }

        /// That of another key path which is equal.
        init(_ keyPath: AnyKeyPath, like trace: Trace) {
            self.keyPath = keyPath
            (properties, isExact, node) = (trace.properties, trace.isExact, trace.node)
        }
    }

    /// Key paths that were followed before.
    private static let known = Locked<[AnyKeyPath: Trace]>([:])
    /// Those that came first to a place, which is where their addresses hash to or behind it: what a key path says is
    /// the same object each time it comes by, and to compare all of two key paths takes longer than a small query's
    /// other parts.
    private static let placed = PublishedPlaces<Trace>(count: placeCount)
    private static let placeCount = 1024

    /// The properties that a key path of an object class or a projection goes through, which must be stored ones or
    /// linking objects.
    static func properties(of keyPath: AnyKeyPath) -> [PropertyInfo] { exactTrace(of: keyPath).properties }

    /// The same in a query.
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

    /// The stored properties that a key path begins with, whatever it does with the last one's value.
    static func beginning(of keyPath: AnyKeyPath) -> [PropertyInfo] {
        trace(of: keyPath).properties
    }

    /// What the subscript of an empty collection that no Realm manages gives while a key path is followed: an element
    /// of the collection that was read last. Otherwise nil.
    static func element<Element>(_ type: Element.Type) -> Element? { current?.makeElement(type) }

    // MARK: Following

    private static func trace(of keyPath: AnyKeyPath) -> Trace {
        if let trace = unsafe placedTrace(of: keyPath) { return unsafe trace.takeUnretainedValue() }
        let trace = Trace(keyPath, like: findTrace(of: keyPath))
        _ = places(of: keyPath).first { placed[$0] == nil && placed.publish(trace, at: $0) === trace }
        return trace
    }

    /// What was found out about this very key path. Alive for ever.
    private static func placedTrace(of keyPath: AnyKeyPath) -> Unmanaged<Trace>? {
        for place in places(of: keyPath) {
            guard let trace = unsafe placed.unretained(place) else { return nil }
            if unsafe trace._withUnsafeGuaranteedRef({ $0.keyPath === keyPath }) { return unsafe trace }
        }
        return nil
    }

    /// The place of a key path, and those it may have if that is taken.
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

    /// A value of a user's own type that is stored as an embedded object is made from that one's properties, which are
    /// no part of the path.
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

    /// Whether what was read is one chain of links from the root. A computed property may read several others.
    private var isChain: Bool {
        (steps.count == objects.count || steps.count + 1 == objects.count)
            && zip(steps, objects).allSatisfy { $0.object === $1 }
    }

    /// What was read up to the first object of which several properties were: a computed property makes its value of
    /// them (row S16).
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

    /// Whether the last property is of the key path's own type. A computed property reads others, and not as its own
    /// value.
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

    /// A property that does not report it may have been read: one of a class without `@Persisted`.
    private func record(_ object: ObjectBase, holding value: Any) {
        let property = object.classInfo.allProperties.first {
            unsafe $0.field.wrapper.holds(value, at: $0.field.address(in: object))
        }
        if let property { steps.append((object, property)) }
    }

    /// A property of a probe was read.
    func record(_ object: ObjectBase, _ key: PropertyKey) {
        isAtElement = false
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
        guard unsafe _rlmRow.state == nil, let address = _rlmRow.leaf else { return nil }
        return unsafe Unmanaged<PropertyProbe>.fromOpaque(address).takeUnretainedValue()
    }
}
