// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSyncCore

/// In `userInfo` of an `AppError`: the status of HTTP.
public let RLMHTTPStatusCodeKey = "HTTP Status Code"

/// In `userInfo` of an `AppError` or a `SyncError`: where the server's log tells more.
public let RLMServerLogURLKey = "Server Log URL"

/// What the server of an app refused, or what kept a request from reaching it.
///
/// ```swift
/// do { try await app.login(credentials: credentials) } catch AppError.invalidPassword { … }
/// ```
public struct AppError: Error, Hashable, Sendable, CustomNSError, LocalizedError, CustomStringConvertible {
    /// What went wrong.
    public let code: Code
    /// As Foundation's error, which keeps the values of `userInfo` whatever their types.
    private let foundation: NSError

    /// Makes an error; `userInfo` has Foundation's keys.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.code = code
        foundation = NSError(domain: AppError.errorDomain, code: code.rawValue, userInfo: userInfo)
    }

    init(_ code: Code, _ message: String) {
        self.init(code, userInfo: [NSLocalizedDescriptionKey: message])
    }

    /// What is known about the error.
    public var userInfo: [String: Any] { foundation.userInfo }
    /// The status of HTTP, if the server answered.
    public var httpStatusCode: Int? { userInfo[RLMHTTPStatusCodeKey] as? Int }
    /// Where the server's log tells more.
    public var serverLogURL: URL? { (userInfo[RLMServerLogURLKey] as? String).flatMap { URL(string: $0) } }
    /// What went wrong, in words.
    public var message: String { userInfo[NSLocalizedDescriptionKey] as? String ?? "\(code)" }

    /// The domain under which the original reported its errors.
    public static var errorDomain: String { "io.realm.app" }
    public var errorCode: Int { code.rawValue }
    public var errorUserInfo: [String: Any] { userInfo }
    public var errorDescription: String? { message }
    public var description: String { message }

    /// Whether both have the same code.
    public static func == (a: AppError, b: AppError) -> Bool { a.code == b.code }

    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension AppError {
    /// The error that an answer tells of (§1.2).
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
            text ?? name ?? "The server answered with the status \(response.httpStatusCode)."
        let code = name.map { Code(wireName: $0) } ?? (text == nil ? .httpRequestFailed : .unknown)
        self.init(code, userInfo: userInfo)
    }
}

/// Another name of ``AppError``, which the Objective-C half of Realm's SDK has.
public typealias RLMAppError = AppError
