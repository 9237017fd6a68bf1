// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server && Sync
    import Foundation
    import RealmTestSupport
    import ServerTestSupport
    import TestTraits
    import Testing

    @testable import RealmSwift

    /// The ends of waits: cancelled tasks, logged-out users, observers of progress.
    @Suite(.serialized, .timeLimited, .scope(TestCleanup.perform)) struct WaitTests {
        private func errorOfCancelled(_ work: @escaping @Sendable () async throws -> Void) async -> (any Error)? {
            let task = Task { try await work() }
            try? await Task.sleep(for: .milliseconds(100))
            task.cancel()
            do {
                try await task.value
                return nil
            } catch {
                return error
            }
        }

        @MainActor private static func open(_ configuration: Realm.Configuration) async throws {
            _ = try await Realm(configuration: configuration, downloadBeforeOpen: .always)
        }

        /// Opens a Realm that keeps its session until the box is released on the queue.
        private static func hold(
            _ configuration: Realm.Configuration, on queue: DispatchQueue, _ body: (Realm) throws -> Void = { _ in }
        ) throws -> (ThreadConfinedBox<Realm>, SyncSession) {
            try queue.sync {
                let realm = try Realm(configuration: configuration, queue: queue)
                try body(realm)
                return (ThreadConfinedBox(realm), try #require(realm.syncSession))
            }
        }

        /// Without a network they would wait forever.
        @Test(.behaviour("U04")) func waitsOfCancelledTasksEndAtOnce() async throws {
            let port = try FreePort.find()
            let server = try await SyncedServer(port: port)
            let device = try Device(port: port)
            let (configuration, other) = (try await device.configuration(), try await device.configuration("other"))
            try await server.stop()
            #expect(await errorOfCancelled { try await Self.open(other) } is CancellationError)
            let queue = DispatchQueue(label: "holder")
            let (holder, session) = try Self.hold(configuration, on: queue) { realm in
                try realm.write { realm.add(Note("pending")) }
            }
            for direction in [SyncSession.ProgressDirection.upload, .download] {
                #expect(await errorOfCancelled { try await session.wait(for: direction) } is CancellationError)
                let late = Task {
                    withUnsafeCurrentTask { $0?.cancel() }
                    try await session.wait(for: direction)
                }
                await #expect(throws: CancellationError.self) { try await late.value }
            }
            queue.sync { holder.release() }
            try await device.endOfSessions()
        }

        @Test(.behaviour("U05")) func aRefusedRefreshIsReportedOnceAndLaterWaitsThrow() async throws {
            let server = try await SyncedServer()
            let device = try Device(port: server.port)
            let configuration = try await device.configuration()
            let queue = DispatchQueue(label: "holder")
            let (holder, session) = try Self.hold(configuration, on: queue)
            let user = try #require(device.app.currentUser)
            try await session.wait(for: .download)
            try #require(await server.accounts.revokeSessions(user: user.id, app: "notes"))
            try await eventually("the log-out") { !user.isLoggedIn }
            #expect(try await device.errors.first().code == .clientUserError)
            for direction in [SyncSession.ProgressDirection.upload, .download] {
                await #expect(throws: SyncError(.clientUserError)) { try await session.wait(for: direction) }
            }
            await #expect(throws: SyncError(.clientUserError)) { try await Self.open(configuration) }
            #expect(device.errors.all.count == 1)
            queue.sync { holder.release() }
        }

        @Test(.behaviour("T17")) func aWaitEndsAfterTheLastCallOfItsObservers() async throws {
            let server = try await SyncedServer()
            let device = try Device(port: server.port)
            let configuration = try await device.configuration()
            let queue = DispatchQueue(label: "holder")
            let (holder, session) = try Self.hold(configuration, on: queue)
            try await session.wait(for: .download)
            let estimates = Collected<Double>()
            let token = session.addProgressNotification(for: .upload, mode: .reportIndefinitely) {
                estimates.append($0.progressEstimate)
            }
            for number in 0..<20 {
                try withRealm(configuration) { realm in
                    try realm.write { realm.add(Note("\(number) " + String(repeating: "x", count: 100_000))) }
                }
                try await session.wait(for: .upload)
                let count = estimates.all.count
                #expect(estimates.all.last == 1)
                try await Task.sleep(for: .milliseconds(10))
                #expect(estimates.all.count == count)
            }
            token?.invalidate()
            queue.sync { holder.release() }
        }

        /// Exceeds the capacity of a blob of the file, and of an upload of many changes.
        @Test(.behaviour("U01")) func aWriteOfTwentyMegabytesArrivesWhole() async throws {
            let server = try await SyncedServer()
            let device = try Device(port: server.port)
            var (own, other) = (try await device.configuration(), try await Device(port: server.port).configuration())
            (own.objectTypes, other.objectTypes) = ([Photo.self], [Photo.self])
            let images = (0..<5).map { image in
                var data = Data(count: 4_000_000)
                var state = UInt64(image + 1)
                data.withUnsafeMutableBytes { (bytes: UnsafeMutableRawBufferPointer) in
                    for index in stride(from: 0, to: bytes.count, by: 8) {
                        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                        bytes.storeBytes(of: state ^ state >> 29, toByteOffset: index, as: UInt64.self)
                    }
                }
                return data
            }
            let session = try withRealm(own) { realm in
                try realm.write { realm.create(Photo.self, value: [1, images]) }
                return try #require(realm.syncSession)
            }
            try await session.wait(for: .upload)
            let read = try await opened(other) { realm in
                realm.object(ofType: Photo.self, forPrimaryKey: 1).map { Array($0.images) }
            }
            #expect(read == images)
            #expect(device.errors.all.isEmpty)
            try Realm.check(fileAt: try #require(own.fileURL)).requireClean()
        }
    }

    final class Photo: Object {
        @Persisted(primaryKey: true) var _id = 0
        @Persisted var images: List<Data>
    }
#endif
