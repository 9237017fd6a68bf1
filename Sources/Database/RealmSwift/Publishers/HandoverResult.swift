// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

#if canImport(Darwin) || canImport(OpenCombine)
    #if canImport(Darwin)
        import Combine
    #else
        import RegnumCombine
        import RealmSwift
    #endif

    /// A value on the way from a publisher to another scheduler, in a form that isn't confined to a thread.
    public struct _InTransit<Value> {
        private let way: Way

        private enum Way {
            case anywhere(Value)
            /// The configuration of the Realm at the destination, and a closure that resolves the value there; it
            /// returns nil if the value has been deleted.
            case realm(Realm.Configuration, (Realm) -> Value?)
        }

        init(_ configuration: Realm.Configuration, _ arrive: @escaping (Realm) -> Value?) {
            way = .realm(configuration, arrive)
        }

        init(anywhere value: Value) { way = .anywhere(value) }

        /// Returns the value for use on `scheduler`, on which the caller must be running.
        func taken<S: Scheduler>(on scheduler: S) -> Value? {
            switch way {
            case .anywhere(let value): return value
            case .realm(let configuration, let arrive):
                do {
                    return arrive(
                        try Realm(configuration: configuration, queue: RealmPublishers.queue(scheduler)))
                } catch {
                    throwRealmException("The Realm of a publisher cannot be opened where it publishes: \(error)")
                }
            }
        }

        func map<Other>(_ transform: @escaping (Value) -> Other) -> _InTransit<Other> {
            switch way {
            case .anywhere(let value): _InTransit<Other>(anywhere: transform(value))
            case .realm(let configuration, let arrive):
                _InTransit<Other>(configuration) { arrive($0).map(transform) }
            }
        }

        /// Prepares a thread-confined value for the handover. Returns nil if the value has been deleted.
        static func of(_ value: Value) -> _InTransit? where Value: ThreadConfined {
            if value.isInvalidated { return nil }
            guard let realm = value.realm, !value.isFrozen else { return _InTransit(anywhere: value) }
            let reference = ThreadSafeReference(to: value)
            return _InTransit(realm.configuration) { $0.resolve(reference) }
        }
    }

    /// A change that a publisher can deliver on another scheduler, with the objects and collections of a
    /// Realm opened for it.
    public protocol _HandedOver {
        /// Returns the change in a form that isn't confined to a thread, or nil if the changed object or
        /// collection has been deleted.
        func _handOver() -> _InTransit<Self>?
    }

    extension ObjectChange: _HandedOver where T: ThreadConfined {
        /// Returns the change in a form that isn't confined to a thread. Objects among its values are
        /// frozen.
        public func _handOver() -> _InTransit<ObjectChange>? {
            guard case .change(let object, let properties) = self else { return _InTransit(anywhere: self) }
            let frozen = properties.map(\.frozen)
            return _InTransit.of(object)?.map { .change($0, frozen) }
        }
    }

    extension RealmCollectionChange: _HandedOver where CollectionType: RealmCollection {
        public func _handOver() -> _InTransit<RealmCollectionChange>? {
            switch self {
            case .initial(let collection): _InTransit.of(collection)?.map { .initial($0) }
            case .update(let collection, let deletions, let insertions, let modifications):
                _InTransit.of(collection)?.map {
                    .update($0, deletions: deletions, insertions: insertions, modifications: modifications)
                }
            case .error: _InTransit(anywhere: self)
            }
        }
    }

    extension RealmMapChange: _HandedOver {
        public func _handOver() -> _InTransit<RealmMapChange>? {
            switch self {
            case .initial(let map): _InTransit.of(map)?.map { .initial($0) }
            case .update(let map, let deletions, let insertions, let modifications):
                _InTransit.of(map)?.map {
                    .update($0, deletions: deletions, insertions: insertions, modifications: modifications)
                }
            case .error: _InTransit(anywhere: self)
            }
        }
    }

    extension SectionedResultsChange: _HandedOver where Collection: RealmSectionedResult {
        public func _handOver() -> _InTransit<SectionedResultsChange>? {
            switch self {
            case .initial(let sections): _InTransit.of(sections)?.map { .initial($0) }
            case .update(let sections, let deletions, let insertions, let modifications, let inserted, let deleted):
                _InTransit.of(sections)?.map {
                    .update(
                        $0, deletions: deletions, insertions: insertions, modifications: modifications,
                        sectionsToInsert: inserted, sectionsToDelete: deleted)
                }
            }
        }
    }

    extension PropertyChange {
        var frozen: PropertyChange {
            PropertyChange(name: name, oldValue: frozen(oldValue), newValue: frozen(newValue))
        }

        private func frozen(_ value: Any?) -> Any? {
            guard let object = value as? ObjectBase, object.realm != nil, !object.isInvalidated else { return value }
            return object.freeze()
        }
    }
#endif
