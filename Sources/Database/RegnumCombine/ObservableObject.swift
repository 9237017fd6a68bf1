// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(OpenCombine)
    import Foundation

    /// An object with a publisher that publishes before the object changes.
    ///
    /// OpenCombine creates a new publisher at each read of `objectWillChange` of an object without `@Published`
    /// properties, so no subscriber receives its values. Like Apple's Combine, this protocol retains one publisher for
    /// each object.
    public protocol ObservableObject: OpenCombine.ObservableObject {}

    extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
        /// The publisher of the object. It is the same for the object's lifetime.
        public var objectWillChange: ObservableObjectPublisher {
            let reflection = Mirror(reflecting: self)
            if reflection.hasPublishedProperty { return Reflected(customMirror: reflection).objectWillChange }
            return OwnPublishers.shared.publisher(of: self)
        }
    }

    /// Makes OpenCombine install a publisher in the `@Published` properties of another object, which it reflects.
    private final class Reflected: OpenCombine.ObservableObject, CustomReflectable {
        let customMirror: Mirror
        init(customMirror: Mirror) { self.customMirror = customMirror }
    }

    private protocol PublishedProperty {}
    extension Published: PublishedProperty {}

    extension Mirror {
        fileprivate var hasPublishedProperty: Bool {
            children.contains { $0.value is any PublishedProperty } || superclassMirror?.hasPublishedProperty == true
        }
    }

    /// The publishers of objects without a property that could retain one.
    // The entries are guarded by the lock.
    private final class OwnPublishers: @unchecked Sendable {
        static let shared = OwnPublishers()

        private struct Entry {
            weak var object: AnyObject?
            let publisher: ObservableObjectPublisher
        }

        private let lock = NSLock()
        private var entries: [ObjectIdentifier: Entry] = [:]
        /// The number of entries at which those of deallocated objects are removed.
        private var limit = 64

        func publisher(of object: AnyObject) -> ObservableObjectPublisher {
            lock.withLock {
                let id = ObjectIdentifier(object)
                // The address of a deallocated object may be reused.
                if let entry = entries[id], entry.object === object { return entry.publisher }
                if entries.count >= limit {
                    entries = entries.filter { $0.value.object != nil }
                    limit = max(64, entries.count * 2)
                }
                let publisher = ObservableObjectPublisher()
                entries[id] = Entry(object: object, publisher: publisher)
                return publisher
            }
        }
    }
#endif
