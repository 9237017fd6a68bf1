// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Darwin) || canImport(OpenCombine)
    import Dispatch
    #if canImport(Darwin)
        import Combine
    #else
        import RegnumCombine
        import RealmSwift
    #endif

    /// What publishers are made of: something whose changes can be observed.
    public protocol RealmSubscribable {
        /// Sends the subscriber the value whenever it has changed.
        func _observe<S>(_ keyPaths: [String]?, on queue: DispatchQueue?, _ subscriber: S) -> NotificationToken
        where S: Subscriber, S.Input == Self

        /// Tells the subscriber whenever the value has changed.
        func _observe<S>(_ keyPaths: [String]?, _ subscriber: S) -> NotificationToken
        where S: Subscriber, S.Input == Void
    }

    // MARK: Objects

    extension ObjectBase: RealmSubscribable {
        /// Sends the object when it has changed, and the end when it was deleted.
        public func _observe<S: Subscriber>(
            _ keyPaths: [String]?, on queue: DispatchQueue?, _ subscriber: S
        ) -> NotificationToken where S.Input: ObjectBase {
            startObserving(keyPaths, on: queue) { (change: ObjectChange<S.Input>) in
                switch change {
                case .change(let object, _): _ = subscriber.receive(object)
                case .deleted: subscriber.receive(completion: .finished)
                case .error: break
                }
            }
        }

        /// Tells of each change, the last of which is the deletion. Of an object that cannot change, nothing.
        public func _observe<S>(_ keyPaths: [String]?, _ subscriber: S) -> NotificationToken
        where S: Subscriber, S.Input == Void {
            if realm == nil || isFrozen { return NotificationToken() }
            return startObserving(keyPaths, on: nil) { (change: ObjectChange<ObjectBase>) in
                _ = subscriber.receive()
                if case .deleted = change { subscriber.receive(completion: .finished) }
            }
        }
    }

    extension Object: ObservableObject {
        /// Publishes that the object has changed; after the change, in spite of its name.
        public var objectWillChange: RealmPublishers.WillChange<Object> { RealmPublishers.WillChange(self) }
    }

    extension EmbeddedObject: ObservableObject {
        /// Publishes that the object has changed; after the change, in spite of its name.
        public var objectWillChange: RealmPublishers.WillChange<EmbeddedObject> { RealmPublishers.WillChange(self) }
    }

    extension Projection: RealmSubscribable, ObservableObject where Root: ThreadConfined {
        /// Sends the projection when it has changed, and the end when its object was deleted.
        public func _observe<S>(_ keyPaths: [String]?, on queue: DispatchQueue?, _ subscriber: S) -> NotificationToken
        where S: Subscriber, S.Input: Projection {
            // Here the class is that of the extension: observed as such, no change would be of the subclass.
            guard let projection = self as? S.Input else { return NotificationToken() }
            return projection.observe(keyPaths: keyPaths, on: queue) { (change: ObjectChange<S.Input>) in
                switch change {
                case .change(let projection, _): _ = subscriber.receive(projection)
                case .deleted: subscriber.receive(completion: .finished)
                case .error: break
                }
            }
        }

        /// Tells of each change, the last of which is the deletion. Of a projection that cannot change, nothing.
        public func _observe<S>(_ keyPaths: [String]?, _ subscriber: S) -> NotificationToken
        where S: Subscriber, S.Input == Void {
            if realm == nil || isFrozen { return NotificationToken() }
            return observe(keyPaths: keyPaths) { change in
                _ = subscriber.receive()
                if case .deleted = change { subscriber.receive(completion: .finished) }
            }
        }

        /// Publishes that the projection has changed; after the change, in spite of its name.
        public var objectWillChange: RealmPublishers.WillChange<Projection> { RealmPublishers.WillChange(self) }
    }

    // MARK: Collections

    extension RealmCollection {
        /// Sends the collection as it is, and whenever it has changed.
        public func _observe<S>(_ keyPaths: [String]?, on queue: DispatchQueue? = nil, _ subscriber: S)
            -> NotificationToken where S: Subscriber, S.Input == Self
        {
            observe(keyPaths: keyPaths, on: queue) { change in
                switch change {
                case .initial(let collection), .update(let collection, _, _, _): _ = subscriber.receive(collection)
                case .error: break
                }
            }
        }

        /// Tells of each change. Of a collection that cannot change, nothing.
        public func _observe<S>(_ keyPaths: [String]? = nil, _ subscriber: S) -> NotificationToken
        where S: Subscriber, S.Input == Void {
            if realm == nil || isFrozen { return NotificationToken() }
            return observe(keyPaths: keyPaths) { change in
                if case .update = change { _ = subscriber.receive() }
            }
        }
    }

    extension List: RealmSubscribable, ObservableObject {
        /// Publishes that the list has changed; after the change, in spite of its name.
        public var objectWillChange: RealmPublishers.WillChange<List> { RealmPublishers.WillChange(self) }
    }

    extension MutableSet: RealmSubscribable, ObservableObject {
        /// Publishes that the set has changed; after the change, in spite of its name.
        public var objectWillChange: RealmPublishers.WillChange<MutableSet> { RealmPublishers.WillChange(self) }
    }

    extension LinkingObjects: RealmSubscribable {}
    extension Results: RealmSubscribable {}
    extension AnyRealmCollection: RealmSubscribable {}

    extension Map: RealmSubscribable, ObservableObject {
        /// Sends the map as it is, and whenever it has changed.
        public func _observe<S>(_ keyPaths: [String]?, on queue: DispatchQueue?, _ subscriber: S) -> NotificationToken
        where S: Subscriber, S.Input == Map {
            observe(keyPaths: keyPaths, on: queue) { change in
                switch change {
                case .initial(let map), .update(let map, _, _, _): _ = subscriber.receive(map)
                case .error: break
                }
            }
        }

        /// Tells of each change. Of a map that cannot change, nothing.
        public func _observe<S>(_ keyPaths: [String]?, _ subscriber: S) -> NotificationToken
        where S: Subscriber, S.Input == Void {
            if realm == nil || isFrozen { return NotificationToken() }
            return observe(keyPaths: keyPaths) { change in
                if case .update = change { _ = subscriber.receive() }
            }
        }

        /// Publishes that the map has changed; after the change, in spite of its name.
        public var objectWillChange: RealmPublishers.WillChange<Map> { RealmPublishers.WillChange(self) }
    }

    // MARK: Sections

    extension RealmSectionedResult {
        /// Sends the sections as they are, and whenever they have changed.
        public func _observe<S>(_ keyPaths: [String]?, on queue: DispatchQueue?, _ subscriber: S) -> NotificationToken
        where S: Subscriber, S.Input == Self {
            observe(keyPaths: keyPaths, on: queue) { change in
                switch change {
                case .initial(let sections), .update(let sections, _, _, _, _, _): _ = subscriber.receive(sections)
                }
            }
        }

        /// Tells of each change. Of sections that cannot change, nothing.
        public func _observe<S>(_ keyPaths: [String]?, _ subscriber: S) -> NotificationToken
        where S: Subscriber, S.Input == Void {
            if isFrozen { return NotificationToken() }
            return observe(keyPaths: keyPaths, on: nil) { change in
                if case .update = change { _ = subscriber.receive() }
            }
        }
    }

    extension SectionedResults: RealmSubscribable {}
    extension ResultsSection: RealmSubscribable {}
#endif
