// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

/// A request of the client's HTTP API (§1 of the protocol), before the server's location is resolved.
struct AppRequest: Sendable {
    enum Root: Sendable {
        /// `<server>/api/client/v2.0`
        case base
        /// `<base>/app/<app id>`
        case app
    }

    enum Authorization: Sendable {
        case access
        case refresh
    }

    var method: RLMHTTPMethod
    var root: Root
    /// The path, without a leading slash.
    var path: String
    var body: JSON?
    var authorization = Authorization.access

    static func login(_ credentials: Credentials, device: JSON, isLink: Bool = false) -> AppRequest {
        var members = credentials.members
        if credentials.provider != .function {
            members.insert(.init("provider", .string(credentials.provider.rawValue)), at: 0)
        }
        members.append(.init("options", ["device": device]))
        return AppRequest(
            method: .post, root: .app,
            path: "auth/providers/\(credentials.provider.rawValue)/login\(isLink ? "?link=true" : "")",
            body: .object(members))
    }

    static let profile = AppRequest(method: .get, root: .base, path: "auth/profile")
    static let newAccessToken = AppRequest(method: .post, root: .base, path: "auth/session", authorization: .refresh)
    static let logOut = AppRequest(method: .delete, root: .base, path: "auth/session", authorization: .refresh)
    static let deleteUser = AppRequest(method: .delete, root: .base, path: "auth/delete")

    static func password(_ operation: String, _ body: JSON) -> AppRequest {
        AppRequest(method: .post, root: .app, path: "auth/providers/local-userpass/" + operation, body: body)
    }

    static func apiKeys(_ method: RLMHTTPMethod, _ path: String = "", body: JSON? = nil) -> AppRequest {
        AppRequest(method: method, root: .base, path: "auth/api_keys" + path, body: body, authorization: .refresh)
    }

    static func function(_ name: String, _ arguments: [JSON], service: String? = nil) -> AppRequest {
        var members = [
            JSON.Member("arguments", .array(arguments)),
            JSON.Member("name", .string(name)),
        ]
        if let service { members.append(.init("service", .string(service))) }
        return AppRequest(method: .post, root: .app, path: "functions/call", body: .object(members))
    }

    static func pushRegistration(_ method: RLMHTTPMethod, service: String, body: JSON? = nil) -> AppRequest {
        AppRequest(
            method: method, root: .app, path: "push/providers/\(service.escapedForPath)/registration", body: body)
    }
}
