// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(OpenCombine)
    import RegnumCombine

    /// The projected value of a property wrapper for objects: creates bindings to the object's properties. Apps refer
    /// to it as `Wrapper`.
    @MainActor @preconcurrency @dynamicMemberLookup public struct _ObjectBindings<ObjectType>
    where ObjectType: ObservableObject {
        let object: ObjectType

        /// Returns a binding to a property of the object.
        public subscript<Subject>(
            dynamicMember keyPath: ReferenceWritableKeyPath<ObjectType, Subject>
        ) -> Binding<Subject> {
            Binding(ObjectLocation(object, keyPath) { follow($0, $1) })
        }
    }

    /// An object that a view observes: the view is evaluated when the object publishes `objectWillChange`.
    @MainActor @preconcurrency @propertyWrapper public struct ObservedObject<ObjectType>: DynamicProperty
    where ObjectType: ObservableObject {
        /// The type of the projected value.
        public typealias Wrapper = _ObjectBindings<ObjectType>

        /// The object.
        public var wrappedValue: ObjectType

        /// Creates a property that observes an object.
        public init(wrappedValue: ObjectType) { self.wrappedValue = wrappedValue }

        /// Creates a property that observes an object.
        public init(initialValue: ObjectType) { wrappedValue = initialValue }

        /// Bindings to the object's properties.
        public var projectedValue: Wrapper { Wrapper(object: wrappedValue) }
    }

    extension ObservedObject: @MainActor HostedProperty {
        func connect(_ slot: PropertySlot) { follow(wrappedValue, slot.node) }
    }

    extension ObservedObject: @MainActor ComparableField {
        func isSame(as other: ObservedObject) -> Bool { wrappedValue === other.wrappedValue }
    }

    /// An object that a view creates, observes, and retains while it's in the tree.
    @MainActor @preconcurrency @propertyWrapper public struct StateObject<ObjectType>: DynamicProperty
    where ObjectType: ObservableObject {
        // Set by the initializer, and called only on the main actor.
        nonisolated(unsafe) private let make: () -> ObjectType
        private var cell: ObjectCell<ObjectType>?

        /// Creates a property. The closure runs on first use, on the main actor. It doesn't run for a view value that
        /// is discarded.
        nonisolated public init(wrappedValue thunk: @autoclosure @escaping () -> ObjectType) { make = thunk }

        /// The object.
        public var wrappedValue: ObjectType { cell?.object ?? make() }

        /// Bindings to the object's properties.
        public var projectedValue: ObservedObject<ObjectType>.Wrapper { .init(object: wrappedValue) }
    }

    extension StateObject: @MainActor HostedProperty {
        mutating func connect(_ slot: PropertySlot) {
            let cell = slot.stored { ObjectCell(make()) }
            follow(cell.object, slot.node)
            self.cell = cell
        }
    }

    extension StateObject: @MainActor ComparableField {
        func isSame(as other: StateObject) -> Bool { true }
    }

    private final class ObjectCell<Object> {
        let object: Object
        init(_ object: Object) { self.object = object }
    }

    /// An object in the environment that a view observes: an ancestor sets it with `environmentObject(_:)`.
    @MainActor @preconcurrency @propertyWrapper public struct EnvironmentObject<ObjectType>: DynamicProperty
    where ObjectType: ObservableObject {
        /// The type of the projected value.
        public typealias Wrapper = _ObjectBindings<ObjectType>

        private weak var node: Node?

        /// Creates the property.
        nonisolated public init() {}

        /// The object.
        ///
        /// - Precondition: An ancestor has set an object of this type.
        public var wrappedValue: ObjectType {
            guard let object = node?.readObject(ObjectType.self) else {
                preconditionFailure(
                    "No ObservableObject of type \(ObjectType.self) found. A View.environmentObject(_:) for "
                        + "\(ObjectType.self) may be missing as an ancestor of this view.")
            }
            return object
        }

        /// Bindings to the object's properties.
        public var projectedValue: Wrapper { Wrapper(object: wrappedValue) }
    }

    extension EnvironmentObject: @MainActor HostedProperty {
        mutating func connect(_ slot: PropertySlot) {
            node = slot.node
            if let object = slot.node.readObject(ObjectType.self) { follow(object, slot.node) }
        }
    }

    extension EnvironmentObject: @MainActor ComparableField {
        func isSame(as other: EnvironmentObject) -> Bool { true }
    }

    /// The subscription ends when an evaluation of the node doesn't use the object.
    @MainActor private func follow<Object: ObservableObject>(_ object: Object, _ node: Node) {
        node.subscribe(to: object) { subscription(object, node) }
    }

    /// Not isolated, because an object may change on any thread.
    private func subscription<Object: ObservableObject>(_ object: Object, _ node: Node) -> AnyCancellable {
        object.objectWillChange.sink { [weak node] _ in
            if !MainPlace.isHere { warnOfBackgroundChange(node) }
            node?.invalidate("\(Object.self)")
        }
    }

    private func warnOfBackgroundChange(_ node: Node?) {
        Node.onMain {
            if let node { node.graph.logOnce("Publishing changes from background threads is not allowed.", node) }
        }
    }

    extension View {
        /// Sets the object of its type in the environment of the view.
        nonisolated public func environmentObject<T>(_ object: T) -> some View where T: ObservableObject {
            modifier(EnvironmentObjectModification(type: T.self, object: object))
        }

        /// Runs an action on the main actor with each value of a publisher while the view is in the tree.
        nonisolated public func onReceive<P>(
            _ publisher: P, perform action: @escaping (P.Output) -> Void
        ) -> some View where P: Publisher, P.Failure == Never {
            modifier(ReceiveModification(publisher: publisher, action: action))
        }
    }

    // All properties are read and set on the main actor only.
    private final class Receiver<P: Publisher>: @unchecked Sendable
    where P.Failure == Never {
        var action: (P.Output) -> Void = { _ in }
        var cancellable: AnyCancellable?
        var publisher: P?

        func follow(_ publisher: P) {
            self.publisher = publisher
            cancellable = publisher.sink { [weak self] in self?.receive($0) }
        }

        /// Runs the action on the main thread, regardless of the publisher's thread.
        func receive(_ value: P.Output) {
            // Transferred to the main actor: the receiver doesn't use the value on this thread afterwards.
            nonisolated(unsafe) let value = value
            Node.onMain { self.action(value) }
        }
    }

    /// Subscribes again only to a different publisher, and runs the action of the last evaluation.
    nonisolated struct ReceiveModification<P: Publisher>: Modification where P.Failure == Never {
        let publisher: P
        let action: (P.Output) -> Void

        @MainActor func evaluate(_ node: Node) {
            let receiver = node.memory as? Receiver<P> ?? Receiver<P>()
            node.memory = receiver
            receiver.action = action
            if let known = receiver.publisher, Comparison.areSame(known, publisher) { return }
            receiver.follow(publisher)
        }
    }
#endif

nonisolated struct EnvironmentObjectModification<T: AnyObject>: Modification {
    let type: T.Type
    let object: T?

    @MainActor func adjust(_ environment: inout EnvironmentValues, _ node: Node) { environment.set(object, as: type) }
}

extension View {
    /// Sets the observable object of its type in the environment of the view. `nil` removes it.
    nonisolated public func environment<T>(_ object: T?) -> some View where T: AnyObject, T: Observable {
        modifier(EnvironmentObjectModification(type: T.self, object: object))
    }
}
