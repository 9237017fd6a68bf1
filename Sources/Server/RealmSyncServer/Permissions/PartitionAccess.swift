// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmAccounts
    import RealmStorage
    import RealmSyncCore

    /// The access of a user to a partition.
    public enum PartitionAccess: String, Sendable, Hashable, CaseIterable {
        case none
        case read
        case write
    }

    /// A partition that a user requests, as passed to rules.
    public struct PartitionRequest: Sendable, Hashable {
        public enum Kind: String, Sendable, Hashable, CaseIterable {
            case null
            case string
            case int
            case objectId
            case uuid
        }

        /// The app.
        public let app: String
        /// The user's id.
        public let user: String
        /// The user's custom data as JSON; nil if the user has no custom data.
        public let customData: [UInt8]?
        public let kind: Kind
        /// The partition value: a string unchanged, a number in decimal digits, an id in its usual form, or `null`.
        public let partition: String
    }

    /// Returns a user's access to a partition, each time that a file begins to synchronise. It may take long, because
    /// other connections don't wait for it. It must not block its thread.
    public typealias PermissionHook = @Sendable (PartitionRequest) async throws -> PartitionAccess

    /// Two requests are equal if their bytes are, as in rules and folders.
    extension PartitionRequest {
        private var names: [ByteText] { [ByteText(app), ByteText(user), ByteText(partition)] }

        public static func == (a: PartitionRequest, b: PartitionRequest) -> Bool {
            a.kind == b.kind && a.names == b.names && a.customData == b.customData
        }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(kind)
            hasher.combine(names)
        }
    }

    extension PartitionRequest {
        init(_ grant: AccessGrant, _ partition: PartitionName) {
            self.init(
                app: grant.app, user: grant.user, customData: grant.customData, kind: partition.kind,
                partition: partition.text.string)
        }
    }

    /// A partition value as the server names it. A number has the same name in 32 bits as in 64.
    struct PartitionName: Hashable, Sendable {
        let kind: PartitionRequest.Kind
        let text: ByteText

        /// The maximum size of the text of a `bind`. A server keeps the names of 1,000 partitions for each connection.
        static let maximumByteCount = 4096

        init?(path: String) {
            guard path.utf8.count <= PartitionName.maximumByteCount else { return nil }
            switch PartitionValue(path: path) {
            case nil: return nil
            case .null: (kind, text) = (.null, "null")
            case .string(let value): (kind, text) = (.string, value)
            case .int32(let value): (kind, text) = (.int, ByteText(String(value)))
            case .int64(let value): (kind, text) = (.int, ByteText(String(value)))
            case .objectId(let id): (kind, text) = (.objectId, ByteText(Hexadecimal.text(id.bytes)))
            case .uuid(let uuid): (kind, text) = (.uuid, ByteText(Hexadecimal.uuid(uuid.bytes)))
            }
        }

        /// Creates the name from a command-line argument: the text of a `bind`, or else a string.
        init(argument text: String) {
            if let name = PartitionName(path: text) {
                self = name
            } else {
                (kind, self.text) = (.string, ByteText(text))
            }
        }

        var description: String { "\(kind.rawValue):\(text)" }
    }
#endif
