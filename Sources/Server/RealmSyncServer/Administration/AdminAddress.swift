// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import HTTPServing
    import NIOCore
    import NIOHTTP1
    import RealmAccounts
    import RealmSystem

    /// The admin port of a running server, in the file `admin.json` of its data folder, which only its owner can read.
    package struct AdminAddress: Codable, Sendable {
        let port: Int
        /// The key of requests, created at each start.
        let key: String

        private static func path(in folder: String) -> String { folder + "/admin.json" }

        /// Call this only while holding the folder's lock.
        func write(in folder: String) throws {
            AdminAddress.remove(in: folder)
            try PrivateFile.make(at: AdminAddress.path(in: folder), try AdminJSON.encoded(self))
        }

        /// Call this only while holding the folder's lock.
        static func remove(in folder: String) { try? Folder.removeFile(path(in: folder)) }

        /// - Throws: `ServerFailure` if the server has no admin port.
        init(in folder: String) throws {
            let path = AdminAddress.path(in: folder)
            guard Folder.holds(path) else {
                throw ServerFailure(
                    description: """
                        A server without an admin port uses the folder '\(folder)'. Stop it, or restart it with \
                        --admin-port.
                        """)
            }
            let file = try DiskFile.open(path, readOnly: true)
            let bytes = try file.bytes(try file.size(), at: 0)
            guard let address = try? AdminJSON.decoded(AdminAddress.self, bytes) else {
                throw ServerFailure(description: "'\(path)' isn't the address of an admin port: restart the server.")
            }
            self = address
        }

        init(port: Int, key: String) { (self.port, self.key) = (port, key) }

        /// The address of the admin page, with the key.
        package var page: String { "http://127.0.0.1:\(port)/?key=\(key)" }

        private static let maxBytes = 64 << 20

        func get<Value: Decodable>(_ path: String) async throws -> Value { try await response(.GET, path, []) }

        func perform(_ request: AccountRequest) async throws -> AccountResponse {
            try await response(.POST, "/accounts", try AdminJSON.encoded(request))
        }

        /// - Throws: `AccountError`, or `ServerFailure` if the server rejects the request or doesn't respond.
        private func response<Value: Decodable>(
            _ method: HTTPMethod, _ path: String, _ body: [UInt8]
        ) async throws -> Value {
            let exchange = HTTPExchange(
                host: "127.0.0.1", port: port, maxBytes: AdminAddress.maxBytes, connectTimeout: .seconds(10))
            let headers: HTTPHeaders = ["Host": "127.0.0.1:\(port)", "Authorization": "Bearer \(key)"]
            let (head, bytes): (HTTPResponseHead, [UInt8])
            do { (head, bytes) = try await exchange.response(method, path, headers, body) } catch {
                throw ServerFailure(description: "The server doesn't respond on its admin port \(port): \(error)")
            }
            guard head.status == .ok else {
                if let error = try? AdminJSON.decoded(AccountError.self, bytes) { throw error }
                let text = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first ?? ""
                throw ServerFailure(description: "The server has rejected the request (\(head.status.code)): \(text)")
            }
            return try AdminJSON.decoded(Value.self, bytes)
        }
    }
#endif
