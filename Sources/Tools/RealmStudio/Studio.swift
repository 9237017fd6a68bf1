// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Browser
    import Dispatch
    import Foundation
    import LoopbackServer
    import RealmTools

    package enum Studio {
        /// Serves the page until the process is terminated.
        package static func run(_ options: StudioOptions, _ output: TextOutput) throws -> Int32 {
            let server = try wait { try await StudioServer.start(options) }
            try output.writeLine(options.printsJSON ? json(server.address) : server.address)
            if let warning = LoopbackServer.warning(about: options.host) { try output.note(warning) }
            // Flush, so that a line printed to a pipe appears at once.
            try output.flush()
            if options.opensBrowser { server.openInBrowser() }
            waitForEnd()
            try wait { await server.stop() }
            return 0
        }

        private static func json(_ address: String) -> String {
            String(decoding: JSONText.object { $0.member("address", address) }.bytes, as: UTF8.self)
        }

        private static func waitForEnd() {
            let end = DispatchSemaphore(value: 0)
            let sources = [SIGINT, SIGTERM].map { number in
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
                source.setEventHandler { end.signal() }
                source.resume()
                return source
            }
            end.wait()
            for source in sources { source.cancel() }
        }

        /// Blocks until a task ends, because the tool is synchronous.
        private static func wait<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value
        {
            let (box, done) = (Box<Value>(), DispatchSemaphore(value: 0))
            Task.detached {
                do { box.result = .success(try await body()) } catch { box.result = .failure(error) }
                done.signal()
            }
            done.wait()
            guard let result = box.result else { throw StudioError("the server did not start") }
            return try result.get()
        }
    }

    /// Passes the result of a task to the waiting thread.
    ///
    /// Unchecked: `result` is guarded by the semaphore. The task writes it before signalling; the thread reads it
    /// afterwards.
    private final class Box<Value>: @unchecked Sendable {
        var result: Result<Value, any Error>?
    }
#endif
