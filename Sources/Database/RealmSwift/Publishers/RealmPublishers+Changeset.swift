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
        /// Publishes changes as `observe` tells them.
        @frozen public struct Changeset<Change: _HandedOver>: Publisher {
            public typealias Output = Change
            public typealias Failure = Never

            let observe: (DispatchQueue?, @escaping (Change) -> Void) -> NotificationToken
            /// Whether a change is the end, which is published as that.
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

            /// Saves the token of the observation, to write without being notified.
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

            /// Publishes on a serial queue, changes of what is confined to that.
            public func subscribe<S: Scheduler>(on scheduler: S) -> Self {
                var publisher = self
                publisher.queue = serialQueue(scheduler)
                return publisher
            }

            /// Publishes on a scheduler, changes of what belongs to the Realm of that place.
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

    /// Publishes the changes of what a projection shows.
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

    /// Publishes a collection as it is, and then its changes.
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
        /// Publishes that the collection has changed; after the change, in spite of its name.
        public var objectWillChange: RealmPublishers.WillChange<Self> { RealmPublishers.WillChange(self) }

        /// A former name of `collectionPublisher`.
        @available(*, deprecated, renamed: "collectionPublisher")
        public var publisher: RealmPublishers.Value<Self> { collectionPublisher }

        /// Publishes the collection as it is, and whenever it has changed.
        public var collectionPublisher: RealmPublishers.Value<Self> { collectionPublisher(keyPaths: nil) }

        /// Publishes like `collectionPublisher`, but only changes of what is on these paths.
        public func collectionPublisher(keyPaths: [String]?) -> RealmPublishers.Value<Self> {
            RealmPublishers.Value(self, keyPaths: keyPaths)
        }

        /// Publishes the collection as it is, and then its changes.
        public var changesetPublisher: RealmPublishers.CollectionChangeset<Self> { changesetPublisher(keyPaths: nil) }

        /// Publishes like `changesetPublisher`, but only changes of what is on these paths.
        public func changesetPublisher(keyPaths: [String]?) -> RealmPublishers.CollectionChangeset<Self> {
            RealmPublishers.Changeset { queue, block in observe(keyPaths: keyPaths, on: queue, block) }
        }
    }

    extension RealmKeyedCollection where Self: RealmSubscribable {
        /// Publishes that the map has changed; after the change, in spite of its name.
        public var objectWillChange: RealmPublishers.WillChange<Self> { RealmPublishers.WillChange(self) }

        /// A former name of `collectionPublisher`.
        @available(*, deprecated, renamed: "collectionPublisher")
        public var publisher: RealmPublishers.Value<Self> { collectionPublisher }

        /// Publishes the map as it is, and whenever it has changed.
        public var collectionPublisher: RealmPublishers.Value<Self> { collectionPublisher(keyPaths: nil) }

        /// Publishes like `collectionPublisher`, but only changes of what is on these paths.
        public func collectionPublisher(keyPaths: [String]?) -> RealmPublishers.Value<Self> {
            RealmPublishers.Value(self, keyPaths: keyPaths)
        }

        /// Publishes the map as it is, and then its changes.
        public var changesetPublisher: RealmPublishers.MapChangeset<Self> { changesetPublisher(keyPaths: nil) }

        /// Publishes like `changesetPublisher`, but only changes of what is on these paths.
        public func changesetPublisher(keyPaths: [String]?) -> RealmPublishers.MapChangeset<Self> {
            RealmPublishers.Changeset { queue, block in observe(keyPaths: keyPaths, on: queue, block) }
        }
    }

    extension RealmSectionedResult where Self: RealmSubscribable {
        /// Publishes that the sections have changed; after the change, in spite of its name.
        public var objectWillChange: RealmPublishers.WillChange<Self> { RealmPublishers.WillChange(self) }

        /// Publishes the sections as they are, and whenever they have changed.
        public var collectionPublisher: RealmPublishers.Value<Self> { collectionPublisher(keyPaths: nil) }

        /// Publishes like `collectionPublisher`, but only changes of what is on these paths.
        public func collectionPublisher(keyPaths: [String]?) -> RealmPublishers.Value<Self> {
            RealmPublishers.Value(self, keyPaths: keyPaths)
        }

        /// Publishes the sections as they are, and then their changes.
        public var changesetPublisher: RealmPublishers.SectionedResultsChangeset<Self> {
            changesetPublisher(keyPaths: nil)
        }

        /// Publishes like `changesetPublisher`, but only changes of what is on these paths.
        public func changesetPublisher(keyPaths: [String]?) -> RealmPublishers.SectionedResultsChangeset<Self> {
            RealmPublishers.Changeset { queue, block in observe(keyPaths: keyPaths, on: queue, block) }
        }
    }
#endif
