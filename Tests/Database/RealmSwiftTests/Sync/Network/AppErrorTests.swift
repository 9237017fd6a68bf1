// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import Testing

@testable import RealmSwift

/// Rejections by the server (§1.2).
@Suite struct AppErrorTests {
    private func error(_ status: Int, _ body: String, type: String = "application/json") -> AppError {
        AppError(refusal: RLMResponse(body: body, headers: ["content-TYPE": type], httpStatusCode: status))
    }

    @Test func namesBecomeCodes() {
        for (name, code) in [
            ("InvalidSession", AppError.Code.invalidSession), ("APIKeyNotFound", .apiKeyNotFound),
            ("ValueDuplicateName", .valueDuplicateName), ("InvalidPassword", .invalidPassword), ("Unheard", .unknown),
        ] {
            #expect(error(400, #"{"error":"text","error_code":"\#(name)"}"#).code == code, "\(name)")
        }
    }

    @Test func theServerIsQuoted() {
        let error = error(404, #"{"error":"no user","error_code":"UserNotFound","link":"http://log/1"}"#)
        #expect(error.localizedDescription == "no user" && error.httpStatusCode == 404)
        #expect(error.serverLogURL?.absoluteString == "http://log/1")
        #expect((error as NSError).domain == "io.realm.app" && (error as NSError).code == 4)
    }

    @Test func otherBodiesLeaveTheStatus() {
        #expect(error(400, #"{"error":"text"}"#).code == .unknown)
        #expect(error(500, "").code == .httpRequestFailed && error(500, "[]").code == .httpRequestFailed)
        let html = error(502, #"{"error":"text","error_code":"InvalidSession"}"#, type: "text/html")
        #expect(html.code == .httpRequestFailed && html.httpStatusCode == 502)
        #expect(AppError(refusal: RLMResponse(body: "gone", customStatusCode: 7)).message == "gone")
    }

    @Test func codesHaveTheOriginalsNumbers() {
        let numbers: [AppError.Code: Int] = [
            .unknown: -1, .httpRequestFailed: 1, .invalidSession: 2, .badRequest: 3, .userNotFound: 4,
            .userAppDomainMismatch: 5, .domainNotAllowed: 6, .readSizeLimitExceeded: 7, .invalidParameter: 8,
            .missingParameter: 9, .functionExecutionError: 10, .internalServerError: 11, .authProviderNotFound: 12,
            .valueNotFound: 13, .valueAlreadyExists: 14, .valueDuplicateName: 15,
        ]
        for (code, number) in numbers { #expect(code.rawValue == number) }
    }
}
