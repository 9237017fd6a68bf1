// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmStorage
import RealmSyncCore

/// Sends an app's requests to the server named by its location (§1.3).
final class AppClient: Sendable {
    private struct Place {
        var base: String
        var location: AppLocation?
    }

    static let standardServer = "https://services.cloud.mongodb.com"

    let appId: String
    private let transport: any RLMNetworkTransport
    private let timeout: TimeInterval
    private let place: Locked<Place>
    private let asking = OngoingWork<AppLocation>()

    init(appId: String, settings: AppConfiguration.Settings) {
        self.appId = appId
        transport = settings.transport ?? defaultTransport()
        timeout = Double(settings.defaultRequestTimeoutMS) / 1000
        place = Locked(Place(base: AppClient.trimmed(settings.baseURL)))
    }

    private static func trimmed(_ url: String) -> String { url.hasSuffix("/") ? String(url.dropLast()) : url }

    var baseURL: String { place.withLock { $0.base } }

    /// Switches to another server, after that server has returned its location.
    func moveBase(to url: String?) async throws {
        let base = AppClient.trimmed(url ?? AppClient.standardServer)
        let location = try await fetchLocation(of: base)
        place.withLock { $0 = Place(base: base, location: location) }
    }

    /// The first request fetches the location.
    func location() async throws -> AppLocation {
        if let location = place.withLock({ $0.location }) { return location }
        return try await asking.value { try await self.renewLocation() }
    }

    @discardableResult
    func renewLocation() async throws -> AppLocation {
        let base = baseURL
        let location = try await fetchLocation(of: base)
        place.withLock { if $0.base == base { $0.location = location } }
        return location
    }

    private func fetchLocation(of base: String) async throws -> AppLocation {
        let url = base + "/api/client/v2.0/app/" + appId.escapedForPath + "/location"
        let response = try await transmit(RLMRequest(method: .get, url: url, timeout: timeout))
        guard let location = AppLocation(try JSON(answer: response), appId: appId) else {
            throw AppError(.unknown, "The location of the app '\(appId)' does not contain the host names.")
        }
        return location
    }

    func send(_ request: AppRequest, token: String? = nil) async throws -> RLMResponse {
        let base = try await location().hostname + "/api/client/v2.0/"
        let root = request.root == .app ? "app/" + appId.escapedForPath + "/" : ""
        var headers = ["Content-Type": "application/json;charset=utf-8", "Accept": "application/json"]
        if let token { headers["Authorization"] = "Bearer " + token }
        return try await transmit(
            RLMRequest(
                method: request.method, url: base + root + request.path, headers: headers,
                body: request.body?.description ?? "", timeout: timeout))
    }

    /// Sends a function call whose results are server-sent events. The token and the call are in the query (§1.10).
    func stream(
        _ request: AppRequest, token: String, _ onOpen: @escaping @Sendable () -> Void
    ) async throws -> AsyncThrowingStream<[UInt8], any Error> {
        let base = try await location().hostname + "/api/client/v2.0/app/" + appId.escapedForPath + "/"
        let call = Base64.text(Array((request.body?.description ?? "").utf8)).escapedForPath
        // A stream has no end: the server sends something at least every half minute.
        let sent = RLMRequest(
            method: .get, url: base + request.path + "?baas_request=\(call)&baas_at=\(token.escapedForPath)",
            headers: ["Accept": "text/event-stream"], timeout: max(timeout, 60))
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: [UInt8].self, throwing: (any Error).self)
        try await withCheckedThrowingContinuation { (waiting: CheckedContinuation<Void, any Error>) in
            let opening = StreamOpening(waiting)
            let cancel = transport.streamRequest(toServer: sent) { event in
                switch event {
                case .opened:
                    onOpen()
                    opening.end(nil)
                case .data(let data): continuation.yield([UInt8](data))
                case .ended(let response):
                    let error = response.isSuccess ? nil : AppError(refusal: response)
                    opening.end(error ?? AppError(.unknown, "The server ended the stream."))
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in cancel() }
        }
        return stream
    }

    private func transmit(_ request: RLMRequest) async throws -> RLMResponse {
        let response = await withCheckedContinuation { continuation in
            transport.sendRequest(toServer: request) { continuation.resume(returning: $0) }
        }
        guard response.isSuccess else { throw AppError(refusal: response) }
        return response
    }
}

/// The caller that waits until a stream is open.
private final class StreamOpening: Sendable {
    private let waiting: Locked<CheckedContinuation<Void, any Error>?>

    init(_ waiting: CheckedContinuation<Void, any Error>) { self.waiting = Locked(waiting) }

    /// Only the first call has an effect.
    func end(_ error: AppError?) {
        let waiting = self.waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        if let error { waiting?.resume(throwing: error) } else { waiting?.resume() }
    }
}

/// The response of the location endpoint (§1.3).
struct AppLocation: Sendable, Equatable {
    let hostname: String
    let websocketHostname: String
    let syncRoute: String

    init?(_ json: JSON, appId: String) {
        guard let hostname = json["hostname"]?.text, let websocket = json["ws_hostname"]?.text else { return nil }
        self.hostname = hostname
        websocketHostname = websocket
        syncRoute =
            json["sync_route"]?.text ?? websocket + "/api/client/v2.0/app/" + appId.escapedForPath + "/realm-sync"
    }
}

extension JSON {
    /// Parses the body of a response.
    ///
    /// - Throws: `AppError.unknown` if the body isn't JSON.
    init(answer: RLMResponse) throws {
        guard let json = try? JSON(parsing: answer.body) else {
            throw AppError(.unknown, "The server's response is not JSON: '\(answer.body.prefix(100))'.")
        }
        self = json
    }
}

extension String {
    var escapedForPath: String { escapedForPath() }

    /// The text as one path component: all bytes are escaped except those that are unreserved in URLs.
    ///
    /// - Parameter padding: The first digit of bytes below 16.
    func escapedForPath(padding: String = "0") -> String {
        utf8.reduce(into: "") { text, byte in
            if byte.isUnreservedInURLs {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "%" + (byte < 16 ? padding : "") + String(byte, radix: 16, uppercase: true)
            }
        }
    }
}

extension UInt8 {
    var isUnreservedInURLs: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
