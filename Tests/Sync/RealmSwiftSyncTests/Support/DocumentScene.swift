// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server && Sync
    import RealmTestSupport
    import ServerTestSupport
    import Testing

    @testable import RealmSwift

    /// A server, a device that synchronises notes, and the collection of notes of a user. Its sessions end after the
    /// test.
    class DocumentScene {
        let server: SyncedServer
        let device: Device
        let configuration: Realm.Configuration
        let notes: MongoCollection

        init(_ server: SyncedServer, _ device: Device, _ configuration: Realm.Configuration, of user: User) {
            (self.server, self.device, self.configuration) = (server, device, configuration)
            notes = user.mongoClient("mongodb-atlas").database(named: "any").collection(withName: "Note")
            TestCleanup.add { try await device.endOfSessions() }
        }

        func texts() throws -> [String] {
            try withRealm(configuration) { $0.objects(Note.self).map(\.text).sorted() }
        }

        /// Expects that increments by calls, and changes of the device at the same time, are all in its only note.
        func expectConcurrentChangesAreCounted(_ filter: RealmSwift.Document) async throws {
            let notes = notes
            func note<Value>(_ body: (Realm, Note) throws -> Value) throws -> Value {
                try withRealm(configuration) { try body($0, #require($0.objects(Note.self).first)) }
            }
            let before = try note { $1.count }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        _ = try await notes.updateOneDocument(filter: filter, update: ["$inc": ["count": 1]])
                        _ = try await notes.count(filter: filter)
                    }
                }
                for number in 0..<10 {
                    try note { realm, note in try realm.write { note.tags.append("\(number)") } }
                }
                try await group.waitForAll()
            }
            try await eventually("all increments") { try note { $1.count == before + 20 } }
            #expect(try note { Array($1.tags) } == (0..<10).map(String.init))
        }
    }

    /// Returns the status and the message of the error of a call.
    func message(_ call: () async throws -> Void) async -> String {
        do { try await call() } catch let error as AppError {
            return "\(error.httpStatusCode ?? 0) \(error.message)"
        } catch { return "\(error)" }
        return "no error"
    }
#endif
