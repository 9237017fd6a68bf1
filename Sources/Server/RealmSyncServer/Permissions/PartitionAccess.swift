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
#endif
