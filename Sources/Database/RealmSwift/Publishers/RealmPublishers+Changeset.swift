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
        /// Publishes the changes of an observation.
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

            /// Saves the token of the observation, which allows writes without notifying the subscriber.
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

            /// Observes and publishes on a serial queue, with values confined to that queue.
            public func subscribe<S: Scheduler>(on scheduler: S) -> Self {
                var publisher = self
                publisher.queue = serialQueue(scheduler)
                return publisher
            }

            /// Publishes the changes on a scheduler, resolved in a Realm there.
            public func receive<S: Scheduler>(on scheduler: S) -> DeferredHandoverChangeset<Self, S> {
                DeferredHandoverChangeset(self, scheduler)
            }
        }

        /// Publishes the changes of an object or a projection, and finishes when it is deleted.
        public typealias ObjectChangeset<O: ThreadConfined> = Changeset<ObjectChange<O>>
        /// Publishes the changes of an object or a projection like `ObjectChangeset`, and saves the token.
        public typealias ObjectChangesetWithToken<O: ThreadConfined, T> = Changeset<ObjectChange<O>>
        /// Publishes the changes of a collection.
        public typealias CollectionChangeset<Collection: RealmCollection> = Changeset<RealmCollectionChange<Collection>>
        /// Publishes the changes of a collection like `CollectionChangeset`, and saves the token.
        public typealias CollectionChangesetWithToken<Collection: RealmCollection, T> = Changeset<
            RealmCollectionChange<Collection>
        >
        /// Publishes the changes of a map.
        public typealias MapChangeset<Collection: RealmKeyedCollection> = Changeset<RealmMapChange<Collection>>
        /// Publishes the changes of a map like `MapChangeset`, and saves the token.
        public typealias MapChangesetWithToken<Collection: RealmKeyedCollection, T> = Changeset<
            RealmMapChange<Collection>
        >
        /// Publishes the changes of sections.
        public typealias SectionedResultsChangeset<Collection: RealmSectionedResult> = Changeset<
            SectionedResultsChange<Collection>
        >
        /// Publishes the changes of sections like `SectionedResultsChangeset`, and saves the token.
        public typealias SectionedResultsChangesetWithToken<Collection: RealmSectionedResult, T> = Changeset<
            SectionedResultsChange<Collection>
        >
        /// Publishes the changes of one section.
        public typealias SectionChangeset<Collection: RealmSectionedResult> = Changeset<
            SectionedResultsChange<Collection>
        >
        /// Publishes the changes of one section like `SectionChangeset`, and saves the token.
        public typealias SectionChangesetWithToken<Collection: RealmSectionedResult, T> = Changeset<
            SectionedResultsChange<Collection>
        >
    }

    /// Publishes the changes of an object.
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

    /// Publishes the changes of a projection's properties.
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

    /// Publishes the initial collection, and then each change.
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
        /// Publishes after each change of the collection, in spite of the name.
        public var objectWillChange: RealmPublishers.WillChange<Self> { RealmPublishers.WillChange(self) }

        /// A former name of `collectionPublisher`.
        @available(*, deprecated, renamed: "collectionPublisher")
        public var publisher: RealmPublishers.Value<Self> { collectionPublisher }

        /// Publishes the collection initially and after each change.
        public var collectionPublisher: RealmPublishers.Value<Self> { collectionPublisher(keyPaths: nil) }

        /// Publishes like `collectionPublisher`, but only changes of the properties at the given key paths.
        public func collectionPublisher(keyPaths: [String]?) -> RealmPublishers.Value<Self> {
            RealmPublishers.Value(self, keyPaths: keyPaths)
        }

        /// Publishes the initial collection, and then each change.
        public var changesetPublisher: RealmPublishers.CollectionChangeset<Self> { changesetPublisher(keyPaths: nil) }

        /// Publishes like `changesetPublisher`, but only changes of the properties at the given key paths.
        public func changesetPublisher(keyPaths: [String]?) -> RealmPublishers.CollectionChangeset<Self> {
            RealmPublishers.Changeset { queue, block in observe(keyPaths: keyPaths, on: queue, block) }
        }
    }

    extension RealmKeyedCollection where Self: RealmSubscribable {
        /// Publishes after each change of the map, in spite of the name.
        public var objectWillChange: RealmPublishers.WillChange<Self> { RealmPublishers.WillChange(self) }

        /// A former name of `collectionPublisher`.
        @available(*, deprecated, renamed: "collectionPublisher")
        public var publisher: RealmPublishers.Value<Self> { collectionPublisher }

        /// Publishes the map initially and after each change.
        public var collectionPublisher: RealmPublishers.Value<Self> { collectionPublisher(keyPaths: nil) }

        /// Publishes like `collectionPublisher`, but only changes of the properties at the given key paths.
        public func collectionPublisher(keyPaths: [String]?) -> RealmPublishers.Value<Self> {
            RealmPublishers.Value(self, keyPaths: keyPaths)
        }

        /// Publishes the initial map, and then each change.
        public var changesetPublisher: RealmPublishers.MapChangeset<Self> { changesetPublisher(keyPaths: nil) }

        /// Publishes like `changesetPublisher`, but only changes of the properties at the given key paths.
        public func changesetPublisher(keyPaths: [String]?) -> RealmPublishers.MapChangeset<Self> {
            RealmPublishers.Changeset { queue, block in observe(keyPaths: keyPaths, on: queue, block) }
        }
    }

    extension RealmSectionedResult where Self: RealmSubscribable {
        /// Publishes after each change of the sections, in spite of the name.
        public var objectWillChange: RealmPublishers.WillChange<Self> { RealmPublishers.WillChange(self) }

        /// Publishes the sections initially and after each change.
        public var collectionPublisher: RealmPublishers.Value<Self> { collectionPublisher(keyPaths: nil) }

        /// Publishes like `collectionPublisher`, but only changes of the properties at the given key paths.
        public func collectionPublisher(keyPaths: [String]?) -> RealmPublishers.Value<Self> {
            RealmPublishers.Value(self, keyPaths: keyPaths)
        }

        /// Publishes the initial sections, and then each change.
        public var changesetPublisher: RealmPublishers.SectionedResultsChangeset<Self> {
            changesetPublisher(keyPaths: nil)
        }

        /// Publishes like `changesetPublisher`, but only changes of the properties at the given key paths.
        public func changesetPublisher(keyPaths: [String]?) -> RealmPublishers.SectionedResultsChangeset<Self> {
            RealmPublishers.Changeset { queue, block in observe(keyPaths: keyPaths, on: queue, block) }
        }
    }
#endif
