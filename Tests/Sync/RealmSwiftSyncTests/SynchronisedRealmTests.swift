// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server && Sync
    import Foundation
    import RealmAccounts
    import RealmTestSupport
    import ServerTestSupport
    import TestTraits
    import Testing

    @testable import RealmSwift

    /// Realms of several devices, synchronised by a server: real files, real sockets, real accounts.
    @Suite(.serialized, .timeLimited, .scope(TestCleanup.perform)) struct SynchronisedRealmTests {
        private func texts(_ configuration: Realm.Configuration) throws -> [String] {
            try withRealm(configuration) { realm in realm.objects(Note.self).map(\.text).sorted() }
        }

        @Test func writesOfOneDeviceAppearOnTheOther() async throws {
            let server = try await SyncedServer()
            let (first, second) = (try Device(port: server.port), try Device(port: server.port))
            let (own, other) = (try await first.configuration(), try await second.configuration())
            let session = try withRealm(own) { realm in
                try realm.write {
                    let root = Note("root")
                    root.tags.append(objectsIn: ["a", "b"])
                    root.marks.insert(objectsIn: [1, 2])
                    root.facts["n"] = .int(7)
                    root.place = Place(value: ["name": "home", "numbers": [1.5, 2.5]])
                    realm.add(root)
                    let answer = Note("answer")
                    answer.parent = root
                    realm.add(answer)
                }
                return try #require(realm.syncSession)
            }
            try await session.wait(for: .upload)
            let seen = try await opened(other) { realm in
                let answer = try #require(realm.objects(Note.self).where { $0.text == "answer" }.first)
                let root = try #require(answer.parent)
                #expect(Array(root.tags) == ["a", "b"] && Set(root.marks) == [1, 2] && root.facts["n"] == .int(7))
                #expect(root.place?.name == "home" && root.place.map { Array($0.numbers) } == [1.5, 2.5])
                #expect(root.answers.count == 1)
                return root._id
            }
            let changes = Collected<String>()
            let queue = DispatchQueue(label: "observer")
            let (realm, token) = try queue.sync { () -> (ThreadConfinedBox<Realm>, NotificationToken) in
                let realm = try Realm(configuration: own, queue: queue)
                let note = try #require(realm.object(ofType: Note.self, forPrimaryKey: seen))
                let token = note.observe { change in
                    if case .change(let object, _) = change { changes.append((object as? Note)?.text ?? "-") }
                }
                return (ThreadConfinedBox(realm), token)
            }
            try withRealm(other) { realm in
                try realm.write { realm.object(ofType: Note.self, forPrimaryKey: seen)?.text = "changed" }
            }
            #expect(try await changes.first() == "changed")
            token.invalidate()
            queue.sync { realm.release() }
            #expect(first.errors.all.isEmpty && second.errors.all.isEmpty)
        }

        @Test func writingNeverWaitsForTheNetwork() async throws {
            let port = try FreePort.find()
            let server = try await SyncedServer(port: port)
            let device = try Device(port: port)
            let configuration = try await device.configuration()
            try await server.stop()
            try withRealm(configuration) { realm in
                for number in 0..<10 { try realm.write { realm.add(Note("offline \(number)")) } }
                let session = try #require(realm.syncSession)
                #expect(session.state == .active && session.connectionState != .connected)
            }
            _ = try await SyncedServer(server)
            try withRealm(configuration) { realm in
                let session = try #require(realm.syncSession)
                session.reconnect()
            }
            let other = try await Device(port: port).configuration()
            try await eventually("the upload") {
                try await opened(other) { $0.objects(Note.self).count } == 10
            }
        }

        @Test func aClosedFileUploadsItsPendingChanges() async throws {
            let server = try await SyncedServer()
            let device = try Device(port: server.port)
            let configuration = try await device.configuration()
            try withRealm(configuration) { realm in
                try realm.write { for number in 0..<200 { realm.add(Note("\(number)")) } }
            }
            let other = try await Device(port: server.port).configuration()
            try await eventually("the upload") {
                try await opened(other) { $0.objects(Note.self).count } == 200
            }
            try await device.endOfSessions()
            try Realm.check(fileAt: try #require(configuration.fileURL)).requireClean()
            #expect(try Realm.deleteFiles(for: configuration))
        }

        @Test func aSessionIsSuspendedAndResumed() async throws {
            let server = try await SyncedServer()
            let (first, second) = (try Device(port: server.port), try Device(port: server.port))
            let (own, other) = (try await first.configuration(), try await second.configuration())
            let queue = DispatchQueue(label: "holder")
            let (holder, session) = try queue.sync { () -> (ThreadConfinedBox<Realm>, SyncSession) in
                let realm = try Realm(configuration: own, queue: queue)
                return (ThreadConfinedBox(realm), try #require(realm.syncSession))
            }
            try await session.wait(for: .download)
            #expect(session.state == .active && session.connectionState == .connected)
            #expect(session.parentUser() == first.app.currentUser)
            #expect(session.configuration()?.partitionValue == .string("team"))
            session.suspend()
            #expect(session.state == .inactive)
            let pending = Task { try await session.wait(for: .download) }
            try withRealm(other) { realm in try realm.write { realm.add(Note("meanwhile")) } }
            try await Task.sleep(for: .milliseconds(100))
            #expect(try texts(own).isEmpty)
            session.resume()
            try await pending.value
            try await eventually("the note") { try texts(own) == ["meanwhile"] }
            queue.sync { holder.release() }
        }

        @Test func aUserThatLoggedOutIsNotSynchronised() async throws {
            let server = try await SyncedServer()
            let device = try Device(port: server.port)
            let credentials = Credentials.emailPassword(email: "ann@example.org", password: "secret-1")
            try await device.app.emailPasswordAuth.registerUser(email: "ann@example.org", password: "secret-1")
            let user = try await device.app.login(credentials: credentials)
            let configuration = try await device.configuration()
            let queue = DispatchQueue(label: "holder")
            let (holder, session) = try queue.sync { () -> (ThreadConfinedBox<Realm>, SyncSession) in
                let realm = try Realm(configuration: configuration, queue: queue)
                return (ThreadConfinedBox(realm), try #require(realm.syncSession))
            }
            try await session.wait(for: .download)
            #expect(user.allSessions.count == 1)
            #expect(user.session(forPartitionValue: "team") === session)
            #expect(user.session(forPartitionValue: "others") == nil)
            try await user.logOut()
            try await eventually("the end") { session.state == .inactive }
            try withRealm(configuration) { realm in try realm.write { realm.add(Note("logged out")) } }
            _ = try await device.app.login(credentials: credentials)
            try await eventually("the session") { session.state == .active }
            try await session.wait(for: .upload)
            let other = try await Device(port: server.port).configuration()
            #expect(try await opened(other) { $0.objects(Note.self).map(\.text) } == ["logged out"])
            queue.sync { holder.release() }
        }

        /// The file of the requests can't be opened, as with too many open files, and another process has the lock. Two
        /// sessions of one file would damage its history on the server.
        @Test func aFileIsNotSynchronisedWithoutTheLock() async throws {
            let server = try await SyncedServer()
            let device = try Device(port: server.port)
            let (own, other) = (try await device.configuration(), try await device.configuration("other"))
            let folder = try #require(own.fileURL).path + ".management"
            let requests = folder + "/regnum.sync"
            try FileManager.default.createDirectory(atPath: requests, withIntermediateDirectories: true)
            let lock = open(folder, O_RDONLY | O_CLOEXEC)
            try #require(lock != -1 && flock(lock, LOCK_EX | LOCK_NB) == 0)
            let queue = DispatchQueue(label: "holder")
            let (holder, session) = try queue.sync { () -> (ThreadConfinedBox<Realm>, SyncSession) in
                let realm = try Realm(configuration: own, queue: queue)
                try realm.write { realm.add(Note("waiting")) }
                return (ThreadConfinedBox(realm), try #require(realm.syncSession))
            }
            // The same connection serves the other file.
            _ = try await opened(other) { $0.objects(Note.self).count }
            #expect(session.state == .active && session.connectionState == .disconnected)
            try FileManager.default.removeItem(atPath: requests)
            close(lock)
            try await session.wait(for: .upload)
            #expect(session.connectionState == .connected)
            queue.sync { holder.release() }
        }

        @Test func anExpiredTokenIsRenewed() async throws {
            // Longer than the requests of a log-in take on a loaded machine.
            let server = try await SyncedServer { _, accounts in accounts.apps[0].accessLifetime = .seconds(10) }
            let device = try Device(port: server.port)
            let configuration = try await device.configuration()
            let user = try #require(device.app.currentUser)
            let token = user.accessToken
            try await Task.sleep(for: .seconds(11))
            _ = try await opened(configuration) { $0.objects(Note.self).count }
            #expect(user.accessToken != token && user.isLoggedIn)
        }

        @Test func anUnreadablePartitionReportsAnError() async throws {
            let server = try await SyncedServer { options, _ in
                options.permissions = { request in request.partition.contains("secret") ? .none : .write }
            }
            let device = try Device(port: server.port)
            let configuration = try await device.configuration("secret")
            await #expect(throws: SyncError.self) { _ = try await opened(configuration) { $0.isEmpty } }
            let error = try await device.errors.first()
            #expect(error.code == .permissionDeniedError)
            #expect(error.deleteRealmUserInfo() != nil)
        }

        @Test func asyncOpenCanFailWithoutANetwork() async throws {
            let port = try FreePort.find()
            let server = try await SyncedServer(port: port)
            let device = try Device(port: port)
            let configuration = try await device.configuration(isImpatient: true)
            try await server.stop()
            do {
                _ = try await opened(configuration) { $0.isEmpty }
                Issue.record("it was opened")
            } catch let error as SyncError {
                #expect(error.code == .connectionFailed)
            }
            #expect(try withRealm(configuration) { $0.isEmpty })
        }

        @Test func anOpeningReportsItsProgress() async throws {
            let server = try await SyncedServer()
            let own = try await Device(port: server.port).configuration()
            let session = try withRealm(own) { realm in
                try realm.write { for number in 0..<2000 { realm.add(Note("note \(number)")) } }
                return try #require(realm.syncSession)
            }
            try await session.wait(for: .upload)
            let other = try await Device(port: server.port).configuration()
            let (estimates, finished) = (Collected<Double>(), Collected<Int>())
            let queue = DispatchQueue(label: "progress")
            let task = Realm.asyncOpen(configuration: other, callbackQueue: queue) { result in
                finished.append((try? result.get())?.objects(Note.self).count ?? -1)
            }
            task.addProgressNotification(queue: queue) { estimates.append($0.progressEstimate) }
            #expect(try await finished.first() == 2000)
            try await eventually("the end of the progress") { estimates.all.last == 1 }
            #expect(estimates.all == estimates.all.sorted())
        }

        /// Without a network nothing else would end the opening. The file doesn't stay open.
        @Test(.behaviour("T17")) func aCancelledOpeningEndsAtOnceWithAnError() async throws {
            let port = try FreePort.find()
            let server = try await SyncedServer(port: port)
            let device = try Device(port: port)
            let configuration = try await device.configuration()
            try await server.stop()
            let errors = Collected<NSError>()
            let open = {
                Realm.asyncOpen(configuration: configuration, callbackQueue: DispatchQueue(label: "c")) { result in
                    if case .failure(let error) = result { errors.append(error as NSError) }
                }
            }
            _ = open()
            let task = open()
            try await Task.sleep(for: .milliseconds(100))
            task.cancel()
            try await eventually("both errors") { errors.all.count == 2 }
            #expect(errors.all.allSatisfy { $0.domain == NSPOSIXErrorDomain && $0.code == Int(ECANCELED) })
            try await device.endOfSessions()
        }

        @Test func openingIsAsynchronousOnRequest() async throws {
            let server = try await SyncedServer()
            let own = try await Device(port: server.port).configuration()
            let session = try withRealm(own) { realm in
                try realm.write { realm.add(Note("first")) }
                return try #require(realm.syncSession)
            }
            try await session.wait(for: .upload)
            let other = try await Device(port: server.port).configuration()
            #expect(try await count(other, .once) == 1)
            #expect(try await count(other, .always) == 1)
        }

        @MainActor private func count(
            _ configuration: Realm.Configuration, _ behavior: Realm.OpenBehavior
        ) async throws -> Int {
            try await Realm(configuration: configuration, downloadBeforeOpen: behavior).objects(Note.self).count
        }

        @Test func uploadProgressIsReported() async throws {
            let server = try await SyncedServer()
            let configuration = try await Device(port: server.port).configuration()
            let queue = DispatchQueue(label: "holder")
            let reports = Collected<(Int, Int)>()
            let (holder, token) = try queue.sync {
                () -> (ThreadConfinedBox<Realm>, SyncSession.ProgressNotificationToken?) in
                let realm = try Realm(configuration: configuration, queue: queue)
                let token = try #require(realm.syncSession).addProgressNotification(
                    for: .upload, mode: .reportIndefinitely
                ) { reports.append((Int($0.progressEstimate * 1000), $0.isTransferComplete ? 1 : 0)) }
                try realm.write { for number in 0..<500 { realm.add(Note("note \(number)")) } }
                return (ThreadConfinedBox(realm), token)
            }
            #expect(token != nil)
            try await eventually("some progress") { reports.all.contains { $0.1 == 0 } && reports.all.last?.1 == 1 }
            token?.invalidate()
            queue.sync { holder.release() }
        }

        /// The content of a local Realm becomes the first upload of its synchronised copy. A local copy of that is a
        /// local Realm.
        @Test func copiesChangeWhetherTheyAreSynchronised() async throws {
            let server = try await SyncedServer()
            let device = try Device(port: server.port)
            let synchronised = try await device.configuration()
            let folder = URL(fileURLWithPath: device.folder.path)
            let classes = [Note.self, Place.self]
            let local = Realm.Configuration(fileURL: folder.appendingPathComponent("local.realm"), objectTypes: classes)
            let file = try #require(synchronised.fileURL)
            #expect(!FileManager.default.fileExists(atPath: file.deletingLastPathComponent().path))
            try withRealm(local) { realm in
                try realm.write { for number in 0..<100 { realm.add(Note("local \(number)")) } }
                try realm.writeCopy(configuration: synchronised)
            }
            let session = try withRealm(synchronised) { try #require($0.syncSession) }
            try await session.wait(for: .upload)
            let other = try await Device(port: server.port).configuration()
            #expect(try await opened(other) { $0.objects(Note.self).count } == 100)
            let copy = Realm.Configuration(fileURL: folder.appendingPathComponent("copy.realm"), objectTypes: classes)
            try withRealm(other) { try $0.writeCopy(configuration: copy) }
            #expect(try texts(copy).count == 100)
            try Realm.check(fileAt: try #require(copy.fileURL)).requireClean()
        }

        private func upload(_ configuration: Realm.Configuration, _ write: (Realm) -> Void) async throws {
            let session = try withRealm(configuration) { realm in
                try realm.write { write(realm) }
                return try #require(realm.syncSession)
            }
            try await session.wait(for: .upload)
        }

        @Test func aSynchronisedRealmIsCompacted() async throws {
            let server = try await SyncedServer()
            let device = try Device(port: server.port)
            let configuration = try await device.configuration()
            try await upload(configuration) { realm in for number in 0..<500 { realm.add(Note("\(number)")) } }
            try await upload(configuration) { $0.delete($0.objects(Note.self)) }
            try await device.endOfSessions()
            // A session that begins meanwhile reads a version.
            try await eventually("the compaction") { try withRealm(configuration) { try $0.compact() } }
            try await upload(configuration) { $0.add(Note("after")) }
            #expect(
                try await opened(try await Device(port: server.port).configuration()) { $0.objects(Note.self).count }
                    == 1)
            try Realm.check(fileAt: try #require(configuration.fileURL)).requireClean()
        }

        /// The copy is another client of the partition, for any user, and downloads only newer changes.
        @Test(.behaviour("T17")) func aSynchronisedRealmIsCopiedAsASynchronisedOne() async throws {
            let server = try await SyncedServer()
            let (first, second) = (try Device(port: server.port), try Device(port: server.port))
            let (own, other) = (try await first.configuration(), try await second.configuration())
            try await upload(own) { realm in for number in 0..<100 { realm.add(Note("\(number)")) } }
            let elsewhere = try await second.configuration("another partition")
            try withRealm(own) { realm in
                try realm.writeCopy(configuration: other)
                #expect(throws: Realm.Error.self) { try realm.writeCopy(configuration: elsewhere) }
                try realm.write { realm.add(Note("after")) }
            }
            #expect(try texts(other).count == 100)
            try await upload(other) { $0.add(Note("in the copy")) }
            #expect(try await opened(other) { $0.objects(Note.self).count } == 102)
            #expect(try await opened(own) { $0.objects(Note.self).count } == 102)
            #expect(first.errors.all.isEmpty && second.errors.all.isEmpty)
            for configuration in [own, other] {
                try Realm.check(fileAt: try #require(configuration.fileURL)).requireClean()
            }
        }

        @Test func classesNeedAKeyThatServersSupport() async throws {
            let server = try await SyncedServer()
            var configuration = try await Device(port: server.port).configuration()
            for (type, text) in [
                (Misnamed.self as Object.Type, "must be named '_id' but found 'key' for type 'Misnamed'"),
                (Keyless.self, "There must be a primary key property named '_id'"),
            ] {
                configuration.objectTypes = [type]
                #expect {
                    _ = try withRealm(configuration) { $0.isEmpty }
                } throws: { error in
                    (error as? Realm.Error)?.code == .schemaMismatch && "\(error)".contains(text)
                }
            }
        }
    }

    /// A value created and released on one queue. Guarded by that queue.
    final class ThreadConfinedBox<Value>: @unchecked Sendable {
        private(set) var value: Value?

        init(_ value: Value) { self.value = value }

        func release() { value = nil }
    }
#endif
