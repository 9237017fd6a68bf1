// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Logging
    import RealmSyncCore

    /// Stores that nodes share.
    extension SyncEngine {
        /// Returns whether the store to which a message belongs can be changed. Otherwise another thread acquires the
        /// append lock, and the message waits. All messages that arrive meanwhile share the lock.
        func isWritable(_ message: [UInt8], _ connection: UInt64, _ state: EngineState) -> Bool {
            guard state.folder.isShared, state.server.isConnected(connection),
                SyncEngine.writers.contains(where: { message.starts(with: $0) })
            else { return true }
            let partition: StoredPartition?
            if let path = boundPath(message) {
                partition = state.folder.sharedPartition(path, connection: connection)
            } else {
                let words = message.prefix(40).split(separator: UInt8(ascii: " "), maxSplits: 2)
                let session = words.count > 1 ? UInt64(String(decoding: words[1], as: UTF8.self)) : nil
                partition = session.flatMap { state.server.store(of: $0, of: connection) } as? StoredPartition
            }
            guard let partition, !partition.isLocked else { return true }
            lock(partition, state)
            return false
        }

        /// The messages that change a store. A mark waits for all earlier changes of other nodes.
        private static let writers = ["bind ", "ident ", "query ", "upload ", "mark "].map { Array($0.utf8) }

        func lock(_ partition: StoredPartition, _ state: EngineState) {
            guard !partition.isBusy else { return }
            begin(partition, state)
            access(partition, { try $0.lock() }, { .accessed($0) })
        }

        /// Runs an operation of a busy partition on a thread that can wait for the database.
        func access(
            _ partition: StoredPartition, isRead: Bool = false,
            _ body: @escaping @Sendable (StoredPartition) throws -> Void,
            _ event: @escaping @Sendable (StoreAccess) -> Event
        ) {
            let access = StoreAccess(partition, isRead: isRead)
            locks.run { [self] in
                access.run(body)
                if !post(event(access)) { access.partition.abandon() }
            }
        }

        /// Reads what other nodes have appended. A busy partition is read when it's released.
        func follow(_ partition: StoredPartition, _ state: EngineState) {
            guard !partition.isBusy, let store = partition.sharedStore, state.appended.remove(store) != nil,
                !partition.isLocked
            else { return }
            begin(partition, state)
            access(partition, isRead: true, { try $0.follow() }, { .accessed($0) })
        }

        func finish(_ access: StoreAccess, _ state: EngineState) {
            let partition = access.partition
            if let error = access.failure { return drop(partition, error, state) }
            endSessionsElsewhere(partition, state)
            release(partition, state)
            if !partition.isBusy, partition.takeLockRequest() {
                state.server.touchFiles()
                state.server.pumpAll(partition)
            }
        }

        func endSessionsElsewhere(_ partition: StoredPartition, _ state: EngineState) {
            state.server.closeSessions(of: partition.takeForeignFiles(), in: partition)
        }

        /// Closes the connections of a partition before a message is sent that may depend on changes which aren't
        /// durable. The clients connect again, to this node or another one, and repeat their changes.
        func drop(_ partition: StoredPartition, _ error: any Error, _ state: EngineState) {
            logger.warning(
                "a store is opened again", metadata: ["folder": "\(partition.folder)", "error": "\(error)"])
            state.absent.remove(ObjectIdentifier(partition))
            state.server.drop(partition)
            state.desk.drop(partition)
            state.folder.drop(partition)
            handOnAll(state)
        }
    }
#endif
