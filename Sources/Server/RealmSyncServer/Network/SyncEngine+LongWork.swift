// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Logging
    import RealmStorage
    import RealmSyncCore

    /// Work on other threads.
    extension SyncEngine {
        func compact(_ state: EngineState) {
            for partition in state.folder.partitionsToCompact {
                do {
                    let compaction = try partition.beginCompaction()
                    begin(partition, state)
                    work.run(for: partition.options.app) { [self] in
                        compaction.run()
                        post(.compacted(compaction))
                    }
                } catch {
                    logger.critical("the server stops: it cannot write", metadata: ["error": "\(error)"])
                    state.failure = error
                    return
                }
            }
        }

        func finish(_ compaction: StoredPartition.Compaction, _ state: EngineState) {
            do { try compaction.partition.finish(compaction) } catch {
                guard !compaction.partition.isShared else { return drop(compaction.partition, error, state) }
                return state.failure = error
            }
            release(compaction.partition, state)
        }

        /// Passes a partition to another thread.
        func begin(_ partition: StoredPartition, _ state: EngineState) {
            state.server.setBusy(partition)
            state.absent.insert(ObjectIdentifier(partition))
        }

        func release(_ partition: StoredPartition, _ state: EngineState) {
            state.absent.remove(ObjectIdentifier(partition))
            state.server.setFree(partition)
            handOnAll(state)
            follow(partition, state)
        }

        func integrate(_ integration: UploadIntegration, _ access: StoreAccess?) {
            let app = (integration.store as? StoredPartition)?.options.app ?? ByteText("")
            (integration.effort == .longMerge ? merges : work).run(for: app) { [self] in
                if access?.permits(integration) != false { integration.run() }
                if !post(.integrated(integration, access)) { access?.partition.abandon() }
            }
        }
    }
#endif
