// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmQuery
    import RealmStorage
    import RealmSyncCore

    /// The name of a partition, which follows from its value. A number has the same name in 32 bits as in 64 bits.
    struct PartitionName: Hashable, Sendable {
        let kind: PartitionRequest.Kind
        let text: ByteText

        /// Of the text of a `bind`. A server stores the names of up to 1,000 partitions for each connection.
        static let maximumByteCount = 4096

        init(_ value: PartitionValue) {
            switch value {
            case .null: (kind, text) = (.null, "null")
            case .string(let value): (kind, text) = (.string, value)
            case .int32(let value): (kind, text) = (.int, ByteText(String(value)))
            case .int64(let value): (kind, text) = (.int, ByteText(String(value)))
            case .objectId(let id): (kind, text) = (.objectId, ByteText(Hexadecimal.text(id.bytes)))
            case .uuid(let uuid): (kind, text) = (.uuid, ByteText(Hexadecimal.uuid(uuid.bytes)))
            }
        }

        /// - Parameter path: The text of a `bind`.
        init?(path: String) {
            guard path.utf8.count <= PartitionName.maximumByteCount, let value = PartitionValue(path: path) else {
                return nil
            }
            self.init(value)
        }

        /// - Parameter argument: The text of a `bind`, or any other string.
        init(argument text: String) {
            self = PartitionName(path: text) ?? PartitionName(PartitionValue.string(ByteText(text)))
        }

        /// Returns `nil` if the text isn't the title of a partition in the header of its files.
        init?(title: String) {
            guard let colon = title.utf8.firstIndex(of: UInt8(ascii: ":")),
                let kind = PartitionRequest.Kind(rawValue: String(title[..<colon]))
            else { return nil }
            (self.kind, text) = (kind, ByteText(String(title[title.utf8.index(after: colon)...])))
        }

        /// - Parameter value: The value of a property.
        init?(_ value: SyncValue) {
            switch value {
            case .null: self.init(PartitionValue.null)
            case .int(let number): self.init(PartitionValue.int64(number))
            case .string(let text): self.init(PartitionValue.string(text))
            case .objectId(let id): self.init(PartitionValue.objectId(id))
            case .uuid(let uuid): self.init(PartitionValue.uuid(uuid))
            default: return nil
            }
        }

        /// The title in the header of the partition's files.
        var description: String { "\(kind.rawValue):\(text)" }

        var value: PartitionValue? {
            switch kind {
            case .null: .null
            case .string: .string(text)
            case .int: Int64(text.string).map { .int64($0) }
            case .objectId: PartitionValue(path: #"{"$oid":"\#(text)"}"#)
            case .uuid: PartitionValue(path: #"{"$uuid":"\#(text)"}"#)
            }
        }

        /// The type of the property with the value; `nil` for null.
        var type: ValueType? {
            switch kind {
            case .null: nil
            case .string: .string
            case .int: .int
            case .objectId: .objectId
            case .uuid: .uuid
            }
        }

        /// The value in the text of a query.
        var literal: String? {
            switch value {
            case nil: nil
            case .null: StoredValue.null.literal
            case .string(let text): StoredValue.string(text.string).literal
            case .int32(let number): StoredValue.int(Int64(number)).literal
            case .int64(let number): StoredValue.int(number).literal
            case .objectId(let id): StoredValue.objectId(id).literal
            case .uuid(let uuid): StoredValue.uuid(uuid).literal
            }
        }
    }
#endif
