// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Darwin) || canImport(OpenCombine)
    #if canImport(Darwin)
        import SwiftUI
    #else
        import RealmSwift
        import RegnumUI
    #endif

    /// A map that a view shows and changes: a binding to one. Each call is a write transaction of its own, or part of
    /// the one in progress.
    @preconcurrency @MainActor public protocol BoundMap {
        /// The type of the map.
        associatedtype Value: RealmKeyedCollection
        /// The map.
        var wrappedValue: Value { get }
        /// The value of a key.
        subscript(key: Value.Key) -> Value.Value? { get }
        /// Gives a key a value; nil removes the entry.
        func set(object: Value.Value?, for key: Value.Key)
    }

    extension BoundMap {
        /// The value of a key; nil if there is no such key.
        public subscript(key: Value.Key) -> Value.Value? { wrappedValue[key] }

        /// Gives a key a value; nil removes the entry.
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
        /// Gives a key an object; nil removes the entry.
        public func set(object: Value.Value?, for key: Value.Key) {
            write(object, for: key)
        }
    }
#endif
