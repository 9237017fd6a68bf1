// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Tracing
#endif

/// The spans of the server's traces, which the tracer of `InstrumentationSystem` receives.
///
/// A span has neither attributes nor the text of an error, because both could contain data of users.
enum ServerSpan: String, CaseIterable {
    /// The integration of a client's upload.
    case upload = "realm_server.upload"
    /// The creation of the state that a new file, or a file with another query, downloads.
    case bootstrap = "realm_server.bootstrap"
    /// A call of the documents of an app.
    case documents = "realm_server.documents"
    /// The wait for the append lock of a store in PostgreSQL.
    case lock = "realm_server.lock"
    /// A commit of the changes of a store in PostgreSQL.
    case commit = "realm_server.commit"
    /// A request on the admin port.
    case administration = "realm_server.administration"

    /// Runs `body` in a span, whose status is an error if `body` throws.
    func run<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        #if Server
            let span = startSpan(rawValue, ofKind: .server)
            defer { span.end() }
            do { return try body() } catch {
                span.setStatus(SpanStatus(code: .error))
                throw error
            }
        #else
            return try body()
        #endif
    }

    #if Server
        /// Runs `body` in a span, which is the parent of the spans that `body` starts.
        func run<Result: Sendable>(_ body: @Sendable () async throws -> Result) async throws -> Result {
            let span = startSpan(rawValue, ofKind: .server)
            defer { span.end() }
            do { return try await ServiceContext.withValue(span.context) { try await body() } } catch {
                span.setStatus(SpanStatus(code: .error))
                throw error
            }
        }
    #endif
}
