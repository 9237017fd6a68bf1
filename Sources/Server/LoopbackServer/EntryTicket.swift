// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server || Browser
    import Foundation
    import NIOConcurrencyHelpers

    /// A key that admits one browser once. It's passed in a file that only this user can read.
    package final class EntryTicket: Sendable {
        private struct State {
            var key: ServerKey?
            var path = ""
        }

        private let state = NIOLockedValueBox(State())

        package init() {}

        /// Writes a page that redirects a browser to the server, and returns its path. Revokes the previous key.
        package func issue(for server: LoopbackServer) throws -> String {
            revoke()
            let key = ServerKey()
            let path = FileManager.default.temporaryDirectory.appendingPathComponent("regnum-\(ServerKey().text).html")
                .path
            let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor != -1 else { throw ServerError(description: "'\(path)' cannot be made.") }
            let page = """
                <!DOCTYPE html><meta charset="utf-8"><meta name="referrer" content="no-referrer">
                <meta http-equiv="refresh" content="0; url=\(server.place)?key=\(key.text)"><title>Opening</title>

                """
            state.withLockedValue { $0 = State(key: key, path: path) }
            try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(contentsOf: Data(page.utf8))
            return path
        }

        /// Revokes the key if it matches.
        func use(_ text: String) -> Bool {
            guard state.withLockedValue({ $0.key?.matches(text) == true }) else { return false }
            return revoke()
        }

        /// Returns whether a key existed.
        @discardableResult func revoke() -> Bool {
            let old = state.withLockedValue { state in
                defer { state = State() }
                return state
            }
            guard old.key != nil else { return false }
            try? FileManager.default.removeItem(atPath: old.path)
            return true
        }
    }
#endif
