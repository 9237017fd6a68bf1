// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmSyncCore
    import RealmSyncServer
    import RealmTestSupport
    import SyncTestSupport
    import TestTraits
    import Testing

    @Suite(.timeLimited) struct HostileQueryTests {
        private static func partition(_ folder: TemporaryFolder) throws -> (StoredPartition, SaltedIdent) {
            let partition = try StoredPartition(folder: folder.path + "/app", partition: "app", isFlexible: true)
            let file = try partition.addFile()
            try partition.flush()
            _ = try partition.subscribe(file.ident, to: VersionedQuery(version: 0, text: "{}"), at: 0)
            let change = UploadedChange(
                clientVersion: 1, serverVersion: 0, order: ChangeOrder(timestamp: 1, fileIdent: file.ident),
                changeset: SimpleChanges.schema)
            try partition.integrate([change], from: file.ident)
            try partition.flush()
            return (partition, file)
        }

        /// - Returns: The reason for the rejection; nil if the query was accepted.
        private static func rejection(_ text: String, _ version: UInt64) throws -> SessionErrorCode? {
            let (partition, file) = try partition(try TemporaryFolder())
            do {
                _ = try partition.subscribe(file.ident, to: VersionedQuery(version: version, text: text), at: 0)
                return nil
            } catch {
                return error.code
            }
        }

        @Test func textsThatAreNoQueriesAreRejected() throws {
            let depth = String(repeating: "(", count: 30_000)
            for text in [
                "", "[]", "{", #"{"Note":1}"#, #"{"Note":"TRUEPREDICATE","Note":"FALSEPREDICATE"}"#,
                "{\"Note\":\"\(depth)\"}", String(repeating: "[", count: 30_000), #"{"":"TRUEPREDICATE"}"#,
                "{\"Note\":\"\(String(repeating: "NOT ", count: 10_000)) n == 1\"}", #"{"Note":"n == $0"}"#,
            ] {
                #expect(try Self.rejection(text, 1) == .badQuery, "\(text.prefix(60))")
            }
        }

        @Test func damagedQueriesAreRejectedOrAccepted() throws {
            let (partition, file) = try Self.partition(try TemporaryFolder())
            var random = SeededGenerator(seed: UInt64(Settings.number("REGNUM_SEED") ?? 7))
            let valid = Array(
                #"{"Note":"(n > 3 AND tags.@count == 1) OR (ANY tags IN {'a', \"b\"} AND NOT _id == -4)"}"#.utf8)
            for version in 1...400 {
                var bytes = valid
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 32...126, using: &random)
                }
                let query = VersionedQuery(version: UInt64(version), text: String(decoding: bytes, as: UTF8.self))
                do { _ = try partition.subscribe(file.ident, to: query, at: partition.newest.version) } catch {
                    #expect(error.code == .badQuery, "\(query.text): \(error)")
                }
            }
            try partition.flush()
        }

        /// An upload that a client made up must not reach the documents before it's validated.
        @Test func writesWithKeysOfTheWrongTypeAreRejected() throws {
            let (partition, file) = try Self.partition(try TemporaryFolder())
            for (version, key) in [PrimaryKey.string("a"), .null, .globalKey(high: 1, low: 2)].enumerated() {
                let object = ObjectReference("Note", key)
                let change = UploadedChange(
                    clientVersion: UInt64(version) + 2, serverVersion: 1,
                    order: ChangeOrder(timestamp: 2, fileIdent: file.ident),
                    changeset: Changeset([.createObject(object), .eraseObject(object)]))
                let error = #expect(throws: SessionError.self) { try partition.integrate([change], from: file.ident) }
                #expect(error?.code == .badChangeset)
            }
            let removal = UploadedChange(
                clientVersion: 9, serverVersion: 1, order: ChangeOrder(timestamp: 3, fileIdent: file.ident),
                changeset: Changeset([.eraseTable("Note")]))
            let error = #expect(throws: SessionError.self) { try partition.integrate([removal], from: file.ident) }
            #expect(error?.code == .badSchemaChange)
        }
    }
#endif
