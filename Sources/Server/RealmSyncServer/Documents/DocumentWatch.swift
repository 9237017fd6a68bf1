// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmAccounts
    import RealmStorage
    import RealmSyncCore

    /// A stream of the changes of a partition.
    ///
    /// The engine's thread guards `partition`, `isBusy`, `isExpired` and, unless it's busy, `rights` and `sent`.
    package final class DocumentWatch: @unchecked Sendable {
        typealias Events = @Sendable (DocumentChanges.Step, Snapshot, UserRights) throws -> [ChangeEvents.Event]

        let place: DocumentPlace
        let grant: AccessGrant
        let queue = WatchQueue()
        private let events: Events
        private var rights: UserRights
        private(set) var partition: StoredPartition?
        /// The position after the events that were passed to the queue. `nil` before the stream begins, unless it
        /// continues another one.
        private(set) var sent: WatchPosition?
        private(set) var isBusy = false
        private var isExpired = false

        /// - Parameter position: `nil` to begin with the next version.
        init(_ target: DocumentTarget, _ grant: AccessGrant, after position: WatchPosition?, _ events: @escaping Events)
        {
            (place, rights, self.grant, sent, self.events) = (target.place, target.rights, grant, position, events)
        }

        func end(_ error: any Error) { queue.end(error, discards: false) }

        /// Events that wait for the client aren't sent.
        func revoke(_ error: any Error) { queue.end(error, discards: true) }

        // MARK: Positions

        /// Returns false if the versions after the position were removed.
        func begin(_ partition: StoredPartition) -> Bool {
            self.partition = partition
            let start = sent ?? WatchPosition(partition.newest)
            sent = start
            return partition.changes(after: start.version).steps(after: start.version) != nil
        }

        /// Returns the steps that become events now, or `nil` if versions after the last event were removed.
        func takeSteps(_ partition: StoredPartition) -> Delivery? {
            guard let start = sent else { return nil }
            let changes = partition.changes(after: start.version)
            guard let steps = changes.steps(after: start.version) else { return nil }
            (sent, isBusy) = (WatchPosition(changes.newest), true)
            return Delivery(steps: steps, start: start)
        }

        /// The events that wait for the client are computed again with these rights.
        func change(_ rights: UserRights) {
            self.rights = rights
            if let first = queue.removeAll() { sent = first }
        }

        // MARK: The end of the token

        /// Returns false if the stream has to wait for the events that are being computed.
        func expire() -> Bool {
            guard !isBusy else {
                isExpired = true
                return false
            }
            let position = queue.removeAll() ?? sent
            revoke(StreamExpiry(position: position?.text))
            return true
        }

        /// Returns whether the token has expired meanwhile.
        func finishDelivery() -> Bool {
            isBusy = false
            return isExpired
        }

        // MARK: Events

        /// The versions whose events are computed by another thread.
        struct Delivery: Sendable {
            let steps: ArraySlice<DocumentChanges.Step>
            let start: WatchPosition
        }

        func deliver(_ delivery: Delivery, _ snapshot: Result<Snapshot?, any Error>) {
            do {
                guard let snapshot = try snapshot.get() else { throw ServiceRefusal.noPartition }
                var position = delivery.start
                for step in delivery.steps {
                    let new = try events(step, snapshot, rights).filter { $0.index >= position.objects }
                    let isFull = !queue.append(
                        new.map { (WatchPosition(position.version, objects: $0.index), $0.text) })
                    if isFull {
                        throw ServiceRefusal(.unavailable, "the client reads its events too slowly; watch again")
                    }
                    if let version = step.version { position = WatchPosition(version) }
                }
            } catch {
                end(error)
            }
        }
    }

    /// A position in a stream of events: after a version, and after changes of the next one.
    struct WatchPosition: Hashable, Sendable {
        let version: SaltedVersion
        /// The number of changed objects of the next version that precede the position.
        let objects: Int

        init(_ version: SaltedVersion, objects: Int = 0) { (self.version, self.objects) = (version, objects) }

        /// Returns `nil` for another text than `text`.
        init?(_ text: String) {
            let numbers = text.split(separator: "-", omittingEmptySubsequences: false).map { UInt64($0, radix: 16) }
            guard numbers.count == 3, let version = numbers[0], let salt = numbers[1],
                let objects = numbers[2].flatMap(Int.init(exactly:))
            else { return nil }
            self.init(SaltedVersion(version: version, salt: salt), objects: objects)
        }

        var text: String {
            [version.version, version.salt, UInt64(objects)].map { String($0, radix: 16) }.joined(separator: "-")
        }
    }
#endif
