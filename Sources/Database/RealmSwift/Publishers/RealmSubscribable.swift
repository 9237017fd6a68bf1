// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Darwin) || canImport(OpenCombine)
    import Dispatch
    #if canImport(Darwin)
        import Combine
    #else
        import RegnumCombine
        import RealmSwift
    #endif

    /// A type whose values can be observed by publishers.
    public protocol RealmSubscribable {
        /// Sends the value to the subscriber after each change.
        func _observe<S>(_ keyPaths: [String]?, on queue: DispatchQueue?, _ subscriber: S) -> NotificationToken
        where S: Subscriber, S.Input == Self

        /// Notifies the subscriber after each change of the value.
        func _observe<S>(_ keyPaths: [String]?, _ subscriber: S) -> NotificationToken
        where S: Subscriber, S.Input == Void
    }

    // MARK: Objects

    extension ObjectBase: RealmSubscribable {
        /// Sends the object after each change, and finishes when it is deleted.
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

        /// Notifies the subscriber of each change, including the deletion of the object. Does nothing if the object
        /// can't change.
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
        /// A publisher that, despite its name, publishes after each change of the object.
        public var objectWillChange: RealmPublishers.WillChange<Object> { RealmPublishers.WillChange(self) }
    }

    extension EmbeddedObject: ObservableObject {
        /// A publisher that, despite its name, publishes after each change of the object.
        public var objectWillChange: RealmPublishers.WillChange<EmbeddedObject> { RealmPublishers.WillChange(self) }
    }

    extension Projection: RealmSubscribable, ObservableObject where Root: ThreadConfined {
        /// Sends the projection after each change, and finishes when its object is deleted.
        public func _observe<S>(_ keyPaths: [String]?, on queue: DispatchQueue?, _ subscriber: S) -> NotificationToken
        where S: Subscriber, S.Input: Projection {
            // `Self` is the class of the extension here: an observation with that type would miss the type of the
            // subclass.
            guard let projection = self as? S.Input else { return NotificationToken() }
            return projection.observe(keyPaths: keyPaths, on: queue) { (change: ObjectChange<S.Input>) in
                switch change {
                case .change(let projection, _): _ = subscriber.receive(projection)
                case .deleted: subscriber.receive(completion: .finished)
                case .error: break
                }
            }
        }

        /// Notifies the subscriber of each change, including the deletion of the object. Does nothing if the projection
        /// can't change.
        public func _observe<S>(_ keyPaths: [String]?, _ subscriber: S) -> NotificationToken
        where S: Subscriber, S.Input == Void {
            if realm == nil || isFrozen { return NotificationToken() }
            return observe(keyPaths: keyPaths) { change in
                _ = subscriber.receive()
                if case .deleted = change { subscriber.receive(completion: .finished) }
            }
        }

        /// A publisher that, despite its name, publishes after each change of the projection.
        public var objectWillChange: RealmPublishers.WillChange<Projection> { RealmPublishers.WillChange(self) }
    }

    // MARK: Collections

    extension RealmCollection {
        /// Sends the collection initially and after each change.
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

        /// Notifies the subscriber of each change. Does nothing if the collection can't change.
        public func _observe<S>(_ keyPaths: [String]? = nil, _ subscriber: S) -> NotificationToken
        where S: Subscriber, S.Input == Void {
            if realm == nil || isFrozen { return NotificationToken() }
            return observe(keyPaths: keyPaths) { change in
                if case .update = change { _ = subscriber.receive() }
            }
        }
    }

    extension List: RealmSubscribable, ObservableObject {
        /// A publisher that, despite its name, publishes after each change of the list.
        public var objectWillChange: RealmPublishers.WillChange<List> { RealmPublishers.WillChange(self) }
    }

    extension MutableSet: RealmSubscribable, ObservableObject {
        /// A publisher that, despite its name, publishes after each change of the set.
        public var objectWillChange: RealmPublishers.WillChange<MutableSet> { RealmPublishers.WillChange(self) }
    }

    extension LinkingObjects: RealmSubscribable {}
    extension Results: RealmSubscribable {}
    extension AnyRealmCollection: RealmSubscribable {}

    extension Map: RealmSubscribable, ObservableObject {
        /// Sends the map initially and after each change.
        public func _observe<S>(_ keyPaths: [String]?, on queue: DispatchQueue?, _ subscriber: S) -> NotificationToken
        where S: Subscriber, S.Input == Map {
            observe(keyPaths: keyPaths, on: queue) { change in
                switch change {
                case .initial(let map), .update(let map, _, _, _): _ = subscriber.receive(map)
                case .error: break
                }
            }
        }

        /// Notifies the subscriber of each change. Does nothing if the map can't change.
        public func _observe<S>(_ keyPaths: [String]?, _ subscriber: S) -> NotificationToken
        where S: Subscriber, S.Input == Void {
            if realm == nil || isFrozen { return NotificationToken() }
            return observe(keyPaths: keyPaths) { change in
                if case .update = change { _ = subscriber.receive() }
            }
        }

        /// A publisher that, despite its name, publishes after each change of the map.
        public var objectWillChange: RealmPublishers.WillChange<Map> { RealmPublishers.WillChange(self) }
    }

    // MARK: Sections

    extension RealmSectionedResult {
        /// Sends the sections initially and after each change.
        public func _observe<S>(_ keyPaths: [String]?, on queue: DispatchQueue?, _ subscriber: S) -> NotificationToken
        where S: Subscriber, S.Input == Self {
            observe(keyPaths: keyPaths, on: queue) { change in
                switch change {
                case .initial(let sections), .update(let sections, _, _, _, _, _): _ = subscriber.receive(sections)
                }
            }
        }

        /// Notifies the subscriber of each change. Does nothing if the sections can't change.
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
