// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Testing

/// Names are compared by their bytes (`ByteText`), because two spellings of a name are equal keys in a dictionary of
/// strings.
@Suite struct NameKeyTests {
    private static let folders = [
        "Sources/Engine/RealmStorage", "Sources/Engine/RealmQuery", "Sources/Engine/RealmCheck",
        "Sources/Sync/RealmSync",
        "Sources/Sync/RealmSyncCore", "Sources/Server/RealmSyncServer", "Sources/Server/RealmAccounts",
        "Sources/Server/realm-server", "Sources/Database/RealmSwift/Sync",
    ]

    /// The lines that may have strings as keys, with the reasons.
    private static let reviewed: [String: String] = [
        "Participants.swift: private var files: [String: DiskFile] = [:]": "names that this library gives, in ASCII",
        "Identifier.swift: static let keywords: Set<String> = [": "words of the query language, in ASCII",
        "CheckReport.swift: package var remnants: [String: Int] = [:]": "numbers of rules",
        "ExternalTokens.swift: case fixed(JWTKeyCollection, algorithms: Set<String>)": "names of algorithms",
        "AppConfiguration.swift: public var profile: [String: String] = [:]": "public; claims that the owner names",
        "AppHooks.swift: public let profile: [String: String]": "public; names that the owner's program gives",
        "AppHooks.swift: public init(id: String, profile: [String: String] = [:]) { (self.id, self.profile) = (id, profile) }":
            "public; names that the owner's program gives",
        "SchemaReader.swift: private static let classMembers: Set<String> = [": "names of members, in ASCII",
        "Members.swift: package init(_ json: JSON, _ place: String, known: Set<String>) throws {":
            "members of a configuration; another spelling is an unknown member",
        "RLMNetworkTransport.swift: public var headers: [String: String]": "public; names of headers are ASCII",
        "RLMNetworkTransport.swift: method: RLMHTTPMethod = .get, url: String = \"\", headers: [String: String] = [:], body: String = \"\",":
            "public; names of headers are ASCII",
        "RLMNetworkTransport.swift: body: String = \"\", headers: [String: String] = [:], httpStatusCode: Int = 0, customStatusCode: Int = 0":
            "public; names of headers are ASCII",
        "URLSessionTransport.swift: private var headers: [String: String] = [:]": "names of headers are ASCII",
        "AppError+Code.swift: private static let byWireName: [String: Code] = {": "names of errors",
        "AppError+Code.swift: var names: [String: Code] = [": "names of errors",
        "BSON.swift: public typealias Document = [String: AnyBSON?]": "public, as in the original",
        "BSON.swift: extension Dictionary: BSON, PartitionValue where Key == String, Value == AnyBSON? {}":
            "public, as in the original",
        "App.swift: public var allUsers: [String: User] {": "public, as in the original; a copy of what decides",
        "UserStore+Migration.swift: var identities: [[String: String]] = []": "names of properties of this library",
        "MetadataClasses.swift: @Persisted var local_realm_paths: MutableSet<String>": "a set of the database: bytes",
        "UserStore+Migration.swift: if let paths: MutableSet<String> = value(\"local_realm_paths\") { self.paths = Set(paths.map { ByteText($0) }) }":
            "a set of the database: bytes",
        "IngestService.swift: private func read(_ items: [String: String], _ feed: IngestFeed) async throws -> HTTPResponse {":
            "names of query items are ASCII",
        "IngestService.swift: private func remove(_ items: [String: String], _ feed: IngestFeed) async throws -> HTTPResponse {":
            "names of query items are ASCII",
        "IngestService.swift: _ items: [String: String], _ name: String, _ range: ClosedRange<Number>":
            "names of query items are ASCII",
        "ServeSettings.swift: guard let members = try? JSONDecoder().decode([String: Member].self, from: data) else {":
            "names of options; another spelling is an unknown setting",
        "SyncManager.swift: var customRequestHeaders: [String: String]?": "names of headers are ASCII",
        "ServerStatus.swift: public var details: [String: String]":
            "public; names that the server's log gives, in ASCII",
        "SyncManager.swift: public var customRequestHeaders: [String: String]? {": "names of headers are ASCII",
    ]

    @Test func noDictionaryAndNoSetHasStringsAsKeys() throws {
        var unused = Set(Self.reviewed.keys)
        for file in try SourceFile.all(in: Self.folders) {
            let name = String(file.path.split(separator: "/").last ?? "")
            for (number, line) in file.lines.enumerated() {
                guard line.containsBytes(of: "String") else { continue }
                let code = line.trimmingPrefix(while: { $0 == " " })
                guard !code.hasPrefix("//"), code.contains(#/\[String ?:|Set<String>|Key == String/#),
                    !code.contains("[String: Any]")
                else { continue }
                let entry = "\(name): \(code)"
                if Self.reviewed[entry] != nil {
                    unused.remove(entry)
                } else {
                    Issue.record("\(file.path):\(number + 1): use ByteText as the key: \(code)")
                }
            }
        }
        #expect(unused.isEmpty, "\(unused.sorted().joined(separator: "\n"))")
    }

    /// The types that may be compared by their strings, with the reasons.
    private static let reviewedTypes: [String: String] = [
        "JSON": "a document is compared as a whole, and never a key",
        "Member": "of such a document",
        "ServerError": "its text is compared by tests",
        "SessionError": "its text is compared by tests",
        "WireError": "its text is compared by tests",
        "MergeError": "its text is compared by tests",
        "ChangesetError": "its text is compared by tests",
        "RecordError": "its text is compared by tests",
        "RuleError": "its text is compared by tests",
        "Failure": "its text is compared by tests",
        "CollectionPath": "its steps compare keys by bytes",
        "Violation": "a finding of an audit",
        "ClientResetError": "its text is compared by tests",
        "ClientResetCause": "its text is compared by tests",
        "JSONError": "its text is compared by tests",
        "ExtendedJSON": "a document is compared as a whole, and never a key",
        "Token": "compared by tests; a signature covers its bytes",
        "VersionedQuery": "part of a message",
        "ServerMessage": "messages are compared by tests",
        "ClientMessage": "messages are compared by tests",
        "Bind": "part of a message",
        "Rejection": "part of a message",
        "Update": "part of a message",
        "ClientEffect": "compared by tests",
        "ClientDisconnection": "compared by tests",
        "ServerEffect": "compared by tests",
        "FetchedKeys": "public; the text of keys, compared by tests",
        "Provider": "public; its names are constants in ASCII",
        "IngestRecord": "compared by tests",
    ]

    /// A hashable structure or enumeration with a string needs its own `==`.
    @Test func noKeyHasAString() throws {
        for file in try SourceFile.all(in: Self.folders) {
            for (number, line) in file.lines.enumerated() {
                guard line.containsBytes(of: "Hashable"),
                    let match = line.firstMatch(of: #/^( *).*\b(?:struct|enum) (\w+)[^{]*\bHashable\b.*\{$/#)
                else { continue }
                let (indent, name) = (match.1, String(match.2))
                let body = file.lines[(number + 1)...].prefix { $0 != indent + "}" }
                let hasString = body.contains {
                    $0.contains(#/^ *(?:package |public |fileprivate |private )*(?:let|var) \w+: String\??(?: =.*)?$/#)
                        || $0.contains(#/^ *(?:indirect )?case \w+\(.*\bString\b/#)
                }
                guard hasString, Self.reviewedTypes[name] == nil,
                    !file.lines.contains(where: {
                        $0.containsBytes(of: "static func == (") && $0.containsBytes(of: ": \(name),")
                    }),
                    name != "Key" || !file.path.hasSuffix("PrometheusMetrics.swift")
                else { continue }
                Issue.record("\(file.path):\(number + 1): \(name) is equal to another one by its strings")
            }
        }
    }
}
