// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore
import RealmTestSupport

/// The requests of one recorded exchange, and the application's actions.
package struct RecordedRequests: Sendable {
    package enum Event: Sendable {
        case request(RecordedRequest)
        case step(JSON, result: JSON)
        case closed(code: Int)
        case dropped
    }

    package let events: [Event]

    package init(_ name: String) throws {
        var events: [Event] = []
        var question: JSON?
        for line in try SyncFixtures.documents("messages/" + name) {
            switch line["kind"]?.text {
            case "request", "upgrade": question = line
            case "response", "upgradeResponse":
                let asked = try unwrap(question, "an answer without a request")
                events.append(.request(try RecordedRequest(asked, answer: line)))
            case "application": events.append(.step(try line.member("step"), result: try line.member("result")))
            case "close": events.append(.closed(code: try line.int("code")))
            case "dropped": events.append(.dropped)
            default: break
            }
        }
        self.events = events
    }
}

package struct RecordedRequest: Sendable {
    package typealias Header = (name: String, value: String)

    package let isUpgrade: Bool
    package let method: String
    package let target: String
    package let headers: [Header]
    package let body: String
    package let status: Int
    package let answerHeaders: [Header]
    package let answer: String

    init(_ question: JSON, answer line: JSON) throws {
        let parts = try question.string("request").split(separator: " ")
        guard parts.count == 3 else { throw Failure("no request line: \(parts)") }
        isUpgrade = question["kind"]?.text == "upgrade"
        (method, target) = (String(parts[0]), String(parts[1]))
        headers = try RecordedRequest.headers(question)
        body = question["body"]?.text ?? ""
        status = try line.int("status")
        answerHeaders = try RecordedRequest.headers(line)
        answer = line["body"]?.text ?? ""
    }

    private static func headers(_ line: JSON) throws -> [Header] {
        try (line["headers"]?.elements ?? []).map { pair in
            (try unwrap(pair.elements?.first?.text), try unwrap(pair.elements?.last?.text))
        }
    }

    /// The headers without those that the transport adds.
    package var ownHeaders: [Header] {
        let others: Set = ["Host", "Connection", "Content-Length"]
        return headers.filter { !others.contains($0.name) }
    }

    package func answerHeader(_ name: String) -> String? { answerHeaders.first { $0.name == name }?.value }

    package var token: String? {
        headers.first { $0.name == "Authorization" }.map { String($0.value.dropFirst("Bearer ".count)) }
    }
}

extension JSON {
    /// The names and kinds of members, without values. For an array, the shape of its first element.
    package var shape: String {
        if let members {
            let parts = members.map { "\($0.name): \($0.value.shape)" }.sorted()
            return "{" + parts.joined(separator: ", ") + "}"
        }
        if let elements { return "[" + (elements.first?.shape ?? "") + "]" }
        if text != nil { return "text" }
        if bool != nil { return "bool" }
        return isNull ? "null" : "number"
    }
}
