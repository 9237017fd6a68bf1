// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import RealmSyncCore
    import RealmTestSupport
    import ServerTestSupport

    struct AccountClient {
        let port: Int

        /// Waits until the server responds. Returns false if it ends first.
        func isServed(while isRunning: () -> Bool) async throws -> Bool {
            for _ in 0..<1000 {
                if (try? await PlainRequest.answer(port, "GET /api/client/v2.0/app/app/location HTTP/1.1")) != nil {
                    return true
                }
                guard isRunning() else { break }
                try await Task.sleep(for: .milliseconds(20))
            }
            return false
        }

        func logIn() async throws -> String {
            let answer = try await PlainRequest.answer(
                port,
                "POST /api/client/v2.0/app/app/auth/providers/anon-user/login HTTP/1.1\r\n"
                    + "Content-Type: application/json", body: #"{"provider":"anon-user"}"#)
            let body = answer.components(separatedBy: "\r\n\r\n").dropFirst().joined()
            guard let token = try? JSON(parsing: body)["access_token"]?.text else {
                throw Failure("no token: \(answer)")
            }
            return token
        }
    }
#endif
