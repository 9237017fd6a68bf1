// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSyncCore

/// The key in the `userInfo` of an `AppError` for the HTTP status.
public let RLMHTTPStatusCodeKey = "HTTP Status Code"

/// The key in the `userInfo` of an `AppError` or a `SyncError` for the URL of the server's log.
public let RLMServerLogURLKey = "Server Log URL"

/// An error returned by the server of an app, or one that prevented a request from reaching it.
///
/// ```swift
/// do { try await app.login(credentials: credentials) } catch AppError.invalidPassword { … }
/// ```
public struct AppError: Error, Hashable, Sendable, CustomNSError, LocalizedError, CustomStringConvertible {
    /// The kind of error.
    public let code: Code
    /// The values of `userInfo`, of any type, are stored in a Foundation error.
    private let foundation: NSError

    /// Creates an error; `userInfo` uses Foundation's keys.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.code = code
        foundation = NSError(domain: AppError.errorDomain, code: code.rawValue, userInfo: userInfo)
    }

    init(_ code: Code, _ message: String) {
        self.init(code, userInfo: [NSLocalizedDescriptionKey: message])
    }

    /// Details of the error, by Foundation's keys.
    public var userInfo: [String: Any] { foundation.userInfo }
    /// The HTTP status, if the server responded.
    public var httpStatusCode: Int? { userInfo[RLMHTTPStatusCodeKey] as? Int }
    /// The URL of the server's log, which has further details.
    public var serverLogURL: URL? { (userInfo[RLMServerLogURLKey] as? String).flatMap { URL(string: $0) } }
    /// A description of the error.
    public var message: String { userInfo[NSLocalizedDescriptionKey] as? String ?? "\(code)" }

    /// The domain of app errors, equal to that of Realm's SDK.
    public static var errorDomain: String { "io.realm.app" }
    public var errorCode: Int { code.rawValue }
    public var errorUserInfo: [String: Any] { userInfo }
    public var errorDescription: String? { message }
    public var description: String { message }

    /// Returns whether both errors have the same code.
    public static func == (a: AppError, b: AppError) -> Bool { a.code == b.code }

    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension AppError {
    /// Creates the error that a response describes (§1.2).
    init(refusal response: RLMResponse) {
        if response.customStatusCode != 0 {
            self.init(.httpRequestFailed, response.body.isEmpty ? "The request failed." : response.body)
            return
        }
        var userInfo: [String: Any] = [RLMHTTPStatusCodeKey: response.httpStatusCode]
        let isJSON = response.header("content-type") == "application/json"
        let body = isJSON ? try? JSON(parsing: response.body) : nil
        userInfo[RLMServerLogURLKey] = body?["link"]?.text
        let text = body?["error"]?.text
        let name = body?["error_code"]?.text
        userInfo[NSLocalizedDescriptionKey] =
            text ?? name ?? "The server responded with the status \(response.httpStatusCode)."
        let code = name.map { Code(wireName: $0) } ?? (text == nil ? .httpRequestFailed : .unknown)
        self.init(code, userInfo: userInfo)
    }
}

/// The name of ``AppError`` in the Objective-C half of Realm's SDK.
public typealias RLMAppError = AppError
