// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import HTTPServing
    import RealmSyncCore

    extension Accounts {
        /// Returns the URL of the server (§1.3).
        func location(of app: String, _ request: HTTPRequest) throws -> HTTPResponse {
            let url = try url(for: request)
            let socketURL = "ws" + url.dropFirst("http".count)
            return HTTPResponse(
                200,
                [
                    "deployment_model": "GLOBAL", "location": "IE", "hostname": .string(url),
                    "ws_hostname": .string(socketURL),
                    "sync_route": .string("\(socketURL)/api/client/v2.0/app/\(app)/realm-sync"),
                ])
        }

        /// Without a configured URL, returns the host of the request, which the client can evidently reach.
        private func url(for request: HTTPRequest) throws -> String {
            if let url = configuration.publicURL { return url.hasSuffix("/") ? String(url.dropLast()) : url }
            guard let host = request.header("host"), (1...300).contains(host.utf8.count),
                host.utf8.allSatisfy({ isNameByte($0) || [".", ":", "[", "]"].contains(Unicode.Scalar($0)) })
            else { throw ServiceError.badRequest("no usable header 'Host'") }
            return (request.isEncrypted ? "https://" : "http://") + host
        }
    }
#endif
