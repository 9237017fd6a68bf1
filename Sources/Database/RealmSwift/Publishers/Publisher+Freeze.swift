// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Darwin) || canImport(OpenCombine)
    #if canImport(Darwin)
        import Combine
    #else
        import RegnumCombine
        import RealmSwift
    #endif

    extension Publisher {
        /// Returns a publisher of the frozen values, which can be used on any thread.
        public func freeze<T>() -> Publishers.Map<Self, T> where Output: ThreadConfined, T == Output {
            map { $0.freeze() }
        }

        /// Returns a publisher of the object's changes with the object frozen, which can be used on any thread.
        public func freeze<T: Object>() -> Publishers.Map<Self, ObjectChange<T>> where Output == ObjectChange<T> {
            map { $0.frozen { $0.freeze() } }
        }

        /// Returns a publisher of the projection's changes with the projection frozen, which can be used on any thread.
        public func freeze<T: ProjectionObservable>() -> Publishers.Map<Self, ObjectChange<T>>
        where Output == ObjectChange<T>, T: ThreadConfined {
            map { $0.frozen { $0.freeze() } }
        }

        /// Returns a publisher of the collection's changes with the collection frozen, which can be used on any thread.
        public func freeze<T: RealmCollection>() -> Publishers.Map<Self, RealmCollectionChange<T>>
        where Output == RealmCollectionChange<T> {
            map { change in
                switch change {
                case .initial(let collection): .initial(collection.freeze())
                case .update(let collection, let deletions, let insertions, let modifications):
                    .update(
                        collection.freeze(), deletions: deletions, insertions: insertions, modifications: modifications)
                case .error: change
                }
            }
        }

        /// Returns a publisher of the map's changes with the map frozen, which can be used on any thread.
        public func freeze<T: RealmKeyedCollection>() -> Publishers.Map<Self, RealmMapChange<T>>
        where Output == RealmMapChange<T> {
            map { change in
                switch change {
                case .initial(let map): .initial(map.freeze())
                case .update(let map, let deletions, let insertions, let modifications):
                    .update(map.freeze(), deletions: deletions, insertions: insertions, modifications: modifications)
                case .error: change
                }
            }
        }

        /// Returns a publisher of the sections' changes with the sections frozen, which can be used on any thread.
        public func freeze<T: RealmSectionedResult>() -> Publishers.Map<Self, SectionedResultsChange<T>>
        where Output == SectionedResultsChange<T> {
            map { change in
                switch change {
                case .initial(let sections): .initial(sections.freeze())
                case .update(let sections, let deletions, let insertions, let modifications, let inserted, let deleted):
                    .update(
                        sections.freeze(), deletions: deletions, insertions: insertions, modifications: modifications,
                        sectionsToInsert: inserted, sectionsToDelete: deleted)
                }
            }
        }
    }

    extension ObjectChange {
        fileprivate func frozen(_ freeze: (T) -> T) -> ObjectChange {
            guard case .change(let object, let properties) = self else { return self }
            return .change(freeze(object), properties.map(\.frozen))
        }
    }
#endif
