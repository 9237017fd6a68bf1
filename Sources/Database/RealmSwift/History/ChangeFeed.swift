// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

extension Realm {
    /// The changes of a database, commit by commit, for as long as a loop asks for them: for code without a place where
    /// a Realm lives, as on servers. An addition to Realm's API.
    ///
    /// ```swift
    /// for try await changes in try await Realm.changeFeed(configuration: configuration) {
    ///     for record in try changes.records() { try await send(record) }
    /// }
    /// ```
    ///
    /// Commits of all Realms and all processes are among them. A loop that takes long to ask for the next one gets all
    /// that was changed meanwhile as one; no writer waits for that, but the version where the feed is stays kept, under
    /// the label "change feed". Commits that change no object are left out. It ends when the task is cancelled, and
    /// throws `Realm.Error` if the file cannot be read; while nothing is committed, nothing runs.
    ///
    /// A value, usable from any task. Each loop over it begins with the version that the feed was made at.
    public struct ChangeFeed: AsyncSequence, Sendable {
        public typealias Element = Changes

        fileprivate let coordinator: RealmCoordinator
        fileprivate let start: Snapshot

        /// The number of the version that the feed begins with.
        public var startVersion: UInt64 { start.version }

        /// Begins a loop, at the version that the feed begins with.
        public func makeAsyncIterator() -> Iterator { Iterator(self) }

        /// Where a loop over the feed is.
        public struct Iterator: AsyncIteratorProtocol {
            private let coordinator: RealmCoordinator
            private let signal = ChangeFeedSignal()
            private var last: Snapshot

            fileprivate init(_ feed: ChangeFeed) {
                coordinator = feed.coordinator
                last = feed.start
                coordinator.add(signal)
                coordinator.watchOtherProcesses()
            }

            /// What has changed since the last call, as soon as there is anything; nil once the task is cancelled.
            public mutating func next() async throws -> Changes? {
                while !Task.isCancelled {
                    do {
                        let newest = try coordinator.database.snapshot(label: ChangeFeed.label)
                        if newest.version != last.version {
                            let changes = try Changes(from: last, to: newest, ClassNames(coordinator))
                            last = newest
                            if !changes.isEmpty { return changes }
                            continue
                        }
                    } catch {
                        throw Realm.Error(error)
                    }
                    await signal.wait()
                }
                return nil
            }
        }

        fileprivate static let label = "change feed"
    }

    /// The changes of the database of a configuration, from its newest version on. Opens it, if it is not open yet, and
    /// keeps it open.
    ///
    /// - Throws: `Realm.Error` if the database cannot be opened.
    public static func changeFeed(
        configuration: Configuration = .defaultConfiguration
    ) async throws -> ChangeFeed {
        let coordinator = try await RealmRegistry.coordinatorInBackground(configuration)
        return try changeFeed(coordinator, nil)
    }

    /// The changes of this Realm's database, from the version that is read here on, or from one that was kept.
    ///
    /// - Precondition: `earlier` is nil or a frozen Realm of the same file.
    public func changeFeed(since earlier: Realm? = nil) throws -> ChangeFeed {
        instance.verifyThread()
        if let earlier, !earlier.isFrozen || earlier.instance.coordinator !== instance.coordinator {
            throwRealmException("changeFeed(since:) needs a frozen Realm of the same file.")
        }
        return try Realm.changeFeed(instance.coordinator, (earlier?.instance ?? instance.frozen()).snapshot)
    }

    private static func changeFeed(_ coordinator: RealmCoordinator, _ version: Snapshot?) throws -> ChangeFeed {
        do {
            let start = try version?.again(label: ChangeFeed.label)
            return ChangeFeed(
                coordinator: coordinator,
                start: try start ?? coordinator.database.snapshot(label: ChangeFeed.label))
        } catch {
            throw Realm.Error(error)
        }
    }
}
