// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmSyncCore

    extension SyncEngine {
        /// Confined to the engine's thread.
        final class EngineState {
            let folder: DataFolder
            var server: SyncServer
            var transports: [UInt64: any EngineTransport] = [:]
            var answers: [@Sendable () -> Void] = []
            /// The cost of processed messages that aren't yet reported, by connection.
            var consumed: [UInt64: Int] = [:]
            /// The cost of messages whose responses the client must read first, by connection.
            var unread: [UInt64: Int] = [:]
            var held: [UInt64: HeldMessages] = [:]
            /// The partitions that other threads use.
            var absent: Set<ObjectIdentifier> = []
            /// The stores to which other nodes have appended, until they are read.
            var appended: Set<UInt64> = []
            /// The number of unfinished updates of documents.
            var updateCount = 0
            var documentsTimer = DocumentsTimer.off
            var desk = DocumentDesk()
            var rights = RightsDesk()
            var failure: (any Error)?
            var isStopping = false

            /// The number of connections that are asked for messages in a turn of the engine.
            private static let round = 64

            init(_ folder: DataFolder, _ limits: ServerLimits) {
                self.folder = folder
                var limits = limits
                limits.round = EngineState.round
                server = SyncServer(folder, limits)
            }
        }

        enum DocumentsTimer {
            case off
            case running
            case fired
        }
    }
#endif
