// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import RealmSystem
    import RealmTestSupport
    import ServerTestSupport

    /// `realm-server` under load from connections that send half a request and then single bytes: from one address, and
    /// from many addresses with few connections each. Log-ins must still work.
    struct SlowTest {
        let count: Int
        private static let perAddress = 100

        func run() async throws {
            let most = DescriptorLimit.raise(to: count + 500)
            guard most >= count + 500 else { throw Failure("\(count) connections need a higher limit than \(most)") }
            try await measure("one address") { _ in "127.0.0.1" }
            try await measure("\((count + Self.perAddress - 1) / Self.perAddress) addresses") {
                "127.0.\(1 + $0 / Self.perAddress / 250).\(1 + $0 / Self.perAddress % 250)"
            }
        }

        private func measure(_ title: String, _ source: (Int) -> String) async throws {
            let (folder, port) = (try TemporaryFolder(), try FreePort.find())
            let limit = "1000000/1000000"
            let server = try KillTest.start(
                "realm-server",
                [
                    "--data", folder.path, "--port", "\(port)", "--log-level", "error", "--log-in-limit", limit,
                    "--request-limit", limit,
                ])
            defer { KillTest.end(server) }
            let client = AccountClient(port: port)
            guard try await client.isServed(while: { server.isRunning }) else {
                throw Failure("the server does not run")
            }
            let half = "GET / HTTP/1.1\r\nHost: x\r\nX-A: "
            var requests: [HalfRequest] = []
            for index in 0..<count {
                requests.append(try await HalfRequest(port: port, half, from: source(index)))
            }
            let begin = ContinuousClock.now
            print("\(count) slow connections from \(title), \(requests.count(where: \.isOpen)) of them open")
            var slowest = Duration.zero
            for second in 0..<75 {
                let start = ContinuousClock.now
                _ = try await client.logIn()
                slowest = max(slowest, ContinuousClock.now - start)
                if second % 10 == 9 { for request in requests where request.isOpen { request.send("a") } }
                try await Task.sleep(for: .seconds(1))
                if second == 0 { report("after a second", requests, slowest) }
            }
            report("after 75 s of a byte each 10 s", requests, slowest)
            let lasted = requests.compactMap(\.ended).map { $0 - begin }.max() ?? .zero
            print("  the last one was ended after \(lasted / .seconds(1)) s")
            guard slowest < .seconds(1), !requests.contains(where: \.isOpen), server.isRunning else {
                throw Failure("a log-in took too long, or slow connections stay")
            }
            try await stop(server)
        }

        private func report(_ time: String, _ requests: [HalfRequest], _ slowest: Duration) {
            print(
                "  \(time): \(requests.count(where: \.isOpen)) open; the slowest log-in took "
                    + "\(slowest / .milliseconds(1)) ms")
        }

        private func stop(_ server: Process) async throws {
            let start = ContinuousClock.now
            server.terminate()
            server.waitUntilExit()
            print("  SIGTERM: ended after \((ContinuousClock.now - start) / .milliseconds(1)) ms")
        }
    }
#endif
