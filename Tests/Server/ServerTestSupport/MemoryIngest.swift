// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmSyncCore
    import RealmSyncServer
    import RealmTestSupport

    /// The ingested records of a store in memory, as one node uses them.
    final class MemoryIngest: IngestSource {
        /// The records of a store, and the progress of their hook.
        struct Content {
            private(set) var bounds = IngestBounds()
            private(set) var records: [IngestRecord] = []
            fileprivate(set) var observers: [@Sendable () -> Void] = []
            /// The node that delivers.
            fileprivate var deliverer: ObjectIdentifier?
            /// The number of acquired and renewed leases.
            fileprivate(set) var deliveryCount = 0

            mutating func append(_ new: [IngestRecord]) throws {
                for record in new {
                    guard record.sequence == bounds.newest + 1 else {
                        throw Failure("record \(record.sequence) follows \(bounds.newest)")
                    }
                    records.append(record)
                    bounds.newest = record.sequence
                }
            }

            fileprivate mutating func remove(through sequence: UInt64) {
                let last = bounds.removable(through: sequence)
                records.removeAll { $0.sequence <= last }
                bounds.oldest = max(bounds.oldest, last + 1)
            }

            fileprivate mutating func deliver(through sequence: UInt64) { bounds.delivered = sequence }
        }

        private let stores: MemoryStores
        private let store: UInt64

        init(_ stores: MemoryStores, _ store: UInt64) { (self.stores, self.store) = (stores, store) }

        private func access<Result>(_ body: (inout Content) throws -> Result) rethrows -> Result {
            try stores.access(store) { try body(&$0.ingest) }
        }

        var bounds: IngestBounds { access { $0.bounds } }

        var lease: IngestLease? {
            IngestLease(end: access { $0.deliverer == ObjectIdentifier(self) ? .now + IngestLease.duration : nil })
        }

        /// The commit has published the record.
        func publish(_ newest: UInt64) {}

        func observe(_ didChange: @escaping @Sendable () -> Void) { access { $0.observers.append(didChange) } }

        func page(after cursor: UInt64, limit: Int, of className: Text?) throws -> IngestFeed.Page {
            try access { content in
                var page = IngestFeed.Page(cursor: try content.bounds.start(after: cursor))
                for record in content.records where record.sequence > page.cursor && page.records.count < limit {
                    page.cursor = record.sequence
                    if className.map({ $0 == record.className }) ?? true { page.records.append(record) }
                }
                return page
            }
        }

        func remove(through sequence: UInt64) { access { $0.remove(through: sequence) } }

        func expire(before time: UInt64, maximumSize: Int?) {
            access { content in
                var size = content.records.reduce(0) { $0 + $1.size }
                let expired = content.records.prefix { record in
                    defer { size -= record.size }
                    return record.time < time || maximumSize.map { size > $0 } ?? false
                }
                content.remove(through: expired.last?.sequence ?? 0)
            }
        }

        func beginDelivery() -> UInt64? {
            access { content in
                guard content.deliverer == nil || content.deliverer == ObjectIdentifier(self) else { return nil }
                content.deliverer = ObjectIdentifier(self)
                content.deliveryCount += 1
                content.deliver(through: content.bounds.delivered ?? 0)
                return content.bounds.delivered
            }
        }

        func didDeliver(through sequence: UInt64) throws {
            try access { content in
                guard content.deliverer == ObjectIdentifier(self) else { throw IngestFeed.Refusal.leaseLost }
                content.deliver(through: sequence)
            }
        }

        func endDelivery() { access { if $0.deliverer == ObjectIdentifier(self) { $0.deliverer = nil } } }
    }
#endif
