// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Darwin) || canImport(OpenCombine)
    #if canImport(Darwin)
        import SwiftUI
    #else
        import RealmSwift
        import RegnumUI
    #endif

    /// A binding to a map that a view shows and can change. Each call runs in a write transaction of its own, or in the
    /// current one.
    @preconcurrency @MainActor public protocol BoundMap {
        /// The type of the map.
        associatedtype Value: RealmKeyedCollection
        /// The map.
        var wrappedValue: Value { get }
        /// The value of a key.
        subscript(key: Value.Key) -> Value.Value? { get }
        /// Sets the value of a key; nil removes the entry.
        func set(object: Value.Value?, for key: Value.Key)
    }

    extension BoundMap {
        /// The value of a key, or nil if the key is missing.
        public subscript(key: Value.Key) -> Value.Value? { wrappedValue[key] }

        /// Sets the value of a key; nil removes the entry.
        public func set(object: Value.Value?, for key: Value.Key) {
            write(object, for: key)
        }

        fileprivate func write(_ object: Value.Value?, for key: Value.Key) {
            Writing.change(wrappedValue) { map, realm in
                guard let object else { return map.removeObject(for: key) }
                if let object = Writing.resident(object, in: realm) { map.updateValue(object, forKey: key) }
            }
        }
    }

    extension BoundMap where Value.Value: ObjectBase & ThreadConfined {
        /// Sets the object of a key; nil removes the entry.
        public func set(object: Value.Value?, for key: Value.Key) {
            write(object, for: key)
        }
    }
#endif
