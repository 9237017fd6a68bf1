// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmAccounts
    import RealmStorage
    import RealmSyncCore

    /// The access of a user to a partition.
    public enum PartitionAccess: String, Sendable, Hashable, CaseIterable {
        /// The user can't open the partition.
        case none
        /// The user can read the partition.
        case read
        /// The user can read and write the partition.
        case write
    }

    /// A user's request for access to a partition.
    public struct PartitionRequest: Sendable, Hashable {
        /// The type of a partition value.
        public enum Kind: String, Sendable, Hashable, CaseIterable {
            /// The null value.
            case null
            /// A string.
            case string
            /// An integer.
            case int
            /// An `ObjectId`.
            case objectId
            /// A UUID.
            case uuid
        }

        /// The id of the app.
        public let app: String
        /// The id of the user.
        public let user: String
        /// The custom data of the user as JSON, or `nil` if the user doesn't have any.
        public let customData: [UInt8]?
        /// The type of the partition value.
        public let kind: Kind
        /// The partition value as text: a string unchanged, a number in decimal digits, an id in its usual form, or
        /// `null`.
        public let partition: String
    }

    /// A function that returns the access of a user to a partition. It's called each time a file starts to synchronise.
    /// Other connections don't wait for it, but it must not block its thread.
    public typealias PermissionHook = @Sendable (PartitionRequest) async throws -> PartitionAccess

    /// Two requests are equal if their bytes are equal, as in rules and folder names.
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

    /// A number has the same name in 32 bits as in 64 bits.
    struct PartitionName: Hashable, Sendable {
        let kind: PartitionRequest.Kind
        let text: ByteText

        /// Of the text of a `bind`. A server stores the names of up to 1,000 partitions for each connection.
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

        /// The argument is the text of a `bind`, or any other string.
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
