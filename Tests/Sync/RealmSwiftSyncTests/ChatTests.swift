// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server && Sync
    import Foundation
    import RealmAccounts
    import RealmSwift
    import RealmTestSupport
    import ServerTestSupport
    import TestTraits
    import Testing

    /// The example `chat` in separate processes.
    @Suite(.serialized, .timeLimited, .scope(TestCleanup.perform)) struct ChatTests {
        private static func server() async throws -> SyncedServer {
            try await SyncedServer { _, accounts in
                accounts.apps = [RealmAccounts.AppConfiguration(id: "app")]
                accounts.limits.credentials.burst = 1000
                accounts.limits.account.burst = 1000
            }
        }

        @Test func aMessageReachesAllOtherDevices() async throws {
            let server = try await Self.server()
            let (ann, bob) = (try ChatProcess("ann", server.port), try ChatProcess("bob", server.port))
            try ann.say("hello")
            try await eventually("ann's message") { bob.said.contains("ann: hello") && ann.said.contains("ann: hello") }
            try bob.say("hello, ann")
            try await eventually("bob's message") { ann.said.contains("bob: hello, ann") }
            #expect(ann.leave() == 0 && bob.leave() == 0)
            let again = try ChatProcess("ann", server.port, ann.folder)
            try await eventually("the past") { again.said == ["ann: hello", "bob: hello, ann"] }
            #expect(again.leave() == 0)
        }

        @Test func aMessageReachesTheSubscribersOfItsRoom() async throws {
            let server = try await SyncedServer.flexible("app")
            func enter(_ name: String, _ room: String, _ folder: TemporaryFolder? = nil) throws -> ChatProcess {
                try ChatProcess(name, server.port, folder, ["--flexible", "--room", room])
            }
            let (ann, bob) = (try enter("ann", "lobby"), try enter("bob", "lobby"))
            let eve = try enter("eve", "attic")
            try ann.say("hello")
            try await eventually("ann's message") { bob.said == ["ann: hello"] && ann.said == ["ann: hello"] }
            try eve.say("quiet here")
            try await eventually("eve's message") { eve.said == ["eve: quiet here"] }
            try bob.say("hello, ann")
            try await eventually("bob's message") { ann.said == ["ann: hello", "bob: hello, ann"] }
            #expect(ann.leave() == 0 && bob.leave() == 0 && eve.leave() == 0)
            // The file of this device gets another subscription, and keeps the first one.
            let inAttic = try enter("ann", "attic", ann.folder)
            try await eventually("the messages of the other room") { inAttic.said == ["eve: quiet here"] }
            #expect(inAttic.leave() == 0)
            let inLobby = try enter("ann", "lobby", ann.folder)
            try await eventually("the past") { inLobby.said == ["ann: hello", "bob: hello, ann"] }
            #expect(inLobby.leave() == 0)
        }

        /// Two processes share a file, and one of them is connected to the server. When it is killed, the other one
        /// connects.
        @Test func aProcessTakesOverFromOneThatIsKilled() async throws {
            let server = try await Self.server()
            let first = try ChatProcess("ann", server.port)
            try first.say("first")
            try await eventually("the first message") { first.said == ["ann: first"] }
            let second = try ChatProcess("ann", server.port, first.folder)
            try await eventually("the file") { second.said == ["ann: first"] }
            let bob = try ChatProcess("bob", server.port)
            try second.say("second")
            try await eventually("both messages") { bob.said == ["ann: first", "ann: second"] }
            try bob.say("third")
            try await eventually("bob's message") {
                first.said.last == "bob: third" && second.said.last == "bob: third"
            }
            first.kill()
            try second.say("fourth")
            try await eventually("the message of the one that is left") { bob.said.last == "ann: fourth" }
            try bob.say("fifth")
            try await eventually("the answer") { second.said.last == "bob: fifth" }
            #expect(second.leave() == 0 && bob.leave() == 0)
            let file = try #require(second.realmFile("s_lobby.realm"))
            try Realm.check(fileAt: file).requireClean()
        }

        /// Two processes share a file with subscriptions. The one without a connection subscribes and writes.
        @Test func aProcessSubscribesAndUploadsThroughAnotherOne() async throws {
            let server = try await SyncedServer.flexible("app")
            func enter(_ name: String, _ room: String, _ folder: TemporaryFolder? = nil) throws -> ChatProcess {
                try ChatProcess(name, server.port, folder, ["--flexible", "--room", room])
            }
            let first = try enter("ann", "lobby")
            try first.say("first")
            try await eventually("the first message") { first.said == ["ann: first"] }
            let (bob, eve) = (try enter("bob", "lobby"), try enter("eve", "attic"))
            try eve.say("quiet here")
            try await eventually("the messages of the rooms") {
                bob.said == ["ann: first"] && eve.said == ["eve: quiet here"]
            }
            let second = try enter("ann", "attic", first.folder)
            try await eventually("the other room") { second.said == ["eve: quiet here"] }
            try second.say("second")
            try await eventually("the message of the second process") { eve.said.last == "ann: second" }
            try first.say("third")
            try await eventually("the message of the first process") { bob.said == ["ann: first", "ann: third"] }
            first.kill()
            try second.say("fourth")
            try await eventually("the message of the one that is left") { eve.said.last == "ann: fourth" }
            try eve.say("fifth")
            try await eventually("the answer") { second.said.last == "eve: fifth" }
            #expect(second.leave() == 0 && bob.leave() == 0 && eve.leave() == 0)
            let file = try #require(second.realmFile("flx_sync_default.realm"))
            try Realm.check(fileAt: file).requireClean()
        }
    }

    /// A process of the example, and its output lines.
    final class ChatProcess {
        let folder: TemporaryFolder
        private let process = Process()
        private let input = Pipe()
        private let lines = Collected<String>()

        init(
            _ name: String, _ port: Int, _ folder: TemporaryFolder? = nil, _ options: [String] = []
        ) throws {
            self.folder = try folder ?? TemporaryFolder()
            guard let program = BuiltProgram.path("chat") else { throw Failure("chat was not built") }
            process.executableURL = URL(fileURLWithPath: program)
            process.arguments = ["--server", "http://127.0.0.1:\(port)", "--name", name] + options
            process.environment = ProcessInfo.processInfo.environment.merging(
                ["XDG_DATA_HOME": self.folder.path]) { _, new in new }
            let output = Pipe()
            process.standardInput = input
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            try process.run()
            let lines = lines
            Thread.detachNewThread {
                var rest = ""
                while case let data = output.fileHandleForReading.availableData, !data.isEmpty {
                    let parts = (rest + String(decoding: data, as: UTF8.self)).components(separatedBy: "\n")
                    for line in parts.dropLast() { lines.append(line) }
                    rest = parts.last ?? ""
                }
            }
        }

        var said: [String] { lines.all }

        func say(_ text: String) throws { try input.fileHandleForWriting.write(contentsOf: Data((text + "\n").utf8)) }

        func leave() -> Int32 {
            try? input.fileHandleForWriting.close()
            process.waitUntilExit()
            return process.terminationStatus
        }

        func kill() {
            Foundation.kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }

        func realmFile(_ name: String) -> URL? {
            let files = FileManager.default.enumerator(
                at: URL(fileURLWithPath: folder.path), includingPropertiesForKeys: nil)
            return files?.compactMap { $0 as? URL }.first { $0.lastPathComponent == name }
        }
    }
#endif
