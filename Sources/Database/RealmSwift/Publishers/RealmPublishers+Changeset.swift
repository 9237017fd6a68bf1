// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Darwin) || canImport(OpenCombine)
    import Dispatch
    #if canImport(Darwin)
        import Combine
    #else
        import RegnumCombine
        import RealmSwift
    #endif

    extension RealmPublishers {
        /// A publisher of the changes of an observation.
        @frozen public struct Changeset<Change: _HandedOver>: Publisher {
            public typealias Output = Change
            public typealias Failure = Never

            let observe: (DispatchQueue?, @escaping (Change) -> Void) -> NotificationToken
            /// Whether a change is the last one, after which the publisher finishes.
            let isLast: (Change) -> Bool
            var queue: DispatchQueue?
            var save: ((NotificationToken) -> Void)?

            init(
                isLast: @escaping (Change) -> Bool = { _ in false },
                _ observe: @escaping (DispatchQueue?, @escaping (Change) -> Void) -> NotificationToken
            ) {
                self.observe = observe
                self.isLast = isLast
            }

            /// Returns the publisher, which assigns the token of each subscription to a property of
            /// `object`. Pass the token to `Realm.write(withoutNotifying:_:)` to exclude the subscriber.
            public func saveToken<T>(on object: T, at keyPath: WritableKeyPath<T, NotificationToken?>) -> Self {
                var publisher = self
                publisher.save = saver(object, keyPath)
                return publisher
            }

            public func receive<S>(subscriber: S) where S: Subscriber, S.Failure == Never, Output == S.Input {
                ObservationSubscription.start(subscriber, savingToken: save) {
                    observe(queue) { change in
                        if isLast(change) { return subscriber.receive(completion: .finished) }
                        _ = subscriber.receive(change)
                    }
                }
            }

            /// Returns the publisher with a serial queue on which it observes and publishes. Its values are confined to
            /// that queue.
            public func subscribe<S: Scheduler>(on scheduler: S) -> Self {
                var publisher = self
                publisher.queue = serialQueue(scheduler)
                return publisher
            }

            /// Returns a publisher of the changes on a scheduler, with the objects and collections of a
            /// Realm opened for it.
            public func receive<S: Scheduler>(on scheduler: S) -> DeferredHandoverChangeset<Self, S> {
                DeferredHandoverChangeset(self, scheduler)
            }
        }

        /// A publisher of the changes of an object or a projection, which finishes when the object is deleted.
        public typealias ObjectChangeset<O: ThreadConfined> = Changeset<ObjectChange<O>>
        /// A publisher of the changes of an object or a projection, like `ObjectChangeset`, which saves the token.
        public typealias ObjectChangesetWithToken<O: ThreadConfined, T> = Changeset<ObjectChange<O>>
        /// A publisher of the changes of a collection.
        public typealias CollectionChangeset<Collection: RealmCollection> = Changeset<RealmCollectionChange<Collection>>
        /// A publisher of the changes of a collection, like `CollectionChangeset`, which saves the token.
        public typealias CollectionChangesetWithToken<Collection: RealmCollection, T> = Changeset<
            RealmCollectionChange<Collection>
        >
        /// A publisher of the changes of a map.
        public typealias MapChangeset<Collection: RealmKeyedCollection> = Changeset<RealmMapChange<Collection>>
        /// A publisher of the changes of a map, like `MapChangeset`, which saves the token.
        public typealias MapChangesetWithToken<Collection: RealmKeyedCollection, T> = Changeset<
            RealmMapChange<Collection>
        >
        /// A publisher of the changes of sections.
        public typealias SectionedResultsChangeset<Collection: RealmSectionedResult> = Changeset<
            SectionedResultsChange<Collection>
        >
        /// A publisher of the changes of sections, like `SectionedResultsChangeset`, which saves the token.
        public typealias SectionedResultsChangesetWithToken<Collection: RealmSectionedResult, T> = Changeset<
            SectionedResultsChange<Collection>
        >
        /// A publisher of the changes of one section.
        public typealias SectionChangeset<Collection: RealmSectionedResult> = Changeset<
            SectionedResultsChange<Collection>
        >
        /// A publisher of the changes of one section, like `SectionChangeset`, which saves the token.
        public typealias SectionChangesetWithToken<Collection: RealmSectionedResult, T> = Changeset<
            SectionedResultsChange<Collection>
        >
    }

    /// Returns a publisher of the changes of an object.
    ///
    /// - Precondition: The object is managed and not deleted.
    public func changesetPublisher<T: Object>(
        _ object: T, keyPaths: [String]? = nil
    ) -> RealmPublishers.ObjectChangeset<T> {
        requirePublishable(object)
        return RealmPublishers.Changeset(isLast: \.isDeletion) { queue, block in
            object.observe(keyPaths: keyPaths, on: queue, block)
        }
    }

    /// Returns a publisher of the changes of a projection's properties.
    ///
    /// - Precondition: The object of the projection is managed and not deleted.
    public func changesetPublisher<T: ProjectionObservable>(
        _ projection: T, keyPaths: [String]? = nil
    ) -> RealmPublishers.ObjectChangeset<T> {
        requirePublishable(projection)
        return RealmPublishers.Changeset(isLast: \.isDeletion) { queue, block in
            projection.observe(keyPaths: keyPaths, on: queue, block)
        }
    }

    /// Returns a publisher of the initial collection and each of its changes.
    ///
    /// - Precondition: The collection is managed.
    public func changesetPublisher<T: RealmCollection>(
        _ collection: T, keyPaths: [String]? = nil
    ) -> RealmPublishers.CollectionChangeset<T> {
        requirePublishable(collection: collection)
        return RealmPublishers.Changeset { queue, block in
            collection.observe(keyPaths: keyPaths, on: queue, block)
        }
    }

    extension ObjectChange {
        fileprivate var isDeletion: Bool { if case .deleted = self { true } else { false } }
    }

    // MARK: Publishers of collections

    extension RealmCollection where Self: RealmSubscribable {
        /// A publisher that, despite its name, publishes after each change of the collection.
        public var objectWillChange: RealmPublishers.WillChange<Self> { RealmPublishers.WillChange(self) }

        /// A former name of `collectionPublisher`.
        @available(*, deprecated, renamed: "collectionPublisher")
        public var publisher: RealmPublishers.Value<Self> { collectionPublisher }

        /// A publisher of the collection, initially and after each change.
        public var collectionPublisher: RealmPublishers.Value<Self> { collectionPublisher(keyPaths: nil) }

        /// Returns a publisher like `collectionPublisher`, for changes of the properties at the given key paths only.
        public func collectionPublisher(keyPaths: [String]?) -> RealmPublishers.Value<Self> {
            RealmPublishers.Value(self, keyPaths: keyPaths)
        }

        /// A publisher of the initial collection and each of its changes.
        public var changesetPublisher: RealmPublishers.CollectionChangeset<Self> { changesetPublisher(keyPaths: nil) }

        /// Returns a publisher like `changesetPublisher`, for changes of the properties at the given key paths only.
        public func changesetPublisher(keyPaths: [String]?) -> RealmPublishers.CollectionChangeset<Self> {
            RealmPublishers.Changeset { queue, block in observe(keyPaths: keyPaths, on: queue, block) }
        }
    }

    extension RealmKeyedCollection where Self: RealmSubscribable {
        /// A publisher that, despite its name, publishes after each change of the map.
        public var objectWillChange: RealmPublishers.WillChange<Self> { RealmPublishers.WillChange(self) }

        /// A former name of `collectionPublisher`.
        @available(*, deprecated, renamed: "collectionPublisher")
        public var publisher: RealmPublishers.Value<Self> { collectionPublisher }

        /// A publisher of the map, initially and after each change.
        public var collectionPublisher: RealmPublishers.Value<Self> { collectionPublisher(keyPaths: nil) }

        /// Returns a publisher like `collectionPublisher`, for changes of the properties at the given key paths only.
        public func collectionPublisher(keyPaths: [String]?) -> RealmPublishers.Value<Self> {
            RealmPublishers.Value(self, keyPaths: keyPaths)
        }

        /// A publisher of the initial map and each of its changes.
        public var changesetPublisher: RealmPublishers.MapChangeset<Self> { changesetPublisher(keyPaths: nil) }

        /// Returns a publisher like `changesetPublisher`, for changes of the properties at the given key paths only.
        public func changesetPublisher(keyPaths: [String]?) -> RealmPublishers.MapChangeset<Self> {
            RealmPublishers.Changeset { queue, block in observe(keyPaths: keyPaths, on: queue, block) }
        }
    }

    extension RealmSectionedResult where Self: RealmSubscribable {
        /// A publisher that, despite its name, publishes after each change of the sections.
        public var objectWillChange: RealmPublishers.WillChange<Self> { RealmPublishers.WillChange(self) }

        /// A publisher of the sections, initially and after each change.
        public var collectionPublisher: RealmPublishers.Value<Self> { collectionPublisher(keyPaths: nil) }

        /// Returns a publisher like `collectionPublisher`, for changes of the properties at the given key paths only.
        public func collectionPublisher(keyPaths: [String]?) -> RealmPublishers.Value<Self> {
            RealmPublishers.Value(self, keyPaths: keyPaths)
        }

        /// A publisher of the initial sections and each of their changes.
        public var changesetPublisher: RealmPublishers.SectionedResultsChangeset<Self> {
            changesetPublisher(keyPaths: nil)
        }

        /// Returns a publisher like `changesetPublisher`, for changes of the properties at the given key paths only.
        public func changesetPublisher(keyPaths: [String]?) -> RealmPublishers.SectionedResultsChangeset<Self> {
            RealmPublishers.Changeset { queue, block in observe(keyPaths: keyPaths, on: queue, block) }
        }
    }
#endif
